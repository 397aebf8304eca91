"""Fingerprints differ exactly if trees differ."""

from __future__ import annotations

import re
import subprocess
import sys
from copy import deepcopy
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

import latentlink
from latentlink.errors import InputError
from latentlink.saving import fingerprint
from tests.saving.records import Blur, Branch, Leaf, Sharpen, arrays, trees


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(trees)
def test_same_tree_same_fingerprint(tree):
    digest = fingerprint(tree)
    assert digest == fingerprint(deepcopy(tree))
    assert re.fullmatch("[0-9a-f]{64}", digest)
    assert digest != fingerprint([tree])


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(arrays)
def test_memory_layout_makes_no_difference(array):
    expected = fingerprint(array)
    assert fingerprint(np.asfortranarray(array).reshape(array.shape)) == expected
    assert fingerprint(array.astype(array.dtype.newbyteorder())) == expected
    strided = np.repeat(array[..., None], 2, axis=-1)[..., 0]
    assert fingerprint(strided) == expected


DIFFERENT = [
    None, True, False, 0, 1, -1, 0.0, -0.0, 1.0, float("nan"), float("inf"), "", "1", "nan", "None", 2**70,
    [], (), {}, [1], (1,), {"1": 1}, [[1]], [1, 1], ((1,),), [(1,), 1], [1, (1,)], range(1), range(2),
    {"float": "nan"}, {"tuple": [1]}, {"array": 0}, {"a": 1, "b": 2}, {"a": 2, "b": 1},
    np.array(1.0), np.array([1.0]), np.array([[1.0]]), np.array([1]), np.array([True]), np.array([1.0], "f4"),
    np.array(["1"]), np.zeros((0, 2)), np.zeros((2, 0)), np.zeros(0), np.zeros(0, int), np.zeros(0, "U1"),
    np.array(["ab", "c"]), np.array(["a", "bc"]), np.arange(6).reshape(2, 3), np.arange(6).reshape(3, 2),
    Leaf(1), Leaf(1.0), Leaf((1,)), Branch(1), Branch(None, 1), Leaf(Leaf(1)),
    Blur(), Blur(width=1.0), Blur(edge="fill"), Sharpen(blur=Blur()), Sharpen(blur=Blur(width=1.0)),
    Sharpen(),
]  # fmt: skip


def test_different_trees_have_different_fingerprints():
    assert len({fingerprint(tree) for tree in DIFFERENT}) == len(DIFFERENT)
    assert len({fingerprint(), fingerprint(1), fingerprint(1, 1), fingerprint((1, 1))}) == 4


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a": 1, "b": np.arange(3)}, {"b": np.arange(3), "a": 1}),
        (np.float64(0.5), 0.5),
        (np.int8(3), 3),
        (np.str_("a"), "a"),
        (np.array(["a", "bc"]), np.array(["a", "bc"], object)),
        (np.array(["a", "bc"]), np.array(["a", "bc"], "U9")),
        (np.array([""]), np.array([""], "U9")),
        (Blur(), Blur(width=0.5)),
        (float("nan"), -float("nan")),
    ],
    ids=str,
)
def test_equal_trees_have_equal_fingerprints(one, other):
    assert fingerprint(one) == fingerprint(other)


@pytest.mark.parametrize(
    "tree",
    [{1}, object(), b"a", {1: 2}, np.array([object()]), lambda: 0],
    ids=lambda tree: type(tree).__name__,
)
def test_unsupported_objects_raise(tree):
    with pytest.raises(InputError, match=r"parts\[1\]"):
        fingerprint("a", tree)


CODE = """
import numpy as np
from latentlink.factors import Factors
from latentlink.saving import fingerprint
model = Factors(np.arange(6.0).reshape(3, 2), np.ones((2, 2)))
print(fingerprint("task", 3, 0.1, None, {"b": (1, 2), "a": model}, np.array(["x", "yz"])))
"""
STORED = "d8b674ccc1e6ccf5ec767e3f1cd0813bc4c1b3949ea3cf19df972bd5212082a4"


@pytest.mark.slow
@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_every_process_returns_the_same(hash_seed):
    """Compare with a stored value: if it changes, interrupted runs cannot be continued."""
    environment = {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(Path(latentlink.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-c", CODE], capture_output=True, text=True, env=environment, check=True
    )
    assert done.stdout.strip() == STORED
