"""Parts of sparse matrices: those of SciPy give its entries, others raise with the part and the position."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

from latentlink.errors import InputError
from latentlink.network.readers.matrices.structure import EXPANSIONS

ENTRIES = np.array([1.0, 2.0, 3.0])


@settings(max_examples=60)
@given(st.sampled_from(["csr", "csc", "bsr", "coo", "dia"]), st.integers(0, 2**32 - 1))
def test_entries_are_those_of_scipy(form, seed):
    rng = np.random.default_rng(seed)
    height, width = rng.integers(1, 4, 2)
    shape = tuple(int(size) for size in rng.integers(1, 4, 2) * (height, width))
    dense = rng.integers(1, 9, shape) * (rng.random(shape) < 0.5) * 1.0
    options = {"blocksize": (int(height), int(width))} if form == "bsr" else {}
    matrix = getattr(scipy.sparse, f"{form}_array")(dense, **options)
    parts = {
        "coo": ("row", "col"),
        "dia": ("offsets",),
    }.get(form, ("indices", "indptr"))
    rows, cols, values = EXPANSIONS[form](
        matrix.data, *(np.asarray(getattr(matrix, part)) for part in parts), shape, "x.npz"
    )
    found = np.zeros(shape)
    np.add.at(found, (rows, cols), values)
    np.testing.assert_array_equal(found, dense)


def test_diagonals_outside_of_the_matrix_and_zeros_on_others_are_not_stored():
    data = np.array([[1.0, 2.0, 0.0, 4.0]] * 7)
    offsets = np.array([-4, -3, -2, 0, 2, 3, 4])
    rows, cols, values = EXPANSIONS["dia"](data, offsets, (3, 3), "x.npz")
    expected = scipy.sparse.dia_array((data[[2, 3, 4]], [-2, 0, 2]), shape=(3, 3)).toarray()
    found = np.zeros((3, 3))
    found[rows, cols] = values
    np.testing.assert_array_equal(found, expected)
    assert len(values) == np.count_nonzero(expected)


INVALID = {
    "csr of two dimensions": (
        "csr",
        np.ones((2, 2)),
        [0, 1],
        [0, 1, 2],
        "'data'",
        "has 2 dimensions; expected one",
    ),
    "coo of two dimensions": (
        "coo",
        np.ones((2, 2)),
        [0, 1],
        [0, 1],
        "'data'",
        "has 2 dimensions; expected one",
    ),
    "indptr too short": (
        "csr",
        ENTRIES,
        [0, 1, 1],
        [0, 3],
        "'indptr'",
        "has type int64 and shape (2,); expected 3 integers, one more than there are rows or columns",
    ),
    "indptr of fractions": (
        "csr",
        ENTRIES,
        [0, 1, 1],
        [0.0, 1.0, 3.0],
        "'indptr'",
        "has type float64 and shape (3,); expected 3 integers, one more than there are rows or columns",
    ),
    "indptr falls": (
        "csr",
        ENTRIES,
        [0, 1, 1],
        [0, 4, 3],
        "'indptr'",
        "has 4 and then 3 at position 1; expected numbers that do not decrease",
    ),
    "indptr from 1": (
        "csr",
        ENTRIES,
        [0, 1, 1],
        [1, 2, 3],
        "'indptr'",
        "goes from 1 to 3; expected from 0 to 3, all entries",
    ),
    "indptr to 2": (
        "csr",
        ENTRIES,
        [0, 1, 1],
        [0, 2, 2],
        "'indptr'",
        "goes from 0 to 2; expected from 0 to 3, all entries",
    ),
    "too few indices": (
        "csr",
        ENTRIES,
        [0, 1],
        [0, 2, 3],
        "'indices'",
        "has type int64 and shape (2,); expected 3 integers, one for each value",
    ),
    "indices of fractions": (
        "csr",
        ENTRIES,
        [0.0, 1.0, 1.0],
        [0, 2, 3],
        "'indices'",
        "has type float64 and shape (3,); expected 3 integers, one for each value",
    ),
    "an index too large": (
        "csr",
        ENTRIES,
        [0, 1, 2],
        [0, 2, 3],
        "'indices'",
        "has 2 at position 2; expected indices from 0 to 1",
    ),
    "a negative index": (
        "csr",
        ENTRIES,
        [0, -1, 1],
        [0, 2, 3],
        "'indices'",
        "has -1 at position 1; expected indices from 0 to 1",
    ),
    "a row too large": (
        "coo",
        ENTRIES,
        [0, 2, 1],
        [0, 1, 1],
        "'row'",
        "has 2 at position 1; expected indices from 0 to 1",
    ),
    "a column too large": (
        "coo",
        ENTRIES,
        [0, 1, 1],
        [0, 1, 2],
        "'col'",
        "has 2 at position 2; expected indices from 0 to 1",
    ),
    "blocks of two dimensions": (
        "bsr",
        np.ones((2, 2)),
        [0, 1],
        [0, 1, 2],
        "'data'",
        "has shape (2, 2); expected three dimensions, blocks of entries",
    ),
    "empty blocks": (
        "bsr",
        np.ones((2, 0, 1)),
        [0, 1],
        [0, 1, 2],
        "'data'",
        "has shape (2, 0, 1); expected three dimensions, blocks of entries",
    ),
    "blocks that do not fit": (
        "bsr",
        np.ones((2, 1, 3)),
        [0, 1],
        [0, 1, 2],
        "'shape'",
        "is (2, 2); expected multiples of the blocks, 1 x 3",
    ),
    "blocks too high": (
        "bsr",
        np.ones((2, 3, 1)),
        [0, 1],
        [0, 1, 2],
        "'shape'",
        "is (2, 2); expected multiples of the blocks, 3 x 1",
    ),
}


@pytest.mark.parametrize(
    ("form", "data", "one", "other", "part", "sentence"), INVALID.values(), ids=INVALID.keys()
)
def test_parts_that_do_not_fit_raise(form, data, one, other, part, sentence):
    with pytest.raises(InputError) as error:
        EXPANSIONS[form](data, np.array(one), np.array(other), (2, 2), "x.npz")
    assert str(error.value) == (
        f"x.npz: the part {part} of the sparse matrix {sentence}. It is damaged, or was changed by hand."
    )


@pytest.mark.parametrize(
    ("data", "offsets", "part", "sentence"),
    [
        (ENTRIES, [0], "'data'", "has 1 dimensions; expected two"),
        (
            ENTRIES[None],
            [0, 1],
            "'offsets'",
            "has type int64 and shape (2,); expected 1 integers, one for each",
        ),
        (
            ENTRIES[None],
            [0.0],
            "'offsets'",
            "has type float64 and shape (1,); expected 1 integers, one for each",
        ),
        (np.ones((2, 2)), [1, 1], "'offsets'", "repeats a diagonal; expected different ones"),
    ],
)
def test_diagonals_that_do_not_fit_raise(data, offsets, part, sentence):
    with pytest.raises(InputError) as error:
        EXPANSIONS["dia"](data, np.array(offsets), (2, 2), "x.npz")
    assert f"the part {part} of the sparse matrix {sentence}" in str(error.value)


@pytest.mark.parametrize("coords", [np.zeros(3, int), np.zeros((1, 3), int), np.zeros((3, 3), int)])
def test_coordinates_have_two_rows(coords):
    with pytest.raises(InputError, match=r"'coords' of the sparse matrix has shape .*; expected two rows"):
        EXPANSIONS["coo with coords"](ENTRIES, coords, (2, 2), "x.npz")
    rows, cols, _ = EXPANSIONS["coo with coords"](ENTRIES, np.array([[0, 1, 1], [1, 0, 1]]), (2, 2), "x.npz")
    assert (rows.tolist(), cols.tolist()) == ([0, 1, 1], [1, 0, 1])
