"""The report page of a run."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any

from latentlink.cli.running.run_folder import RunFolder
from latentlink.estimators import LinkModel
from latentlink.scoring import Calibrated
from latentlink.tables import Table

__all__ = ["write_run_report"]


def write_run_report(
    folder: RunFolder,
    model: LinkModel,
    calibrated: Calibrated | None,
    links: Mapping[str, Any],
    record: Mapping[str, Any],
) -> None:
    """Write ``report.html`` and ``report_data`` of a run.

    Parameters
    ----------
    folder : RunFolder
    model : LinkModel
    calibrated : Calibrated or None
    links : mapping of str to array
        The columns of ``links.csv``.
    record : mapping
        What ``run.json`` will have.
    """
    if find_spec("latentlink.report") is None:
        return
    from latentlink.report import gather_report, write_report

    table = Table(dict(links)) if len(links["rank"]) else None
    write_report(gather_report(model, calibrated=calibrated, links=table, run=record), folder / "report.html")
