"""Ensembles: networks that share their listed pairs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latentlink.errors import InputError
from latentlink.network import Ensemble, Network
from tests.network.strategies import networks

NETWORK = Network([0, 1, 1], [0, 0, 1], [1.0, 2.0, 3.0], shape=(2, 2))


def test_members_that_equal_the_network_share_its_memory():
    ensemble = Ensemble.of(NETWORK, 5)
    assert ensemble.n_members == 5
    assert ensemble.is_uniform
    assert np.shares_memory(ensemble.values, NETWORK.values)
    assert not Ensemble(NETWORK, np.ones((3, 2)), np.ones(3)).is_uniform


@pytest.mark.parametrize("members", [0, -1, 1.5, True, "2"])
def test_an_invalid_number_of_members_raises(members):
    with pytest.raises(InputError, match="number of members is"):
        Ensemble.of(NETWORK, members)


@pytest.mark.parametrize(
    ("values", "weights", "message"),
    [
        (np.ones(3), np.ones(3), r"values of the ensemble have shape \(3,\)"),
        (np.ones((2, 4)), np.ones(3), r"values of the ensemble have shape \(2, 4\)"),
        (np.ones((3, 0)), np.ones(3), r"values of the ensemble have shape \(3, 0\)"),
        (np.ones((3, 2)), np.ones(2), r"weights of the ensemble have shape \(2,\)"),
        (np.ones((3, 2)), np.ones((3, 3)), r"weights of the ensemble have shape \(3, 3\)"),
        ([[1.0], [2.0], [3.0]], np.ones(3), "values of the ensemble are of type list"),
        (np.ones((3, 1)), np.array(["a", "b", "c"]), "weights of the ensemble are of type ndarray"),
    ],
)
def test_values_and_weights_of_invalid_shape_or_type_raise(values, weights, message):
    with pytest.raises(InputError, match=message):
        Ensemble(NETWORK, values, weights)


@st.composite
def ensembles(draw):
    """Ensembles of two members, with entries left out, and with shared weights or weights of each member."""
    network = draw(networks())
    shape = (network.n_listed, 2)
    rng = np.random.default_rng(draw(st.integers(0, 1000)))
    values = np.where(rng.random(shape) < 0.3, np.nan, rng.normal(size=shape))
    weights = rng.choice([0.0, 1.0, 2.5], size=shape if draw(st.booleans()) else shape[:1])
    return Ensemble(network, values, weights)


def known_cells(ensemble, member):
    """Values and weights of all cells that count for a member, unlisted zeros included, by plain loops."""
    network = ensemble.network
    n, m = network.shape
    weights = ensemble.weights if ensemble.weights.ndim == 1 else ensemble.weights[:, member]
    listed = dict(zip(zip(network.rows, network.cols, strict=True), range(network.n_listed), strict=True))
    cells = []
    for i in range(n):
        for j in range(i if network.symmetric else 0, m):
            if (i, j) in listed:
                value, weight = ensemble.values[listed[i, j], member], weights[listed[i, j]]
                cells.append((value, weight) if not np.isnan(value) else (0.0, 0.0))
            elif not (network.symmetric and i == j and not network.has_self_loops):
                cells.append((0.0, network.background))
    return np.array(cells).T if cells else np.zeros((2, 0))


@settings(max_examples=30)
@given(ensembles(), st.integers(0, 1))
def test_mean_and_std_of_a_member_equal_those_of_its_known_cells(ensemble, member):
    values, weights = known_cells(ensemble, member)
    if not weights.sum():
        assert ensemble.member_mean(member) == ensemble.member_std(member) == 0.0
        return
    mean = np.average(values, weights=weights)
    variance = np.average((values - mean) ** 2, weights=weights)
    assert ensemble.member_mean(member) == pytest.approx(mean, abs=1e-12)
    assert ensemble.member_std(member) == pytest.approx(np.sqrt(variance), abs=1e-6)


@settings(max_examples=30)
@given(ensembles(), st.integers(0, 1))
def test_entries_left_out_of_a_member_have_value_and_weight_0(ensemble, member):
    values, weights = ensemble.member_entries(member)
    given_weights = ensemble.weights if ensemble.weights.ndim == 1 else ensemble.weights[:, member]
    for position in range(ensemble.network.n_listed):
        value, weight = ensemble.values[position, member], given_weights[position]
        expected = (value, weight) if weight > 0 and not np.isnan(value) else (0.0, 0.0)
        assert (values[position], weights[position]) == expected


@pytest.mark.parametrize("shared", [True, False])
def test_more_pairs_are_listed_as_zeros_with_a_weight(shared):
    values = np.array([[1.0, 10.0], [2.0, np.nan], [3.0, 30.0]])
    weights = NETWORK.weights if shared else np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    wider = Ensemble(NETWORK, values, weights).with_listed(
        np.array([0]), np.array([1]), np.array([0.5]), background=0.25
    )
    assert wider.network.background == 0.25
    assert list(zip(wider.network.rows, wider.network.cols, strict=True)) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    np.testing.assert_array_equal(wider.values[[0, 2, 3]], values)
    np.testing.assert_array_equal(wider.values[1], 0.0)
    np.testing.assert_array_equal(wider.weights[1], 0.5)
    np.testing.assert_array_equal(wider.weights[[0, 2, 3]], weights)


def test_quantities_of_checked_data_are_computed_once():
    ensemble = Ensemble.of(Network([0, 1], [0, 1], [1.0, 3.0], shape=(2, 2)))
    counts = iter(range(9))
    assert [ensemble.derived("count", lambda: next(counts)) for _ in range(2)] == [0, 1]
    checked = ensemble.as_checked(object())
    assert [checked.derived("count", lambda: next(counts)) for _ in range(2)] == [2, 2]
    assert checked.derived("other", lambda: next(counts)) == 3
    assert ensemble.as_checked(object()).derived("count", lambda: next(counts)) == 4


@pytest.mark.parametrize("centre", [0.0, 1.5])
def test_squares_of_a_member_around_a_number(centre):
    network = Network([0, 1, 1], [0, 1, 0], [1.0, 3.0, 9.0], [1.0, 2.0, 0.0], shape=(2, 2))
    for ensemble in (Ensemble.of(network), Ensemble.of(network).as_checked(object())):
        for number in (centre, 0.5, centre):
            expected = (1 - number) ** 2 + 2 * (3 - number) ** 2
            assert ensemble.member_squares(0, number) == pytest.approx(expected)
