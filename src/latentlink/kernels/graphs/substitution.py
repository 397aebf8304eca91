"""Solutions of linear systems with given triangular factors, for many right-hand sides at once."""

from __future__ import annotations

from functools import cache
from typing import Any

from numpy.typing import NDArray

from latentlink.kernels import reference
from latentlink.kernels.lanes.compile import EDITION, kernel, mode

__all__ = ["substitute"]

Array = NDArray[Any]
Compressed = tuple[Array, Array, Array]


@cache
def compiled_substitute() -> Any:
    """Return the kernel of forward and back substitution.

    A step is one entry of a factor, which adds a row of all right-hand sides to another: neighbouring numbers
    in memory, where solving one side after the other would jump for each number.
    """
    edition = EDITION

    @kernel
    def substitute(indptr, indices, lower, upper_indptr, upper_indices, upper, X):
        _ = edition
        n, sides = X.shape
        for i in range(n):
            for e in range(indptr[i], indptr[i + 1] - 1):
                j, factor = indices[e], lower[e]
                for side in range(sides):
                    X[i, side] -= factor * X[j, side]
        for i in range(n - 1, -1, -1):
            for e in range(upper_indptr[i] + 1, upper_indptr[i + 1]):
                j, factor = upper_indices[e], upper[e]
                for side in range(sides):
                    X[i, side] -= factor * X[j, side]
            pivot = upper[upper_indptr[i]]
            for side in range(sides):
                X[i, side] /= pivot

    return substitute


def substitute(lower: Compressed, upper: Compressed, X: Array) -> None:
    """Replace the columns of X by the solutions Z of L U Z = X.

    Parameters
    ----------
    lower, upper : (indptr, indices, values)
        Compressed rows of L, which is lower triangular with ones on the diagonal, and of U, which is upper
        triangular, with the indices of each row in ascending order and no entry of either diagonal left out.
    X : array, shape (size, right-hand sides)
        In C order.
    """
    if mode() == "reference":
        reference.substitute(lower, upper, X)
    else:
        compiled_substitute()(*lower, *upper, X)
