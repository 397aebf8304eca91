"""``latentlink demo``: the main job, on data that come with the package."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from latentlink.cli.console import standard_output, waiting

if TYPE_CHECKING:
    from rich.table import Table

    from latentlink.cli.trial import Trial

__all__ = ["demo"]


def demo(
    rank: Annotated[int, typer.Option(min=1, help="Number of patterns to fit.")] = 4,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the holdout and of all starts.")] = 0,
) -> None:
    """Hold out a tenth of a small data set and predict it.

    Fits two factorizations to the rest and shows their error on what was held out, beside that of two
    predictors that know no patterns. Needs no files and no network, and writes nothing.
    """
    console = standard_output()
    with waiting(console, "Loading"):
        from latentlink.cli.trial import prepare, run_trial
        from latentlink.datasets import dog
    with waiting(console, "Preparing kernels: compiled once, then kept"):
        preparing = prepare()
    with waiting(console, f"Fitting at rank {rank}"):
        trial = run_trial(dog(), rank, seed)
    console.print(_introduction(trial, seed))
    console.print(_table(trial, rank))
    console.print(_explanation(trial, preparing))


def _introduction(trial: Trial, seed: int) -> str:
    data, split = trial.data, trial.split
    return (
        f"[bold]{data.name}[/]: {data.description}; true rank {data.rank}.\n"
        f"The methods see {split.train.n_known:,} of {data.network.n_known:,} entries; "
        f"{split.test.n_listed:,} are held out, a tenth of the zeros and a tenth of the ones (seed {seed}).\n"
    )


def _table(trial: Trial, rank: int) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(title=f"Error on what was held out, rank {rank}", box=box.SIMPLE_HEAD, title_justify="left")
    table.add_column("method", min_width=8)
    for heading in ("RMSE", f"wrong of {trial.split.test.n_listed:,}", "seconds"):
        table.add_column(heading, justify="right", min_width=5)
    best = min(score.rmse for score in trial.scores)
    for place, score in enumerate(trial.scores):
        if place and trial.scores[place - 1].baseline and not score.baseline:
            table.add_section()
        style = "bold green" if score.rmse == best else "dim" if score.baseline else ""
        numbers = (f"{score.rmse:.3f}", f"{score.wrong:,}", f"{score.seconds:.2f}")
        table.add_row(score.method, *numbers, style=style)
    return table


def _explanation(trial: Trial, preparing: float) -> str:
    lines = [
        f"WNMF and BNMF: mean of {trial.members} fits from random starts. "
        "Wrong: on the other side of one half. Predictions are cut to the range of the known values."
    ]
    if preparing > 1:
        lines.append(
            f"Preparing kernels took {preparing:.0f} seconds more; they are compiled once, then kept."
        )
    return "\n".join(lines)
