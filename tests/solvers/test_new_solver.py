"""A solver that is defined outside of the package works everywhere, by the documented hooks alone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.base import clone

from latentlink import Network, RankedFactorizer, load
from latentlink.errors import IncompatibleError, InputError
from latentlink.kernels import masked_rows
from latentlink.network.background import with_listed_background
from latentlink.solvers import WNMF, Solver
from latentlink.solvers.descent.coordinate_sweeps import Descent
from latentlink.solvers.descent.packing import biased_coordinates, plain_coordinates
from latentlink.solvers.descent.sweeps import Sweeps
from latentlink.solvers.starts import random_start, signed_start
from latentlink.strategy import strategy
from latentlink.validation.numbers import check_number
from tests.helpers.cases import assert_same_factors, solved

# -------------------------------------------------------------------- two new solvers


@strategy
class SignedMF(Solver):
    """Factors of any sign and biases, by ridge regression: a solver without a loop of its own.

    minimise  sum over listed  w_ij (x_ij - mu - b_i - c_j - sum_c W_ic H_cj)^2
              + ridge (|W|^2 + |H|^2 + |b|^2 + |c|^2)
    """

    ridge: float = 0.1

    biased: ClassVar[bool] = True

    def check_settings(self):
        super().check_settings()
        check_number(self, "ridge", 0)

    def start(self, ensemble, member, rank, rng):
        return signed_start(ensemble, rank, ensemble.member_std(member), rng)

    def sweeps(self, block, rows, cols, offsets):
        ridge = (self.ridge, self.ridge)
        row_coordinates = biased_coordinates(rows, True, ridge, -np.inf, offsets)
        col_coordinates = biased_coordinates(cols, False, ridge, -np.inf, offsets)
        return Descent(block, rows, cols, row_coordinates, col_coordinates)


def huber(residual, delta):
    """Return the Huber loss, quadratic up to ``delta`` and linear beyond."""
    size = np.abs(residual)
    return np.where(size <= delta, size**2, 2 * delta * size - delta**2)


@dataclass
class HuberSweeps(Sweeps):
    """Reweighted coordinate descent: lowering w r^2 with w = min(1, delta / |r|) lowers the Huber loss."""

    delta: float = 1.0

    def improve_rows(self):
        return self._half(self.block.rows, self.rows, self.cols, self.row_coordinates)

    def improve_cols(self):
        return self._half(self.block.cols, self.cols, self.rows, self.col_coordinates)

    def listed_loss(self):
        residual, weights = self._residuals(self.block.rows, self.rows, self.cols)
        return np.sum(weights * huber(residual, self.delta), axis=0)

    def _half(self, listed, A, B, coordinates):
        residual, weights = self._residuals(listed, A, B)
        robust = weights * (self.delta / np.maximum(np.abs(residual), self.delta))
        masked_rows(replace(listed, weights=robust.astype(A.dtype)), A, B, coordinates)
        return np.sum(weights * huber(residual, self.delta), axis=0)

    def _residuals(self, listed, A, B):
        """Return residuals and weights, shape (entries, members), 0 where an entry is unknown to a member."""
        lines = np.repeat(np.arange(len(A)), np.diff(listed.indptr))
        score = np.einsum("ecm,ecm->em", A[lines], B[listed.indices])
        known = ~np.isnan(listed.values)
        weights = listed.weights if listed.per_member else listed.weights[:, None]
        return np.where(known, listed.values - score, 0), np.where(known, weights, 0)


@strategy
class HuberNMF(Solver):
    """Non-negative factors under the Huber loss: a solver with sweeps of its own.

    minimise  sum over listed  w_ij huber(x_ij - sum_c W_ic H_cj)  +  ridge (|W|^2 + |H|^2)  over W, H >= 0
    """

    delta: float = 0.2
    ridge: float = 0.05

    needs_nonnegative: ClassVar[bool] = True

    def check_settings(self):
        super().check_settings()
        check_number(self, "delta", 0, above=True)
        check_number(self, "ridge", 0)

    def prepared(self, ensemble):
        return with_listed_background(ensemble, 1_000_000, 0)

    def start(self, ensemble, member, rank, rng):
        return random_start(ensemble, rank, ensemble.member_mean(member), rng)

    def sweeps(self, block, rows, cols, offsets):
        coordinates = plain_coordinates(rows.shape[1], block.width, self.precision, self.ridge)
        return HuberSweeps(block, rows, cols, coordinates, coordinates, delta=self.delta)


SOLVERS = [SignedMF(), HuberNMF()]
every_solver = pytest.mark.parametrize("solver", SOLVERS, ids=str)

# -------------------------------------------------------------------- data and fits


def planted(rows=24, seed=0):
    """Return a matrix of two blocks, and the same with noise and unknown entries."""
    rng = np.random.default_rng(seed)
    W, H = np.eye(2)[np.arange(rows) % 2], np.eye(2)[:, np.arange(16) % 2]
    X = (W * rng.uniform(0.5, 1.5, W.shape)) @ (H * np.random.default_rng(0).uniform(0.5, 1.5, H.shape))
    noisy = X + 0.02 * rng.random(X.shape)
    return X, np.where(rng.random(X.shape) < 0.75, noisy, np.nan)


@pytest.fixture(scope="module", params=SOLVERS, ids=str)
def fitted(request):
    """Fit the estimator once for each new solver, over several ranks."""
    solver = clone(request.param).set_params(tol=1e-8, max_iter=3000)
    model = RankedFactorizer((1, 2, 3), solver=solver, n_perturbs=4, random_state=0)
    return model.fit(planted()[1])


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::latentlink.errors.RankWarning")
class TestInTheEstimator:
    """Everything that is fitted with one of the solvers of the package can be fitted with a new one."""

    def test_ranks_are_searched(self, fitted):
        assert fitted.rank_ == 2
        assert [record.rank for record in fitted.path_] == [1, 2, 3]
        assert isinstance(fitted.solver_, (SignedMF, HuberNMF))

    def test_links_are_predicted(self, fitted):
        X, known = planted()
        pairs = np.argwhere(np.isnan(known))
        scores, spread = fitted.predict_links(pairs, return_std=True)
        errors = scores - X[tuple(pairs.T)]
        assert np.sqrt(np.mean(errors**2)) < 0.3 * X.std()
        assert np.all(spread >= 0)

    def test_new_rows_minimise_the_objective(self, fitted):
        f, solver = fitted.factors_, fitted.solver_
        norms = np.linalg.norm(f.W, axis=0), np.linalg.norm(f.H, axis=1)
        np.testing.assert_allclose(*norms, rtol=1e-6)  # the ridge refers to this scale
        rows = planted(3, seed=3)[1]
        result = fitted.fold_in(rows).factors
        for i, row in enumerate(rows):
            known = ~np.isnan(row)

            def objective(a, row=row, known=known):
                z = a[:2] @ f.H + f.offset
                if f.row_bias is not None:
                    z = z + a[2] + f.col_bias
                residual = (row - z)[known]
                loss = huber(residual, solver.delta) if isinstance(solver, HuberNMF) else residual**2
                return np.sum(loss) + solver.ridge * np.sum(a**2)

            fold = np.append(result.W[i], [] if f.row_bias is None else result.row_bias[i])
            lower = 0.0 if solver.needs_nonnegative else None
            bounds = [(lower, None)] * 2 + [(None, None)] * solver.biased
            best = minimize(objective, fold + 0.1, bounds=bounds, tol=1e-14)
            assert objective(fold) <= best.fun + 1e-8
            np.testing.assert_allclose(fold, best.x, atol=1e-3)
        np.testing.assert_allclose(fitted.transform(rows), result.W, atol=1e-9)

    def test_saved_and_loaded(self, fitted, tmp_path):
        fitted.save(tmp_path / "model")
        cls = type(fitted.solver_)
        with pytest.raises(InputError, match=cls.__name__):
            load(tmp_path / "model")
        loaded = load(tmp_path / "model", also=[cls])
        assert isinstance(loaded.solver_, cls)
        assert loaded.solver_.get_params() == fitted.solver_.get_params()
        pairs = np.argwhere(np.ones((24, 16)))
        np.testing.assert_array_equal(loaded.predict_links(pairs), fitted.predict_links(pairs))
        rows = planted(3, seed=3)[1]
        np.testing.assert_array_equal(loaded.transform(rows), fitted.transform(rows))

    def test_settings_are_searchable(self, fitted):
        model = clone(fitted).set_params(solver__ridge=0.7, solver__max_iter=3)
        assert (model.solver.ridge, model.solver.max_iter) == (0.7, 3)
        assert fitted.solver.ridge != 0.7


# -------------------------------------------------------------------- the contract of all solvers


@every_solver
def test_hidden_entries_have_zero_weight(solver):
    network = Network.from_dense(planted()[1])
    hidden = network.hide(np.arange(network.n_listed) % 5 == 0)
    other = hidden.with_values(np.where(hidden.known, hidden.values, 99.0))
    short = clone(solver).set_params(max_iter=10)
    assert_same_factors(solved(short, other).members[0], solved(short, hidden).members[0])
    unlisted = solved(short, hidden.subset(hidden.known)).members[0]
    np.testing.assert_allclose(unlisted.W, solved(short, hidden).members[0].W, rtol=1e-8)


@every_solver
@pytest.mark.parametrize("background", [0.0, 0.1])
@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_the_loss_never_rises(solver, background, precision):
    network = Network.from_dense(planted()[1]).with_background(background)
    short = clone(solver).set_params(max_iter=40, tol=0.0, precision=precision)
    losses = solved(short, network).records[0].loss
    assert np.all(np.diff(losses) <= (1e-12 if precision == "float64" else 1e-5) * losses[0])
    assert losses[-1] < losses[0]


@every_solver
def test_needs_and_settings_are_checked(solver):
    network = Network.from_dense(planted()[1])
    with pytest.raises(IncompatibleError, match="ridge=-1"):
        clone(solver).set_params(ridge=-1).solve(network, 1, 0)
    negative = network.with_values(-network.values)
    if solver.needs_nonnegative:
        with pytest.raises(IncompatibleError, match="needs values >= 0"):
            solver.solve(negative, 1, 0)
    else:
        assert np.isfinite(solved(solver, negative).records[0].loss).all()


def test_the_huber_loss_is_robust_against_outliers():
    X, known = planted()
    outliers = np.where(np.random.default_rng(1).random(X.shape) < 0.04, 5.0, 0.0)
    network, unknown = Network.from_dense(known + outliers), np.isnan(known)
    errors = {}
    for solver in (HuberNMF(max_iter=3000, delta=0.05), WNMF(ridge=0.05, max_iter=3000)):
        scores = solved(solver, network).members[0]
        errors[type(solver)] = np.mean(np.abs(scores.W @ scores.H - X)[unknown])
    assert errors[HuberNMF] < 0.5 * errors[WNMF]
