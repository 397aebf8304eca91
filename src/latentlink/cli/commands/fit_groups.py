"""Groups of options of a fit: the method, its results, and the run."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from latentlink.cli.commands.shared_options import (
    FLAG,
    METHOD_HELP,
    METHOD_PANEL,
    Jobs,
    Json,
    Method,
    SearchGroup,
    Seed,
)

if TYPE_CHECKING:
    from latentlink.cli.reading.data_file import DataOptions
    from latentlink.cli.running.run_settings import FitSettings

__all__ = ["CalibrationKind", "MethodGroup", "ResultGroup", "RunGroup", "WorkplaceGroup", "fit_settings"]

_RESULTS = "Results"
_WORKPLACE = "Beyond one process"


class CalibrationKind(StrEnum):
    """Ways to calibrate."""

    by_data = "auto"
    by_folds = "cross"
    by_share = "split"
    not_at_all = "none"


@dataclass(frozen=True, kw_only=True)
class WorkplaceGroup:
    """Where the work is done; results do not depend on it."""

    dask: Annotated[
        str | None,
        typer.Option(
            metavar="CLUSTER",
            help="Run tasks on a Dask cluster: tcp://host:8786, local:4, or the file of a scheduler.",
            rich_help_panel=_WORKPLACE,
        ),
    ] = None
    share: Annotated[
        str | None,
        typer.Option(
            metavar="I/N",
            help="Be one of N processes that fit together in RUN, which each begins with tasks of its own.",
            rich_help_panel=_WORKPLACE,
        ),
    ] = None
    combine: Annotated[
        bool,
        typer.Option("--combine", metavar=FLAG, help="Finish a run of shares.", rich_help_panel=_WORKPLACE),
    ] = False


@dataclass(frozen=True, kw_only=True)
class RunGroup(WorkplaceGroup):
    """Where results go, and how the work is done."""

    out: Annotated[str, typer.Option(help="Folder of the results; created if needed.", metavar="RUN")]
    seed: Seed = 0
    jobs: Jobs = None
    force: Annotated[
        bool, typer.Option("--force", metavar=FLAG, help="Replace another run in that folder.")
    ] = False
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class MethodGroup:
    """What is fitted."""

    method: Annotated[
        Method,
        typer.Option(
            metavar="METHOD",
            help=f"auto chooses by the data, and says why. {METHOD_HELP}",
            rich_help_panel=METHOD_PANEL,
        ),
    ] = Method.auto
    logistic: Annotated[
        bool,
        typer.Option(
            "--logistic",
            metavar=FLAG,
            help="Give a factorization a logistic head.",
            rich_help_panel=METHOD_PANEL,
        ),
    ] = False
    components: Annotated[
        bool | None,
        typer.Option(
            "--components/--no-components",
            metavar=FLAG,
            help="Fit a factorization beside a stack, whose rank and components the report shows.",
            show_default="where it takes a few minutes at most",
            rich_help_panel=METHOD_PANEL,
        ),
    ] = None
    device: Annotated[
        str | None,
        typer.Option(
            metavar="DEVICE",
            help="Fit a factorization on GPUs: cuda, cuda:1, or auto for GPUs where there are any.",
            show_default="the CPU",
            rich_help_panel=METHOD_PANEL,
        ),
    ] = None
    negatives: Annotated[
        float | None,
        typer.Option(
            metavar="RATIO",
            help="Non-links to draw for each link, among the unlisted pairs.",
            rich_help_panel=METHOD_PANEL,
        ),
    ] = None
    time_limit: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            help="When the search for the rank ends with the best so far.",
            rich_help_panel=METHOD_PANEL,
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class ResultGroup:
    """What is predicted and decided."""

    calibration: Annotated[
        CalibrationKind,
        typer.Option(
            metavar="HOW",
            help="cross: all data are fitted, and folds calibrate; split: a tenth is kept back; none; auto "
            "chooses by the data, and says why.",
            rich_help_panel=_RESULTS,
        ),
    ] = CalibrationKind.by_data
    risk: Annotated[
        float,
        typer.Option(
            metavar="SHARE",
            help="Largest share of wrong decisions; where it is in doubt, abstain.",
            rich_help_panel=_RESULTS,
        ),
    ] = 0.05
    base_rate: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            help="Share of links among unknown pairs that probabilities suppose; else that of known ones.",
            rich_help_panel=_RESULTS,
        ),
    ] = None
    fdr: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            help="Decide by discoveries instead: largest share of non-links among the links found.",
            rich_help_panel=_RESULTS,
        ),
    ] = None
    level: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            help="Coverage of the intervals of values.",
            show_default="0.9",
            rich_help_panel=_RESULTS,
        ),
    ] = None
    top: Annotated[
        int,
        typer.Option(min=1, metavar="N", help="Number of unknown pairs to list.", rich_help_panel=_RESULTS),
    ] = 10_000
    image_shape: Annotated[
        str | None,
        typer.Option(
            metavar="HxW",
            help="Rows (or columns) are pixels: show components as images.",
            rich_help_panel=_RESULTS,
        ),
    ] = None


def fit_settings(
    data: DataOptions, method: MethodGroup, search: SearchGroup, results: ResultGroup, seed: int
) -> FitSettings:
    """Return the settings that determine the results of a fit."""
    from latentlink.cli.running.run_settings import FitSettings

    return FitSettings(
        data=data,
        seed=seed,
        **vars(search),
        **{**vars(method), "method": method.method.value},
        **{**vars(results), "calibration": results.calibration.value},
    )
