"""Run experiments from the command line: ``python -m latentlink.experiments dog --quick``."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from latentlink.errors import LatentLinkError
from latentlink.experiments import EXPERIMENTS, Experiment

_CONSOLE = Console(highlight=False)


def main() -> int:
    """Run the experiments that are named; return 1 for an error that the user can mend."""
    given = _arguments()
    for name in given.names or EXPERIMENTS:
        try:
            _reproduce(EXPERIMENTS[name], Path(given.out) / name, given)
        except LatentLinkError as error:
            _CONSOLE.print(str(error), style="red", markup=False)
            return 1
        except KeyboardInterrupt:
            _CONSOLE.print("Stopped. The same command continues where it stopped.")
            return 130
    return 0


def _reproduce(experiment: Experiment, folder: Path, given: argparse.Namespace) -> None:
    begin = time.monotonic()
    if given.report:
        outcome = experiment.report(folder, quick=given.quick)
    else:
        with Progress(console=_CONSOLE) as bar:
            task = bar.add_task(experiment.name, total=None)
            outcome = experiment.reproduce(
                folder,
                quick=given.quick,
                workers=given.workers,
                report=lambda done, total: bar.update(task, completed=done, total=total),
            )
    _CONSOLE.print(
        f"{experiment.title}: {time.monotonic() - begin:.0f} s, see {outcome.summary}", markup=False
    )
    if not outcome.figures:
        _CONSOLE.print(
            "There are no figures, since matplotlib is not installed (pip install latentlink[plots]).",
            markup=False,
        )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m latentlink.experiments", description=__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="name", help=f"of {', '.join(EXPERIMENTS)}; all by default"
    )
    parser.add_argument("--quick", action="store_true", help="a few cases of each kind, in under two minutes")
    parser.add_argument(
        "--out", default="experiments", help="folder of the results, one folder for each experiment"
    )
    parser.add_argument("--workers", type=int, default=2, help="number of processes")
    parser.add_argument(
        "--report", action="store_true", help="write page and figures of stored results, run nothing"
    )
    given = parser.parse_args()
    unknown = [name for name in given.names if name not in EXPERIMENTS]
    if unknown:
        parser.error(f"there is no experiment {unknown[0]!r}; expected one of {', '.join(EXPERIMENTS)}")
    if given.workers < 1:
        parser.error(f"--workers is {given.workers}; expected 1 or more")
    return given


if __name__ == "__main__":
    sys.exit(main())
