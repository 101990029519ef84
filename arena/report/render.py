"""`ReportData` as one HTML page that needs nothing else."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from functools import partial
from importlib.resources import files

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from arena.report import charts, formats
from arena.report.blunder_links import BlunderLink, link_of
from arena.report.model import ReportData

MOST_BOTS_IN_PAIRS = 60
"""With more bots than this a page leaves all pairs to the other files, and says so."""


def render(report: ReportData, links: Mapping[str, BlunderLink] | None = None) -> str:
    """The page: styles, charts and the few lines of script stand in it.

    The page forbids itself every request, and every script but its own (by hash), in a content
    security policy; so a text that escaped escaping would still do nothing.

    Args:
        report: what it says.
        links: pages of blunders beside it, see `links_beside`.
    """
    script = template_text("script.js").strip()
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    page = (
        page_environment()
        .get_template("report.html.j2")
        .render(
            report=report,
            blunders=partial(link_of, links or {}),
            names=[bot.label for bot in report.bots],
            style=Markup(template_text("style.css").strip()),
            script=Markup(script),
            script_hash=f"sha256-{digest}",
        )
    )
    return page.rstrip() + "\n"


def page_environment() -> Environment:
    """Templates, with all texts escaped, and the filters that they use."""
    environment = Environment(
        loader=FunctionLoader(template_text),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=formats.visible,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(charts=charts, formats=formats, most=MOST_BOTS_IN_PAIRS)
    environment.filters.update(
        breakable=formats.breakable,
        count=formats.count,
        decimal=formats.decimal,
        paragraphs=formats.paragraphs,
        percent=formats.percent,
        prose=formats.prose,
        raw=formats.raw,
        signed=formats.signed,
    )
    return environment


def template_text(name: str) -> str:
    """A file beside the templates."""
    return files("arena.report").joinpath("templates", name).read_text(encoding="utf-8")
