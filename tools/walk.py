"""How far a reader has to walk: files and depth of calls that a first use goes through.

    python -m tools.walk

Counts the package's own files in which a function ran, and the deepest stack of the package's own calls,
for `WNMFk.fit` and for the way from an edge list to ``LinkStack().fit(..).calibrate(..).answers(..)``.
"""

from __future__ import annotations

import collections
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

import latentlink
from latentlink import LinkStack, Network, WNMFk
from latentlink.splitting import holdout

PACKAGE = str(Path(latentlink.__file__).parent)


class Walk:
    """The package's files that were entered, and the deepest stack of its calls."""

    def __init__(self) -> None:
        self.files: set[str] = set()
        self.depth = 0

    def step(self, frame: FrameType, event: str, argument: Any) -> None:
        """Note one call; a profile function of the interpreter."""
        del argument
        name = frame.f_code.co_filename
        # Class bodies and modules run when they are imported, not when they are used.
        if event != "call" or not name.startswith(PACKAGE) or frame.f_code.co_name == "<module>":
            return
        self.files.add(name[len(PACKAGE) + 1 :])
        depth, each = 0, frame
        while each is not None:
            depth += each.f_code.co_filename.startswith(PACKAGE)
            each = each.f_back  # type: ignore[assignment]
        self.depth = max(self.depth, depth)


@contextmanager
def walking() -> Iterator[Walk]:
    """Follow all calls of this thread and of those that it starts."""
    walk = Walk()
    threading.setprofile(walk.step)
    sys.setprofile(walk.step)
    try:
        yield walk
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def fit_wnmfk() -> None:
    """Find the rank of a small matrix."""
    rng = np.random.default_rng(0)
    X = rng.random((20, 2)) @ rng.random((2, 15))
    WNMFk((1, 2, 3), n_perturbs=4, random_state=0).fit(X)


def edges_to_answers() -> None:
    """Go from an edge list to answers with a bounded error."""
    rng = np.random.default_rng(0)
    group = np.arange(40) % 2
    edges = [
        (f"n{i}", f"n{j}", int(rng.random() < (0.8 if group[i] == group[j] else 0.2)))
        for i in range(40)
        for j in range(i + 1, 40)
        if rng.random() < 0.7
    ]
    split = holdout(Network.from_edges(edges, symmetric=True), 0.2, rng=0, calibration=0.2)
    model = LinkStack((1, 2), n_perturbs=4, random_state=0).fit(split.train)
    pairs = np.column_stack([split.test.rows, split.test.cols])
    model.calibrate(split.calibration).answers(pairs)


def main() -> None:
    """Print files and depth of both walks."""
    walks: dict[str, Callable[[], None]] = {
        "WNMFk.fit": fit_wnmfk,
        "edges to LinkStack answers": edges_to_answers,
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, work in walks.items():
            work()  # once before, so that nothing is compiled or imported during the walk
            with walking() as walk:
                work()
            folders = collections.Counter(str(Path(file).parent) for file in walk.files)
            print(f"{name}: {len(walk.files)} files, depth {walk.depth}")
            print("  " + ", ".join(f"{folder} {count}" for folder, count in sorted(folders.items())))


if __name__ == "__main__":
    main()
