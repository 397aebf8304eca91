"""The contract of all solvers on all kinds of data; a new solver is tested once it is in `ALL_SOLVERS`."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from latentlink.network import Ensemble, Network
from latentlink.random import member_rngs
from tests.helpers.cases import (
    COUNTS_ONCE,
    EVERY_CASE,
    MAIN_CASES,
    MAY_RISE,
    STARTS_ALIKE,
    assert_same_factors,
    copied,
    parts,
    solved,
    unfinished,
)
from tests.helpers.oracle import all_scores, dense_objective, dense_problem, member_network

every_case = pytest.mark.parametrize("case", EVERY_CASE, ids=str)
main_case = pytest.mark.parametrize("case", MAIN_CASES, ids=str)


# -------------------------------------------------------------------- the objective


@every_case
def test_the_loss_is_the_documented_objective(case):
    """At the start and at the end, to rounding, the background by Gram matrices included."""
    network = case.network()
    start = solved(case.settings(max_iter=1), network).members
    result = solved(case.settings(max_iter=30), network, start=start)
    losses = result.records[0].loss
    assert losses[0] == pytest.approx(dense_objective(network, start[0], case.solver), rel=1e-9)
    assert losses[-1] == pytest.approx(dense_objective(network, result.members[0], case.solver), rel=1e-9)


@pytest.mark.parametrize("case", [case for case in EVERY_CASE if case.name not in MAY_RISE], ids=str)
@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_the_loss_never_rises(case, precision):
    losses = solved(case.settings(max_iter=60, tol=0.0, precision=precision), case.network()).records[0].loss
    rounding = 1e-12 if precision == "float64" else 1e-5
    assert np.all(np.diff(losses) <= rounding * losses[0])
    assert losses[-1] < losses[0]


@pytest.mark.parametrize("case", [case for case in EVERY_CASE if case.name in MAY_RISE], ids=str)
def test_a_loss_that_may_rise_is_lower_at_the_end(case):
    losses = solved(case.solver, case.network()).records[0].loss
    assert losses[-1] < losses[0]


@every_case
def test_listed_background_is_the_same_background(case):
    """Unlisted zeros by Gram matrices, or listed one by one with the background's weight: same sweeps."""
    if case.background not in {0.0, 1.0} and case.name in COUNTS_ONCE:
        case = replace(case, background=1.0)
    network = case.network()
    values, weights = dense_problem(network)
    if case.symmetric:
        weights = np.triu(2 * weights, 1)
    rows, cols = np.nonzero((weights > 0) | (np.triu(weights == 0, 1) if case.symmetric else True))
    listed = Network(
        rows, cols, values[rows, cols], weights[rows, cols], shape=network.shape, symmetric=case.symmetric
    )
    short = case.settings(max_iter=8, tol=0.0)
    result, expected = solved(short, network), solved(short, listed)
    np.testing.assert_allclose(result.records[0].loss, expected.records[0].loss, rtol=1e-8)
    np.testing.assert_allclose(
        all_scores(result.members[0]), all_scores(expected.members[0]), rtol=1e-6, atol=1e-7
    )


# -------------------------------------------------------------------- weights


@every_case
def test_hidden_entries_have_zero_weight(case):
    network = case.network()
    assert not network.known.all()
    short = case.settings(max_iter=10)
    values = np.where(network.known, network.values, 1e30)
    assert_same_factors(
        solved(short, network.with_values(values)).members[0], solved(short, network).members[0]
    )


@main_case
def test_unknown_entries_have_zero_weight(case):
    """Pairs that are unlisted, hidden, NaN or masked are all the same."""
    network = case.network()
    values, weights = dense_problem(network)
    short = case.settings(max_iter=10)
    expected = all_scores(solved(short, network).members[0])
    unlisted = network.subset(network.known)
    as_nan = Network.from_dense(np.where(weights > 0, values, np.nan), symmetric=case.symmetric)
    masked = Network.from_dense(
        np.where(weights > 0, values, 99.0), mask=weights > 0, symmetric=case.symmetric
    )
    for same in (unlisted, as_nan, masked):
        np.testing.assert_allclose(all_scores(solved(short, same).members[0]), expected, rtol=1e-9)


