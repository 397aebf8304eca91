"""A study: cases with fixed seeds, one line of results for each, and findings over all lines."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from tools.data_folder import data_folder

from latentlink.experiments.case_lines import Lines, write_lines
from latentlink.experiments.case_runner import run_missing, run_quietly, stored_lines
from studies.digest import code_digest
from studies.findings import Finding
from studies.restamping import Restamp, forget_restamps, record_restamps

__all__ = ["DATA", "RESULTS", "Check", "Study"]

RESULTS = Path(__file__).parent / "results"
DATA = data_folder()


@dataclass(frozen=True)
class Check:
    """Lines that were run again, by their numbers in the file (the first is 1), and those that differ."""

    rerun: tuple[int, ...]
    different: tuple[int, ...]

    @property
    def passed(self) -> bool:
        """Whether lines were run again and all came out equal."""
        return bool(self.rerun) and not self.different


@dataclass(frozen=True)
class Study:
    """Cases, the computation of each, and the findings over all of them.

    Attributes
    ----------
    name : str
        The results are in ``results/<name>.csv``, one line a case, in the order of the cases.
    cases : sequence of dicts
        Arguments of ``run``.
    run : function
        Computes one case and returns its results by name.
    findings : function
        Turns all lines into findings.
    remarks : function
        Turns all lines into sentences that a reader of the findings must not miss; by default none.
    """

    name: str
    cases: Sequence[Mapping[str, Any]]
    run: Callable[..., dict[str, Any]]
    findings: Callable[[Lines], Iterable[Finding]]
    remarks: Callable[[Lines], Iterable[str]] = lambda lines: ()

    @property
    def path(self) -> Path:
        """File of the lines."""
        return RESULTS / f"{self.name}.csv"

    @property
    def restamps_path(self) -> Path:
        """File of the restamps of all studies."""
        return self.path.with_name("restamped.csv")

    @property
    def digest(self) -> str:
        """Digest of the present code of ``run``, which new lines carry as ``code``."""
        return code_digest(Path(self.run.__code__.co_filename), self.run.__name__)

    def lines(self) -> Lines:
        """Return the stored lines of the study's cases, in the order of the cases."""
        return stored_lines(self.path, self.cases)

    def run_missing(self, workers: int) -> None:
        """Run all cases without a line of the present code; lines are added as cases end.

        Lines of other code are discarded first, so that findings never mix two versions of it.
        """
        code, stored = self.digest, self.lines()
        lines = [line for line in stored if line["code"] == code]
        if len(lines) < len(stored):
            print(f"{self.name}: {len(stored) - len(lines):,} lines are of other code and are run again.")
        if not lines:
            forget_restamps(self.restamps_path, self.name)

        def report(count: int, total: int) -> None:
            print(f"\r{self.name}: {count} of {total}", end="\n" if count == total else "", flush=True)

        run_missing(self.path, self.cases, self.run, stamp={"code": code}, workers=workers, report=report)

    def check(self, count: int, workers: int) -> Check:
        """Run a sample of the lines again with the present code, and compare every entry but durations.

        The sample is drawn from the lines of other code, or from all if there are none: one at random from
        each of ``count`` blocks of consecutive lines. It depends on the digest of the present code only.
        """
        code, lines = self.digest, self.lines()
        stale = [index for index, line in enumerate(lines) if line["code"] != code]
        drawn = _one_of_each_block(stale or range(len(lines)), count, code)
        cases = {self._key(case): dict(case) for case in self.cases}
        sample = [cases[self._key(lines[index])] for index in drawn]
        different = []
        with ProcessPoolExecutor(workers) as pool:
            again = pool.map(run_quietly, [self.run] * len(sample), sample)
            for index, case, results in zip(drawn, sample, again, strict=True):
                now = {name: str(value) for name, value in {**case, **results}.items()}
                stored = {name: entry for name, entry in lines[index].items() if name != "code"}
                if _untimed(stored) != _untimed(now):
                    different.append(index + 1)
                    print(f"{self.name}, line {index + 1}: stored {stored}, now {now}")
        print(f"{self.name}: {len(drawn) - len(different)} of {len(drawn)} lines are equal with code {code}.")
        return Check(tuple(index + 1 for index in drawn), tuple(different))

    def restamp(self, check: Check) -> None:
        """Give lines of other code the present digest, if the check passed, and record that it was done.

        Lines that carry a digest of which no line was run again are left as they are.
        """
        lines, new = self.lines(), self.digest
        rerun: dict[str, list[int]] = {}
        for number in check.rerun if check.passed else ():
            rerun.setdefault(lines[number - 1]["code"], []).append(number)
        rerun.pop(new, None)
        if rerun:
            counts = {old: sum(line["code"] == old for line in lines) for old in rerun}
            restamps = [Restamp(self.name, old, new, counts[old], tuple(rerun[old])) for old in rerun]
            record_restamps(self.restamps_path, restamps)
            write_lines(
                self.path,
                [{**line, "code": new if line["code"] in rerun else line["code"]} for line in lines],
            )
            print(f"{self.name}: {sum(counts.values()):,} lines now carry the digest {new}.")

    def _key(self, line: Mapping[str, Any]) -> tuple[str, ...]:
        return tuple(str(line[name]) for name in self.cases[0])


def _untimed(line: Mapping[str, str]) -> dict[str, str]:
    """Return the entries of a line that should be the same in every run: all but seconds."""
    return {name: entry for name, entry in line.items() if not name.startswith("seconds")}


def _one_of_each_block(indices: Sequence[int], count: int, seed: str) -> list[int]:
    """Draw one index from each of so many blocks of about equal length."""
    rng = random.Random(seed)
    count = min(count, len(indices))
    edges = [round(block * len(indices) / count) for block in range(count + 1)] if count else [0]
    return [indices[rng.randrange(low, high)] for low, high in pairwise(edges)]
