"""A line of results is of the code that found it, and of no other."""

from __future__ import annotations

import importlib
import sys

import pytest
from statistical import risk
from statistical.mark import _reach, code_mark

SOURCE = '''
"""A study."""
from math import sqrt

LIMIT = 2
NAMES = {"root": sqrt}


def helper(x):
    return NAMES["root"](x) + LIMIT


def run(seed):
    """Do it."""
    return {"found": helper(seed)}


def promises(lines):
    return ["some words"]
'''


@pytest.fixture
def mark_of(tmp_path, monkeypatch):
    """Write the source of a study, and return its mark."""
    monkeypatch.syspath_prepend(tmp_path)

    def mark(source):
        (tmp_path / "a_study.py").write_text(source)
        monkeypatch.delitem(sys.modules, "a_study", raising=False)
        importlib.invalidate_caches()
        return code_mark(importlib.import_module("a_study").run)

    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    yield mark
    sys.modules.pop("a_study", None)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("helper(seed)}", "helper(seed) + 1}"),
        ("+ LIMIT", "- LIMIT"),
        ("LIMIT = 2", "LIMIT = 3"),
        ("import sqrt", "import cbrt as sqrt"),
    ],
)
def test_whatever_a_run_reaches_counts(mark_of, old, new):
    assert SOURCE.count(old) == 1
    assert mark_of(SOURCE) != mark_of(SOURCE.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [("some words", "other words"), ('"""Do it."""', '"""Do."""'), ("LIMIT = 2", "LIMIT  =  2")],
)
def test_words_and_layout_do_not(mark_of, old, new):
    assert mark_of(SOURCE) == mark_of(SOURCE.replace(old, new))


def test_other_modules_of_the_studies_are_followed():
    found = {}
    _reach(risk.__name__, "run", found)
    assert {("statistical.footing", "_risk_at"), ("statistical.splits", "planted")} <= set(found)
    assert ("statistical.risk", "promises") not in found
