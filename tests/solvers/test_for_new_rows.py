"""`Solver.for_new_rows`: the solver of the transposed problem, against SciPy on the objective of a row."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import kl_div

from latentlink.factors import Factors
from latentlink.folding import fold_rows
from latentlink.network import Network
from latentlink.solvers import BNMF, KLNMF, LMF, NMF, RNMF, WNMF, SymLMF

RANK, COLUMNS = 2, 8
SOLVERS = [
    NMF(),
    NMF(updates="multiplicative", precision="float32"),
    KLNMF(),
    KLNMF(updates="multiplicative", precision="float32"),
    WNMF(ridge=0.3),
    WNMF(ridge=0.0, precision="float32"),
    RNMF(ridge=0.3, ridge_cols=0.1, ridge_row_bias=0.7, ridge_col_bias=0.2, ridge_counts=(3.0, 7.0)),
    RNMF(ridge=0.4, updates="paper", ridge_counts=None),
    BNMF(ridge=0.3, ridge_cols=0.1),
    BNMF(ridge=0.2, lower=0.8, upper=1.2, updates="multiplicative"),
    LMF(ridge=0.3),
    LMF(ridge=0.3, centred=False),
    SymLMF(ridge=0.3),
    SymLMF(ridge=0.3, repelling=0.5),
]
every_solver = pytest.mark.parametrize("solver", SOLVERS, ids=str)


def fitted_model(solver):
    """Return a model of the solver's form, scaled such that the penalties of rows and columns are equal."""
    rng = np.random.default_rng(1)
    W, H = rng.random((COLUMNS, RANK)) + 0.1, rng.random((RANK, COLUMNS)) + 0.1
    if solver.logistic:
        W, H = rng.normal(size=(COLUMNS, RANK)), rng.normal(size=(RANK, COLUMNS))
    if solver.needs_symmetric:
        H = (W * solver.signs(RANK)).T
    row, col = solver.penalties
    if row and col:
        scale = (col * np.sum(H**2, axis=1) / (row * np.sum(W**2, axis=0))) ** 0.25
        W, H = W * scale, H / scale[:, None]
    biases = rng.normal(0, 0.3, (2, COLUMNS)) if solver.biased else (None, None)
    if solver.needs_symmetric:
        biases = biases[0], biases[0]
    return Factors(
        W, H, *biases, offset=0.4 if solver.biased else 0.0,
        logistic=solver.logistic, symmetric=solver.needs_symmetric,
    )  # fmt: skip


def new_row(background):
    """Return one row with known, hidden and unlisted entries, and its values and weights of all columns."""
    rng = np.random.default_rng(2)
    cols = np.array([0, 1, 3, 4, 6, 7])
    values, weights = np.array([1.0, 0.0, 1.0, 1.0, 0.0, 1.0]), rng.uniform(0.3, 1.0, 6)
    weights[1] = 0.0
    network = Network(np.zeros(6, int), cols, values, weights, shape=(1, COLUMNS), background=background)
    x, w = np.zeros(COLUMNS), np.full(COLUMNS, background)
    x[cols], w[cols] = values, weights
    return network, x, w


def row_objective(solver, model, x, w):
    """Return the objective of one row, as documented, as a function of its factors (and its bias)."""
    ridge = getattr(solver, "ridge", 0.0)
    own = getattr(solver, "ridge_row_bias", None)
    ridge_bias = ridge if own is None else own
    halved = 0.5 if solver.logistic else 1.0
    counts = getattr(solver, "ridge_counts", None)
    relative = (1 + np.sum(w) / counts[0]) / 2 if isinstance(counts, tuple) else 1.0

    def objective(row):
        z = row[:RANK] @ model.H + model.offset
        if solver.biased:
            z = z + row[RANK] + model.col_bias
        if solver.logistic:
            loss = np.logaddexp(0, z) - x * z
        elif isinstance(solver, BNMF):
            upper = RANK if solver.upper is None else solver.upper
            loss = (np.where(x > 0.5, np.clip(z, solver.lower, upper), 0.0) - z) ** 2
        elif isinstance(solver, KLNMF):
            loss = kl_div(x, z)
        else:
            loss = (x - z) ** 2
        penalty = relative * ridge * np.sum(row[:RANK] ** 2) + ridge_bias * np.sum(row[RANK:] ** 2)
        return np.sum(w * loss) + halved * penalty

    return objective


def minimum(objective, solver):
    """Minimise the objective of a row from several starts, with the bounds of the solver."""
    lower = None if solver.logistic else 0.0
    bounds = [(lower, None)] * RANK + [(None, None)] * solver.biased
    starts = [np.full(RANK + solver.biased, value) for value in (0.1, 1.0)]
    return min(
        (minimize(objective, start, bounds=bounds, tol=1e-15, options={"maxfun": 10**5}) for start in starts),
        key=lambda each: each.fun,
    )


