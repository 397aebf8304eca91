"""Parts of a fit in shards against plain computations: orders, sums, starts, pieces, checkpoints."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from latentlink.cluster import SerialParts
from latentlink.errors import IncompatibleError
from latentlink.kernels import Listed
from latentlink.network import Ensemble, Network
from latentlink.random import member_rngs
from latentlink.solvers import LMF, NMF, RNMF, WNMF
from latentlink.solvers.descent.extrapolation import Moving
from latentlink.solvers.shards import sharded_sweeps, sweep_checkpoint
from latentlink.solvers.shards.column_updates import listed_pieces
from latentlink.solvers.shards.held_factor import HeldFactor, Orders, Scale
from latentlink.solvers.shards.own_rows import OwnRows
from latentlink.solvers.shards.row_shard import Found, rows_file
from latentlink.solvers.shards.sharded_sweeps import column_pieces
from latentlink.solvers.shards.solve_shards import solve_shards
from latentlink.solvers.shards.summed_ensemble import MemberSums, SummedEnsemble
from latentlink.solvers.shards.sweep_checkpoint import SweepCheckpoint
from tests.helpers.cases import Case
from tests.solvers.shards.cut import row_shards

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

# ------------------------------------------------------------------------------------ orders


def test_each_use_of_the_factors_is_an_order():
    orders = Orders(3)
    assert (orders.members, orders.shape) == (3, (0, 0, 3))
    frozen = orders[..., 2].copy()
    orders[..., 1] = frozen
    members, beta = np.array([True, False, True]), np.array([0.1, 0.2, 0.3])
    assert orders.accepted() is None
    orders.revert(None, members)
    assert orders.extrapolate(None, beta) is None
    taken = orders.taken()
    assert [name for name, _ in taken] == ["freeze", "restore", "accept", "revert", "extrapolate"]
    assert [argument for _, argument in taken[:3]] == [2, 1, None]
    assert taken[3][1] is members
    assert taken[4][1] is beta
    assert orders.taken() == []


def held_of(divided=False, seed=0):
    factor = np.random.default_rng(seed).random((5, 3, 2)) + 0.5
    return HeldFactor(Moving(factor, np.zeros(3), 0, 3), divided), factor


@pytest.mark.parametrize("divided", [False, True])
def test_a_held_factor_carries_out_orders(divided):
    held, factor = held_of(divided)
    first = factor.copy()
    scale = Scale(1, 3, np.array([[2.0, 3.0], [4.0, 5.0]]))
    held.obey([("accept", None), ("freeze", 1), ("scale", scale)])
    scaled = first.copy()
    scaled[:, 1:] = first[:, 1:] / scale.factor if divided else first[:, 1:] * scale.factor
    np.testing.assert_array_equal(factor, scaled)
    held.obey([("extrapolate", np.array([0.0, 0.5]))])
    moved = np.maximum(scaled + np.array([0.0, 0.5]) * (scaled - first), 0)
    np.testing.assert_allclose(factor, moved)
    held.obey([("revert", np.array([True, False]))])  # to what it was before it was moved on
    np.testing.assert_array_equal(factor[..., 0], scaled[..., 0])
    np.testing.assert_allclose(factor[..., 1], moved[..., 1])
    held.obey([("restore", 1)])
    np.testing.assert_array_equal(factor[..., 1], first[..., 1])


@pytest.mark.parametrize("accepted", [False, True])
def test_the_state_of_a_factor_is_its_copies_too(accepted):
    held, factor = held_of()
    held.obey([("freeze", 0)])
    if accepted:
        held.obey([("accept", None)])
    factor *= 2
    state = {name: copy.copy() for name, copy in held.state.items()}
    assert set(state) == {"factor", "frozen-0"} | ({"accepted"} if accepted else set())
    again, other = held_of(seed=9)
    again.state = state
    np.testing.assert_array_equal(other, factor)
    again.obey([("restore", 0)])
    np.testing.assert_array_equal(other[..., 0], factor[..., 0] / 2)
    if accepted:
        again.obey([("revert", np.array([False, True]))])
        np.testing.assert_array_equal(other[..., 1], factor[..., 1] / 2)


# ------------------------------------------------------------------------------------ pieces and starts


@pytest.mark.parametrize(("terms", "most", "step"), [(3, 9, 3), (3, 8, 2), (9, 8, 1), (1, 100, 7)])
def test_pieces_of_columns_have_at_most_so_many_terms(terms, most, step, monkeypatch):
    monkeypatch.setattr(sharded_sweeps, "MOST_TERMS", most)
    assert column_pieces(7, terms) == [slice(k, min(k + step, 7)) for k in range(0, 7, step)]


@pytest.mark.parametrize("pieces", [[slice(0, 4)], [slice(0, 1), slice(1, 4)], [slice(0, 2), slice(2, 4)]])
def test_pieces_have_the_entries_of_their_columns(pieces):
    listed = Listed(np.array([0, 2, 2, 5, 6]), np.arange(6), np.arange(6.0)[:, None], np.ones(6))
    parts = listed_pieces(listed, pieces)
    assert len(parts) == len(pieces)
    for part, piece in zip(parts, pieces, strict=True):
        np.testing.assert_array_equal(part.indptr, listed.indptr[piece.start : piece.stop + 1])


@pytest.mark.parametrize("at_once", [1, 4, 7, 100])
@pytest.mark.parametrize("rows", [slice(0, 6), slice(0, 2), slice(2, 5), slice(5, 6), slice(3, 3)])
@pytest.mark.parametrize("draw", ["random", "standard_normal"])
def test_own_rows_are_those_of_the_start_of_all(rows, draw, at_once, monkeypatch):
    monkeypatch.setattr("latentlink.solvers.shards.own_rows.AT_ONCE", at_once)
    own, every = OwnRows(np.random.default_rng(0), rows), np.random.default_rng(0)
    np.testing.assert_array_equal(getattr(own, draw)((6, 3)), getattr(every, draw)((6, 3))[rows])
    for _ in range(2):
        np.testing.assert_array_equal(getattr(own, draw)((2, 3)), getattr(every, draw)((2, 3)))


# ------------------------------------------------------------------------------------ sums of entries


@pytest.mark.parametrize("uniform", [False, True])
@pytest.mark.parametrize("background", [0.0, 0.3])
def test_sums_over_shards_are_those_of_all_rows(background, uniform):
    case = Case(WNMF(), False, background)
    ensemble = Ensemble.of(case.network(), 3) if uniform else case.ensemble(members=3)
    assert ensemble.is_uniform is uniform
    sums = [MemberSums.of(shard._given) for shard in row_shards(ensemble, [0, 4, 7])]
    total = MemberSums(*(sum(parts) for parts in zip(*sums, strict=True)))
    for one, other in zip(MemberSums.of(ensemble), total, strict=True):
        np.testing.assert_allclose(one, other)
        assert one.shape == other.shape
    summed = SummedEnsemble.of_shape(ensemble.network.shape, background, total, np.array([5.0, 6.0, 7.0]))
    for member in range(3):
        values, weights = ensemble.member_entries(member)
        there = weights > 0
        np.testing.assert_allclose(total.weight[member], weights.sum())
        np.testing.assert_allclose(total.first[member], weights[there] @ values[there])
        np.testing.assert_allclose(total.second[member], weights[there] @ values[there] ** 2)
        assert total.n_known[member] == there.sum() == summed.member_count(member)
        assert summed.member_squares(member, 0.0) == 5 + member
        unlisted = background * (ensemble.network.n_pairs - ensemble.network.n_listed)
        for power in (1, 2):
            expected = weights[there] @ values[there] ** power / (weights.sum() + unlisted)
            assert summed._new_moment(member, power) == pytest.approx(expected)


def test_moments_of_nothing_are_0():
    nothing = MemberSums(*np.zeros((4, 1)), np.array(0))
    assert SummedEnsemble.of_shape((3, 4), 0.0, nothing)._new_moment(0, 1) == 0


def test_what_is_found_in_a_shard():
    network = Network([0, 0, 1, 2], [0, 1, 1, 0], [0.0, 2.0, 5.0, 9.0], [1.0, 1.0, 1.0, 0.0], shape=(3, 2))
    one, two = row_shards(Ensemble.of(network), [0, 2])
    assert one.found(WNMF()) == Found(3, 2, 3, 0.0, 5.0)
    assert two.found(WNMF()) == Found(0, 0, 1, np.inf, -np.inf)


def test_a_sample_of_unlisted_pairs_is_a_share_of_those_of_a_shard_rounded_up():
    network = Case(LMF(), False, 1.0).network()
    shards = row_shards(Ensemble.of(network), [0, 4])
    seen = []

    class Noted(LMF):
        def prepared(self, ensemble):
            seen.append((self.background_sample, self.background_seed))
            return ensemble

    for shard, share in zip(shards, (0.3, 1e-9), strict=True):
        shard.prepare(Noted(), 5, share)
    own = shards[0]._given.network
    assert seen[0][0] == int(np.ceil(0.3 * (own.n_pairs - own.n_listed)))
    assert seen[1][0] == 1
    assert seen[0][1] != seen[1][1]
    shards[0].prepare(Noted(background_sample=7), None, 1.0)
    assert seen[2][0] == 7


def test_files_of_rows_are_in_the_order_of_their_numbers():
    names = [rows_file("a", begin) for begin in (0, 9, 10, 10**11)]
    assert names[0] == "a-rows-000000000000.npz"
    assert names == sorted(names)


# ------------------------------------------------------------------------------------ what is refused


@pytest.mark.parametrize(
    ("value", "solver", "background", "raises"),
    [
        (2.0, WNMF(), 0.0, True),
        (0.0, WNMF(), 0.0, False),
        (2.0, WNMF(), 0.5, False),
        (2.0, NMF(missing="zero"), 0.0, False),
    ],
)
def test_equal_values_without_anything_else_say_nothing(value, solver, background, raises):
    at = np.arange(12)
    network = Network(at // 3, at % 3, np.full(12, value), shape=(6, 5), background=background)
    assert_raises(raises, network, solver)


def test_equal_values_of_all_pairs_say_something():
    assert_raises(False, Network.from_dense(np.full((6, 3), 2.0)), WNMF())


def assert_raises(raises, network, solver):
    shards = SerialParts(row_shards(Ensemble.of(network), [0, 2]))
    whole = Network([], [], shape=network.shape, background=network.background)
    solver = type(solver)(**(solver.get_params() | {"max_iter": 2}))
    with warnings.catch_warnings(action="ignore"):
        if raises:
            with pytest.raises(IncompatibleError, match="All 12 known values are 2 and the rest is unknown"):
                list(solve_shards(shards, whole, solver, 1, member_rngs(0, 1, 1)))
        else:
            assert len(list(solve_shards(shards, whole, solver, 1, member_rngs(0, 1, 1)))) == 1


# ------------------------------------------------------------------------------------ continuing


@pytest.mark.parametrize("stop", [1, 4, 9])
@pytest.mark.parametrize("solver", [WNMF(ridge=0.1), RNMF(ridge=0.1, ridge_cols=0.3)], ids=str)
def test_a_fit_continues_from_a_stored_sweep_to_the_same_bits(solver, stop, tmp_path, monkeypatch):
    monkeypatch.setattr(sweep_checkpoint, "SECONDS", 0.0)
    ensemble = Case(solver, False, 0.0).ensemble(members=3)
    whole = Network([], [], shape=ensemble.network.shape)
    solver = type(solver)(**(solver.get_params() | {"max_iter": 12, "tol": 1e-6}))

    def fitted(checkpoint_of=None, sweeps=None):
        shards = row_shards(ensemble, [0, 4])
        made = []
        if sweeps is not None:
            for shard in shards:
                original = shard.improve

                def improve(*given, original=original):
                    made.append(1)
                    if len(made) > 2 * sweeps:
                        raise KeyboardInterrupt
                    return original(*given)

                shard.improve = improve
        (block,) = solve_shards(
            SerialParts(shards), whole, solver, 2, member_rngs(0, 2, 3), checkpoint_of=checkpoint_of
        )
        return block, np.concatenate([shard.rows() for shard in shards]), len(made)

    expected, rows, _ = fitted()
    with pytest.raises(KeyboardInterrupt):
        fitted(lambda group: SweepCheckpoint(tmp_path, "block"), stop)
    assert SweepCheckpoint(tmp_path, "block").sweep == (stop - 1 if stop > 1 else -1)
    again, rows_again, made = fitted(lambda group: SweepCheckpoint(tmp_path, "block"), 99)
    np.testing.assert_array_equal(again.cols, expected.cols)
    np.testing.assert_array_equal(rows_again, rows)
    for one, other in zip(again.records, expected.records, strict=True):
        np.testing.assert_array_equal(one.loss, other.loss)
    assert made


def test_blocks_that_are_done_are_not_fitted_again():
    solver = WNMF(ridge=0.1, max_iter=2)
    ensemble = Case(solver, False, 0.0).ensemble(members=11)
    shards = SerialParts(row_shards(ensemble, [0, 4]))
    whole = Network([], [], shape=ensemble.network.shape)
    blocks = list(
        solve_shards(shards, whole, solver, 2, member_rngs(0, 2, 11), is_done=lambda group: 0 in group)
    )
    assert [block.group.start for block in blocks] == [8]
    assert blocks[0].cols.shape[2] == len(blocks[0].offsets) == len(blocks[0].records) == 3
