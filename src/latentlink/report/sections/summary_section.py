"""The report in short: how well it predicts, what the list says, and how many components there are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from latentlink.tables import Table
from latentlink.validation.wording import counted

__all__ = ["summary_facts"]

_UNMEASURED = "No pairs were held out, so that nothing is known about how well the model predicts."
_ZEROS = (
    "Every entry is known, and all that are not listed count as 0. They are listed by what the model gives "
    "them: the first are those that fit a 0 least."
)
_UNDECIDED = "Nothing was calibrated, so that pairs have neither probabilities nor decisions."


def summary_facts(facts: Mapping[str, Any], tables: Mapping[str, Table]) -> list[dict[str, str]]:
    """Return the findings that a first reader needs, each with the section that has more about it.

    Parameters
    ----------
    facts : mapping
        Of all sections.
    tables : mapping of str to Table
        Of all sections.
    """
    found = [_quality(facts, tables), _list(facts, tables)]
    if "rank" in facts:
        found.append(_components(facts["rank"]["models"]))
    return [dict(zip(("section", "label", "finding", "text", "status"), each, strict=True)) for each in found]


def _quality(facts: Mapping[str, Any], tables: Mapping[str, Table]) -> tuple[str, ...]:
    label = "How well it predicts"
    if "prediction" not in facts:
        return "prediction", label, "Not measured", _UNMEASURED, "unconfirmed"
    metric, name, lower = facts["prediction"]["metrics"][0]
    kind = facts["prediction"]["kinds"][0][0]
    table = tables["metrics"]
    rows = [
        (mean, who, bool(baseline))
        for mean, who, baseline, of, against in zip(
            *(table[column].tolist() for column in ("mean", "model", "baseline", "metric", "negatives")),
            strict=True,
        )
        if of == metric and against == kind and mean == mean
    ]
    best = min if lower else max
    own, other = (
        best((row for row in rows if row[2] == baseline), default=None) for baseline in (False, True)
    )
    verdicts = facts["prediction"]["verdicts"]
    finding = verdicts[0]["headline"] if verdicts else f"{name} {own[0]:.3f}" if own else "Not measured"
    status = "agreed" if verdicts and verdicts[0]["better"] else "disputed"
    return "prediction", label, finding, _measured(own, other, name, lower), status


def _measured(own: Any, other: Any, name: str, lower: bool) -> str:
    """Return what the metrics of the model and of the best baseline mean."""
    if own is None:
        return _UNMEASURED
    if lower:
        beside = f"; that of the best simple rule, {other[1]}, is {other[0]:.3g}" if other else ""
        return f"On values that it has not seen its typical error ({name}) is {own[0]:.3g}{beside}."
    beside = f"; the best simple rule, {other[1]}, in {_of_hundred(other[0])}" if other else ""
    return (
        f"Of a link and a non-link that it has not seen it ranks the link first in {_of_hundred(own[0])} of "
        f"100 cases{beside}."
    )


def _of_hundred(share: float) -> str:
    """Return a share as a count of 100, which is 100 only if there is no exception."""
    count = round(100 * share)
    return "more than 99" if count == 100 and share < 1 else f"{count}"


def _list(facts: Mapping[str, Any], tables: Mapping[str, Table]) -> tuple[str, ...]:
    total, binary = facts["links"]["total"], facts["data"]["binary"]
    label = "What the list says"
    if not total:
        return "links", label, "Nothing is unknown", "Every pair is known, so that none is ranked.", "given"
    if facts["data"]["zeros"] and not binary:
        return "links", label, f"{counted(total, 'zero has a score', 'zeros have scores')}", _ZEROS, "given"
    told = facts["links"].get("told")
    if told:
        return "links", label, told["headline"], told["text"], "given"
    what = counted(total, "pair is", "pairs are") if binary else counted(total, "value is", "values are")
    text = (_of_pairs if binary else _of_values)(tables.get("links"))
    return "links", label, f"{what} {'ranked' if binary else 'predicted'}", text, "given"


def _of_pairs(links: Table | None) -> str:
    """Return what is said of ranked pairs without decisions."""
    if links is None or "probability" not in links:
        return _UNDECIDED
    return (
        "Each has a probability of a link, which supposes the share of links among the known pairs. Nothing "
        "is decided."
    )


def _of_values(links: Table | None) -> str:
    """Return what is said of predicted values."""
    if links is None or "low" not in links:
        return "They are listed from the largest on, each with its spread and without an interval."
    return (
        "They are listed from the largest on, each with an interval in which the true value is expected. "
        "What it guarantees is stated beside the list."
    )


def _components(models: list[dict[str, Any]]) -> tuple[str, ...]:
    label = "How many components"
    if len(models) > 1:
        ranks = ", ".join(f"{each['model']} {each['rank']}" for each in models)
        text = f"They serve the prediction and are not meant to be read: {ranks}."
        return "rank", label, f"{len(models)} factorizations are joined", text, "given"
    model = models[0]
    return "rank", label, model["headline"], model["meaning"], model["status"]
