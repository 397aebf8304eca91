"""What every study is: cases with fixed seeds, a line of a file for each, promises checked at the end."""

from __future__ import annotations

import ast
import csv
import hashlib
import os
import random
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from scipy.stats import binomtest

import latentlink

__all__ = ["DATA", "RESULTS", "Promise", "Study", "code_mark", "share"]

RESULTS = Path(__file__).parent / "results"
# The parts of the package that results rest on.
_PARTS = (
    *("datasets", "estimators", "factors", "kernels", "metrics", "network", "parallel", "random", "rank"),
    *("regime", "solvers", "splitting", "strategy", "uncertainty"),
)
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
    run : callable
        Returns what was found of a case, as a dict.
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

    def kept(self) -> list[dict[str, str]]:
        """Return the lines of an earlier run."""
        if not self.path.exists():
            return []
        with self.path.open(newline="") as file:
            return list(csv.DictReader(file))

    def finish(self, workers: int) -> None:
        """Run all cases that have no line yet; lines are added as cases end, and sorted when all have.

        Each line carries a mark of the code that found it. Those of other code are run again: a summary of
        both would be one of neither.
        """
        code = code_mark()
        lines = [line for line in self.kept() if line.get("code") == code]
        if len(lines) < len(self.kept()):
            print(f"{self.name}: {len(self.kept()) - len(lines):,} lines are of other code, and run again.")
            self.path.unlink()
            for line in lines:
                self._append(line)
        done = {self._key(line) for line in self.kept()}
        todo = [case for case in self.cases if self._key(case) not in done]
        if todo:
            with ProcessPoolExecutor(workers) as pool:
                futures = {pool.submit(_quietly, self.run, dict(case)): case for case in todo}
                for count, future in enumerate(as_completed(futures), 1):
                    self._append({**futures[future], **future.result(), "code": code})
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
        lines = self.kept()
        drawn = random.Random(0).sample(lines, min(count, len(lines)))
        cases = {self._key(case): case for case in self.cases}
        with ProcessPoolExecutor(workers) as pool:
            again = list(
                pool.map(_quietly, [self.run] * len(drawn), [cases[self._key(line)] for line in drawn])
            )
        same = [
            all(line[name] == str(value) for name, value in found.items())
            for line, found in zip(drawn, again, strict=True)
        ]
        marks = ", ".join(sorted({line["code"] for line in lines}))
        print(
            f"{self.name}: {sum(same)} of {len(same)} lines of code {marks} are the same with {code_mark()}."
        )
        return all(same)

    def _key(self, line: Mapping[str, Any]) -> tuple[str, ...]:
        return tuple(str(line[name]) for name in self.cases[0])

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


@cache
def code_mark() -> str:
    """Return a digest of the sources that a study rests on; comments, docstrings and layout do not count."""
    digest = hashlib.sha256()
    package = Path(latentlink.__file__).parent
    for part in _PARTS:
        found = package / part
        for path in sorted(found.rglob("*.py")) if found.is_dir() else [found.with_suffix(".py")]:
            digest.update(ast.dump(_without_docstrings(ast.parse(path.read_text()))).encode())
    return digest.hexdigest()[:12]


def _without_docstrings(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        documented = isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
        if documented and ast.get_docstring(node, clean=False) is not None:
            del node.body[0]
    return tree


def _quietly(run: Callable[..., dict[str, Any]], case: Mapping[str, Any]) -> dict[str, Any]:
    """Run a case; what a search warns of is in its status."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return run(**case)


def share(hits: int, count: int) -> str:
    """Write a share with its 95 % interval (Clopper and Pearson)."""
    bounds = binomtest(hits, count).proportion_ci(0.95)
    return f"{hits / count:.3f} ({hits} of {count}; 95 % interval {bounds.low:.3f} to {bounds.high:.3f})"
