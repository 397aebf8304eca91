"""The rank and why: curves of stability and held-out error, the choice, and its sentence."""

from __future__ import annotations

from typing import Any

import numpy as np

from latentlink.rank import Choice, RankPath
from latentlink.rank.criterion import without_prediction
from latentlink.report.report_data import Section
from latentlink.report.sections.factorizers import factorizers_of
from latentlink.tables import Table
from latentlink.validation.wording import counted

__all__ = ["rank_section"]

_COLUMNS = ("rank", "stability", "stability_columns", "held_out_error", "ensemble_error", "relative_error")
_UNCLEAR = "No clear number of components"
_HEADLINES = {
    "agreed": "{components} fit the data best",
    "disputed": "{components}, but the criteria disagree",
    "unstable": _UNCLEAR,
    "unconfirmed": "{components}, not confirmed",
}
_MEANINGS = {
    "agreed": "Stability and held-out error point to the same number, so it can be relied on.",
    "disputed": "The criteria disagree{others}. Rank {rank} is the choice of the rule, and a neighbouring "
    "number may serve as well: do not read much into single components.",
    "unstable": "At no number of components did repeated fits find the same ones. Rank {rank} is the best "
    "guess for prediction{others}; do not read meaning into single components.",
    "unconfirmed": "Stability or held-out error could not be measured, so nothing confirms rank {rank}.",
}
_NEARLY = "Stability and held-out error point to nearly the same number{others}."
_NOT_CLEAR = (
    "{why}{others}. Rank {rank} is the choice of the rule: use the scores, and do not read meaning into "
    "single components."
)
_GIVEN = "Rank {rank} was given and no other number was tried, so the data had no part in this choice."


def rank_section(model: Any, components: Any = None) -> Section:
    """Return what is said about the rank of each factorization, and the table ``ranks`` of all of them.

    Parameters
    ----------
    model : LinkModel
    components : RankedFactorizer, optional
        The factorization beside a model that predicts, whose rank stands in place of the model's.
    """
    parts = factorizers_of(model if components is None else components)
    if not parts:
        return {}, {}
    facts = {"models": [_facts(name, part.path_, part.choice_) for name, part in parts]}
    columns: dict[str, list[Any]] = {"model": []} | {name: [] for name in _COLUMNS} | {"standard_error": []}
    for name, part in parts:
        path = part.path_.to_dict()
        columns["model"] += [name] * len(part.path_)
        for column in _COLUMNS:
            columns[column] += path[column]
        columns["standard_error"] += [record.held_out_standard_error for record in part.path_]
    kinds: dict[str, Any] = {"model": object, "rank": np.int64}
    table = Table({name: np.array(column, kinds.get(name, np.float64)) for name, column in columns.items()})
    return {"rank": facts}, {"ranks": table}


def _facts(name: str, path: RankPath, choice: Choice) -> dict[str, Any]:
    given = len(path) == 1
    components = counted(choice.rank, "component")
    others = f"; other criteria choose {_listed(choice.runners_up)}" if choice.runners_up else ""
    meaning = _GIVEN if given else _MEANINGS[choice.status]
    if choice.status == "agreed" and choice.runners_up and not given:
        meaning = _NEARLY
    headline = "{components}, as given" if given else _HEADLINES[choice.status]
    if _UNCLEAR.lower() in choice.reason:
        headline = _UNCLEAR
    reason, unclear = choice.reason, ""
    if _UNCLEAR.lower() in reason:  # the headline says it
        reason, _, unclear = reason.partition(f"; {_UNCLEAR.lower()}: ")
        unclear, _, clauses = unclear.partition("; ")
        reason += f"; {clauses}" if clauses else ""
        meaning = _NOT_CLEAR
    return {
        "model": name,
        "rank": choice.rank,
        "status": "given" if given else choice.status,
        "headline": headline.format(components=components),
        "reason": "" if given else f"Rank {choice.rank}: {without_prediction(reason).rstrip('.')}.",
        "meaning": meaning.format(
            rank=choice.rank, others=others, why=f"{unclear[:1].upper()}{unclear[1:].rstrip('.')}"
        ),
        "members": len(path[choice.rank].members),
    }


def _listed(ranks: tuple[int, ...]) -> str:
    """Return ranks as "2, 5 or 32"."""
    *first, last = map(str, sorted(ranks))
    return f"{', '.join(first)} or {last}" if first else last
