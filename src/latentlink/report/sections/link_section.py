"""The ranked links: the best of them with their explanations and neighbourhoods."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import DataWarning
from latentlink.network import Network
from latentlink.report.explanation_tables import explanation_tables
from latentlink.report.report_data import Section
from latentlink.report.sections.neighbourhood import neighbourhood
from latentlink.report.words.part_words import meanings_of
from latentlink.scoring import Calibrated
from latentlink.tables import Table

__all__ = ["MOST_EXPLAINED", "MOST_LINKS", "link_section", "ranked_links"]

Array = NDArray[Any]

MOST_LINKS = 1000
MOST_EXPLAINED = 100
_COLUMNS: dict[str, Any] = {
    "source": object,
    "target": object,
    "score": np.float64,
    "decision_probability": np.float64,
    "probability": np.float64,
    "spread": np.float64,
    "low": np.float64,
    "high": np.float64,
    "decision": object,
    "rank": np.int64,
}
_ADDS_UP = {
    "score": "What the score is made of: the bars add up to it, before it is clipped to the range of the "
    "known values. A bar to the right raises the score, and the thin line is the spread of its length among "
    "the models of the ensemble.",
    "logit": "What the score is made of, on the scale of log-odds: bars to the right speak for a link, bars "
    "to the left against it, and 0 in total means fifty-fifty. The thin line is the spread of a bar's "
    "length among the models of the ensemble.",
    "boolean": "The components that contain both ends: one of them is enough for a link. The length is the "
    "share of the models of the ensemble in which it does.",
}
_SAME = {"row": "source", "column": "target"}


def ranked_links(model: Any, calibrated: Calibrated | None, links: Table | None) -> Table:
    """Return the ranked links that were given, or else the model's best, under the names of the report.

    Parameters
    ----------
    model : fitted model
    calibrated : Calibrated or None
        Its probabilities are added to links that were not given.
    links : Table or None
        With the columns source, target and score (or those of `top_links`), and any of the others.
    """
    if links is None:
        with warnings.catch_warnings():
            # No pair is unknown, or the best pairs differ from the calibration pairs: the page says so.
            warnings.simplefilter("ignore", DataWarning)
            links = _best_links(model, calibrated)
    given = {_SAME.get(name, name): column for name, column in links.columns.items()}
    given.setdefault("rank", np.arange(1, len(links) + 1))
    return Table({name: given[name] for name in _COLUMNS if name in given and not _is_empty(given[name])})


def _best_links(model: Any, calibrated: Calibrated | None) -> Table:
    links: Table = (model if calibrated is None else calibrated).top_links(MOST_LINKS)
    if calibrated is None or not len(links) or not np.isin(calibrated.values, (0, 1)).all():
        return links
    return Table({**links.columns, "probability": np.asarray(calibrated.probabilities(links))})


def _is_empty(column: Array) -> bool:
    """Return whether a column says nothing: texts without characters, or numbers that are all NaN."""
    if column.dtype.kind in "UO":
        return bool(len(column)) and not any(column.tolist())
    return bool(len(column)) and bool(np.isnan(column.astype(np.float64)).all())


def link_section(model: Any, network: Network, links: Table, binary: bool) -> Section:
    """Return the best links, with explanations and neighbourhoods of the first ones."""
    shown = {name: _as_kind(column[:MOST_LINKS], _COLUMNS[name]) for name, column in links.columns.items()}
    decisions = links.columns.get("decision", np.array([], object))
    counts = dict(zip(*(part.tolist() for part in np.unique(decisions, return_counts=True)), strict=True))
    facts: dict[str, Any] = {
        "total": len(links),
        "shown": min(len(links), MOST_LINKS),
        "explained": min(len(links), MOST_EXPLAINED),
        "decisions": [[str(name), count] for name, count in counts.items()],
        "binary": binary,
        "ends": ["source", "target"] if network.square else ["row", "column"],
        "adds_up": _ADDS_UP[_kind(model)],
        "directed": network.square and not network.symmetric,
    }
    rows, cols = _indices(network, links)
    graphs = [neighbourhood(network, int(i), int(j)) for i, j in zip(rows, cols, strict=True)]
    tables = {"links": Table(shown)} if shown else {}
    explained = explanation_tables(model, rows, cols)
    if explained is not None:
        tables |= explained
        by_part = explained.get("explanation_parts", explained["explanations"])
        facts["kinds"] = meanings_of(by_part["part"].tolist())
    return {"links": facts, "neighbourhoods": graphs}, tables


def _kind(model: Any) -> str:
    if model.factors_.boolean:
        return "boolean"
    return "logit" if model.factors_.logistic else "score"


def _as_kind(column: Array, kind: Any) -> Array:
    if kind is object:  # lone surrogates cannot be written
        return np.array([str(cell).encode("utf-8", "replace").decode() for cell in column.tolist()], object)
    return np.asarray(column, kind)


def _indices(network: Network, links: Table) -> tuple[Array, Array]:
    """Return rows and columns of the first links; indices may have been written as text."""
    sides = []
    for name, known in (("source", network.row_names), ("target", network.col_names)):
        first = links[name][:MOST_EXPLAINED]
        sides.append(first.astype(np.int64) if known is None else first)
    return network.pair_indices(*sides)
