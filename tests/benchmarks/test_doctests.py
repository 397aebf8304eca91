"""Examples in the docstrings of the benchmarks."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

import benchmarks

FOLDER = Path(benchmarks.__file__).parent
SOURCES = [path for path in sorted(FOLDER.rglob("*.py")) if ">>> " in path.read_text()]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_examples_are_right(path):
    name = ".".join(path.relative_to(FOLDER.parent).with_suffix("").parts)
    found = doctest.testmod(importlib.import_module(name))
    assert found.attempted > 0
    assert found.failed == 0
