"""Mutated data files: each has to be read as it is, or to raise InputError, in limited time and memory."""

from __future__ import annotations

import math
import tempfile
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tools.fuzz.child import Child, Outcome
from tools.fuzz.hostile import HOSTILE_FILES
from tools.fuzz.mutations import mutated
from tools.fuzz.oracles import expected_entries, network_entries
from tools.fuzz.valid_files import VALID_FILES, Options

__all__ = ["FINE", "check_files", "format_of", "judged", "run"]

FINE = ("read", "refused")
"""Outcomes that are no faults."""
_LONGEST_MESSAGE = 800


def run(count: int, seed: int) -> int:
    """Read mutated and all hostile files, print the outcomes, and return the number of faults."""
    outcomes: dict[str, Counter[str]] = {}
    slowest = 0.0
    faults = 0
    for name, outcome, seconds, detail in check_files(range(count), seed, hostile=True):
        kind = "hostile" if name in HOSTILE_FILES else name.partition(" ")[0]
        outcomes.setdefault(kind, Counter())[outcome] += 1
        slowest = max(slowest, seconds)
        if outcome not in FINE:
            faults += 1
            print(f"  {name}: {outcome}: {detail}")
    print("data files, by format:")
    for name, counts in outcomes.items():
        print(
            f"  {name:8} " + ", ".join(f"{number:,} {outcome}" for outcome, number in sorted(counts.items()))
        )
    total = sum(map(Counter.total, outcomes.values()))
    print(f"data files: {total:,} read, {faults} faults, the slowest took {slowest:.1f} s (seed {seed})")
    return faults


def check_files(
    numbers: Iterable[int], seed: int, hostile: bool = False
) -> Iterator[tuple[str, str, float, str]]:
    """Yield name, outcome, seconds and a sentence about each mutated file of the given numbers.

    Outcomes are "read" (as the oracle reads it), "refused" (by InputError), or a fault: "wrong", "foreign"
    (another exception), "crashed", "late", "memory", "long message".
    """
    with tempfile.TemporaryDirectory() as folder, Child(judged, _example(folder)) as child:
        for name, suffix, content, options in _files(numbers, seed, hostile):
            path = Path(folder, "file" + suffix)
            path.write_bytes(content)
            answer = child(str(path), options, name not in HOSTILE_FILES)
            outcome, detail = _verdict(answer)
            yield name, outcome, answer.seconds, f"{detail} {options if outcome not in FINE else ''}"
            path.unlink()


def _example(folder: str) -> tuple[str, Options]:
    """Return arguments of `judged` that import all readers."""
    suffix, content, options = VALID_FILES["parquet"](np.random.default_rng(0))
    path = Path(folder, "example" + suffix)
    path.write_bytes(content)
    return str(path), options


def format_of(number: int) -> str:
    """Return the format of the mutated file of a number."""
    return list(VALID_FILES)[number % len(VALID_FILES)]


def _files(numbers: Iterable[int], seed: int, hostile: bool) -> Iterator[tuple[str, str, bytes, Options]]:
    for number in numbers:
        rng = np.random.default_rng([seed, number])
        name = format_of(number)
        suffix, content, options = VALID_FILES[name](rng)
        yield f"{name} {number}", suffix, mutated(content, rng), options
    if hostile:
        for name, make in HOSTILE_FILES.items():
            yield (name, *make())


def _verdict(outcome: Outcome) -> tuple[str, str]:
    if outcome.kind == "returned":
        verdict, detail = outcome.value
        return verdict, detail
    return {"raised": "foreign"}.get(outcome.kind, outcome.kind), str(outcome.value)


def judged(path: str, options: dict[str, Any], compare: bool = True) -> tuple[str, str]:
    """Read a file, and return the outcome and a sentence; exceptions other than InputError pass through.

    Without ``compare`` entries are not compared with those of the oracle, which takes long for large files.
    """
    from latentlink.errors import DataWarning, InputError
    from latentlink.network import Network

    warnings.simplefilter("error")
    warnings.simplefilter("ignore", DataWarning)  # of a file that can be read in two ways
    try:
        network = Network.from_file(path, **options)
    except InputError as error:
        message = str(error)
        if "more memory than there is" in message:
            return "memory", message
        if len(message) > _LONGEST_MESSAGE or path not in message:
            return "long message", message[:1000]
        return "refused", message
    if not compare:
        return "read", "without comparison"
    try:
        expected = expected_entries(Path(path), network, options)
    except Exception as error:  # noqa: BLE001  (whatever the oracle raises, the file is not valid for it)
        return "wrong", f"read as {network!r}, but the oracle raises {type(error).__name__}: {error}"
    found = network_entries(network)
    same = len(found) == len(expected) and all(map(_equal, found, expected))
    return ("read", "") if same else ("wrong", f"found {found[:5]}..., expected {expected[:5]}...")


def _equal(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    numbers = zip(one[2:], other[2:], strict=False)
    same = all(math.isclose(number, expected, rel_tol=1e-12) for number, expected in numbers)
    return one[:2] == other[:2] and len(one) == len(other) and same