@every_case
def test_the_input_is_not_changed(case):
    ensemble = case.ensemble()
    short = case.settings(max_iter=3)
    start = list(solved(short, ensemble).members)
    copies = [copied(factors) for factors in start]
    values, weights = ensemble.values.copy(), ensemble.weights.copy()
    state = np.random.get_state()[1].copy()  # noqa: NPY002
    solved(short, ensemble, start=start)
    short.set_params(max_iter=1000).refit(ensemble, start)
    np.testing.assert_array_equal(ensemble.values, values)
    np.testing.assert_array_equal(ensemble.weights, weights)
    for factors, before in zip(start, copies, strict=True):
        assert_same_factors(factors, before)
    np.testing.assert_array_equal(np.random.get_state()[1], state)  # noqa: NPY002


@main_case
def test_the_settings_are_not_changed(case):
    solver = clone(case.solver)
    before = solver.get_params()
    solved(solver, case.network())
    assert solver.get_params() == before
    assert str(clone(solver)) == str(case.solver)


# -------------------------------------------------------------------- reproducibility


@every_case
def test_same_seed_same_factors(case):
    network = case.network()
    short = case.settings(max_iter=10)
    first = solved(short, network, seed=3).members[0]
    assert_same_factors(solved(short, network, seed=3).members[0], first)
    other = solved(short, network, seed=4).members[0]
    assert np.array_equal(other.W, first.W) == (case.name in STARTS_ALIKE)


@main_case
def test_a_seed_is_a_generator_for_each_member(case):
    network = case.network()
    short = case.settings(max_iter=5)
    with unfinished():
        result = short.solve(network, 2, 7).members[0]
        for same in (np.int64(7), member_rngs(7, 2, 1), member_rngs(7, 2, 1)[0]):
            assert_same_factors(short.solve(network, 2, same).members[0], result)
        together = short.solve(Ensemble.of(network, 3), 2, 7).members
        assert_same_factors(together[0], result)
        assert np.array_equal(together[1].W, result.W) == (case.name in STARTS_ALIKE)
        short.solve(network, 2)  # without a seed, too


@every_case
def test_listed_order_does_not_matter(case):
    network = case.network()
    order = np.random.default_rng(1).permutation(network.n_listed)
    rows, cols = network.rows[order], network.cols[order]
    if case.symmetric:  # nor does the order within a pair
        rows, cols = cols, rows
    shuffled = Network(
        rows, cols, network.values[order], network.weights[order],
        shape=network.shape, background=case.background, symmetric=case.symmetric,
    )  # fmt: skip
    short = case.settings(max_iter=10)
    assert_same_factors(solved(short, shuffled).members[0], solved(short, network).members[0])


@pytest.mark.parametrize("case", [c for c in EVERY_CASE if c.background == 1.0], ids=str)
def test_sparse_equals_dense(case):
    """A matrix with all its zeros listed, or with zeros as background: same start, same sweeps."""
    X = dense_problem(case.network(hidden=0.0))[0]
    if case.symmetric:
        i, j = np.nonzero(np.triu(X, 1))
        from_sparse = Network(i, j, X[i, j], shape=X.shape, background=1.0, symmetric=True)
        np.fill_diagonal(X, np.nan)
    else:
        from_sparse = Network.from_sparse(sparse.csr_array(X), unstored="zero")
    short = case.settings(max_iter=8, tol=0.0)
    result, expected = (
        solved(short, from_sparse),
        solved(short, Network.from_dense(X, symmetric=case.symmetric)),
    )
    np.testing.assert_allclose(result.records[0].loss, expected.records[0].loss, rtol=1e-8)
    np.testing.assert_allclose(
        all_scores(result.members[0]), all_scores(expected.members[0]), rtol=1e-6, atol=1e-7
    )