def folded(solver, network, model):
    """Return the factors (and the bias) of the row that the solver finds."""
    result = fold_rows(solver, False, network, [model])[0]
    return np.append(result.W[0], [] if result.row_bias is None else result.row_bias[0])


@every_solver
@pytest.mark.parametrize("background", [0.0, 0.2])
def test_a_new_row_minimises_its_objective(solver, background):
    model = fitted_model(solver)
    network, x, w = new_row(background)
    objective = row_objective(solver, model, x, w)
    best = minimum(objective, solver)
    result = folded(solver, network, model)
    assert objective(result) <= best.fun + 1e-8
    np.testing.assert_allclose(result, best.x, atol=2e-4)


@every_solver
def test_the_solver_itself_is_not_changed(solver):
    before = solver.get_params()
    row_solver, batch = solver.for_new_rows(new_row(0.2)[0])
    assert row_solver is not solver
    assert solver.get_params() == before
    assert batch >= 1
    assert (row_solver.tol, row_solver.precision, row_solver.extrapolate) == (0.0, "float64", False)
    assert row_solver.max_iter == 50


def test_penalties_are_exchanged():
    network = new_row(0.0)[0]
    solver = RNMF(ridge=0.3, ridge_cols=0.1, ridge_row_bias=0.7, ridge_col_bias=0.2)
    assert solver.penalties == (0.3, 0.1)
    transposed = solver.for_new_rows(network)[0]
    assert transposed.penalties == (0.1, 0.3)
    assert (transposed.ridge_row_bias, transposed.ridge_col_bias) == (0.2, 0.7)
    defaults = RNMF(ridge=0.3, ridge_cols=0.1).for_new_rows(network)[0]
    assert (defaults.ridge_row_bias, defaults.ridge_col_bias) == (0.3, 0.3)
    assert BNMF(ridge=0.5, ridge_cols=0.25).for_new_rows(network)[0].penalties == (0.25, 0.5)
    assert NMF().penalties == NMF().for_new_rows(network)[0].penalties == (0.0, 0.0)
    assert (WNMF().penalties, LMF().penalties) == ((0.0, 0.0), (1.0, 1.0))


def test_the_kind_of_solver():
    """Entries of new rows may have any weight, and a new node has one factor for its row alone."""
    network = new_row(0.0)[0]
    kinds = {type(solver): type(solver.for_new_rows(network)[0]) for solver in SOLVERS}
    assert kinds == {NMF: WNMF, KLNMF: KLNMF, WNMF: WNMF, RNMF: RNMF, BNMF: BNMF, LMF: LMF, SymLMF: LMF}


@pytest.mark.parametrize("solver", [LMF(background_sample=50), SymLMF(background_sample=5)], ids=str)
def test_batches_of_logistic_rows_are_small_enough_to_list_the_background(solver):
    network = Network([0, 1], [0, 1], shape=(100, COLUMNS), background=0.1)
    row_solver, batch = solver.for_new_rows(network)
    assert 1 <= batch < 100
    assert (batch + 2) * COLUMNS <= row_solver.background_sample
    assert solver.for_new_rows(network.with_background(0.0))[1] == 100
    # As many as the sample has room for, beside two rows more; at least one.
    room = {50: (50, 50 // COLUMNS - 2), 5: (3 * COLUMNS, 1)}
    assert (row_solver.background_sample, batch) == room[solver.background_sample]
    assert LMF().for_new_rows(network)[0].background_sample == 1_000_000


def test_small_batches_give_the_same_rows():
    """The result of a row does not depend on the batch that it is in."""
    rng = np.random.default_rng(0)
    rows, cols = np.nonzero(rng.random((7, COLUMNS)) < 0.4)
    values = rng.integers(0, 2, len(rows)).astype(float)
    network = Network(rows, cols, values, shape=(7, COLUMNS), background=0.1)
    model = fitted_model(LMF(ridge=0.3))
    small, large = (
        fold_rows(LMF(ridge=0.3, background_sample=size), False, network, [model])[0] for size in (20, 10**6)
    )
    np.testing.assert_allclose(small.W, large.W, atol=1e-7)
    np.testing.assert_allclose(small.row_bias, large.row_bias, atol=1e-7)


def test_another_scale_of_the_model_gives_the_same_scores():
    """The ridge refers to the scale in which both penalties are equal, whatever the scale of the model."""
    solver, (network, _, _) = WNMF(ridge=0.3), new_row(0.0)
    model = fitted_model(solver)
    scaled = replace(model, W=model.W * [3.0, 0.2], H=model.H / np.array([[3.0], [0.2]]))
    np.testing.assert_allclose(
        folded(solver, network, scaled) @ scaled.H, folded(solver, network, model) @ model.H, rtol=1e-6
    )
