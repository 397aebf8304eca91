"""Kill ``latentlink fit`` at random moments, and compare the continued run with one that was not killed.

``python -m tools.kills [--count N] [--seed S] [--kind labelled|links|ratings]``: every run is killed once by
SIGKILL, continued by the same command, and has to give the same bytes of ``links.csv``.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

__all__ = ["KINDS", "Killed", "killed_runs", "main"]

KINDS = ("labelled", "links", "ratings")
_OPTIONS = ("--jobs", "1", "--json")
_SMALL = ("--method", "wnmfk", "--ranks", "1:3", "--members", "4")
_LARGE = ("--method", "wnmfk", "--ranks", "1:12", "--members", "16")
_STACKED = ("--members", "4")  # links alone and ratings by the default method


@dataclass(frozen=True)
class Killed:
    """What became of a run that was killed and continued.

    Attributes
    ----------
    seconds : float
        When it was killed, after its first file.
    stage : str
        The last file or folder that it had written before.
    half_written : bool
        Whether it looked finished, or had a file under its own name that differed from the final one.
    same : bool
        Whether the continued run gave the same bytes.
    remains : bool
        Whether the continued run left a temporary file or folder of the killed one.
    """

    seconds: float
    stage: str
    half_written: bool
    same: bool
    remains: bool


def killed_runs(
    folder: Path, count: int, seed: int, size: tuple[str, ...] = _SMALL, kind: str = "labelled"
) -> Iterator[Killed]:
    """Yield what becomes of runs that are killed at random moments between their first and last file."""
    rng = np.random.default_rng(seed)
    data = folder / "links.csv"
    data.write_text(_pairs(rng, kind), encoding="utf-8")
    for name in ("compiled", "whole"):  # the first may compile kernels, and its duration means nothing
        process = _started(data, folder / name, size)
        _wait_until_begun(process, folder / name)
        begin = time.monotonic()
        _check_end(process, folder / name)
        working = time.monotonic() - begin
    expected = (folder / "whole" / "links.csv").read_bytes()
    for number in range(count):
        out = folder / f"run-{number}"
        seconds = float(rng.uniform(0.0, 0.85) * working)
        process = _started(data, out, size)
        _wait_until_begun(process, out)
        try:
            process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
        links = out / "links.csv"
        wrong = links.exists() and links.read_bytes() != expected
        early = (out / "run.json").exists() and not links.exists()
        stage = _stage(out)
        _check_end(_started(data, out, size), out)
        yield Killed(seconds, stage, wrong or early, links.read_bytes() == expected, any(out.glob(".*")))


def main() -> int:
    """Kill runs, print what became of them, and return 1 if one of them differs."""
    parser = argparse.ArgumentParser(prog="python -m tools.kills", description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kind", choices=KINDS, default=KINDS[0])
    given = parser.parse_args()
    faults, size = 0, _LARGE if given.kind == KINDS[0] else _STACKED
    with tempfile.TemporaryDirectory() as folder:
        for each in killed_runs(Path(folder), given.count, given.seed, size, given.kind):
            fine = each.same and not each.half_written and not each.remains
            faults += not fine
            print(
                f"killed after {each.seconds:5.2f} s, at {each.stage}: {'the same bytes' if fine else each}"
            )
    print(f"{given.count} runs, {faults} faults (seed {given.seed})")
    return int(faults > 0)


def _pairs(rng: np.random.Generator, kind: str) -> str:
    """Return links and non-links of 60 nodes in three groups, the links alone, or ratings."""
    lines = []
    for a in range(60):
        for b in range(a):
            if rng.random() < 0.6:
                near = a % 3 == b % 3
                value = int(rng.random() < (0.8 if near else 0.1))
                if kind == "ratings":
                    lines.append(f"u{a},i{b},{int(rng.integers(3, 6) if near else rng.integers(1, 4))}")
                elif kind == "labelled" or value:
                    lines.append(f"n{a},n{b}" + (f",{value}" if kind == "labelled" else ""))
    head = "source,target" + ("" if kind == "links" else ",value")
    return "\n".join([head, *lines]) + "\n"


def _started(data: Path, out: Path, size: tuple[str, ...]) -> subprocess.Popen[bytes]:
    source = Path(__file__).parents[1] / "src"
    paths = os.pathsep.join([str(source), *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [sys.executable, "-m", "latentlink", "fit", str(data), "--out", str(out), *_OPTIONS, *size]
    return subprocess.Popen(
        command,
        env={**os.environ, "PYTHONPATH": paths},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def _wait_until_begun(process: subprocess.Popen[bytes], out: Path) -> None:
    """Wait until a run has written its first file, or has ended."""
    while process.poll() is None and not (out / ".work" / "identity.json").exists():
        time.sleep(0.02)


def _check_end(process: subprocess.Popen[bytes], out: Path) -> None:
    """Wait for the end of a run, and raise RuntimeError unless it is finished."""
    _, errors = process.communicate()
    if process.returncode:
        raise RuntimeError(f"the run in {out} ended with {process.returncode}: {errors.decode()[-500:]}")


def _stage(out: Path) -> str:
    """Return how far a run has come, by what it has written."""
    for name in ("run.json", "report.html", "calibration.npz", "ranks.csv", "links.csv", "model"):
        if (out / name).exists():
            return "the end" if name == "run.json" else name
    tasks = len(list((out / ".work" / "fit").rglob("*.npz"))) if out.exists() else 0
    return f"{tasks} tasks of the fit" if out.exists() else "the beginning"


if __name__ == "__main__":
    sys.exit(main())
