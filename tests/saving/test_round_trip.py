"""Saved trees are loaded unchanged."""

from __future__ import annotations

import json
import sys
import tempfile
from collections import OrderedDict, namedtuple
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from latentlink.errors import InputError
from latentlink.factors import Factors
from latentlink.rank.results import Choice, RankPath, RankRecord
from latentlink.regime.align import HammingAlign
from latentlink.regime.perturb import BooleanFlip
from latentlink.regime.regime import Regime, boolean
from latentlink.regime.threshold import Otsu
from latentlink.saving import load_file, load_tree, save_file, save_tree
from latentlink.solvers import WNMF
from tests.saving.records import RECORDS, Blur, Branch, Leaf, Sharpen, same, trees


def through_folder(tree, folder):
    save_tree(folder / "saved", "test", tree)
    return load_tree(folder / "saved", "test", RECORDS)


def through_file(tree, folder):
    save_file(folder / "saved.npz", "test", tree)
    return load_file(folder / "saved.npz", "test", RECORDS)


@pytest.fixture
def through(tmp_path_factory):
    """Return a function that saves a tree as a folder and as a file, and loads both."""

    def both(tree):
        folder = tmp_path_factory.mktemp("saved")
        loaded = through_folder(tree, folder)
        assert same(through_file(tree, folder), loaded)
        return loaded

    return both


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.too_slow])
@given(trees)
def test_every_tree_is_loaded_unchanged(tree):
    with tempfile.TemporaryDirectory() as folder:
        assert same(through_folder(tree, Path(folder)), tree)
        assert same(through_file(tree, Path(folder)), tree)


def test_a_model_is_loaded_unchanged(through):
    rng = np.random.default_rng(0)
    model = Factors(rng.random((4, 2)), rng.random((2, 3)), row_bias=rng.random(4), offset=0.5, logistic=True)
    loaded = through({"model": model, "members": (model, model)})
    assert same(loaded["model"], model)
    np.testing.assert_array_equal(loaded["members"][1].score([0, 1], [2, 2]), model.score([0, 1], [2, 2]))


def test_nested_settings_are_loaded_unchanged(through):
    loaded = through(Sharpen(blur=Blur(width="auto", edge="fill")))
    assert repr(loaded) == repr(Sharpen(blur=Blur(width="auto", edge="fill")))


def test_results_of_a_rank_search_are_loaded_unchanged(tmp_path):
    model = Factors(np.ones((4, 1)), np.ones((1, 3)))
    record = RankRecord(
        1, model, (model, model), np.ones(1), np.ones(1), 0.5, np.ones(3), np.full(2, np.nan), (1,), 2
    )
    tree = (RankPath((record,)), Choice(1, "the only one", "agreed"), WNMF(ridge=0.1), boolean())
    classes = (RankPath, RankRecord, Factors, Choice, WNMF, Regime, BooleanFlip, Otsu, HammingAlign)
    save_tree(tmp_path / "saved", "search", tree)
    loaded = load_tree(tmp_path / "saved", "search", {cls.__name__: cls for cls in classes})
    assert same(loaded, tree)


def test_numbers_that_json_cannot_represent(through):
    loaded = through([float("inf"), -float("inf"), float("nan"), -0.0, 1.0, 1, True, 5e-324])
    assert repr(loaded) == "[inf, -inf, nan, -0.0, 1.0, 1, True, 5e-324]"


def test_large_integers(through):
    assert len(str(2**2048)) < sys.int_info.str_digits_check_threshold  # printed under any setting
    large = [2**2048 - 1, 1 - 2**2048, 2**53, 2**53 + 1, -(2**53), -(2**53) - 1]
    assert through(large) == large


def test_scalars_of_numpy_become_those_of_python(through):
    scalars = [np.float64(0.5), np.float32(0.5), np.int8(-3), np.uint64(2**64 - 1), np.True_, np.str_("a")]
    assert same(through(scalars), [0.5, 0.5, -3, 2**64 - 1, True, "a"])


