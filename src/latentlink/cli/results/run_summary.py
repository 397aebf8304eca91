"""What is said of a finished run, in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from latentlink.cli.option_words import in_options
from latentlink.report.words.decision_words import DecidedList, supposition, told_decisions

__all__ = ["run_notes", "run_summary"]


_GUESS = " It is a best guess for prediction; do not interpret its components."


def run_summary(record: Mapping[str, Any]) -> list[str]:
    """Return sentences about rank, calibration and decisions of a run.

    Parameters
    ----------
    record : mapping
        The contents of ``run.json``.
    """
    rank, links, limits = record.get("rank"), record["links"], record["calibration"]["limits"]
    sentences = []
    if rank:
        guess = _GUESS if rank["status"] == "unstable" else ""
        sentences.append(f"Rank {rank['rank']} ({rank['status']}): {in_options(rank['reason'])}.{guess}")
    components = record.get("components")
    if components:
        sentences.append(
            f"Components: rank {components['rank']} ({components['status']}): "
            f"{in_options(components['reason'])}. They describe the data; predictions come from the stack."
        )
    if not links["listed"]:
        sentences.append("No pair is unknown, so that links.csv is empty.")
    if limits:
        sentences.append(in_options(_beginning(limits[0])))
    if links["decisions"]:
        sentences.append(_decisions(record))
    return sentences


def _decisions(record: Mapping[str, Any]) -> str:
    """Return how many pairs have which decision, and what that means."""
    links, settings, calibration = record["links"], record["settings"], record["calibration"]
    if calibration.get("share_of_links") is None:
        return "Decisions: none, since nothing was calibrated."
    decided = DecidedList(
        counts=links["decisions"],
        unknown=links["unknown"],
        share=calibration["share_of_links"],
        supposed=calibration.get("supposed_share_of_links"),
        like_known=bool(calibration.get("unknown_like_known")),
        **{name: settings.get(name) for name in ("risk", "base_rate", "fdr")},
    )
    said = (told_decisions(decided).sentences, supposition(decided), "The report has more.")
    return " ".join(filter(None, said))


def run_notes(record: Mapping[str, Any]) -> list[str]:
    """Return what a user should beware of."""
    notes = []
    formulas = record["links"]["formula_names"]
    if formulas:
        notes.append(
            f"{formulas:,} names begin with =, +, - or @, which spreadsheet programs take for formulas: "
            "import the columns of links.csv as text."
        )
    if not record["complete"]:
        notes.append("The search for the rank was ended by --time-limit.")
    return notes


def _beginning(limits: str) -> str:
    """Return the first two sentences of what is guaranteed and what is not."""
    return ". ".join(limits.split(". ")[:2]).rstrip(".") + "."
