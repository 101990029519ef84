"""Reports that several tests look at."""

from __future__ import annotations

import pytest

from arena.records import Fault, FaultKind
from arena.report import ReportData, report_data
from arena.report.render import render
from tests.report.pages import Element, read_page
from tests.report.simulated import stored

HOSTILE = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>\u202egnp.exe\x00"
BOTS = {"stops:points=300": 300, "stops:points=600": 600, HOSTILE: 450, "=loser()": -1}
RULES = ("tienduizend", "zehntausend-2:target=2000")


@pytest.fixture(scope="session")
def hostile() -> ReportData:
    """Four bots on two rulesets; one has a hostile name, one raises at every question."""
    faults = [
        Fault(
            bot="=loser()",
            kind=FaultKind.EXCEPTION,
            message=f"RuntimeError: {HOSTILE}",
            traceback=f'  File "x.py", line 3\n    </pre>{HOSTILE}',
            output="\x1b[31mred\udcff",
            position="turn(</details>)",
            block=block,
        )
        for block in range(3)
    ]
    return report_data(stored(RULES, BOTS, blocks=8, faults=faults))


@pytest.fixture(scope="session")
def page(hostile: ReportData) -> str:
    return render(hostile)


@pytest.fixture(scope="session")
def tree(page: str) -> Element:
    return read_page(page)


@pytest.fixture(scope="session")
def four() -> ReportData:
    """Five bots, four at a table."""
    bots = {f"stops:points={points}": points for points in (300, 350, 500, 800, 1500)}
    return report_data(stored(["zehntausend-1:target=3000"], bots, blocks=10, players=4))
