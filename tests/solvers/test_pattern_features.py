"""Features of the pattern of known entries, and what the priors make of them."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink import BayesianFactorizer, Network
from latentlink.network import Ensemble
from latentlink.solvers import BPMF
from latentlink.solvers.posterior.pattern_features import features_of_pattern, pattern_features


def telling_holes(seed=0, shape=(120, 80), random=False):
    """Return ratings in which two kinds of rows rate two kinds of columns, or random ones, as often.

    A row likes the columns of its own kind, and mostly knows these.
    """
    rng = np.random.default_rng(seed)
    kinds = [rng.integers(0, 2, size) for size in shape]
    alike = kinds[0][:, None] == kinds[1]
    X = np.where(alike, 1.0, -1.0) + 0.8 * rng.normal(size=shape)
    there = rng.random(shape) < (0.1 if random else np.where(alike, 0.17, 0.03))
    return np.where(there, X, np.nan), X, there, kinds


def test_features_are_centred_orthogonal_and_tell_the_kinds():
    X, _, there, kinds = telling_holes()
    network = Network.from_dense(X)
    for side, features in enumerate(features_of_pattern(network, network.known, 5)):
        size = network.shape[side]
        assert features.shape == (size, 6)  # five singular vectors, and the number of known entries
        np.testing.assert_allclose(features.sum(axis=0), 0, atol=1e-8)
        np.testing.assert_allclose(features.T @ features, size * np.eye(6), atol=1e-8)
        # A regression on the features tells the kind of nearly every node.
        sign = 2.0 * kinds[side] - 1
        explained = features @ (features.T @ (sign - sign.mean()) / size)
        assert np.mean(np.sign(explained + sign.mean()) == sign) > 0.9
        degrees = np.log1p(there.sum(axis=1 - side))
        centred = degrees - degrees.mean()
        np.testing.assert_allclose(features @ (features.T @ centred / size), centred, atol=1e-8)


def test_the_first_singular_vector_is_left_out():
    """The leading vectors of the normalised pattern are the roots of the degrees."""
    network = Network.from_dense(telling_holes()[0])
    dense = np.zeros(network.shape)
    dense[network.rows, network.cols] = network.known
    r, c = dense.sum(axis=1), dense.sum(axis=0)
    U, S, _ = np.linalg.svd(dense / np.sqrt(np.maximum(r, 1))[:, None] / np.sqrt(np.maximum(c, 1)))
    assert S[0] == pytest.approx(1)
    np.testing.assert_allclose(np.abs(U[:, 0]), np.sqrt(r / r.sum()), atol=1e-8)
    second = U[:, 1] - U[:, 1].mean()
    features = features_of_pattern(network, network.known, 2)[0]
    np.testing.assert_allclose(features @ (features.T @ second / len(second)), second, atol=1e-3)


@pytest.mark.parametrize(
    ("network", "count"),
    [
        (Network.from_dense(np.ones((20, 12))), 5),
        (Network.from_dense(telling_holes()[0]).with_background(0.1), 5),
        (Network.from_dense(telling_holes()[0]), 0),
        (Network.from_dense(telling_holes(shape=(120, 3))[0]), 5),
    ],
    ids=["complete", "background", "none asked for", "too small"],
)
def test_patterns_without_structure_have_no_features(network, count):
    features = features_of_pattern(network, network.known, count)
    assert [each.shape for each in features] == [(size, 0) for size in network.shape]


def test_undirected_networks_have_the_same_features_on_both_sides():
    network = Network.from_edges(
        [(i, (2 * i + 7) % 41 % 40, 1.0) for i in range(0, 40, 2)], symmetric=True, shape=(40, 40)
    )
    rows, cols = features_of_pattern(network, network.known, 4)
    assert rows.shape == (40, 5)
    np.testing.assert_array_equal(rows, cols)


def test_entries_held_out_of_a_member_are_not_in_its_pattern():
    network = Network.from_dense(telling_holes()[0])
    weights = np.ones((network.n_listed, 3))
    weights[::4, 1] = 0
    ensemble = Ensemble(network, np.repeat(network.values[:, None], 3, axis=1), weights)
    first, without, again = pattern_features(ensemble, [0, 1, 2], 3)
    assert again is first
    expected = features_of_pattern(network, network.known & (weights[:, 1] > 0), 3)
    for one, other, whole in zip(without, expected, first, strict=True):
        np.testing.assert_array_equal(one, other)
        assert not np.allclose(one, whole)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:The chains at rank 2 have not mixed")
def test_telling_holes_are_used_and_random_ones_do_no_harm():
    settings = {"max_iter": 80, "burn_in": 30, "draws": 5}
    ratios = {}
    for random in (False, True):
        X, values, there, _ = telling_holes(seed=3, random=random)
        pairs = np.argwhere(~there)
        errors = [
            np.mean(
                (
                    BayesianFactorizer(
                        (2,), solver=BPMF(pattern_features=count, **settings), n_perturbs=4, random_state=0
                    )
                    .fit(X)
                    .predict_links(pairs)
                    - values[~there]
                )
                ** 2
            )
            for count in (20, 0)
        ]
        ratios[random] = errors[0] / errors[1]
    assert ratios[False] < 0.9
    assert ratios[True] < 1.03