@pytest.mark.parametrize(
    ("array", "expected"),
    [
        (np.array(["a", "bcd"], object), np.array(["a", "bcd"])),
        (np.array([], object), np.array([], "U1")),
        (np.array([["", "x"]], object), np.array([["", "x"]])),
        (np.array([""]), np.array([""])),
        (np.empty(3, "U0"), np.array(["", "", ""])),
        (np.array(3.5), np.array(3.5)),
        (np.empty((0, 7)), np.empty((0, 7))),
        (np.arange(12.0).reshape(3, 4).T[::2], np.arange(12.0).reshape(3, 4).T[::2]),
    ],
    ids=str,
)
def test_arrays(through, array, expected):
    assert same(through(array), expected)


def test_arrays_are_new_and_writable(through):
    frozen = np.arange(3.0)
    frozen.setflags(write=False)
    through(frozen)[0] = 7.0
    assert frozen[0] == 0.0


def test_memory_maps_are_arrays(through, tmp_path):
    np.save(tmp_path / "there.npy", np.arange(3))
    assert same(through(np.load(tmp_path / "there.npy", mmap_mode="r")), np.arange(3))


def test_the_folder_can_be_read_without_this_package(tmp_path):
    save_tree(tmp_path / "saved", "test", {"ranks": (1, float("nan")), "W": np.arange(3)})
    with np.load(tmp_path / "saved" / "arrays.npz", allow_pickle=False) as arrays:
        np.testing.assert_array_equal(arrays["0"], [0, 1, 2])
    meta = json.loads((tmp_path / "saved" / "meta.json").read_text(), parse_constant=pytest.fail)
    assert (meta["format"], meta["version"], meta["kind"]) == ("latentlink", 8, "test")
    tree = {"dict": {"ranks": {"tuple": [1, {"float": "nan"}]}, "W": {"array": 0}}}
    assert meta["tree"] == tree


def test_the_same_tree_makes_the_same_bytes(tmp_path):
    for name in ("one", "two"):
        save_file(tmp_path / name, "test", Leaf(np.arange(3)))
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@dataclass
class Changing:
    value: int = 0


Pair = namedtuple("Pair", "one two")


@pytest.mark.parametrize(
    "tree",
    [
        {1, 2}, b"bytes", 1j, object(), print, Changing(), Changing, Leaf, Blur, Pair(1, 2), OrderedDict(a=1),
        np.complex128(1), np.datetime64("2020-01-01"), np.longdouble(1), np.bytes_(b"a"), np.ma.array([1.0]),
    ],
    ids=lambda tree: type(tree).__name__,
)  # fmt: skip
def test_objects_that_cannot_be_saved(tree, tmp_path):
    with pytest.raises(InputError) as error:
        save_tree(tmp_path / "saved", "test", {"a": [Leaf(tree)]})
    assert f"tree['a'][0].value is an object of type {type(tree).__name__}" in str(error.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.array([1, "a"], object), "item 0 is of type int"),
        (np.array(["a", "a\0"], object), "ends with a null character"),
        (np.array([b"a"]), "array of type"),
        (np.array(["2020-01-01"], "M8[D]"), "array of type datetime64"),
        (np.zeros(2, "f8,i4"), "array of type"),
        (np.zeros(2, np.longdouble), "at most 64 bits"),
    ],
    ids=str,
)
def test_arrays_that_cannot_be_saved(array, message, tmp_path):
    with pytest.raises(InputError, match=message):
        save_file(tmp_path / "saved", "test", Branch(array))


@pytest.mark.parametrize("key", [1, None, (1, 2), np.str_("a")], ids=repr)
def test_keys_are_strings(key, tmp_path):
    with pytest.raises(InputError, match=r"tree\[2\] is a dict with the key .*; expected strings as keys"):
        save_tree(tmp_path / "saved", "test", [0, 0, {key: 1}])


def test_a_tree_that_contains_itself(tmp_path):
    endless = []
    endless.append(endless)
    with pytest.raises(InputError, match="nested more than 64 levels deep"):
        save_tree(tmp_path / "saved", "test", endless)


def test_a_tree_of_the_largest_allowed_depth(through):
    deep = 1
    for _ in range(64):
        deep = Leaf(deep)
    assert same(through(deep), deep)


def test_kinds_are_strings(tmp_path):
    with pytest.raises(InputError, match="kind is 3; expected a string"):
        save_tree(tmp_path / "saved", 3, None)
