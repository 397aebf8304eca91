"""The ridge: one number, one for each member, or "auto"."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.errors import IncompatibleError
from latentlink.network import Ensemble
from latentlink.random import member_rngs
from latentlink.solvers import BNMF, LMF, NMF, RNMF, WNMF, SymLMF
from tests.helpers.cases import Case, assert_same_factors, unfinished
from tests.helpers.oracle import dense_objective, dense_problem, penalty_weights

SOLVERS = [WNMF(), RNMF(), RNMF(updates="paper"), BNMF(), BNMF(updates="multiplicative"), LMF(), SymLMF()]
SOLVERS += [RNMF(ridge_cols=0.3), BNMF(ridge_cols=0.3), SymLMF(repelling=0.5)]
every_solver = pytest.mark.parametrize("solver", SOLVERS, ids=str)
RIDGES = (0.0, 0.1, 0.7, 3.0, 12.0)


def with_ridge(solver, ridge, **more):
    return type(solver)(**(solver.get_params() | {"ridge": ridge, "max_iter": 12} | more))


@every_solver
@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("background", [0.0, 0.1])
def test_a_ridge_for_each_member_equals_separate_fits(solver, precision, background):
    case = Case(solver, solver.needs_symmetric, background)
    ensemble = case.ensemble(len(RIDGES))
    with unfinished():
        together = with_ridge(solver, RIDGES, precision=precision).solve(ensemble, 2, member_rngs(0, 2, 5))
        for member, ridge in enumerate(RIDGES):
            alone = Ensemble(ensemble.network, ensemble.values[:, [member]], ensemble.weights[:, [member]])
            rng = member_rngs(0, 2, 5)[member]
            result = with_ridge(solver, ridge, precision=precision).solve(alone, 2, rng)
            assert_same_factors(together.members[member], result.members[0])
            np.testing.assert_array_equal(together.records[member].loss, result.records[0].loss)


@every_solver
def test_ridges_match_their_members_over_several_blocks(solver):
    """20 members are more than one block."""
    case = Case(solver, solver.needs_symmetric, 0.0)
    ensemble = Ensemble.of(case.network(), 20)
    ridges = tuple(np.geomspace(0.001, 0.05, 20).tolist())
    rngs = [np.random.default_rng(1) for _ in ridges]  # members differ only by their ridge
    with unfinished():
        together = with_ridge(solver, ridges).solve(ensemble, 2, rngs)
        for member in (0, 7, 8, 19):
            rng = np.random.default_rng(1)
            result = with_ridge(solver, ridges[member]).solve(case.network(), 2, rng)
            assert_same_factors(together.members[member], result.members[0])
    sizes = [float(np.abs(factors.W).sum()) for factors in together.members]
    assert len(set(sizes)) == 20


@every_solver
def test_refitting_takes_a_ridge_for_each_member_too(solver):
    case = Case(solver, solver.needs_symmetric, 0.0)
    ensemble = Ensemble.of(case.network(), 3)
    with unfinished():
        centre = with_ridge(solver, 0.5).solve(case.network(), 2, 0).members[0]
        together = with_ridge(solver, (0.1, 1.0, 9.0)).refit(ensemble, [centre] * 3)
        for member, ridge in enumerate((0.1, 1.0, 9.0)):
            alone = with_ridge(solver, ridge).refit(case.network(), centre)
            assert_same_factors(together.members[member], alone.members[0])


@every_solver
def test_auto_is_the_plain_ridge_of_the_solver(solver):
    case = Case(solver, solver.needs_symmetric, 0.0)
    assert solver.ridge == "auto"
    assert solver.ridge_used == solver.plain_ridge
    with unfinished():
        result, expected = (
            with_ridge(solver, ridge).solve(case.network(), 2, 0) for ridge in ("auto", solver.plain_ridge)
        )
    assert_same_factors(result.members[0], expected.members[0])


@every_solver
@pytest.mark.parametrize("ridges", [(0.1, 0.2), (0.1, 0.2, 0.3, 0.4), ()])
def test_the_number_of_ridges_must_be_that_of_members(solver, ridges):
    case = Case(solver, solver.needs_symmetric, 0.0)
    sentence = (
        f"{type(solver).__name__} has {len(ridges)} ridges for 3 members; expected one number, or one for"
    )
    with pytest.raises(IncompatibleError, match=sentence):
        with_ridge(solver, ridges).solve(case.ensemble(3), 2, 0)


@every_solver
@pytest.mark.parametrize(
    "ridge",
    [-1, True, np.True_, np.inf, np.nan, "much", None, [0.1], np.array([0.1]), (0.1, -1), ("auto",)],
    ids=str,
)
def test_ridges_out_of_range_raise(solver, ridge):
    case = Case(solver, solver.needs_symmetric, 0.0)
    with pytest.raises(IncompatibleError, match=r'has ridge=.*expected a number >= 0, or "auto", which lets'):
        with_ridge(solver, ridge).solve(case.network(), 2, 0)


@pytest.mark.parametrize("ridge", [1, np.float32(1.0), np.int64(1)])
def test_numbers_of_any_kind_are_ridges(ridge):
    case = Case(WNMF(), False, 0.0)
    with unfinished():
        result, expected = (with_ridge(WNMF(), each).solve(case.network(), 2, 0) for each in (ridge, 1.0))
    assert_same_factors(result.members[0], expected.members[0])


def test_a_ridge_beyond_single_precision_raises_for_any_member():
    case = Case(WNMF(), False, 0.0)
    with pytest.raises(IncompatibleError, match="exceeds the range of float32"):
        with_ridge(WNMF(), (0.1, 1e39, 0.1), precision="float32").solve(case.ensemble(3), 2, 0)


def test_the_unit_of_the_ridge_grid_depends_on_the_data():
    network = Case(WNMF(), False, 0.0).network()
    known = network.values[network.known]
    assert WNMF().ridge_scale(network) == pytest.approx(np.sqrt(np.mean(known**2)))
    assert RNMF().ridge_scale(network) == pytest.approx(known.std())
    assert LMF().ridge_scale(network) == BNMF().ridge_scale(network) == 1.0
    zeros = network.with_values(np.zeros(network.n_listed))
    assert WNMF().ridge_scale(zeros) == RNMF().ridge_scale(zeros) == 1.0
    assert NMF().ridge_grid == ()
    assert NMF().ridge_used == 0.0


def test_the_ridges_that_a_search_tries():
    """Chosen by measurements, so that a change of them is a change of results."""
    grids = {
        WNMF: (0.0, 0.1, 1.0, 3.0),
        RNMF: (0.003, 0.03, 0.3, 1.0, 3.0, 6.0),
        BNMF: (0.0, 0.3, 1.0, 3.0),
        LMF: (0.3, 1.0, 2.0, 4.0),
        SymLMF: (0.3, 1.0, 2.0, 4.0),
    }
    assert {solver: solver.ridge_grid for solver in grids} == grids


# -------------------------------------------------------------------- penalties that grow with known entries


def lightly_weighted(symmetric, background, weight):
    """Return a network whose known entries have weights up to a number."""
    network = Case(RNMF(), symmetric, background).network()
    return network.with_weights(weight * network.weights * np.linspace(0.1, 1.0, network.n_listed))


@pytest.mark.parametrize("counts", ["auto", (3.0, 7.0), None], ids=str)
@pytest.mark.parametrize(("symmetric", "background"), [(False, 0.0), (False, 0.3), (True, 0.0), (True, 0.3)])
@pytest.mark.parametrize("weight", [0.05, 1.0, 5.0])
def test_relative_penalties_by_counts_of_known_entries(counts, symmetric, background, weight):
    network = lightly_weighted(symmetric, background, weight)
    solver = RNMF(ridge_counts=counts)
    expected = penalty_weights(solver, network)
    for side, relative in enumerate(solver.penalty_weights(network)):
        np.testing.assert_allclose(relative, expected[side])
    if counts == "auto":
        fitted = solver.fitted_to(network)
        for side, typical in enumerate(fitted.ridge_counts):
            known = dense_problem(network)[1].sum(axis=1 - side) * (2 if symmetric else 1)
            assert typical == pytest.approx(known.mean())
        for side, relative in enumerate(fitted.penalty_weights(network)):
            np.testing.assert_allclose(relative, expected[side])
    else:
        assert solver.fitted_to(network) is solver


def test_other_solvers_have_the_same_penalty_for_all():
    network = Case(WNMF(), False, 0.0).network()
    for solver in (WNMF(), BNMF(), LMF(), NMF()):
        rows, cols = solver.penalty_weights(network)
        assert (rows.tolist(), cols.tolist()) == ([1.0] * network.shape[0], [1.0] * network.shape[1])


@pytest.mark.parametrize("counts", ["auto", (3.0, 7.0), None], ids=str)
@pytest.mark.parametrize(
    ("symmetric", "background"), [(False, 0.0), (False, 0.01), (True, 0.0), (True, 0.01)]
)
@pytest.mark.parametrize("weight", [0.05, 1.0])
@pytest.mark.parametrize("updates", ["descent", "paper"])
def test_the_loss_of_rnmf_has_these_penalties(counts, symmetric, background, weight, updates):
    """Also of data that are marked as checked, of which counts are kept from one rank to the next."""
    network = lightly_weighted(symmetric, background, weight)
    ridges = {"ridge": 0.02 * weight, "ridge_cols": 0.05 * weight}  # small enough to leave factors above 0
    solver = RNMF(**ridges, ridge_counts=counts, updates=updates, max_iter=3, tol=0.0)
    checked = Ensemble.of(network).as_checked(solver)
    for rank in (1, 2):
        for data in (network, checked):
            result = solver.solve(data, rank, 0)
            expected = dense_objective(network, result.members[0], solver)
            assert result.records[0].loss[-1] == pytest.approx(expected, rel=1e-9)
            assert min(result.members[0].W.max(), result.members[0].H.max()) > 0.01


@every_solver
@pytest.mark.parametrize("background", [0.0, 0.1])
def test_what_is_kept_of_checked_data_changes_no_result(solver, background):
    """Several ranks, precisions and blocks of members, each with rows of its own that it knows nothing of."""
    case = Case(solver, solver.needs_symmetric, background)
    ensemble = case.ensemble(members=11)
    values = ensemble.values.copy()
    for member in (2, 9):
        touched = (ensemble.network.rows == member) | (ensemble.network.cols == member % 7)
        values[touched, member] = np.nan
    ensemble = Ensemble(ensemble.network, values, ensemble.weights)
    checked = ensemble.as_checked(solver)
    for precision in ("float64", "float32"):
        for rank in (1, 2):
            short = with_ridge(solver, 0.1, max_iter=2, precision=precision)
            with unfinished():
                once, again = (short.solve(data, rank, 0) for data in (ensemble, checked))
            for member in range(11):
                assert_same_factors(again.members[member], once.members[member])
                np.testing.assert_array_equal(again.records[member].loss, once.records[member].loss)


@pytest.mark.parametrize("own", [{}, {"ridge_row_bias": 0.4}, {"ridge_row_bias": 0.4, "ridge_col_bias": 0.2}])
def test_a_chosen_ridge_of_rnmf_is_divided_by_its_unit_for_the_biases(own):
    for ridge, relative in ((3.0, 1.5), ((3.0, 5.0), (1.5, 2.5))):
        solver = RNMF(**own).with_ridge(ridge, 2.0)
        assert solver.ridge == ridge
        assert solver.ridge_row_bias == own.get("ridge_row_bias", relative)
        assert solver.ridge_col_bias == own.get("ridge_col_bias", relative)
        solver.check_settings()
    assert WNMF().with_ridge(3.0, 2.0).ridge == 3.0
