"""A fit in shards has the losses and scores of the fit in one piece."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from latentlink.cluster import SerialParts
from latentlink.errors import DataWarning, IncompatibleError
from latentlink.network import Ensemble, Network
from latentlink.random import member_rngs
from latentlink.solvers import BNMF, KLNMF, LMF, NMF, RNMF, WNMF, BayesianNMF
from latentlink.solvers.descent.packing import unpack
from latentlink.solvers.shards import sharded_sweeps
from latentlink.solvers.shards.solve_shards import check_solver, solve_shards
from tests.helpers.cases import Case
from tests.solvers.shards.cut import row_shards

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

CUTS = {"one": [0], "two": [0, 4], "uneven": [0, 1, 2, 9, 14], "every row": list(range(20))}
SOLVERS = [
    WNMF(ridge=0.1),
    WNMF(ridge=0.0, extrapolate=False),
    NMF(),
    NMF(missing="zero"),
    RNMF(ridge=0.1),
    RNMF(ridge=0.1, ridge_cols=0.3, ridge_counts=None),
    RNMF(ridge=0.1, ridge_counts=(5.0, 3.0)),
    LMF(),
    LMF(centred=False, cycles=1),
]


def solved(ensemble, begins, solver, rank=3, seed=0, start=None):
    """Return the records of all members, and their scores of all pairs."""
    shards = row_shards(ensemble, begins)
    network = Network([], [], shape=ensemble.network.shape, background=ensemble.network.background)
    rngs = member_rngs(seed, rank, ensemble.n_members)
    records, scores = [], []

    for block in solve_shards(SerialParts(shards), network, solver, rank, rngs, start=start):
        rows = np.concatenate([shard.rows() for shard in shards])
        records += block.records
        for lane, offset in enumerate(block.offsets):
            model = unpack(rows, block.cols, lane, solver, float(offset), False)
            if solver.biased:
                scores.append(model.W @ model.H + model.row_bias[:, None] + model.col_bias + model.offset)
            else:
                scores.append(model.W @ model.H)
    return records, np.array(scores)


def in_one_piece(ensemble, solver, rank=3, seed=0, start=None):
    fit = solver.solve(ensemble, rank, seed if start is None else None, start=start)
    logits = [
        model.W @ model.H
        + (0 if model.row_bias is None else model.row_bias[:, None] + model.col_bias + model.offset)
        for model in fit.members
    ]
    return fit.records, np.array(logits)


def assert_equal_fits(ours, expected, rtol=1e-10):
    for one, other in zip(ours[0], expected[0], strict=True):
        assert (one.sweeps, one.converged) == (other.sweeps, other.converged)
        np.testing.assert_allclose(one.loss, other.loss, rtol=rtol)
    np.testing.assert_allclose(ours[1], expected[1], rtol=1e-6, atol=1e-7)


def settings(solver, **changes):
    return type(solver)(**(solver.get_params() | changes))


@pytest.mark.parametrize("begins", CUTS.values(), ids=CUTS)
@pytest.mark.parametrize("background", [0.0, 1.0])
@pytest.mark.parametrize("solver", SOLVERS, ids=str)
def test_losses_are_those_of_the_fit_in_one_piece(solver, background, begins):
    case = Case(solver, False, background)
    network = case.network(size=20)
    ours = solved(Ensemble.of(network, 2), begins, settings(solver, max_iter=40))
    assert_equal_fits(ours, in_one_piece(Ensemble.of(network, 2), settings(solver, max_iter=40)))


@pytest.mark.parametrize("begins", [[0], [0, 3, 11]], ids=["one", "three"])
@pytest.mark.parametrize("background", [0.0, 0.3])
@pytest.mark.parametrize("solver", [WNMF(ridge=0.1), RNMF(ridge=0.1), LMF()], ids=str)
def test_members_with_values_and_weights_of_their_own(solver, background, begins):
    case = Case(solver, False, background)
    ensemble = case.ensemble(members=11)  # two blocks of lanes
    ours = solved(ensemble, [begin for begin in begins if begin < 10], settings(solver, max_iter=15))
    assert_equal_fits(ours, in_one_piece(ensemble, settings(solver, max_iter=15)))


@pytest.mark.parametrize("solver", [NMF(), NMF(cycles=1), WNMF(ridge=0.0), RNMF(ridge=0.2)], ids=str)
@pytest.mark.parametrize("background", [0.0, 1.0])
def test_a_matrix_without_unknown_entries(solver, background):
    """Its columns have the same curvature, and `NMF` takes another kind of sweep."""
    X = np.random.default_rng(0).random((20, 9))
    network = Network.from_dense(X).with_background(background)
    ensemble, changed = Ensemble.of(network, 2), settings(solver, max_iter=30)
    assert_equal_fits(solved(ensemble, [0, 5, 6], changed), in_one_piece(ensemble, changed))
    hidden = Ensemble.of(network.hide([3]), 2)  # one shard is not fully known any more
    assert_equal_fits(solved(hidden, [0, 5, 6], changed), in_one_piece(hidden, changed))


@pytest.mark.parametrize("solver", [WNMF(ridge=0.1), RNMF(ridge=0.1), LMF()], ids=str)
def test_fits_that_converge_stop_at_the_same_sweep(solver):
    """Members converge at different sweeps, and stay as they were there."""
    ensemble = Case(solver, False, 0.0).ensemble(members=5)
    changed = settings(solver, tol=1e-4, max_iter=400)
    ours = solved(ensemble, [0, 4], changed)
    assert len({record.sweeps for record in ours[0]}) > 1
    assert_equal_fits(ours, in_one_piece(ensemble, changed))


@pytest.mark.parametrize("solver", SOLVERS, ids=str)
def test_a_given_start(solver):
    ensemble = Ensemble.of(Case(solver, False, 0.0).network(size=20), 2)
    start = solver.solve(ensemble, 3, 4).members
    changed = settings(solver, max_iter=10)
    assert_equal_fits(
        solved(ensemble, [0, 7], changed, start=start), in_one_piece(ensemble, changed, start=start)
    )


@pytest.mark.parametrize("solver", [WNMF(ridge=0.1), RNMF(ridge=0.1)], ids=str)
@pytest.mark.parametrize("background", [0.0, 0.3])
def test_empty_rows_columns_and_shards(solver, background):
    network = Case(solver, False, background).network(size=20)
    whole = np.isin(network.rows, (2, 12, 13)) | (network.cols == 5)
    network = network.subset(~whole) if not background else network.hide(whole)
    ensemble, changed = Ensemble.of(network, 2), settings(solver, max_iter=20)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours, expected = solved(ensemble, [0, 12, 14], changed), in_one_piece(ensemble, changed)
    assert_equal_fits(ours, expected)
    if not background:
        warnings.filterwarnings("ignore", "Nothing is known of 1 column")
        with pytest.warns(DataWarning, match="3 rows: each gets the average of the other rows"):
            solved(ensemble, [0, 12, 14], settings(solver, max_iter=1, tol=0.0))


@pytest.mark.parametrize("solver", [WNMF(ridge=0.1), NMF(), RNMF(ridge=0.1), LMF()], ids=str)
def test_pieces_of_columns_change_no_bit(solver, monkeypatch):
    case = Case(solver, False, 0.0)
    ensemble, changed = Ensemble.of(case.network(size=20), 2), settings(solver, max_iter=10)
    whole = solved(ensemble, [0, 7], changed)
    monkeypatch.setattr(sharded_sweeps, "MOST_TERMS", 300)
    pieces = solved(ensemble, [0, 7], changed)
    for one, other in zip(pieces[0], whole[0], strict=True):
        np.testing.assert_array_equal(one.loss, other.loss)
    np.testing.assert_array_equal(pieces[1], whole[1])


@pytest.mark.parametrize("mode", ["plain", "reference"])
@pytest.mark.parametrize("solver", [WNMF(ridge=0.1), LMF()], ids=str)
def test_other_forms_of_the_kernels(solver, mode, monkeypatch):
    monkeypatch.setenv("LATENTLINK_KERNELS", mode)
    ensemble, changed = Ensemble.of(Case(solver, False, 0.0).network(), 2), settings(solver, max_iter=8)
    assert_equal_fits(solved(ensemble, [0, 4], changed), in_one_piece(ensemble, changed))


@pytest.mark.parametrize("solver", [WNMF(ridge=0.1), RNMF(ridge=0.1), LMF()], ids=str)
def test_single_precision(solver):
    ensemble = Ensemble.of(Case(solver, False, 0.0).network(size=20), 3)
    changed = settings(solver, max_iter=15, precision="float32", tol=0.0)
    ours, expected = solved(ensemble, [0, 7], changed), in_one_piece(ensemble, changed)
    for one, other in zip(ours[0], expected[0], strict=True):
        np.testing.assert_allclose(one.loss, other.loss, rtol=1e-4)


def test_a_sample_of_the_background_has_its_weight():
    """Each shard samples its share of the unlisted pairs, whose weights add up to those of all."""
    network = Case(LMF(), False, 1.0).network(size=40)
    solver = LMF(background_sample=200, max_iter=30, tol=0.0)
    sampled, _ = solved(Ensemble.of(network), [0, 11, 30], solver)
    full, _ = solved(Ensemble.of(network), [0, 11, 30], LMF(max_iter=30, tol=0.0))
    assert sampled[0].loss[0] == pytest.approx(full[0].loss[0], rel=0.1)
    again, _ = solved(Ensemble.of(network), [0, 11, 30], solver)
    np.testing.assert_array_equal(sampled[0].loss, again[0].loss)


@pytest.mark.parametrize(
    "solver", [BNMF(), KLNMF(), BayesianNMF(), WNMF(init="nndsvd"), WNMF(ridge=(0.1, 0.2))], ids=str
)
def test_other_solvers_raise(solver):
    with pytest.raises(IncompatibleError, match=r"cannot be fitted in shards|ridge for each member"):
        check_solver(solver)


def test_nothing_known_raises():
    network = Case(WNMF(), False, 0.0).network()
    hidden = Ensemble.of(network.hide(np.arange(network.n_listed)))
    with pytest.raises(IncompatibleError, match="nothing to learn from"):
        solved(hidden, [0, 4], WNMF())
