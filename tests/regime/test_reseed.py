"""Re-initialization of components: never worse, and out of minima that flips cannot leave."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latentlink import datasets
from latentlink.factors import Factors
from latentlink.network import Ensemble, Network
from latentlink.regime import Cells, KMeans, flip_polish
from latentlink.regime.boolean_fit import BooleanFit
from latentlink.regime.description_length import description_length
from latentlink.regime.reseed import reseed
from latentlink.solvers import BNMF
from tests.helpers.cases import unfinished
from tests.helpers.oracle import all_scores
from tests.regime.dense import boolean_factors, dense_error, ensembles, planted


def state(fit):
    return [side.copy() for side in fit.sides]


def assert_consistent(fit):
    """Patterns and error after updates equal those of a new object."""
    fresh = BooleanFit(fit.cells, fit.sides[0], fit.sides[1].T)
    for actual, expected in zip(fit.patterns, fresh.patterns, strict=True):
        np.testing.assert_array_equal(actual, expected)
    assert fit.error() == fresh.error()


@pytest.mark.slow
@settings(max_examples=60)
@given(ensembles(), st.data())
def test_neither_the_description_length_nor_the_errors_increase(ensemble, data):
    factors = data.draw(boolean_factors(ensemble.network.shape))
    fit = BooleanFit(Cells.of(ensemble), factors.W, factors.H)
    fit.optimize(100)
    before, length, errors = state(fit), description_length(fit), fit.error()
    reseed(fit, 100)
    assert description_length(fit) <= length
    assert fit.error() <= errors
    assert_consistent(fit)
    assert fit.error() == dense_error(ensemble, Factors(fit.sides[0] * 1.0, fit.sides[1].T * 1.0))
    if description_length(fit) == length:  # no improvement: the factors are restored
        for actual, expected in zip(fit.sides, before, strict=True):
            np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize("seed", [8, 28, 78])
def test_a_shorter_description_with_more_errors_is_not_accepted(seed):
    """A component may cost more bits than the errors that it prevents."""
    rng = np.random.default_rng(seed)
    n, m, k = rng.integers(2, 60), rng.integers(2, 8), rng.integers(1, 6)
    X = (rng.random((n, k)) < 0.4) @ (rng.random((k, m)) < 0.4) ^ (rng.random((n, m)) < 0.15)
    fit = BooleanFit(
        Cells.of(Ensemble.of(Network.from_dense(X.astype(float)))),
        rng.random((n, k)) < 0.4,
        rng.random((k, m)) < 0.4,
    )
    fit.optimize(100)
    errors = fit.error()
    reseed(fit, 100)
    assert fit.error() <= errors


def figures(limbs=2, positions=3):
    """Small swimmers: a torso of three pixels, and limbs of two pixels, each in one of three positions."""
    parts = limbs * positions
    poses = np.indices((positions,) * limbs).reshape(limbs, -1)
    H = (poses[:, None] == np.arange(positions)[:, None]).reshape(parts, -1)
    W = np.vstack([np.ones((3, parts), bool), np.repeat(np.eye(parts, dtype=bool), 2, axis=0)])
    return W, H


@pytest.mark.parametrize("background", [0.0, 1.0])
def test_a_component_of_what_all_others_share_is_reinitialized(background):
    """One component is the torso alone, so that one limb has no component: no single flip has a gain."""
    W, H = figures()
    X = (W.astype(int) @ H.astype(int) > 0).astype(float)
    network = Network.from_dense(X)
    if background:
        network = network.subset(network.values == 1).with_background(background)
    limbs = W.copy()
    limbs[:3] = False
    torso = np.arange(len(W)) < 3
    start = np.column_stack([torso, limbs[:, 1:]]), np.vstack([np.ones(H.shape[1], bool), H[1:]])
    fit = BooleanFit(Cells.of(Ensemble.of(network)), *start)
    assert fit.error() == 2 * 3
    fit.optimize(100)
    assert fit.error() == 2 * 3  # a local minimum
    reseed(fit, 100)
    assert fit.error() == 0
    assert_consistent(fit)
    polished = flip_polish(
        Factors(start[0] * 1.0, start[1] * 1.0, boolean=True), Cells.of(Ensemble.of(network))
    )
    np.testing.assert_array_equal(all_scores(polished), X)


@pytest.mark.slow
def test_all_sixteen_parts_of_the_swimmer_are_recovered():
    network = datasets.swimmer().network
    cells = Cells.of(Ensemble.of(network))
    with unfinished():
        factors = (
            BNMF(max_iter=100, ridge=0.0, tol=1e-4, precision="float32").solve(network, 16, 5).members[0]
        )
    binarized = KMeans().binarize(factors, cells)
    fit = BooleanFit(cells, binarized.W, binarized.H)
    fit.optimize(100)
    assert fit.error() > 1_000  # flips alone end in a local minimum
    polished = flip_polish(binarized, cells)
    np.testing.assert_array_equal(polished.score(network.rows, network.cols), network.values)


@pytest.mark.parametrize("background", [0.0, 0.5])
def test_without_an_improvement_the_factors_are_restored(background):
    """The remaining errors are noise, which no re-initialized component explains better."""
    _, noise = planted((25, 20), 1, 0.4, 0.05, 3)
    network = Network.from_dense(noise.astype(float)).hide(np.random.default_rng(0).random(500) < 0.2)
    if background:
        network = network.subset((network.values == 1) | ~network.known).with_background(background)
    rng = np.random.default_rng(3)
    fit = BooleanFit(Cells.of(Ensemble.of(network)), rng.random((25, 1)) < 0.4, rng.random((1, 20)) < 0.4)
    fit.optimize(100)
    assert fit.error() > 0
    before, error = state(fit), fit.error()
    reseed(fit, 100)
    for actual, expected in zip(fit.sides, before, strict=True):
        np.testing.assert_array_equal(actual, expected)
    assert fit.error() == error
    assert_consistent(fit)


def test_factors_without_errors_do_not_change():
    W, H = figures()
    X = (W.astype(int) @ H.astype(int) > 0).astype(float)
    fit = BooleanFit(Cells.of(Ensemble.of(Network.from_dense(X))), W, H)
    reseed(fit, 100)
    np.testing.assert_array_equal(fit.sides[0], W)
    np.testing.assert_array_equal(fit.sides[1].T, H)


class CountingFit(BooleanFit):
    """Counts the descents, of which each re-initialization makes one."""

    descents = 0

    def optimize(self, max_rounds):
        self.descents += 1
        return super().optimize(max_rounds)


def test_it_gives_up_after_three_failures_in_a_row():
    rng = np.random.default_rng(0)
    cells = Cells.of(Ensemble.of(Network.from_dense((rng.random((8, 9)) < 0.5) * 1.0)))
    fit = CountingFit(cells, rng.random((8, 2)) < 0.5, rng.random((2, 9)) < 0.5)
    reseed(fit, 100)
    before, fit.descents = [side.copy() for side in fit.sides], 0
    for _ in range(20):  # until nothing improves any more
        reseed(fit, 100)
        if all(np.array_equal(*pair) for pair in zip(before, fit.sides, strict=True)):
            break
        before, fit.descents = [side.copy() for side in fit.sides], 0
    assert fit.error() > 0
    assert fit.descents == 3


def test_a_perfect_fit_is_left_alone():
    W, H = np.eye(3, dtype=bool), np.eye(3, dtype=bool)
    fit = CountingFit(Cells.of(Ensemble.of(Network.from_dense(np.eye(3)))), W, H)
    reseed(fit, 100)
    assert fit.descents == 0


@pytest.mark.parametrize("weight", [0.25, 1.0])
def test_an_error_of_any_size_is_tried(weight):
    X = np.eye(4)
    X[0, 3] = 1
    network = Network.from_dense(X).with_weights(np.where(np.arange(16) == 3, weight, 2.0))
    fit = CountingFit(Cells.of(Ensemble.of(network)), np.eye(4, dtype=bool), np.eye(4, dtype=bool))
    assert fit.error() == weight
    reseed(fit, 100)
    assert fit.descents >= 1


def test_after_an_improvement_three_failures_are_counted_anew():
    """The torso is re-initialized at once; one cell of noise is left, which no component explains."""
    W, H = figures()
    X = (W.astype(int) @ H.astype(int) > 0).astype(float)
    X[-1, np.flatnonzero(X[-1] == 0)[0]] = 1
    limbs = W.copy()
    limbs[:3] = False
    start = np.column_stack([np.arange(len(W)) < 3, limbs[:, 1:]]), np.vstack([np.ones(H.shape[1]), H[1:]])
    fit = CountingFit(Cells.of(Ensemble.of(Network.from_dense(X))), *start)
    reseed(fit, 100)
    assert fit.error() == 1
    assert fit.descents == 1 + 3


class Dense:
    """Re-initialization as it is documented, on dense arrays of cells of weight 1."""

    def __init__(self, ones, W, H):
        self.ones, self.sides = ones, [W.astype(int), H.T.astype(int)]
        self.cells = Cells.of(Ensemble.of(Network.from_dense(ones.astype(float))))

    def length(self):
        return description_length(BooleanFit(self.cells, self.sides[0], self.sides[1].T))

    def wrong(self):
        return np.sum((self.sides[0] @ self.sides[1].T > 0) != self.ones)

    def gains(self, side, c):
        mine, others = self.sides[side], self.sides[1 - side]
        truth = self.ones if side == 0 else self.ones.T
        covered = np.delete(mine, c, 1) @ np.delete(others, c, 1).T > 0
        return (~covered * (2 * truth - 1)) @ others[:, c]

    def update(self, components, rounds, tolerance=0):
        """Give components the rows and columns with a gain above the tolerance, until nothing changes."""
        for _ in range(rounds):
            before = [side.copy() for side in self.sides]
            for c in components:
                for side in (0, 1):
                    self.sides[side][:, c] = self.gains(side, c) > tolerance
            if all(np.array_equal(*pair) for pair in zip(before, self.sides, strict=True)):
                break

    def reinitialize(self, c):
        self.sides[0][:, c] = 0
        missed = self.ones & (self.sides[0] @ self.sides[1].T == 0)
        self.sides[1][:, c] = missed[np.argmax(missed.sum(axis=1))]
        self.update([c], 10)

    def reseed(self):
        rank = self.sides[0].shape[1]
        shortest, fewest, failures = self.length(), self.wrong(), 0
        while failures < 3 and fewest > 0:
            before = [side.copy() for side in self.sides]
            self.update(range(rank), 1, tolerance=-1)  # whole numbers: gains of 0 or more
            own = [np.sum(self.gains(0, c)[self.sides[0][:, c] > 0]) for c in range(rank)]
            self.reinitialize(np.argsort(own, kind="stable")[failures % rank])
            self.update(range(rank), 100)
            if self.length() < shortest and self.wrong() <= fewest:
                shortest, fewest, failures = self.length(), self.wrong(), 0
            else:
                self.sides, failures = before, failures + 1


@pytest.mark.parametrize("seed", [0, 1, 2, 4, 5, 7, 8, 9, 11, 13, 89, 146])
def test_it_equals_the_documented_steps_on_dense_arrays(seed):
    rng = np.random.default_rng(seed)
    n, m, k = rng.integers(5, 16), rng.integers(5, 16), rng.integers(2, 5)
    ones = (rng.random((n, k)) < 0.4) @ (rng.random((k, m)) < 0.4) ^ (rng.random((n, m)) < 0.1)
    W, H = rng.random((n, k)) < 0.4, rng.random((k, m)) < 0.4
    dense = Dense(ones, W, H)
    dense.update(range(k), 100)
    dense.reseed()
    fit = BooleanFit(dense.cells, W, H)
    fit.optimize(100)
    reseed(fit, 100)
    np.testing.assert_array_equal(fit.sides[0], dense.sides[0])
    np.testing.assert_array_equal(fit.sides[1], dense.sides[1])
