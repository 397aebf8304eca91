"""What is said of a finished run, in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from latentlink.cli.option_words import in_options

__all__ = ["run_notes", "run_summary"]

_DIFFERENT = "guarantee need not hold"


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
        sentences.append(f"Rank {rank['rank']} ({rank['status']}): {in_options(rank['reason'])}.")
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
    decided = ", ".join(f"{name} {count:,}" for name, count in links["decisions"].items())
    if decided:
        abstained = links["decisions"].get("abstain", 0)
        why = (
            f" Abstain: a decision would be wrong too often (--risk is {record['settings']['risk']:g})."
            if abstained and record["settings"].get("fdr") is None
            else ""
        )
        sentences.append(f"Decisions: {decided}.{why} What they rest on is in the report, and in run.json.")
    if decided and any(_DIFFERENT in each for each in limits[1:]):
        sentences.append(
            "The listed pairs differ from the known ones in scores or degrees, as the best of many pairs do: "
            "the bound on wrong decisions need not hold for them."
        )
    return sentences


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
