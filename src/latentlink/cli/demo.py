"""``latentlink demo``: the main job, on data that come with the package."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from latentlink.cli.console import progress_bar, standard_output, waiting

if TYPE_CHECKING:
    from rich.table import Table

    from latentlink.cli.trial import Trial

__all__ = ["demo"]


def demo(
    rank: Annotated[
        int | None, typer.Option(min=1, help="Fit this rank alone, instead of searching 1 to 8.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the holdout and of all starts.")] = 0,
) -> None:
    """Hold out a tenth of a small data set, find the rank of the rest and predict what was held out.

    Shows every rank with its stability and held-out error, the choice and its reason, the error on the tenth
    beside that of two predictors that know no patterns, and the best pairs that were not known. Needs no
    files and no network, and writes nothing.
    """
    console = standard_output()
    with waiting(console, "Loading"):
        from latentlink.cli.trial import RANKS, prepare, run_trial
        from latentlink.datasets import dog
    with waiting(console, "Preparing kernels: compiled once, then kept"):
        preparing = prepare()
    with progress_bar(console, "Searching the rank") as callback:
        trial = run_trial(dog(), RANKS if rank is None else (rank,), seed, callback)
    console.print(_introduction(trial, seed))
    console.print(_path_table(trial))
    console.print(_choice(trial))
    console.print(_error_table(trial))
    console.print(_link_table(trial))
    console.print(_explanation(preparing))


def _introduction(trial: Trial, seed: int) -> str:
    data, split = trial.data, trial.split
    return (
        f"[bold]{data.name}[/]: {data.description}; true rank {data.rank}.\n"
        f"The methods see {split.train.n_known:,} of {data.network.n_known:,} entries; "
        f"{split.test.n_listed:,} are held out, a tenth of the zeros and a tenth of the ones (seed {seed}).\n"
    )


def _path_table(trial: Trial) -> Table:
    model = trial.model
    table = _table(f"BNMFk, {model.n_perturbs} members at each rank", "rank", "stability", "held-out error")
    for record in model.path_:
        numbers = (str(record.rank), f"{record.stability:.2f}", f"{record.held_out_error:.3f}")
        table.add_row(*numbers, style="bold green" if record.rank == model.rank_ else "")
    return table


def _choice(trial: Trial) -> str:
    choice = trial.model.choice_
    return f"[bold]Rank {choice.rank}[/] ({choice.status}): {choice.reason}.\n"


def _error_table(trial: Trial) -> Table:
    wrong = f"wrong of {trial.split.test.n_listed:,}"
    table = _table("Error on the tenth that was held out", "method", "RMSE", wrong, "seconds")
    best = min(score.rmse for score in trial.scores)
    for place, score in enumerate(trial.scores):
        if place and trial.scores[place - 1].baseline and not score.baseline:
            table.add_section()
        style = "bold green" if score.rmse == best else "dim" if score.baseline else ""
        numbers = (f"{score.rmse:.3f}", f"{score.wrong:,}", f"{score.seconds:.2f}")
        table.add_row(score.method, *numbers, style=style)
    return table


def _link_table(trial: Trial) -> Table:
    table = _table(
        f"Best {len(trial.links)} of the unknown pairs", "pixel", "image", "score", "spread", "truth"
    )
    for link in trial.links:
        table.add_row(link.row, link.column, f"{link.score:.2f}", f"{link.spread:.2f}", f"{link.truth:g}")
    return table


def _table(title: str, first: str, *others: str) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left")
    table.add_column(first, min_width=4)
    for heading in others:
        table.add_column(heading, justify="right", min_width=5)
    return table


def _explanation(preparing: float) -> str:
    lines = [
        "Stability: least silhouette of a component over the members. Held-out error: of each member on the "
        "known entries that it was not shown; the tenth had no say in it. Wrong: on the other side of one "
        "half. BNMFk's seconds are those of the whole search. Score and spread: mean and standard deviation "
        "of the members."
    ]
    if preparing > 2:
        lines.append(
            f"Preparing kernels took {preparing:.0f} seconds more; they are compiled once, then kept."
        )
    return "\n".join(lines)
