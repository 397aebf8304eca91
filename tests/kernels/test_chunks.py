"""Kernels over chunks of rows: the same rows, and sums that do not depend on threads."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.kernels import chunks
from latentlink.parallel import TaskPool
from tests.helpers.structures import Form, random_coordinates, random_piece
from tests.kernels.test_bits import CALLS, LOGISTIC, all_results

FORM = Form("lanes", 8, "float64")


@pytest.fixture(autouse=True)
def lanes_mode(monkeypatch):
    monkeypatch.setenv("LATENTLINK_KERNELS", "lanes")


def results_with(chunk, name, monkeypatch, n_jobs=None):
    """Return the results of a kernel in chunks of about this many entries and rows, as one task."""
    monkeypatch.setattr(chunks, "CHUNK", chunk)
    piece = random_piece(FORM, symmetric=name.startswith("mirrored"), binary=name in LOGISTIC)
    if name != "mirrored":
        assert (len(piece.listed.chunks) > 3) == (chunk < 10)
    with TaskPool(n_jobs) as pool:
        pool.add(all_results, name, piece, random_coordinates(piece, growing=name == "squared"))
        return next(result for _, _, result in pool.completed())


@pytest.mark.parametrize("name", CALLS)
def test_chunks_change_no_row_and_sums_by_rounding_only(name, monkeypatch):
    whole, parts = (results_with(chunk, name, monkeypatch) for chunk in (1 << 15, 5))
    for one, other in zip(whole[:-2], parts[:-2], strict=True):
        np.testing.assert_allclose(other, one, rtol=1e-12)
    if name not in {"background", "balance", "gram_rows", "times_gram", "divergence"}:  # use such sums
        for one, other in zip(whole[-2:], parts[-2:], strict=True):
            np.testing.assert_array_equal(other, one)
    for one, other in zip(whole[-2:], parts[-2:], strict=True):
        np.testing.assert_allclose(other, one, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", CALLS)
def test_bits_do_not_depend_on_threads(name, monkeypatch):
    alone = results_with(5, name, monkeypatch)
    for threads in (2, 4):
        for one, other in zip(alone, results_with(5, name, monkeypatch, threads), strict=True):
            np.testing.assert_array_equal(other, one)


@pytest.mark.parametrize(
    ("indptr", "expected"),
    [
        ([0], []),
        ([0, 0, 0], [(0, 2)]),
        ([0, 30_000, 70_000, 70_000, 70_010], [(0, 2), (2, 4)]),
        ([0, 10, 200_000, 200_010], [(0, 2), (2, 3)]),
    ],
    ids=["no rows", "no entries", "by entries", "one row is a chunk"],
)
def test_chunks_are_consecutive_and_cover_all_rows(indptr, expected):
    found = chunks.balanced_chunks(np.array(indptr))
    assert [(each.start, each.stop) for each in found] == expected


def test_rows_without_entries_count_too():
    found = chunks.balanced_chunks(np.zeros(100_001, np.int64))
    assert [each.stop - each.start for each in found] == [32_768] * 3 + [1_696]
    assert found == chunks.equal_chunks(100_000)


def test_the_sum_over_no_chunk_is_zero():
    np.testing.assert_array_equal(chunks.add_up(lambda rows, total: None, (), (2,)), [0.0, 0.0])
