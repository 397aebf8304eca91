"""Invalid data, ranks, generators, starts and settings raise before any work, with a full sentence."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.errors import IncompatibleError
from latentlink.factors import Factors
from latentlink.network import Ensemble, Network
from latentlink.solvers import BNMF, BPMF, KLNMF, LMF, NMF, RNMF, WNMF, SymLMF
from tests.helpers.cases import ALL_SOLVERS

ALL = [NMF(), KLNMF(), WNMF(), RNMF(), BNMF(), LMF(), SymLMF(), BPMF()]
every_solver = pytest.mark.parametrize("solver", ALL, ids=str)


def suitable(solver, **fields):
    """Return a small network that fulfils the needs of a solver."""
    rows, cols = np.triu_indices(5, 1) if solver.needs_symmetric else np.nonzero(1 - np.eye(5))
    values = (np.arange(len(rows)) % 3 == 0).astype(float)
    return Network(rows, cols, values, shape=(5, 5), **{"symmetric": solver.needs_symmetric} | fields)


def error_message(solver, data, rank=2, rngs=0, **options):
    """Return the message of the error that `solve` raises before any work."""
    solver = type(solver)(**solver.get_params())

    def no_work(*args, **kwargs):
        raise AssertionError("work began before the checks")

    solver.start = solver.sweeps = no_work
    with pytest.raises(IncompatibleError) as error:
        solver.solve(data, rank, rngs, **options)
    message = str(error.value)
    assert message[0].isupper()
    assert message.endswith(".")
    return message


# -------------------------------------------------------------------- data


@pytest.mark.parametrize("solver", [NMF(), KLNMF(), WNMF(), RNMF(updates="paper")], ids=str)
def test_negative_values(solver):
    network = Network([0, 1, 2], [0, 1, 2], [1.0, -2.5, -1.0], shape=(5, 5))
    message = error_message(solver, network)
    assert "2 known values are negative (first: -2.5 at (1, 1))" in message
    assert "RNMF" in message


@pytest.mark.parametrize(("precision", "size"), [("float32", 1e17), ("float64", 1e153)])
def test_values_whose_squares_overflow(precision, size):
    network = Network.from_dense([[1.0, size], [2.0, 3.0]])
    message = rf"sums squares in {precision}.*largest is 1e\+\d+%s, at \(0, 1\)\. Divide"
    expected = pytest.raises(IncompatibleError, match=message % "")
    with expected:
        WNMF(precision=precision).solve(network, 1, 0)
    ones = Network.from_dense([[1.0, 1.0], [2.0, 3.0]])
    with pytest.raises(IncompatibleError, match="largest is 1 with weight 1e"):
        WNMF(precision=precision).solve(ones.with_weights([1.0, size**2, 1.0, 1.0]), 1)
    own = Ensemble(ones, np.array([[1.0, 1.0], [1.0, size], [2.0, 2.0], [3.0, 3.0]]), ones.weights)
    with expected:
        WNMF(precision=precision).solve(own, 1)


@pytest.mark.parametrize("bad", [np.inf, -np.inf])
def test_members_with_infinite_values(bad):
    network = Network.from_dense([[1.0, 1.0], [2.0, 3.0]])
    values = np.array([[1.0], [abs(bad)], [2.0], [3.0]])
    with pytest.raises(IncompatibleError, match="the largest is inf"):
        RNMF().solve(Ensemble(network, values, network.weights), 1)


@pytest.mark.parametrize(("precision", "size"), [("float32", 1e-30), ("float64", 1e-300)])
def test_values_whose_squares_vanish(precision, size):
    network = Network.from_dense(np.array([[1.0, 2.0], [2.0, 3.0]]) * size)
    with pytest.raises(IncompatibleError, match=r"Multiply all values"):
        WNMF(precision=precision).solve(network, 1, 0)


def test_penalties_beyond_the_range_of_the_precision():
    network = Network.from_dense([[1.0, 2.0], [2.0, 3.0]])
    with pytest.raises(IncompatibleError, match=r"ridge_cols=1e\+39, which exceeds the range of float32"):
        RNMF(precision="float32", ridge_cols=1e39).solve(network, 1, 0)


def test_a_matrix_of_zeros_alone():
    network = Network([], [], shape=(3, 3), background=1.0)
    with pytest.raises(IncompatibleError, match="all other pairs are zeros"):
        WNMF().solve(network, 1, 0)


def test_a_complete_matrix_of_ones_is_known_throughout():
    complete = Network.from_dense(np.where(np.eye(3), np.nan, 1.0), symmetric=True)
    assert WNMF(ridge=0.01).solve(complete, 1, 0).members[0].score(0, 1) > 0.8


@pytest.mark.parametrize("centre", [None, np.ones((2, 2)), [None]])
def test_refit_needs_factors(centre):
    network = Network.from_dense([[1.0, 2.0], [2.0, 3.0]])
    with pytest.raises(IncompatibleError, match="Expected Factors"):
        WNMF().refit(network, centre)


def test_centred_must_be_true_or_false():
    with pytest.raises(IncompatibleError, match="centred='no'"):
        LMF(centred="no").solve(Network.from_dense([[1.0, 0.0], [0.0, 1.0]]), 1, 0)


@pytest.mark.parametrize("precision", ["float32", "float64"])
def test_hidden_values_have_zero_weight_however_large(precision):
    network = Network.from_dense([[1.0, 2.0], [2.0, 3.0]])
    losses = [
        RNMF(precision=precision).solve(network.with_values(values).hide([1]), 1, 0).records[0].loss
        for values in (network.values, np.where(np.arange(4) == 1, 1e300, network.values))
    ]
    np.testing.assert_array_equal(*losses)


def test_negative_values_are_fine_for_rnmf_and_where_they_are_hidden():
    network = Network([0, 1, 2], [0, 1, 2], [1.0, -2.5, 2.0], shape=(3, 3))
    assert np.isfinite(RNMF().solve(network, 1, 0).records[0].loss[-1])
    WNMF(max_iter=2000).solve(network.hide([1]).with_background(0.1), 1, 0)


@pytest.mark.parametrize("solver", [BNMF(), LMF(), SymLMF()], ids=str)
def test_values_that_are_not_zero_or_one(solver):
    network = suitable(solver)
    message = error_message(solver, network.with_values(np.where(network.rows == 1, 0.5, network.values)))
    assert "needs values 0 and 1" in message
    assert "(first: 0.5 at (1, " in message
    assert "binarize" in message


def test_a_network_with_directions_for_symlmf():
    message = error_message(SymLMF(), suitable(LMF()))
    assert "symmetric network" in message
    assert "symmetric=True" in message
    assert "LMF" in message


def test_weights_for_nmf():
    network = suitable(NMF())
    message = error_message(NMF(), network.with_weights(np.where(network.rows == 1, 0.5, 1)))
    assert "4 known entries have another weight (first: weight 0.5" in message
    assert "WNMF" in message


@every_solver
def test_nothing_known(solver):
    network = suitable(solver)
    hidden = network.with_weights(np.zeros(network.n_listed))
    assert f"none of the {network.n_listed} listed entries is known" in error_message(solver, hidden)
    assert "no entry of the 5 x 5 matrix is known" in error_message(solver, network.subset([]))


@every_solver
def test_links_only_without_a_background(solver):
    """The message names three remedies."""
    network = suitable(solver)
    message = error_message(solver, network.subset(network.values == 1))
    for way in ("list some non-links", "background", "sample_negatives"):
        assert way in message


@every_solver
def test_links_only_with_a_background_are_fine(solver):
    network = suitable(solver, background=0.1)
    with_links = network.subset(network.values == 1)
    assert type(solver)(max_iter=3000).solve(with_links, 1, 0).records[0].converged


@every_solver
def test_links_only_beside_hidden_non_links(solver):
    message = error_message(solver, suitable(solver).hide(suitable(solver).values == 0))
    assert "There are three ways" in message
    assert "LinkStack" not in message  # which needs more links than these


@every_solver
def test_pairs_listed_twice(solver):
    network = suitable(solver)
    twice = Network(
        [*network.rows, network.rows[0]], [*network.cols, network.cols[0]], [*network.values, 1.0],
        shape=(5, 5), symmetric=network.symmetric,
    )  # fmt: skip
    message = error_message(solver, twice)
    assert "1 are listed again" in message
    assert "1 at (0, " in message
    assert "drop_duplicates" in message


@every_solver
def test_messages_use_the_names_of_nodes(solver):
    network = suitable(solver, row_names=list("abcde"), square=True)
    twice = network.relisted([0, 0], [1, 1], [1.0, 0.0])
    assert "at ('a', 'b')" in error_message(solver, twice)


@every_solver
@pytest.mark.parametrize(
    "data", [np.eye(5), [[1, 0], [0, 1]], None, "links.csv"], ids=lambda data: type(data).__name__
)
def test_data_that_are_no_network(solver, data):
    message = error_message(solver, data)
    assert "Network" in message


@pytest.mark.parametrize("solver", [NMF(), WNMF(), RNMF(updates="paper")], ids=str)
def test_negative_values_of_a_member(solver):
    network = suitable(solver)
    values = np.repeat(network.values[:, None], 2, axis=1)
    values[4, 1] = -1
    message = error_message(solver, Ensemble(network, values, network.weights), rngs=None)
    assert "needs values >= 0, but member 1 has others (least: -1)" in message


@pytest.mark.parametrize("solver", [LMF(), SymLMF()], ids=str)
def test_values_of_a_member_that_are_not_zero_or_one(solver):
    """At a value of 1.01 the cross-entropy has no minimum."""
    network = suitable(solver)
    values = 1.01 * np.repeat(network.values[:, None], 2, axis=1)
    message = error_message(solver, Ensemble(network, values, network.weights), rngs=None)
    assert "needs values 0 and 1, but member 0 has others" in message


@pytest.mark.parametrize("own", [0.5, 2.0])
def test_weights_of_a_member_for_nmf(own):
    network = suitable(NMF())
    weights = np.ones((network.n_listed, 2))
    NMF(max_iter=3000).solve(Ensemble(network, np.repeat(network.values[:, None], 2, 1), weights), 1, 0)
    weights[3, 1] = own
    ensemble = Ensemble(network, np.repeat(network.values[:, None], 2, 1), weights)
    assert "needs weights of 1, but member 1 has others. Choose WNMF" in error_message(NMF(), ensemble)


def test_values_of_a_member_near_one_are_ones_for_bnmf():
    network = suitable(BNMF())
    values = np.where(network.values == 1, 0.97, 0.02)[:, None]
    result = BNMF(max_iter=3000).solve(Ensemble(network, values, network.weights), 2, 0)
    expected = BNMF(max_iter=3000).solve(network, 2, 0)
    assert result.records[0].loss[-1] == pytest.approx(expected.records[0].loss[-1], abs=0.05)


@every_solver
def test_a_member_without_known_entries(solver):
    network = suitable(solver)
    values = np.repeat(network.values[:, None], 3, axis=1)
    values[:, 1] = np.nan
    message = error_message(solver, Ensemble(network, values, network.weights), rngs=None)
    assert "nothing to learn from: no entry is known to member 1" in message


@pytest.mark.parametrize("solver", [BNMF(), BNMF(updates="multiplicative")], ids=str)
@pytest.mark.parametrize("background", [0.0, 3.0])
def test_weights_above_one_are_fine_for_bnmf(solver, background):
    network = suitable(solver)
    heavy = network.with_weights(np.full(network.n_listed, 5.0)).with_background(background)
    result = type(solver)(**solver.get_params() | {"max_iter": 3000}).solve(heavy, 2, 0)
    losses = result.records[0].loss
    assert np.all(np.diff(losses) <= 1e-12 * losses[0])


# -------------------------------------------------------------------- rank, generators, starts


@every_solver
@pytest.mark.parametrize("rank", [0, -1, 2.5, 2.0, True, np.True_, "3", None], ids=repr)
def test_ranks_that_are_not_whole_numbers_from_one_up(solver, rank):
    message = error_message(solver, suitable(solver), rank)
    assert f"The rank is {rank!r}; expected a whole number >= 1." in message


def test_ranks_of_any_integer_type():
    network = suitable(WNMF())
    assert WNMF().solve(network, np.int32(1), 0).members[0].rank == 1


@every_solver
def test_wrong_numbers_of_generators(solver):
    network = suitable(solver)
    rngs = [np.random.default_rng(0)] * 2
    assert "2 random generators for 1 member" in error_message(solver, network, rngs=rngs)
    message = error_message(solver, Ensemble.of(network, 3), rngs=rngs)
    assert "2 random generators for 3 members" in message
    assert "expected one for each, or a seed for all" in message


@pytest.mark.parametrize(
    "rngs",
    [[3], ["a"], "a", 1.5, np.random.RandomState(0), -1],
    ids=["seeds", "names", "name", "fraction", "old", "negative"],
)
def test_arguments_that_are_not_generators(rngs):
    message = error_message(WNMF(), suitable(WNMF()), rngs=rngs)
    assert "generator" in message.lower() or "seed" in message


@every_solver
def test_starts_of_the_wrong_shape(solver):
    network = suitable(solver)
    wrong = Factors(np.ones((4, 2)), np.ones((2, 5)))
    assert "shape (4, 5) and rank 2; expected (5, 5) and rank 2" in error_message(
        solver, network, start=[wrong]
    )
    wrong = Factors(np.ones((5, 3)), np.ones((3, 5)))
    assert "rank 3; expected (5, 5) and rank 2" in error_message(solver, network, start=[wrong])
    right = Factors(np.ones((5, 2)), np.ones((2, 5)))
    assert "2 starts for 1 member" in error_message(solver, network, start=[right, right])


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@every_solver
def test_starts_that_are_not_finite(solver, bad):
    start = Factors(np.full((5, 2), bad), np.ones((2, 5)))
    message = error_message(solver, suitable(solver), start=[start])
    assert "needs a start of finite numbers, but its W has NaN or infinite ones" in message


@pytest.mark.parametrize("solver", [NMF(), KLNMF(), WNMF(), RNMF(), BNMF()], ids=str)
def test_negative_starts_of_non_negative_solvers(solver):
    start = Factors(-np.ones((5, 2)), np.ones((2, 5)))
    assert ">= 0" in error_message(solver, suitable(solver), start=[start])


def test_a_start_makes_generators_unnecessary():
    network = suitable(WNMF())
    start = [Factors(np.ones((5, 1)), np.ones((1, 5)))] * 3
    assert len(WNMF().solve(Ensemble.of(network, 3), 1, start=start).members) == 3


def test_one_start_for_one_member():
    network = suitable(WNMF())
    start = Factors(np.ones((5, 1)), np.ones((1, 5)))
    np.testing.assert_array_equal(
        WNMF().solve(network, 1, start=start).members[0].W,
        WNMF().solve(network, 1, start=[start]).members[0].W,
    )


@every_solver
def test_refitting_a_centre_of_the_wrong_shape(solver):
    network = suitable(solver)
    with pytest.raises(IncompatibleError, match=r"expected \(5, 5\)"):
        solver.refit(network, Factors(np.ones((4, 2)), np.ones((2, 5))))
    with pytest.raises(IncompatibleError, match="for 1 member"):
        solver.refit(network, [Factors(np.ones((5, 2)), np.ones((2, 5)))] * 2)
    with pytest.raises(IncompatibleError, match="for 1 member"):
        solver.refit(network, [])


# -------------------------------------------------------------------- settings

BAD_EVERYWHERE = [
    {"max_iter": 0}, {"max_iter": 2.5}, {"max_iter": True}, {"max_iter": "9"}, {"max_iter": None},
    {"tol": -1}, {"tol": np.nan}, {"tol": "x"}, {"precision": "float16"}, {"precision": np.float64},
]  # fmt: skip
BAD_OF_SOME = [
    (WNMF, {"ridge": -1}), (WNMF, {"ridge": "x"}), (WNMF, {"ridge": np.inf}), (WNMF, {"init": "zeros"}),
    (KLNMF, {"updates": "magic"}), (KLNMF, {"cycles": 0}),
    (NMF, {"updates": "magic"}), (NMF, {"init": "zeros"}), (NMF, {"init": None}),
    (RNMF, {"ridge": -1}), (RNMF, {"ridge_cols": -1}), (RNMF, {"ridge_row_bias": "x"}),
    (RNMF, {"ridge_col_bias": -0.1}), (RNMF, {"updates": "magic"}), (RNMF, {"rate": 0}),
    (BNMF, {"ridge": -1}), (BNMF, {"ridge_cols": -1}), (BNMF, {"lower": 0}), (BNMF, {"upper": 0.5}),
    (BNMF, {"updates": "magic"}), (BNMF, {"init": "zeros"}),
    (LMF, {"ridge": -1}), (LMF, {"ridge": "x"}), (LMF, {"cycles": 0}), (LMF, {"background_sample": 0}),
    (LMF, {"background_seed": -1}), (LMF, {"background_seed": None}),
    (SymLMF, {"ridge": -1}), (SymLMF, {"repelling": -0.5}), (SymLMF, {"repelling": "all"}),
    (SymLMF, {"repelling": 1.5}),
    (BPMF, {"burn_in": -1}), (BPMF, {"burn_in": 0.5}), (BPMF, {"draws": 0}), (BPMF, {"draws": "all"}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("solver", "setting"),
    [(type(solver), setting) for solver in ALL for setting in BAD_EVERYWHERE] + BAD_OF_SOME,
    ids=lambda part: part.__name__ if isinstance(part, type) else str(part),
)
def test_settings_out_of_range(solver, setting):
    ((name, value),) = setting.items()
    message = error_message(solver(**setting), suitable(solver()))
    assert message.startswith(f"{solver.__name__} has {name}={value!r}; expected ")


def test_settings_are_checked_before_a_refit_too():
    network = suitable(WNMF())
    with pytest.raises(IncompatibleError, match="ridge=-1"):
        WNMF(ridge=-1).refit(network, Factors(np.ones((5, 2)), np.ones((2, 5))))


def test_constructors_store_and_nothing_else():
    assert WNMF(ridge="x", max_iter=0).ridge == "x"
    with pytest.raises(TypeError):
        WNMF(0.1)  # settings have names


@pytest.mark.parametrize("solver", ALL_SOLVERS, ids=str)
def test_the_repr_of_settings_evaluates_to_them(solver):
    assert eval(str(solver)).get_params() == solver.get_params()
