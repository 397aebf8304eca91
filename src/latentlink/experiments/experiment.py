"""An experiment of the paper: run what is missing, and write the page and the figures of all results."""

from __future__ import annotations

import json
import platform
import time
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from latentlink.errors import InputError
from latentlink.experiments.case_lines import Lines
from latentlink.experiments.case_runner import Report, run_missing, stored_lines
from latentlink.experiments.claim import claims_table
from latentlink.experiments.code_state import code_of_lines, source_code
from latentlink.saving.atomic import write_atomically
from latentlink.validation.wording import counted

__all__ = ["Experiment", "Outcome"]

_LIBRARIES = ("latentlink", "numpy", "scipy", "scikit-learn", "numba")


@dataclass(frozen=True)
class Outcome:
    """The files that an experiment has written.

    Attributes
    ----------
    folder : Path
    results, summary : Path
        Every run as a line of CSV, and the page that sums them up.
    figures : tuple of Path
        PNG and PDF files; none without matplotlib.
    """

    folder: Path
    results: Path
    summary: Path
    figures: tuple[Path, ...]


@dataclass(frozen=True)
class Experiment:
    """One study of the paper.

    Its parts are modules, imported when they are needed: ``cases/<name>_cases.py`` with ``cases(quick)``, the
    arguments of all runs, ``run(**case)``, which computes one of them and returns its results by name, and
    ``tables(lines)``, sections of the page; ``claims/<name>_claims.py`` with ``claims(lines)``, statements of
    the paper; ``figures/<name>_figures.py`` with ``draw(lines, folder)``, which needs matplotlib.

    Attributes
    ----------
    name, title : str
    """

    name: str
    title: str

    def part(self, kind: str) -> Any:
        """Return a module of the experiment: its "cases", "claims" or "figures"."""
        return import_module(f"latentlink.experiments.{kind}.{self.name}_{kind}")

    def reproduce(
        self, folder: str | Path, *, quick: bool = False, workers: int = 2, report: Report | None = None
    ) -> Outcome:
        """Run all cases that have no line yet, and write page and figures.

        Parameters
        ----------
        folder : path
            Where the files are written; a run that was stopped continues there.
        quick : bool, default=False
            A few cases of each kind, in under two minutes; the full form is the paper's.
        workers : int, default=2
            Number of processes.
        report : callable, optional
            Receives the number of cases done and of all that were missing.

        Returns
        -------
        Outcome
        """
        place = Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        runs = self.part("cases")
        cases = runs.cases(quick)
        form = "quick" if quick else "full"
        _check_form(place, form)
        stamp = {"version": import_module("latentlink").__version__}
        begin = time.monotonic() - _settings(place).get("seconds", 0.0)

        def reported(done: int, total: int) -> None:
            _note_time(place, form, workers, time.monotonic() - begin)
            if report is not None:
                report(done, total)

        # Before the first case and after each, so that a run that is killed keeps its form and its time. If
        # there is nothing to run, date and time stay those of the runs.
        if not _settings(place):
            _note_time(place, form, workers, time.monotonic() - begin)
        lines = run_missing(
            place / "results.csv",
            cases,
            runs.run,
            stamp=stamp,
            remarks={"code": source_code()},
            workers=workers,
            report=reported,
        )
        return self._written(place, lines, len(cases), _settings(place))

    def report(self, folder: str | Path, *, quick: bool = False) -> Outcome:
        """Write page and figures of a run without running a case; of one that was stopped a short page."""
        place = Path(folder)
        cases = self.part("cases").cases(quick)
        lines = stored_lines(place / "results.csv", cases)
        if not lines:
            raise InputError(f"There are no results of {self.name} in {place}; run the experiment first.")
        return self._written(place, lines, len(cases), _settings(place))

    def _written(self, place: Path, lines: Lines, total: int, settings: Mapping[str, Any]) -> Outcome:
        """Write the page, with tables, statements and figures once all runs are there."""
        parts = [f"# {self.title}", f"{_provenance(lines, settings)} {code_of_lines(lines)}"]
        figures: tuple[Path, ...] = ()
        if len(lines) < total:
            parts.append(
                f"Of {total:,} runs {total - len(lines):,} are still to come, so that nothing is summed up "
                "here: run the experiment again, and it continues."
            )
        else:
            figures = self._drawn(lines, place)
            parts += [
                self.part("cases").tables(lines),
                "## The paper's statements\n\n" + claims_table(self.part("claims").claims(lines)),
                "\n\n".join(_image(each) for each in figures if each.suffix == ".png"),
            ]
        page = "\n\n".join(part.strip() for part in parts)
        summary = place / "summary.md"
        summary.write_text(page + "\n", encoding="utf-8")
        return Outcome(place, place / "results.csv", summary, figures)

    def _drawn(self, lines: Lines, place: Path) -> tuple[Path, ...]:
        """Draw the figures; none if matplotlib is not installed."""
        if find_spec("matplotlib") is None:
            return ()
        return tuple(self.part("figures").draw(lines, place))


def _image(path: Path) -> str:
    """Return a figure in Markdown; its name in words is its description."""
    return f"![{path.stem.replace('_', ' ')}]({path.name})"


def _check_form(place: Path, form: str) -> None:
    stored = _settings(place).get("form", form)
    if stored != form:
        raise InputError(
            f"The folder {place} has results of the {stored} form, but the {form} form was asked for. Choose "
            "another folder."
        )


def _settings(place: Path) -> dict[str, Any]:
    path = place / "run.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def _note_time(place: Path, form: str, workers: int, seconds: float) -> None:
    """Write the settings, with the time of this run and of those that it continues."""
    settings = {
        "form": form,
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "seconds": round(seconds, 1),
        "workers": workers,
        "python": platform.python_version(),
        **{library: version(library) for library in _LIBRARIES},
    }
    write_atomically(place / "run.json", (json.dumps(settings, indent=1) + "\n").encode())


def _provenance(lines: Lines, settings: Mapping[str, Any]) -> str:
    libraries = ", ".join(f"{name} {settings[name]}" for name in _LIBRARIES if name in settings)
    work = sum(float(line.get("seconds", 0)) for line in lines)
    processes = counted(settings.get("workers", 1), "process", "processes")
    return (
        f"{len(lines):,} runs of the {settings.get('form', 'full')} form, {settings.get('date', 'no date')}, "
        f"{settings.get('seconds', 0) / 60:.1f} minutes with {processes}; the fits took {work / 60:.1f} "
        f"minutes of CPU time. Python {settings.get('python', 'unknown')}, {libraries}. Every run is a line "
        "of results.csv."
    )
