"""A fitted estimator in a notebook: the rank, why, and the path that led to it."""

from __future__ import annotations

from html import escape
from typing import Any

from latentlink.network import Network
from latentlink.rank import Choice, RankPath, RidgeChoice

__all__ = ["summary_html"]

_HEADINGS = {
    "rank": "rank",
    "stability": "stability of rows",
    "stability_columns": "stability of columns",
    "relative_error": "relative error",
    "held_out_error": "held-out error",
    "members": "members",
    "set_aside": "set aside",
    "converged": "converged",
    "empty": "empty components",
    "description_length": "description length",
}


def summary_html(
    name: str, network: Network, path: RankPath, choice: Choice, ridge: RidgeChoice | None = None
) -> str:
    """Return the rank, its reason and status, and the path as an HTML table; all text is escaped."""
    columns = path.to_dict()
    headings = "".join(f"<th>{escape(_HEADINGS.get(each, each))}</th>" for each in columns)
    penalty = "" if ridge is None else f"{escape(ridge.reason)}<br>"
    lines = [_line(values, choice.rank) for values in zip(*columns.values(), strict=True)]
    return (
        '<div class="latentlink-summary">'
        f"<p><strong>{escape(name)}: rank {choice.rank}</strong> ({escape(choice.status)})<br>"
        f"{escape(choice.reason)}<br>{penalty}<small>{escape(repr(network))}</small></p>"
        f"<table><thead><tr>{headings}</tr></thead><tbody>{''.join(lines)}</tbody></table></div>"
    )


def _line(values: tuple[Any, ...], chosen: int) -> str:
    mark = ' style="font-weight:bold"' if values[0] == chosen else ""
    return f"<tr{mark}>" + "".join(f"<td>{escape(_shown(value))}</td>" for value in values) + "</tr>"


def _shown(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)