@every_case
@pytest.mark.parametrize("own_weights", [False, True], ids=["shared", "own"])
def test_a_batch_equals_its_members_alone(case, own_weights):
    """To the last bit, with separate convergence."""
    ensemble = case.ensemble(own_weights=own_weights)
    short = case.settings(max_iter=20, tol=0.01)
    together = solved(short, ensemble)
    assert len(together.members) == len(together.records) == ensemble.n_members
    for member, rng in enumerate(member_rngs(0, 2, ensemble.n_members)):
        alone = solved(short, member_network(ensemble, member), start=[_start(short, ensemble, member, rng)])
        assert_same_factors(together.members[member], alone.members[0])
        np.testing.assert_array_equal(together.records[member].loss, alone.records[0].loss)
        assert together.records[member].sweeps == alone.records[0].sweeps
        assert together.records[member].converged == alone.records[0].converged


def _start(solver, ensemble, member, rng):
    """Return the start of a member of a batch, computed from that member alone."""
    network = member_network(ensemble, member)
    alone = solver.prepared(Ensemble.of(network))
    return replace(solver.start(alone, 0, 2, rng), offset=solver.offset(alone, 0))


@main_case
def test_more_members_than_lanes(case):
    """Nine members are a full block and a single member."""
    ensemble = Ensemble.of(case.network(), 9)
    short = case.settings(max_iter=5)
    result = solved(short, ensemble).members
    assert len(result) == 9
    assert_same_factors(result[8], solved(short, ensemble).members[8])
    again = solved(short, Ensemble.of(case.network()), start=[result[8]])
    batch = solved(short, Ensemble.of(case.network(), 9), start=result)
    assert_same_factors(batch.members[8], again.members[0])
    assert_same_factors(
        batch.members[2], solved(short, Ensemble.of(case.network()), start=[result[2]]).members[0]
    )


# -------------------------------------------------------------------- forms of the arithmetic


@every_case
@pytest.mark.parametrize("form", ["plain", "reference"])
def test_every_form_of_the_kernels_agrees(case, form, monkeypatch):
    ensemble = case.ensemble(members=2)
    short = case.settings(max_iter=4, tol=0.0)
    monkeypatch.setenv("LATENTLINK_KERNELS", "lanes")
    result = solved(short, ensemble)
    monkeypatch.setenv("LATENTLINK_KERNELS", form)
    expected = solved(short, ensemble)
    for member in range(2):
        np.testing.assert_allclose(result.records[member].loss, expected.records[member].loss, rtol=1e-9)
        np.testing.assert_allclose(
            all_scores(result.members[member]), all_scores(expected.members[member]), rtol=1e-7, atol=1e-8
        )


@every_case
def test_single_precision_is_close_to_double(case):
    network = case.network()
    double = solved(case.settings(max_iter=20), network)
    single = solved(case.settings(max_iter=20, precision="float32"), network)
    assert {array.dtype for array in parts(double.members[0]).values()} == {np.dtype("float64")}
    assert {array.dtype for array in parts(single.members[0]).values()} == {np.dtype("float32")}
    assert all_scores(single.members[0]).dtype == np.float32
    assert single.records[0].loss[-1] == pytest.approx(double.records[0].loss[-1], rel=2e-3)
    np.testing.assert_allclose(all_scores(single.members[0]), all_scores(double.members[0]), atol=2e-2)


@pytest.mark.parametrize(
    "case", [case for case in EVERY_CASE if not case.symmetric and case.background], ids=str
)
def test_one_row_of_many_columns_stays_finite_in_single_precision(case):
    """All but three of 100,000 entries are background: the listed part is a rounding error of the whole."""
    network = Network([0, 0, 0], [5, 77, 99_999], shape=(1, 100_000), background=case.background)
    result = solved(case.settings(max_iter=3, precision="float32"), network)
    for array in parts(result.members[0]).values():
        assert np.all(np.isfinite(array))
    assert np.all(np.isfinite(result.records[0].loss))


