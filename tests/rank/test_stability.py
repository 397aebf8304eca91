"""Silhouettes of aligned members."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import silhouette_samples

from latentlink.rank.stability import silhouettes


@pytest.mark.parametrize("boolean", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_silhouettes_equal_scikit_learns(seed, boolean):
    rng = np.random.default_rng(seed)
    base = rng.random((12, 4))
    sides = [base + 0.5 * rng.random((12, 4)) for _ in range(5)]
    if boolean:
        sides = [(side > 0.7).astype(float) for side in sides]
    points = np.concatenate([side.T for side in sides])
    labels = np.tile(np.arange(4), 5)
    samples = silhouette_samples(points, labels, metric="hamming" if boolean else "cosine")
    expected = [samples[labels == c].mean() for c in range(4)]
    np.testing.assert_allclose(silhouettes(sides, boolean), expected, atol=1e-12)


def test_equal_members_have_silhouette_one_at_any_scale():
    side = np.random.default_rng(0).random((10, 3))
    np.testing.assert_allclose(silhouettes([side, 2 * side, 0.1 * side], boolean=False), 1.0, atol=1e-7)


def test_rank_one_has_silhouette_one_and_a_single_member_nan():
    rng = np.random.default_rng(0)
    assert silhouettes([rng.random((5, 1)), rng.random((5, 1))], boolean=False) == [1.0]
    assert np.isnan(silhouettes([rng.random((5, 3))], boolean=False)).all()


def test_empty_components_have_silhouette_zero():
    sides = [np.zeros((6, 2)) for _ in range(3)]
    np.testing.assert_array_equal(silhouettes(sides, boolean=False), 0.0)
    np.testing.assert_array_equal(silhouettes(sides, boolean=True), 0.0)
