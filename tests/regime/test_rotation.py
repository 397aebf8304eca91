"""Alignment of draws by rotation."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.factors import Factors
from latentlink.regime import RotationAlign, posterior


def draws(count=6, shape=(20, 15), rank=3, noise=0.05, seed=0):
    """Return rotated and rescaled copies of one model with some noise, and its product."""
    rng = np.random.default_rng(seed)
    W = rng.normal(size=(shape[0], rank)) * [3.0, 2.0, 1.0][:rank]
    H = rng.normal(size=(rank, shape[1]))
    members = []
    for _ in range(count):
        mixing = rng.normal(size=(rank, rank))
        members.append(
            Factors(
                ((W + noise * rng.normal(size=W.shape)) @ mixing).astype(np.float32),
                np.linalg.solve(mixing, H + noise * rng.normal(size=H.shape)).astype(np.float32),
                row_bias=rng.normal(size=shape[0]).astype(np.float32),
                col_bias=rng.normal(size=shape[1]).astype(np.float32),
                offset=1.0,
            )
        )
    return members, W @ H


def test_scores_stay_and_components_agree():
    members, _ = draws()
    aligned = RotationAlign().align(members)
    for before, after in zip(members, aligned.members, strict=True):
        np.testing.assert_allclose(after.W @ after.H, before.W @ before.H, atol=1e-4)
        np.testing.assert_array_equal(after.row_bias, before.row_bias)
        assert after.W.dtype == np.float32
        cosines = np.sum(after.W * aligned.centre.W, axis=0) / (
            np.linalg.norm(after.W, axis=0) * np.linalg.norm(aligned.centre.W, axis=0)
        )
        assert np.all(cosines > 0.98)


def test_the_centre_is_nearest_to_the_mean():
    members, _ = draws(noise=0.5)
    aligned = RotationAlign().align(members)
    mean = np.mean([member.W.astype(float) @ member.H for member in members], axis=0)
    U, sizes, V = np.linalg.svd(mean)
    best = (U[:, :3] * sizes[:3]) @ V[:3]
    np.testing.assert_allclose(aligned.centre.W @ aligned.centre.H, best, atol=1e-3 * np.abs(best).max())
    np.testing.assert_allclose(np.linalg.norm(aligned.centre.W, axis=0), np.sqrt(sizes[:3]), rtol=1e-5)
    np.testing.assert_allclose(
        aligned.centre.row_bias, np.mean([m.row_bias for m in members], axis=0), atol=1e-6
    )
    assert aligned.centre.offset == 1.0


@pytest.mark.parametrize("shape", [(2, 9), (9, 2), (1, 1)])
def test_more_components_than_nodes(shape):
    members, _ = draws(shape=shape)
    aligned = RotationAlign().align(members)
    assert aligned.centre.rank == 3
    for before, after in zip(members, aligned.members, strict=True):
        np.testing.assert_allclose(after.W @ after.H, before.W @ before.H, rtol=1e-4, atol=1e-4)


def test_one_member_is_its_own_centre():
    members, _ = draws(count=1)
    centre = RotationAlign().align(members).centre
    np.testing.assert_allclose(centre.W @ centre.H, members[0].W @ members[0].H, atol=1e-5)


def test_the_regime_of_a_posterior():
    regime = posterior(score_range=(1, 5))
    regime.check()
    assert regime.align.rotates
    assert regime.score_range == (1, 5)
    assert not regime.is_boolean
