"""``latentlink reproduce``: the studies of the paper."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from latentlink.cli.commands.shared_options import FLAG, Json
from latentlink.cli.console import print_json, print_note, standard_output

if TYPE_CHECKING:
    from latentlink.experiments import Experiment
    from latentlink.experiments.experiment import Outcome

__all__ = ["line_for_each_tenth", "reproduce"]


def reproduce(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME", help="dog, swimmer, gaussian, ppi; all by default."),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", metavar=FLAG, help="A few cases of each kind, in minutes.")
    ] = False,
    out: Annotated[
        str, typer.Option(metavar="FOLDER", help="Folder of the results, with a folder for each study.")
    ] = "experiments",
    workers: Annotated[int, typer.Option(min=1, metavar="N", help="Number of processes.")] = 2,
    report: Annotated[
        bool,
        typer.Option(
            "--report", metavar=FLAG, help="Write page and figures of stored results, and run nothing."
        ),
    ] = False,
    json: Json = False,
) -> None:
    """Run studies of the paper, and write tables and figures with its statements beside what was found.

    The full form takes hours; a run that was stopped continues where it stopped.

    Examples
    --------
        latentlink reproduce dog --quick
    """
    from latentlink.errors import InputError
    from latentlink.experiments import EXPERIMENTS

    unknown = [name for name in names or () if name not in EXPERIMENTS]
    if unknown:
        raise InputError(f"There is no experiment {unknown[0]!r}; expected one of {', '.join(EXPERIMENTS)}.")
    if not quick and not report:
        chosen = ", ".join(names or EXPERIMENTS)
        print_note(
            f"The studies in full ({chosen}) may take hours, --quick takes minutes. Ctrl-C stops them, and "
            "the same command continues."
        )
    written = {}
    for name in names or EXPERIMENTS:
        experiment, folder, begin = EXPERIMENTS[name], Path(out) / name, time.monotonic()
        outcome = (
            experiment.report(folder, quick=quick) if report else _run(experiment, folder, quick, workers)
        )
        written[name] = str(outcome.summary)
        if find_spec("matplotlib") is None:
            print_note(
                "There are no figures, since matplotlib is not installed (pip install latentlink[plots])."
            )
        if not json:
            seconds = time.monotonic() - begin
            standard_output().print(
                f"{experiment.title}: {seconds:.0f} s, see {outcome.summary}", markup=False
            )
    if json:
        print_json(written)


def _run(experiment: Experiment, folder: Path, quick: bool, workers: int) -> Outcome:
    from rich.console import Console
    from rich.progress import Progress

    errors = Console(stderr=True)
    if not errors.is_terminal:
        sys.stderr.write(f"{experiment.title}\n")
        return experiment.reproduce(folder, quick=quick, workers=workers, report=line_for_each_tenth())
    with Progress(console=errors) as bar:
        task = bar.add_task(experiment.name, total=None)
        return experiment.reproduce(
            folder,
            quick=quick,
            workers=workers,
            report=lambda done, total: bar.update(task, completed=done, total=total),
        )


def line_for_each_tenth() -> Callable[[int, int], None]:
    """Return a function that writes how many cases are done, where no bar can be drawn."""
    written = 0

    def report(done: int, total: int) -> None:
        nonlocal written
        if 10 * done // total > 10 * written // total:
            sys.stderr.write(f"{100 * done // total:3d} %  {done} of {total} cases\n")
            sys.stderr.flush()
            written = done

    return report
