"""Reading a page back: its elements, with a check that every tag is closed where it should be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "link", "wbr", "img", "br", "input", "hr"}
SELF_CLOSED_SVG = {"line", "rect", "path", "circle"}


@dataclass
class Element:
    tag: str
    attributes: dict[str, str]
    children: list[Element | str] = field(default_factory=list)

    def all(self, tag: str = "") -> Iterator[Element]:
        """Every element below this one, in the order of the page."""
        for child in self.children:
            if isinstance(child, Element):
                if not tag or child.tag == tag:
                    yield child
                yield from child.all(tag)

    @property
    def text(self) -> str:
        parts = (c if isinstance(c, str) else c.text for c in self.children)
        return "".join(parts)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.stack = [Element("document", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(set(names)) == len(names), f"an attribute twice in <{tag}>"
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.stack[-1].children.append(element)
        if tag not in VOID:
            self.stack.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in SELF_CLOSED_SVG, tag
        self.handle_starttag(tag, attrs)
        self.stack.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.stack[-1].tag == tag, f"</{tag}> closes <{self.stack[-1].tag}>"
        self.stack.pop()

    def handle_data(self, data: str) -> None:
        self.stack[-1].children.append(data)


def read_page(page: str) -> Element:
    """The page as a tree."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    assert len(reader.stack) == 1, f"<{reader.stack[-1].tag}> is not closed"
    return reader.stack[0]


def numbers_of(row: Element) -> list[str]:
    """The exact numbers of a row of a table, from left to right."""
    found = []
    for cell in row.all("td"):
        found += [
            cell.attributes[name] for name in ("data-v", "data-to") if name in cell.attributes
        ]
    return found
