"""Sparse matrices in memory whose indices are wrong: compiled functions of SciPy would trust them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from latentlink import Network, NMFk
from latentlink.errors import InputError


def damaged(form, **parts):
    """Return a sparse matrix of a format, 3 x 4, with some of its parts replaced."""
    matrix = sparse.csr_array(np.eye(3, 4)).asformat(form)
    for name, values in parts.items():
        if name in {"row", "col"}:
            coords = list(matrix.coords)
            coords[name == "col"] = np.array(values)
            matrix.coords = tuple(coords)
        else:
            setattr(matrix, name, np.array(values, dtype=np.int32))
    return matrix


CASES = {
    "begins far beyond": damaged("csr", indptr=[0, 2, 10**9, 3]),
    "begins that fall": damaged("csr", indptr=[0, 3, 1, 3]),
    "columns of a csc": damaged("csc", indptr=[0, 10**8, 1, 2, 3]),
    "an index beyond the columns": damaged("csr", indices=[0, 77, 2]),
    "a negative index": damaged("csr", indices=[0, -1, 2]),
    "a row of a coo": damaged("coo", row=[0, 9, 2]),
}


@pytest.mark.parametrize("name", CASES)
def test_wrong_indices_raise_before_any_conversion(name):
    matrix = CASES[name]
    for read in (
        lambda: Network.from_sparse(matrix, unstored="zero"),
        lambda: NMFk((1,), n_perturbs=2).fit(matrix),
        lambda: NMFk((1,), n_perturbs=2).fit(np.eye(3, 4), mask=matrix),
    ):
        with pytest.raises(InputError, match=r"The matrix in memory: the part .* of the sparse matrix"):
            read()


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "bsr", "dia", "lil", "dok"])
def test_every_format_is_read_as_it_is(form):
    dense = np.array([[0.0, 2.0, 0.0], [1.0, 0.0, 3.0]])
    network = Network.from_sparse(sparse.csr_array(dense).asformat(form), unstored="zero")
    assert network == Network.from_sparse(sparse.coo_array(dense), unstored="zero")
