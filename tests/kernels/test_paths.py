"""Sums over paths equal their twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from latentlink import kernels
from latentlink.kernels import reference


@pytest.fixture(autouse=True)
def compiled(monkeypatch):
    monkeypatch.setenv("LATENTLINK_KERNELS", "lanes")


@settings(max_examples=100)
@given(
    seed=st.integers(0, 10_000),
    sizes=st.tuples(st.integers(1, 9), st.integers(1, 9)),
    share=st.sampled_from([0.0, 0.3, 1.0]),
    pairs=st.integers(0, 30),
    steps=st.sampled_from([1, 2]),
)
def test_sums_over_paths_equal_their_twin(seed, sizes, share, pairs, steps):
    rng = np.random.default_rng(seed)
    n, m = (sizes[0], sizes[0]) if steps == 1 else sizes
    A = sparse.csr_array((rng.random((n, m)) < share) * rng.uniform(0.5, 2, (n, m)))
    turned = A.T.tocsr()
    graph = (A.indptr, A.indices, A.data), (turned.indptr, turned.indices, turned.data)
    weights = rng.random(m), rng.random(n)
    rows, cols = rng.integers(0, n, pairs), rng.integers(0, m, pairs)
    result = kernels.path_sums(graph, weights, steps, rows, cols)
    np.testing.assert_allclose(result, reference.path_sums(graph, weights, steps, rows, cols), atol=1e-12)
    assert result.shape == (pairs,)
