"""Whole numbers that no float is: they raise instead of being rounded."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.io
import scipy.sparse

from latentlink.errors import InputError
from latentlink.network import Network

INEXACT = 2**53 + 1
EXACT = [2**53, 2**60, -(2**62), 7]


def written(path, matrix):
    if path.suffix == ".npy":
        np.save(path, matrix)
    elif path.suffix == ".npz":
        scipy.sparse.save_npz(path, scipy.sparse.csr_array(matrix))
    else:
        scipy.io.mmwrite(path, scipy.sparse.coo_array(matrix), field="integer")
    return path


@pytest.mark.parametrize("suffix", [".npy", ".npz", ".mtx"])
@pytest.mark.parametrize("kind", [np.int64, np.uint64])
def test_of_files(suffix, kind, tmp_path):
    options = {} if suffix == ".npy" else {"unstored": "zero"}
    matrix = np.array([[7, 2**53], [2**60, 3]], kind)
    network = Network.from_file(written(tmp_path / f"file{suffix}", matrix), **options)
    assert network.to_dense().tolist() == matrix.tolist()
    matrix[1, 0] = INEXACT
    with pytest.raises(InputError, match=r"9007199254740993.*up to 2\^53"):
        Network.from_file(written(tmp_path / f"file{suffix}", matrix), **options)


@pytest.mark.parametrize("form", ["csr", "dok", "coo"])
def test_of_arrays(form):
    for values in (EXACT, [*EXACT[:3], INEXACT], [*EXACT[:3], -INEXACT], [*EXACT[:3], 2**63 - 1]):
        matrix = np.array(values).reshape(2, 2)
        builds = (
            lambda matrix=matrix: Network.from_dense(matrix),
            lambda matrix=matrix: Network.from_sparse(
                scipy.sparse.coo_array(matrix).asformat(form), unstored="zero"
            ),
        )
        for build in builds:
            if values == EXACT:
                assert build().to_dense().tolist() == matrix.tolist()
            else:
                with pytest.raises(InputError, match=rf"row 1, column 1 is {values[3]}, which no float is"):
                    build()
