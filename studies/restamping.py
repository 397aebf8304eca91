"""Records of result lines that were given a new digest after a sample of them was run again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from latentlink.experiments.case_lines import append_lines, read_lines, write_lines

__all__ = ["Restamp", "forget_restamps", "read_restamps", "record_restamps", "restamp_chains"]


@dataclass(frozen=True)
class Restamp:
    """Lines of a study that carried one digest and were given another without being all run again.

    Attributes
    ----------
    study : str
    old, new : str
        Digests of the code.
    lines : int
        Number of lines that carried the old digest.
    rerun : tuple of int
        Those that were run again with the new code and came out equal, by their numbers in the file of
        results; the first line after the header is 1.
    """

    study: str
    old: str
    new: str
    lines: int
    rerun: tuple[int, ...]


def read_restamps(path: Path, study: str) -> list[Restamp]:
    """Return the records of a study, oldest first."""
    return [
        Restamp(study, line["old"], line["new"], int(line["lines"]), tuple(map(int, line["rerun"].split())))
        for line in read_lines(path)
        if line["study"] == study
    ]


def record_restamps(path: Path, restamps: Sequence[Restamp]) -> None:
    """Add records to the file."""
    append_lines(
        path,
        [
            {
                **{"study": each.study, "old": each.old, "new": each.new, "lines": each.lines},
                **{"n_rerun": len(each.rerun), "n_equal": len(each.rerun)},
                "rerun": " ".join(map(str, each.rerun)),
            }
            for each in restamps
        ],
    )


def forget_restamps(path: Path, study: str) -> None:
    """Remove the records of a study, all of whose lines are run again."""
    lines = read_lines(path)
    others = [line for line in lines if line["study"] != study]
    if len(others) < len(lines):
        write_lines(path, others)


def restamp_chains(restamps: Sequence[Restamp], code: str) -> list[list[Restamp]]:
    """Return the successive restamps, newest first, through which lines came to carry a digest.

    The last one of a chain has as ``old`` the digest of the code that computed its lines.
    """
    chains: list[list[Restamp]] = []
    for index in reversed(range(len(restamps))):
        last = restamps[index]
        if last.old == code:  # what carried the digest before has been given another
            break
        if last.new == code:
            before = restamp_chains(restamps[:index], last.old)
            chains += [[last, *chain] for chain in before] or [[last]]
    return chains
