"""Mutated data files for ``latentlink fit``: each gives a whole run, or one sentence and nothing written."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import math
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from tools.fuzz.child import Child, Outcome
from tools.fuzz.mutations import mutated
from tools.fuzz.valid_files import VALID_FILES

__all__ = ["FINE", "check_command", "judged", "run"]

FINE = ("fitted", "refused")
"""Outcomes that are no faults."""
_LONGEST_ERROR = 900
_OPTIONS = ("--ranks", "1,2", "--members", "2", "--top", "50", "--jobs", "1")
_SHORT = ["--calibration", "none", "--no-components"]  # a stack of values is fitted once then, not six times
_SHORT_SHARE = 2 / 3
_COLUMNS = ["source", "target", "score", "probability", "spread", "decision", "rank"]
_SHARE = 10  # a file of the other fuzzing is read in a millisecond, and a run takes most of a second


def run(count: int, seed: int) -> int:
    """Run the command on mutated files, print the outcomes, and return the number of faults."""
    outcomes: Counter[str] = Counter()
    slowest = 0.0
    for name, outcome, seconds, detail in check_command(range(math.ceil(count / _SHARE)), seed):
        outcomes[outcome] += 1
        slowest = max(slowest, seconds)
        if outcome not in FINE:
            print(f"  {name}: {outcome}: {detail}")
    faults = sum(number for outcome, number in outcomes.items() if outcome not in FINE)
    counts = ", ".join(f"{number:,} {outcome}" for outcome, number in sorted(outcomes.items()))
    print(f"command line: {counts}; {faults} faults, the slowest took {slowest:.1f} s (seed {seed})")
    return faults


def check_command(numbers: Iterable[int], seed: int) -> Iterator[tuple[str, str, float, str]]:
    """Yield name, outcome, seconds and a sentence about each mutated file of the given numbers.

    Outcomes are "fitted", "refused" (exit code 1 with one line), or a fault: "internal" (exit code 2),
    "wrong" (files that are missing or inconsistent), "half-written" (files after an error), "long message",
    "foreign" (an exception), "crashed" and "late".
    """
    with tempfile.TemporaryDirectory() as folder:
        examples = list(_examples(folder))
        for example in examples[:-1]:  # compiled once, into the cache that the child process shares
            judged(*example)
        yield from _checked_files(numbers, seed, folder, examples[-1])


def _checked_files(
    numbers: Iterable[int], seed: int, folder: str, example: tuple[str, str, list[str]]
) -> Iterator[tuple[str, str, float, str]]:
    formats = list(VALID_FILES)
    with Child(judged, example) as child:
        for number in numbers:
            rng = np.random.default_rng([seed, number, 1])
            name = formats[number % len(formats)]
            suffix, content, options = VALID_FILES[name](rng)
            path, out = Path(folder, "file" + suffix), Path(folder, "run")
            # One in ten is left as it is, so that some are fitted.
            path.write_bytes(mutated(content, rng) if rng.random() < 0.9 else content)
            given = [f"--{kind}" for kind in ("symmetric",) if options.get(kind)]
            given += _SHORT if rng.random() < _SHORT_SHARE else []
            answer = child(str(path), str(out), given)
            outcome, detail = _verdict(answer)
            yield f"{name} {number}", outcome, answer.seconds, detail
            path.unlink()
            shutil.rmtree(out, ignore_errors=True)


def _examples(folder: str) -> Iterator[tuple[str, str, list[str]]]:
    """Yield arguments of `judged` that import and compile what runs on each kind of data need."""
    pairs = [(i, j) for i in range(8) for j in range(8)]
    texts = {
        "values": [f"a{i},b{j},{i + j}" for i, j in pairs],
        "links": [f"n{i},n{j}" for i, j in pairs if i < j and (i + j) % 3],
        "binary": [f"a{i},b{j},{(i + j) % 2}" for i, j in pairs],
    }
    for name, lines in texts.items():
        path = Path(folder, f"{name}.csv")
        path.write_text("\n".join(lines), encoding="utf-8")
        yield str(path), str(Path(folder, name)), []


def _verdict(outcome: Outcome) -> tuple[str, str]:
    if outcome.kind == "returned":
        verdict, detail = outcome.value
        return verdict, detail
    return {"raised": "foreign"}.get(outcome.kind, outcome.kind), str(outcome.value)


def judged(path: str, out: str, options: list[str]) -> tuple[str, str]:
    """Run the command on a file, and return the outcome and a sentence."""
    from latentlink.cli import main

    printed, errors = io.StringIO(), io.StringIO()
    code: object = None
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(errors):
        try:
            main(["fit", path, "--out", out, *_OPTIONS, *options, "--json"])
        except SystemExit as exit:
            code = exit.code
    message = errors.getvalue()
    if code == 0:
        return _checked(Path(out))
    lines = [line for line in message.splitlines() if line.startswith("Error: ")]
    if code != 1 or len(lines) != 1 or "Traceback" in message:
        return "internal", message[-1000:]
    if Path(out).exists():
        return "half-written", f"{[each.name for each in Path(out).iterdir()]} after {message[-500:]}"
    return ("refused", lines[0]) if len(lines[0]) <= _LONGEST_ERROR else ("long message", lines[0])


def _checked(out: Path) -> tuple[str, str]:
    """Return whether the files of a run are there and consistent."""
    missing = [
        name
        for name in ("run.json", "links.csv", "ranks.csv", "report.html", "model/meta.json")
        if not (out / name).is_file()
    ]
    if missing or (out / ".work").exists():
        return "wrong", f"missing {missing}"
    record = json.loads((out / "run.json").read_text(encoding="utf-8"))
    with (out / "links.csv").open(newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        lines, head = list(reader), list(reader.fieldnames or ())
    scores = [float(line["score"]) for line in lines]
    fine = (
        head[: len(_COLUMNS)] == _COLUMNS
        and len(lines) == record["links"]["listed"]
        and all(map(math.isfinite, scores))
        and scores == sorted(scores, reverse=True)
        and [int(line["rank"]) for line in lines] == list(range(1, len(lines) + 1))
    )
    return ("fitted", "") if fine else ("wrong", f"{head}, {len(lines)} lines, {record['links']}")
