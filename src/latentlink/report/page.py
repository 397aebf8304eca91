"""The report page: templates, styles, scripts and data in one HTML file that needs nothing else."""

from __future__ import annotations

import base64
import hashlib
import math
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, UndefinedError
from markupsafe import Markup

from latentlink.errors import InputError
from latentlink.report.payload import characters_of_names, embedded_json, page_payload
from latentlink.report.report_data import ReportData

__all__ = ["LARGEST_PAGE", "page_html"]

LARGEST_PAGE = 1_500_000  # bytes
_HERE = Path(__file__).parent
_VENDOR = ("vega.min.js", "vega-lite.min.js", "vega-interpreter.min.js")
_SCRIPTS = (
    "dom.js", "charts.js", "rank_chart.js", "risk_charts.js", "prediction_chart.js", "link_detail.js",
    "link_graph.js", "links_table.js", "component_charts.js", "component_images.js", "start.js",
)  # fmt: skip
_STYLES = ("theme.css", "layout.css", "parts.css", "print.css")
# Characters of a name and number of links that are embedded: the first that keeps the page small enough.
_SIZES = ((10_000, 1000), (1000, 1000), (200, 1000), (60, 1000), (30, 500), (20, 100))


def page_html(data: ReportData) -> str:
    """Return the page as text; it is a function of the data alone.

    Names longer than the page can hold are shortened in it, and whole in the files beside it.
    """
    for longest, most_links in _SIZES:
        if characters_of_names(data, longest, most_links) > LARGEST_PAGE:
            continue
        try:
            html = _rendered(data, embedded_json(page_payload(data, longest, most_links)))
        except UndefinedError as error:
            raise InputError(
                f"The data of the report are not complete ({error}); another version of latentlink wrote "
                "them, or they are damaged."
            ) from None
        if len(html.encode("utf-8")) < LARGEST_PAGE:
            return html
    raise InputError(
        f"The report page would have {len(html.encode('utf-8')):,} bytes; expected fewer than "
        f"{LARGEST_PAGE:,}. Leave out settings of the run that are longer than a line."
    )


def _rendered(data: ReportData, payload: str) -> str:
    scripts = [*(_asset("vendor", name) for name in _VENDOR), _joined("assets", _SCRIPTS, "\n")]
    style = _joined("assets", _STYLES, "\n")
    return _environment().get_template("page.html.j2").render(
        facts=data.facts,
        tables={name: table.columns for name, table in data.tables.items()},
        policy=_policy(scripts, style),
        # Our own files and JSON without "<" are the only text that is not escaped.
        style=Markup(style),
        scripts=[Markup(script) for script in scripts],
        payload=Markup(payload),
    )  # fmt: skip


def _policy(scripts: list[str], style: str) -> str:
    """Return the content security policy: these scripts and styles, and nothing else from anywhere."""
    allowed = " ".join(_hash(script) for script in scripts)
    return (
        f"default-src 'none'; script-src {allowed}; style-src {_hash(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
    return f"'sha256-{digest}'"


@cache
def _asset(folder: str, name: str) -> str:
    """Return a file of ours as text, without the comment that names a source map nobody has."""
    text = (_HERE / folder / name).read_text(encoding="utf-8")
    return "\n".join(line for line in text.splitlines() if not line.startswith("//# sourceMappingURL"))


def _joined(folder: str, names: tuple[str, ...], between: str) -> str:
    return between.join(_asset(folder, name) for name in names)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_HERE / "templates", encoding="utf-8"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["number"] = _number
    environment.filters["prose"] = _prose
    return environment


def _prose(sentences: Any) -> str:
    """Return sentences in which no line ends between a number and its percent sign."""
    return str(sentences).replace(" %", "\N{NO-BREAK SPACE}%")


def _number(value: Any) -> str:
    """Return a number as text: thousands apart, fractions with three digits; a dash for NaN."""
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.3f}" if math.isfinite(value) else "\N{EN DASH}"
