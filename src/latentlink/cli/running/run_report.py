"""The report page of a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from latentlink.cli.results.decisions import quiet
from latentlink.cli.results.run_folder import RunFolder
from latentlink.cli.running.run_settings import parsed_shape
from latentlink.estimators import LinkModel, RankedFactorizer
from latentlink.report import gather_report, write_report
from latentlink.scoring import Calibrated
from latentlink.tables import Table

__all__ = ["report_facts", "write_run_report"]


def write_run_report(
    folder: RunFolder,
    models: tuple[LinkModel, RankedFactorizer | None],
    calibrated: Calibrated | None,
    links: Mapping[str, Any],
    record: Mapping[str, Any],
) -> None:
    """Write ``report.html`` and ``report_data`` of a run.

    Parameters
    ----------
    folder : RunFolder
    models : (LinkModel, RankedFactorizer or None)
        The model, and the factorization beside a stack.
    calibrated : Calibrated or None
    links : mapping of str to array
        The columns of ``links.csv``.
    record : mapping
        What ``run.json`` will have.
    """
    with quiet():  # what the warnings say is part of the page
        data = gather_report(
            models[0],
            components=models[1],
            calibrated=calibrated,
            links=Table(dict(links)),
            run=report_facts(record),
            image_shape=parsed_shape(record["settings"]["image_shape"]),
        )
    write_report(data, folder / "report.html")


def report_facts(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a report says about the run: the command, and what is set, without what is not."""
    data = record["data"]
    return {
        "command": record["command"],
        "data": data["name"],
        "data SHA-256": record["data_sha256"],
        "understood": data["understood"],
        "assumed": "; ".join(data["assumed"]),
        "method": f"{record['method']['name']}, since {record['method']['reason']}",
        "calibration": record["calibration"]["sentence"],
        "limits": record["calibration"].get("limits"),
        "supposed_share_of_links": record["calibration"].get("supposed_share_of_links"),
        "unknown_like_known": record["calibration"].get("unknown_like_known"),
        "options": {name: value for name, value in record["settings"].items() if value not in (None, False)},
        "versions": record["versions"],
    }