@every_case
def test_long_runs_stay_finite_in_single_precision(case):
    """Coordinates that approach 0 underflow."""
    result = solved(case.settings(max_iter=200, tol=0.0, precision="float32"), case.network(seed=1))
    assert np.all(np.isfinite(result.records[0].loss))
    for array in parts(result.members[0]).values():
        assert np.all(np.isfinite(array))


# -------------------------------------------------------------------- shapes


@pytest.mark.slow
@every_case
def test_transposing_the_problem_transposes_the_answer(case):
    """A converged solution is one of the transposed problem too."""
    network = case.network(size=8)
    result = solved(case.settings(max_iter=1500, tol=1e-9), network)
    start = [result.members[0].transposed()]
    transposed = solved(case.settings(max_iter=60, tol=0.0), network.transposed(), start=start)
    first, last = transposed.records[0].loss[[0, -1]]
    assert first == pytest.approx(result.records[0].loss[-1], rel=1e-9)
    assert last == pytest.approx(first, rel=0.01)
    known = dense_problem(network)[1] > 0
    np.testing.assert_allclose(
        all_scores(transposed.members[0]).T[known], all_scores(result.members[0])[known], rtol=0.02, atol=0.02
    )


@every_case
def test_every_rank_from_one_to_the_smaller_side(case):
    network = case.network()
    for rank in (1, min(network.shape)):
        result = solved(case.settings(max_iter=30), network, rank)
        assert result.members[0].rank == rank
        assert result.members[0].shape == network.shape
        assert np.all(np.isfinite(all_scores(result.members[0])))
        assert result.records[0].loss[-1] == pytest.approx(
            dense_objective(network, result.members[0], case.solver), rel=1e-8, abs=1e-12
        )


@pytest.mark.parametrize("case", [case for case in MAIN_CASES if not case.symmetric], ids=str)
@pytest.mark.parametrize("value", [0.0, 1.0])
def test_a_matrix_of_one_entry(case, value):
    result = solved(case.solver, Network.from_dense([[value]]), rank=1)
    score = result.members[0].score(0, 0)[0]
    assert np.isfinite(score)
    assert abs(score - value) < 0.5


@main_case
def test_smallest_symmetric_network(case):
    network = Network([0], [1], [1.0], shape=(2, 2), symmetric=True)
    result = solved(case.solver, network, rank=1).members[0]
    assert result.symmetric
    assert result.score(0, 1)[0] == result.score(1, 0)[0]
    assert result.score(0, 1)[0] > 0.5


@pytest.mark.parametrize("case", [case for case in EVERY_CASE if case.symmetric], ids=str)
def test_a_symmetric_pair_has_one_score(case):
    """It is the link of the mean of both directions."""
    result = solved(case.settings(max_iter=20), case.network()).members[0]
    scores = all_scores(result)
    np.testing.assert_array_equal(scores, scores.T)
    both = replace(result, symmetric=False, logistic=False)
    linear = (all_scores(both) + all_scores(both).T) / 2
    expected = 1 / (1 + np.exp(-linear)) if result.logistic else linear
    np.testing.assert_allclose(scores, expected, rtol=1e-12)


# -------------------------------------------------------------------- the record


@every_case
def test_the_convergence_record(case):
    result = case.solver.solve(case.network(), 1, 0).records[0]
    assert result.converged
    assert len(result.loss) == result.sweeps + 1
    assert result.sweeps < case.solver.max_iter
    before, after = result.loss[-3:-1]
    assert before - after <= case.solver.tol * max(before, 1.0)


@main_case
def test_the_warning_of_too_few_sweeps(case):
    short = case.settings(max_iter=2, tol=1e-12)
    rngs = member_rngs(0, 2, 3)
    with pytest.warns(
        ConvergenceWarning, match=r"max_iter=2.*3 of 3.*tol=1e-12.*Raise max_iter, or tol"
    ) as caught:
        result = short.solve(Ensemble.of(case.network(), 3), 2, rngs)
    assert caught[0].filename == __file__
    assert [record.converged for record in result.records] == [False] * 3
    assert [record.sweeps for record in result.records] == [2] * 3
    assert [len(record.loss) for record in result.records] == [3] * 3
