"""Silhouettes of aligned members."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import silhouette_samples

from latentlink.rank.stability import silhouettes


def angle(a, b):
    return np.arccos(min(1.0, a @ b / np.linalg.norm(a) / np.linalg.norm(b)))


@pytest.mark.parametrize(
    ("distance", "metric"), [("cosine", "cosine"), ("angle", angle), ("hamming", "hamming")]
)
@pytest.mark.parametrize("seed", range(5))
def test_silhouettes_equal_scikit_learns(seed, distance, metric):
    rng = np.random.default_rng(seed)
    base = rng.random((12, 4))
    sides = [base + 0.5 * rng.random((12, 4)) for _ in range(5)]
    if distance == "hamming":
        sides = [(side > 0.7).astype(float) for side in sides]
    points = np.concatenate([side.T for side in sides])
    labels = np.tile(np.arange(4), 5)
    samples = silhouette_samples(points, labels, metric=metric)
    expected = [samples[labels == c].mean() for c in range(4)]
    np.testing.assert_allclose(silhouettes(sides, distance), expected, atol=1e-7)


def test_silhouettes_by_the_angle_are_lower():
    rng = np.random.default_rng(0)
    base = rng.gamma(0.5, size=(30, 4))
    sides = [base * rng.uniform(0.7, 1.3, base.shape) for _ in range(6)]
    assert (silhouettes(sides, "angle") < silhouettes(sides, "cosine")).all()


def test_equal_members_have_silhouette_one_at_any_scale():
    side = np.random.default_rng(0).random((10, 3))
    np.testing.assert_allclose(silhouettes([side, 2 * side, 0.1 * side]), 1.0, atol=1e-7)


def test_rank_one_has_silhouette_one_and_a_single_member_nan():
    rng = np.random.default_rng(0)
    assert silhouettes([rng.random((5, 1)), rng.random((5, 1))]) == [1.0]
    assert np.isnan(silhouettes([rng.random((5, 3))])).all()


def test_empty_components_have_silhouette_zero():
    sides = [np.zeros((6, 2)) for _ in range(3)]
    np.testing.assert_array_equal(silhouettes(sides), 0.0)
    np.testing.assert_array_equal(silhouettes(sides, "hamming"), 0.0)


def test_an_empty_component_among_others_has_silhouette_zero():
    side = np.array([[1.0, 0, 0], [0, 1, 0], [0, 1, 0]])
    for distance in ("cosine", "angle", "hamming"):
        np.testing.assert_allclose(silhouettes([side] * 3, distance), [1, 1, 0])


def test_components_that_cannot_be_told_apart_have_silhouette_zero():
    side = np.array([[1.0, 1.0], [0, 0], [0, 0]])
    for distance in ("cosine", "angle", "hamming"):
        np.testing.assert_array_equal(silhouettes([side] * 3, distance), [0, 0])


def test_angles_of_opposite_components_are_those_of_half_a_turn():
    """Cosines of opposite vectors may be rounded to less than -1."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        side = rng.normal(size=(300, 1))
        np.testing.assert_allclose(silhouettes([np.hstack([side, -side])] * 2, "angle"), 1, atol=1e-6)
