"""HTML summary of a fitted estimator for notebooks: the chosen rank, the reason, and the path."""

from __future__ import annotations

from html import escape
from typing import Any

from latentlink.network import Network
from latentlink.rank.results import Choice, RankPath
from latentlink.rank.ridge import RidgeChoice

__all__ = ["summary_html"]

_HEADINGS = {
    "rank": "rank",
    "stability": "stability of rows",
    "stability_columns": "stability of columns",
    "relative_error": "relative error",
    "held_out_error": "held-out error",
    "ensemble_error": "of the ensemble",
    "members": "members",
    "set_aside": "set aside",
    "converged": "converged",
    "empty": "empty components",
    "description_length": "description length",
    "r_hat": "R-hat",
    "effective_size": "effective draws",
    "noise_level": "noise",
}


def summary_html(
    name: str, network: Network, path: RankPath, choice: Choice, ridge: RidgeChoice | None = None
) -> str:
    """Return rank, status and reason, and the path as a table, in HTML; all text is escaped.

    Parameters
    ----------
    name : str
        Name of the estimator.
    network : Network
        The training data, shown by their repr.
    path : RankPath
        One table row for each rank.
    choice : Choice
        The choice; its rank is bold in the table.
    ridge : RidgeChoice, optional
        The choice of the ridge, whose reason is shown.
    """
    columns = path.to_dict()
    headings = "".join(f"<th>{escape(_HEADINGS.get(column, column))}</th>" for column in columns)
    penalty = "" if ridge is None else f"{escape(ridge.reason)}<br>"
    posteriors = [record.posterior for record in path if record.rank == choice.rank and record.posterior]
    chains = "".join(f"{escape(posterior.summary())}<br>" for posterior in posteriors)
    rows = [_table_row(values, choice.rank) for values in zip(*columns.values(), strict=True)]
    return (
        '<div class="latentlink-summary">'
        f"<p><strong>{escape(name)}: rank {choice.rank}</strong> ({escape(choice.status)})<br>"
        f"{escape(choice.reason)}<br>{penalty}{chains}<small>{escape(repr(network))}</small></p>"
        f"<table><thead><tr>{headings}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _table_row(values: tuple[Any, ...], chosen: int) -> str:
    style = ' style="font-weight:bold"' if values[0] == chosen else ""
    return f"<tr{style}>" + "".join(f"<td>{escape(_formatted(value))}</td>" for value in values) + "</tr>"


def _formatted(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)
