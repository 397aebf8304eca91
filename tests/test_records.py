"""Rules for the dataclasses of the package: which can be changed, and which are compared by value."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import re
from pathlib import Path

import latentlink
from latentlink.strategy import Strategy

PACKAGE = Path(latentlink.__file__).parent
MODULES = [
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
    for path in sorted(PACKAGE.rglob("*.py"))
    if path.name != "__main__.py"
]

# Records that change: a table being read, a running search, a cache, a task of a cluster, a descent.
CHANGING = {"Listing", "ProgressReporter", "StagedProgress", "StepProgress", "Scheduler", "TrainingSpread"}
CHANGING |= {"RemoteTask", "DeviceFactor"}
CHANGING |= {"Sweeps", "Completed", "Descent", "DivergenceSweeps", "MirroredDescent", "Multiplied"}
# Parts of a computation that are handed on and never compared, and kept as they are for speed.
NOT_COMPARED = {"Listed", "Coordinates", "Mirror", "View", "Block", "Convergence", "Stopping", "Moving"}
NOT_COMPARED |= {"Lines", "Solved", "Split"}


def records():
    """All dataclasses of the package but settings objects."""
    for module in MODULES:
        for each in vars(importlib.import_module(module)).values():
            own = inspect.isclass(each) and each.__module__ == module
            if own and "__dataclass_params__" in vars(each) and not issubclass(each, Strategy):
                yield each


def test_records_cannot_be_changed():
    mutable = {each.__name__ for each in records() if not each.__dataclass_params__.frozen}
    assert mutable == CHANGING


def test_records_that_hold_arrays_are_not_compared_by_value():
    """An array has no truth value, so that == of such records would raise; they compare by identity."""
    every = list(records())
    by_identity = {each.__name__ for each in every if not each.__dataclass_params__.eq}
    for each in every:
        hints = " ".join(str(field.type) for field in dataclasses.fields(each))
        hints = re.sub(r"'[^']*'|\"[^\"]*\"", "", hints)  # the help of an option is no type
        holds = re.search(rf"Array|Floats|Positions|Members|Network|\b({'|'.join(by_identity)})\b", hints)
        if holds and each.__name__ not in NOT_COMPARED | CHANGING:
            assert each.__name__ in by_identity, f"{each} holds {holds[0]}"
