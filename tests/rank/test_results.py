"""Records, paths, and their table."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from latentlink.errors import InputError
from latentlink.rank import RankPath
from latentlink.saving import save_tree
from tests.rank.paths import path_of, record

PATH = path_of(
    record(1, 1.0, [0.25, 0.36, np.nan]), record(3, 0.7, [0.04, 0.09, 0.16], 0.2), record(2, bits=12.5)
)


def test_to_frame_has_one_row_per_rank():
    frame = PATH.to_frame()
    assert list(frame.columns) == list(PATH.to_dict())
    assert list(frame["rank"]) == [1, 2, 3]
    assert frame["rank"].dtype.kind == "i"
    np.testing.assert_allclose(frame["stability"], [1.0, 1.0, 0.7])
    np.testing.assert_allclose(frame["stability_columns"], [1.0, 1.0, 0.7])
    np.testing.assert_allclose(frame["relative_error"], [0.5, 0.5, 0.2])
    np.testing.assert_allclose(frame["held_out_error"], [np.sqrt(0.305), np.sqrt(0.5), 0.3])
    np.testing.assert_array_equal(frame["description_length"], [np.nan, 12.5, np.nan])
    assert list(frame["members"]) == [3, 1, 3]
    assert list(frame["set_aside"]) == [0, 0, 0]
    assert list(frame["converged"]) == [8, 8, 8]


def test_a_missing_frame_library_raises(monkeypatch):
    monkeypatch.setitem(sys.modules, "narwhals", None)
    with pytest.raises(InputError, match=r"frame.*pip install"):
        PATH.to_frame()


def test_stability_and_held_out_error_of_a_record():
    assert PATH[3].stability == 0.7
    assert PATH[1].held_out_error == pytest.approx(np.sqrt(0.305))  # members set aside do not count
    assert np.isnan(record(1, held_out=[np.nan]).held_out_error)
    failed = record(1, held_out=[0.04, 0.04, 0.04, 1e9])
    assert failed.held_out_error == pytest.approx(0.2)


def test_a_path_iterates_in_ascending_order():
    assert [one.rank for one in PATH] == [1, 2, 3] == list(PATH.ranks)
    assert len(PATH) == 3
    assert PATH[2] is PATH.records[1]
    with pytest.raises(InputError, match="Rank 4 was not visited; the ranks visited are 1, 2, 3"):
        PATH[4]
    assert len(RankPath(())) == 0


def test_save_and_load_round_trip(tmp_path):
    PATH.save(tmp_path / "path")
    loaded = RankPath.load(tmp_path / "path")
    assert loaded.ranks == PATH.ranks
    for one, other in zip(loaded, PATH, strict=True):
        np.testing.assert_array_equal(one.held_out, other.held_out)
        np.testing.assert_array_equal(one.members[0].W, other.members[0].W)
        assert repr(one.description_length) == repr(other.description_length)
    with pytest.raises(InputError, match="exists already"):
        PATH.save(tmp_path / "path")
    PATH.save(tmp_path / "path", overwrite=True)


def test_loading_a_folder_of_another_kind_raises(tmp_path):
    save_tree(tmp_path / "other", "model", {})
    with pytest.raises(InputError, match="expected 'path'"):
        RankPath.load(tmp_path / "other")
