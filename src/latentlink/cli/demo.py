"""``latentlink demo``: rank search and link prediction on a data set of the package."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from latentlink.cli.console import progress_bar, spinner, standard_output

if TYPE_CHECKING:
    from rich.table import Table

    from latentlink.cli.trial import Trial

__all__ = ["demo"]


def demo(
    rank: Annotated[
        int | None, typer.Option(min=1, help="Fit this rank only, instead of searching 1 to 8.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the holdout and of the fits.")] = 0,
) -> None:
    """Hold out a tenth of a small data set, select the rank on the rest and predict the held-out entries.

    Prints the stability and held-out error of every rank, the chosen rank and the reason, the test error next
    to that of two baselines and of WNMF, and the unknown pairs with the highest scores. Reads and writes no
    files.
    """
    console = standard_output()
    with spinner(console, "Loading"):
        from latentlink.cli.trial import RANKS, prepare, run_trial
        from latentlink.datasets import dog
    with spinner(console, "Compiling kernels (once; they are cached)"):
        compile_seconds = prepare()
    with progress_bar(console, "Rank search") as callback:
        trial = run_trial(dog(), RANKS if rank is None else (rank,), seed, callback)
    console.print(_introduction(trial, seed))
    console.print(_path_table(trial))
    console.print(_choice(trial))
    console.print(_error_table(trial))
    console.print(_link_table(trial))
    console.print(_explanation(compile_seconds))


def _introduction(trial: Trial, seed: int) -> str:
    data, split = trial.data, trial.split
    return (
        f"[bold]{data.name}[/]: {data.description}; true rank {data.rank}.\n"
        f"Training: {split.train.n_known:,} of {data.network.n_known:,} entries. Test: "
        f"{split.test.n_listed:,} held-out entries, a tenth of the zeros and of the ones (seed {seed}).\n"
    )


def _path_table(trial: Trial) -> Table:
    model = trial.model
    table = _table(f"BNMFk, {model.n_perturbs} members at each rank", "rank", "stability", "held-out error")
    for record in model.path_:
        cells = (str(record.rank), f"{record.stability:.2f}", f"{record.held_out_error:.3f}")
        table.add_row(*cells, style="bold green" if record.rank == model.rank_ else "")
    return table


def _choice(trial: Trial) -> str:
    choice = trial.model.choice_
    return f"[bold]Rank {choice.rank}[/] ({choice.status}): {choice.reason}.\n"


def _error_table(trial: Trial) -> Table:
    wrong = f"wrong of {trial.split.test.n_listed:,}"
    table = _table("Error on the test entries", "method", "RMSE", wrong, "seconds")
    best = min(score.rmse for score in trial.scores)
    for index, score in enumerate(trial.scores):
        if index and trial.scores[index - 1].baseline and not score.baseline:
            table.add_section()
        style = "bold green" if score.rmse == best else "dim" if score.baseline else ""
        cells = (f"{score.rmse:.3f}", f"{score.wrong:,}", f"{score.seconds:.2f}")
        table.add_row(score.method, *cells, style=style)
    return table


def _link_table(trial: Trial) -> Table:
    table = _table(
        f"The {len(trial.links)} unknown pairs with the highest scores",
        "pixel",
        "image",
        "score",
        "spread",
        "truth",
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


def _explanation(compile_seconds: float) -> str:
    lines = [
        "Stability: smallest silhouette of a component over the ensemble members. Held-out error: median "
        "error of the members on training entries left out of their fits, not on the test entries. Wrong: "
        "predictions on the other side of 0.5 than the true value. Seconds: for BNMFk the whole rank search. "
        "Score and spread: mean and standard deviation over the members."
    ]
    if compile_seconds > 2:
        lines.append(
            f"Compiling the kernels took another {compile_seconds:.0f} seconds; they are now in the cache."
        )
    return "\n".join(lines)
