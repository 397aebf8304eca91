"""Calibration pairs that a model has seen are refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from latentlink.errors import InputError
from latentlink.network import Network
from latentlink.splitting import holdout
from latentlink.uncertainty import require_apart


@st.composite
def networks(draw):
    symmetric = draw(st.booleans())
    n = draw(st.integers(2, 5))
    m = n if symmetric else draw(st.integers(2, 5))
    pairs = draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, m - 1)), max_size=12))
    rows, cols = (np.array([pair[side] for pair in pairs], int) for side in (0, 1))
    weights = draw(st.lists(st.sampled_from([0.0, 1.0]), min_size=len(pairs), max_size=len(pairs)))
    background = draw(st.sampled_from([0.0, 0.5]))
    return Network(rows, cols, None, weights, shape=(n, m), symmetric=symmetric, background=background)


def took_part(network, i, j):
    """Look through the whole list."""
    if network.symmetric:
        i, j = min(i, j), max(i, j)
    here = (network.rows == i) & (network.cols == j)
    if here.any():
        return bool(network.weights[here].any())
    hidden_diagonal = network.symmetric and i == j and not network.has_self_loops
    return network.background > 0 and not hidden_diagonal


@given(networks(), st.data())
def test_against_looking_through_the_list(network, data):
    i = data.draw(st.integers(0, network.shape[0] - 1))
    j = data.draw(st.integers(0, network.shape[1] - 1))
    if took_part(network, i, j):
        with pytest.raises(InputError, match="1 of 1 calibration pair took part in the fit"):
            require_apart(network, [i], [j])
    else:
        require_apart(network, [i], [j])


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("background", [0.0, 0.1])
def test_a_split_keeps_them_apart(symmetric, background):
    rng = np.random.default_rng(0)
    X = (rng.random((12, 12)) < 0.4).astype(float)
    X = np.maximum(X, X.T) if symmetric else X
    rows, cols = np.nonzero(np.triu(X, 1) if symmetric else X)
    network = Network(rows, cols, shape=(12, 12), symmetric=symmetric, background=background)
    split = holdout(network, 0.2, calibration=0.2, rng=0)
    held = split.calibration
    require_apart(split.train, held.rows, held.cols)
    require_apart(split.train, held.cols, held.rows) if symmetric else None
    with pytest.raises(InputError, match=f"{held.n_listed} of {held.n_listed} calibration pairs took part"):
        require_apart(network, held.rows, held.cols)


def test_the_message_names_the_first_and_the_way_out():
    network = Network.from_edges([("a", "b", 1), ("b", "c", 0), ("c", "d", 1)], symmetric=True)
    with pytest.raises(
        InputError,
        match=r"2 of 3 tuning pairs took part in the fit, first \('b', 'a'\); .* Hold them out bef",
    ):
        require_apart(network, ["a", "b", "d"], ["d", "a", "c"], "tuning")
    with pytest.raises(InputError, match=r"first \(0, 3\).*fitted as zeros here: hide"):
        require_apart(Network([0], [1], shape=(4, 4), background=0.1), [0], [3])


@pytest.mark.parametrize("symmetric", [False, True])
def test_a_pair_that_comes_twice_is_refused(symmetric):
    network = Network([0], [1], shape=(4, 4), symmetric=symmetric)
    if symmetric:
        with pytest.raises(InputError, match=r"1 of 2 calibration pairs came before, first \(3, 2\)"):
            require_apart(network, [2, 3], [3, 2])
    else:
        require_apart(network, [2, 3], [3, 2])
    with pytest.raises(InputError, match="1 of 3 calibration pairs came before"):
        require_apart(network, [2, 0, 2], [3, 2, 3])


def test_refusals():
    network = Network([0], [1], shape=(4, 4))
    with pytest.raises(InputError, match="2 rows and 1 columns of calibration pairs"):
        require_apart(network, [0, 1], [2])
    with pytest.raises(InputError, match="There is no row 9"):
        require_apart(network, [9], [2])
    with pytest.raises(InputError, match="expected a Network"):
        require_apart(np.eye(2), [0], [1])
    require_apart(network, [], [])
