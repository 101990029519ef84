// Sorting of tables by a click on a heading. Without it everything still stands there, in order.
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.classList.contains("n") && head.getAttribute("aria-sort") !== "descending"
        || head.getAttribute("aria-sort") === "ascending";
      const key = (row) => {
        const cell = row.cells[column];
        if (!("v" in cell.dataset)) return cell.textContent.trim().toLowerCase();
        return cell.dataset.v === "" ? Number.MIN_SAFE_INTEGER : Number(cell.dataset.v);
      };
      const body = table.tBodies[0];
      const rows = [...body.rows].sort((a, b) => {
        const [x, y] = [key(a), key(b)];
        const order = typeof x === "number" ? x - y : x.localeCompare(y, "en", { numeric: true });
        return down ? -order : order;
      });
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      body.append(...rows);
    });
  });
}
