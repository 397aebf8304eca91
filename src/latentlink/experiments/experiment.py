"""An experiment of the paper: its cases, the computation of each, and the page and figures of all of them."""

from __future__ import annotations

import json
import platform
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

from latentlink.errors import InputError
from latentlink.experiments.case_lines import Lines
from latentlink.experiments.case_runner import Case, Report, run_missing, stored_lines
from latentlink.experiments.claim import Claim, claims_table
from latentlink.saving.atomic import write_atomically

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

    Attributes
    ----------
    name, title : str
    cases : callable
        Returns the arguments of all runs, of the full or of the quick form.
    run : callable
        Computes one case and returns its results by name.
    claims : callable
        Compares all lines with the statements of the paper.
    tables : callable
        Returns further sections of the page as Markdown.
    figures : str
        The module with ``draw(lines, folder)``, imported only to draw: it needs matplotlib.
    """

    name: str
    title: str
    cases: Callable[[bool], Sequence[Case]]
    run: Callable[..., dict[str, Any]]
    claims: Callable[[Lines], Iterable[Claim]]
    tables: Callable[[Lines], str]
    figures: str

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
        cases = self.cases(quick)
        form = "quick" if quick else "full"
        _check_form(place, form)
        stamp = {"version": import_module("latentlink").__version__}
        begin = time.monotonic()
        lines = run_missing(
            place / "results.csv", cases, self.run, stamp=stamp, workers=workers, report=report
        )
        settings = _add_session(place, form, workers, time.monotonic() - begin)
        return self._written(place, lines, settings)

    def report(self, folder: str | Path, *, quick: bool = False) -> Outcome:
        """Write page and figures of the lines that are there, without running a case."""
        place = Path(folder)
        lines = stored_lines(place / "results.csv", self.cases(quick))
        if not lines:
            raise InputError(f"There are no results of {self.name} in {place}; run the experiment first.")
        return self._written(place, lines, _settings(place))

    def _written(self, place: Path, lines: Lines, settings: Mapping[str, Any]) -> Outcome:
        figures = _drawn(self.figures, lines, place)
        page = "\n\n".join(
            part.strip()
            for part in (
                f"# {self.title}",
                _provenance(len(lines), settings),
                self.tables(lines),
                "## The paper's statements\n\n" + claims_table(self.claims(lines)),
                "\n\n".join(f"![]({each.name})" for each in figures if each.suffix == ".png"),
            )
        )
        summary = place / "summary.md"
        summary.write_text(page + "\n", encoding="utf-8")
        return Outcome(place, place / "results.csv", summary, figures)


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


def _add_session(place: Path, form: str, workers: int, seconds: float) -> dict[str, Any]:
    """Add the time of a run to the file of settings, and return the settings."""
    before = _settings(place).get("seconds", 0.0)
    settings = {
        "form": form,
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "seconds": round(before + seconds, 1),
        "workers": workers,
        "python": platform.python_version(),
        **{library: version(library) for library in _LIBRARIES},
    }
    write_atomically(place / "run.json", (json.dumps(settings, indent=1) + "\n").encode())
    return settings


def _provenance(count: int, settings: Mapping[str, Any]) -> str:
    libraries = ", ".join(f"{name} {settings[name]}" for name in _LIBRARIES if name in settings)
    return (
        f"{count:,} runs of the {settings.get('form', 'full')} form, {settings.get('date', 'no date')}, "
        f"{settings.get('seconds', 0) / 60:.1f} minutes with {settings.get('workers', 1)} processes; "
        f"Python {settings.get('python', 'unknown')}, {libraries}. Every run is a line of results.csv."
    )


def _drawn(module: str, lines: Lines, place: Path) -> tuple[Path, ...]:
    """Draw the figures; none if matplotlib is not installed."""
    try:
        import_module("matplotlib")
    except ImportError:
        return ()
    paths: Iterable[Path] = import_module(module).draw(lines, place)
    return tuple(paths)
