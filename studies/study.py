"""What every study is: cases with fixed seeds, a line of a file for each, promises checked at the end."""

from __future__ import annotations

import csv
import os
import random
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import binomtest

from statistical.mark import code_mark

__all__ = ["DATA", "RESULTS", "Promise", "Study", "groups", "not_above", "numbers", "share"]

RESULTS = Path(__file__).parent / "results"
DATA = Path(os.environ.get("LATENTLINK_DATA", Path(__file__).parents[2] / "shared" / "data"))


@dataclass(frozen=True)
class Promise:
    """What was found of one promise, beside what was promised."""

    what: str
    found: str
    promised: str
    kept: bool | None


@dataclass(frozen=True)
class Study:
    """Cases, what to do with each, and what all of them promise.

    Attributes
    ----------
    name : str
        The results are in ``results/<name>.csv``, one line a case, in the order of the cases.
    cases : sequence of dicts
        Arguments of ``run``; no case is left out, and none is run twice.
    run : function
        Returns what was found of a case, as a dict. What it has as ``arrays``, a dict of them, is too long
        for a line: it is kept in a file of its own, which the line names.
    promises : callable
        Turns all lines into promises.
    """

    name: str
    cases: Sequence[Mapping[str, Any]]
    run: Callable[..., dict[str, Any]]
    promises: Callable[[list[dict[str, str]]], Iterable[Promise]]

    @property
    def path(self) -> Path:
        """Where the lines are."""
        return RESULTS / f"{self.name}.csv"

    @property
    def mark(self) -> str:
        """The code that lines are of."""
        return code_mark(self.run)

    def kept(self) -> list[dict[str, str]]:
        """Return the lines of an earlier run."""
        if not self.path.exists():
            return []
        with self.path.open(newline="") as file:
            return list(csv.DictReader(file))

    def arrays(self, line: Mapping[str, str]) -> Mapping[str, np.ndarray]:
        """Return what was found of a case beside its line."""
        with np.load(self.path.with_suffix("") / line["file"]) as stored:
            return dict(stored)

    def finish(self, workers: int) -> None:
        """Run all cases that have no line yet; lines are added as cases end, and sorted when all have.

        Each line carries a mark of the code that found it. Those of other code are run again: a summary of
        both would be one of neither. So are those whose file is lost.
        """
        code = self.mark
        lines = [line for line in self.kept() if line.get("code") == code and self._has_file(line)]
        again = len(self.kept()) - len(lines)
        if again:
            print(f"{self.name}: {again:,} lines are of other code, or lack their file, and are run again.")
            self.path.unlink()
            for line in lines:
                self._append(line)
        done = {self._key(line) for line in self.kept()}
        todo = [case for case in self.cases if self._key(case) not in done]
        if todo:
            with ProcessPoolExecutor(workers) as pool:
                futures = {pool.submit(_quietly, self.run, dict(case)): case for case in todo}
                for count, future in enumerate(as_completed(futures), 1):
                    case = futures[future]
                    self._append({**case, **self._filed(case, future.result()), "code": code})
                    print(f"\r{self.name}: {count} of {len(todo)}", end="", flush=True)
            print()
        order = {self._key(case): place for place, case in enumerate(self.cases)}
        lines = sorted(
            (line for line in self.kept() if self._key(line) in order),
            key=lambda line: order[self._key(line)],
        )
        self._write(lines)

    def check(self, count: int, workers: int) -> bool:
        """Run some cases again with the code as it is, and tell whether their lines come out the same."""
        cases = {self._key(case): case for case in self.cases}
        lines = [line for line in self.kept() if self._key(line) in cases]
        drawn = random.Random(0).sample(lines, min(count, len(lines)))
        with ProcessPoolExecutor(workers) as pool:
            again = list(
                pool.map(_quietly, [self.run] * len(drawn), [cases[self._key(line)] for line in drawn])
            )
        same = [
            all(line.get(name) == str(value) for name, value in found.items() if name != "arrays")
            for line, found in zip(drawn, again, strict=True)
        ]
        marks = ", ".join(sorted({line["code"] for line in lines}))
        print(f"{self.name}: {sum(same)} of {len(same)} lines of code {marks} are the same with {self.mark}.")
        return all(same)

    def _key(self, line: Mapping[str, Any]) -> tuple[str, ...]:
        return tuple(str(line[name]) for name in self.cases[0])

    def _has_file(self, line: Mapping[str, str]) -> bool:
        return not line.get("file") or (self.path.with_suffix("") / line["file"]).exists()

    def _filed(self, case: Mapping[str, Any], found: dict[str, Any]) -> dict[str, Any]:
        """Put arrays into a file, and its name into the line; without any the name is empty."""
        arrays = found.pop("arrays", None)
        if arrays is None:
            return found
        name = f"{'-'.join(self._key(case))}.npz" if arrays else ""
        if arrays:
            folder = self.path.with_suffix("")
            folder.mkdir(exist_ok=True)
            np.savez_compressed(folder / name, **arrays)
        return {**found, "file": name}

    def _append(self, line: Mapping[str, Any]) -> None:
        new = not self.path.exists()
        with self.path.open("a", newline="") as file:
            writer = csv.DictWriter(file, list(line), lineterminator="\n")
            if new:
                writer.writeheader()
            writer.writerow(line)

    def _write(self, lines: Sequence[Mapping[str, Any]]) -> None:
        with self.path.open("w", newline="") as file:
            writer = csv.DictWriter(file, list(lines[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(lines)


def _quietly(run: Callable[..., dict[str, Any]], case: Mapping[str, Any]) -> dict[str, Any]:
    """Run a case; what a search warns of is in its status."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return run(**case)


def share(hits: int, count: int) -> str:
    """Write a share with its 95 % interval (Clopper and Pearson)."""
    bounds = binomtest(hits, count).proportion_ci(0.95)
    return f"{hits / count:.3f} ({hits} of {count}; 95 % interval {bounds.low:.3f} to {bounds.high:.3f})"


def not_above(hits: int, count: int, most: float) -> bool:
    """Tell whether a share may be so small: whether its 95 % interval begins no higher."""
    return bool(binomtest(hits, count).proportion_ci(0.95).low <= most)


def groups(
    lines: Sequence[dict[str, str]], *names: str
) -> Iterator[tuple[tuple[str, ...], list[dict[str, str]]]]:
    """Yield the lines that have the same under these names, in the order in which they come."""
    found: dict[tuple[str, ...], list[dict[str, str]]] = {}
    for line in lines:
        found.setdefault(tuple(line[name] for name in names), []).append(line)
    yield from found.items()


def numbers(lines: Sequence[Mapping[str, str]], *names: str) -> dict[str, np.ndarray]:
    """Return columns as numbers."""
    return {name: np.array([float(line[name]) for line in lines]) for name in names}
