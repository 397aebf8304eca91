"""The record that a report page is made of: facts as plain values, and tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from latentlink.tables import Table

__all__ = ["ReportData", "Section"]

Section = tuple[dict[str, Any], dict[str, Table]]
"""What a section adds to a report: its facts, and its tables by name."""


@dataclass(frozen=True, eq=False)
class ReportData:
    """Everything that a report page shows, as plain values: the page is a function of it alone.

    Attributes
    ----------
    facts : dict
        Sentences and numbers of each section, by name: dicts, lists, text, numbers, booleans and None.
    tables : dict of str to Table
        The rows of tables and curves: ``links``, ``ranks``, ``metrics``, ``reliability``,
        ``risk_coverage``, ``members``, ``loadings``, ``explanations``; those without data are absent.
    """

    facts: Mapping[str, Any]
    tables: Mapping[str, Table]

    def __repr__(self) -> str:
        rows = ", ".join(f"{name} ({len(table):,})" for name, table in self.tables.items())
        return f"ReportData: {self.facts['title']}; tables: {rows or 'none'}"
