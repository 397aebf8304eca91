"""Whole messages about frames and matrices in memory that cannot be read."""

import numpy as np
import pandas
import pytest
import scipy.sparse

from latentlink.errors import InputError
from latentlink.network import Network

LONG = 4 * "abcdefghijklmnopqrstuvwxyz"


def frame(*labels, values=("a", "b", 1.0, 1.0)):
    return pandas.DataFrame([values[: len(labels)]], columns=list(labels))


INVALID_FRAMES = {
    "labels of up to 24 characters": (
        frame(LONG[:21], LONG[:22], LONG[:23]),
        {"columns": ("q", "r")},
        "The frame has no column 'q'; expected one of 'abcdefghijklmnopqrstu', 'abcdefghijklmnopqrstuv', "
        "'abcdefghijklmnopqrst....",
    ),
    "a label of 60 characters": (
        frame("a", "b"),
        {"columns": (LONG[:58], "r")},
        f"The frame has no column '{LONG[:58]}'; expected one of 'a', 'b'.",
    ),
    "a longer label": (
        frame("a", "b"),
        {"columns": (LONG[:59], "r")},
        f"The frame has no column '{LONG[:56]}...; expected one of 'a', 'b'.",
    ),
    "no column": (
        pandas.DataFrame({}),
        {},
        "The frame has no two columns, only nothing; expected row and column at least.",
    ),
    "four columns": (
        frame("a", "b", "c", "d"),
        {},
        "The frame has 4 columns: 'a', 'b', 'c', 'd'; expected two or three. Give the labels of row, column "
        "and value, for example columns=('a', 'b', 'c').",
    ),
    "no value": (
        pandas.DataFrame({"a": ["x", "y"], "b": ["z", "z"], "c": [1.0, np.nan]}),
        {},
        "Column 'c' (the value) has no value in frame row 1 (counted from 0); expected one in every row. "
        "Leave unknown pairs out of the frame.",
    ),
}


@pytest.mark.parametrize(("given", "options", "message"), INVALID_FRAMES.values(), ids=INVALID_FRAMES.keys())
def test_frames(given, options, message):
    with pytest.raises(InputError) as error:
        Network.from_edges(given, **options)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("matrix", "unstored", "where"),
    [
        ([[1, 2, 0], [3, 1, 0], [0, 4, 0]], "zero", "row 0, column 1 is 2, but row 1, column 0 is 3"),
        (
            [[1, 2, 0], [2, 1, 5], [0, 0, 1]],
            "zero",
            "row 1, column 2 is 5, but row 2, column 1 is not stored",
        ),
        (
            [[1, 2, 3], [4, 1, 0], [0, 0, 1]],
            "unknown",
            "row 0, column 2 is 3, but row 2, column 0 is not stored",
        ),
    ],
)
def test_matrices_that_are_not_symmetric(matrix, unstored, where):
    with pytest.raises(InputError, match=f"The matrix is not symmetric: {where}. If only one"):
        Network.from_sparse(scipy.sparse.csr_array(np.array(matrix)), unstored=unstored, symmetric=True)
    if "not stored" not in where:
        with pytest.raises(InputError, match=f"The matrix is not symmetric: {where}. Make it symmetric"):
            Network.from_dense(matrix, symmetric=True)
