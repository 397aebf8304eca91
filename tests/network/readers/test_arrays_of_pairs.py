"""Arrays in files, which state a matrix and may be lists of pairs."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.errors import DataWarning
from latentlink.network import Network


@pytest.mark.parametrize("columns", [2, 3, 4])
def test_an_array_of_integers_that_may_list_pairs_warns(columns, tmp_path):
    codes = np.random.default_rng(0).permutation(400)[:120]
    table = np.column_stack([codes // 20, codes % 20, codes % 5, codes % 3])[:, :columns]
    np.save(tmp_path / "edges.npy", table)
    with pytest.warns(DataWarning, match=r"may be a list of pairs: .* Network\.from_edges\(numpy\.load\('"):
        assert Network.from_file(tmp_path / "edges.npy").shape == (120, columns)


@pytest.mark.parametrize(
    "array",
    [
        np.random.default_rng(0).poisson(2, (200, 3)),
        np.random.default_rng(0).poisson(2, (200, 3)).astype(float),
        np.arange(30).reshape(10, 3),
        np.random.default_rng(0).integers(0, 1000, (40, 3)),
        np.random.default_rng(0).integers(0, 2, (50, 5)),
    ],
    ids=["counts", "floats", "consecutive", "large", "wide"],
)
def test_other_arrays_do_not_warn(array, tmp_path):
    np.save(tmp_path / "matrix.npy", array)
    assert Network.from_file(tmp_path / "matrix.npy").shape == array.shape
