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
    square = symmetric or draw(st.booleans())
    n = draw(st.integers(2, 5))
    m = n if square else draw(st.integers(2, 5))
    pairs = draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, m - 1)), max_size=12))
    rows, cols = (np.array([pair[side] for pair in pairs], int) for side in (0, 1))
    weights = draw(st.lists(st.sampled_from([0.0, 1.0]), min_size=len(pairs), max_size=len(pairs)))
    background = draw(st.sampled_from([0.0, 0.5]))
    kind = {"symmetric": symmetric, "square": square, "background": background}
    return Network(rows, cols, None, weights, shape=(n, m), **kind)


def took_part(network, i, j):
    """Look through the whole list."""
    if network.symmetric:
        i, j = min(i, j), max(i, j)
    here = (network.rows == i) & (network.cols == j)
    if here.any():
        return bool(network.weights[here].any())
    return network.background > 0


@given(networks(), st.data())
def test_against_looking_through_the_list(network, data):
    i = data.draw(st.integers(0, network.shape[0] - 1))
    j = data.draw(st.integers(0, network.shape[1] - 1))
    if network.square and i == j and not network.has_self_loops:
        with pytest.raises(InputError, match="1 of 1 calibration pair has one node twice"):
            require_apart(network, [i], [j])
    elif took_part(network, i, j):
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
        match=r"2 of 3 tuning pairs took part in the fit, first \('b', 'a'\); .* or hold them out bef",
    ):
        require_apart(network, ["a", "b", "d"], ["d", "a", "c"], "tuning")
    with pytest.raises(InputError, match=r"first \(0, 3\).*fitted as zeros here: list"):
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


def test_a_node_with_itself_is_no_pair_where_none_is_listed():
    for kind in ({"symmetric": True}, {"square": True}):
        bare = Network.from_edges([("a", "b", 1), ("b", "c", 0)], **kind)
        with pytest.raises(
            InputError,
            match=r"1 of 2 tuning pairs has one node twice, first \('c', 'c'\); .* lists no self loop\. List",
        ):
            require_apart(bare, ["a", "c"], ["c", "c"], "tuning")
        looped = Network.from_edges([("a", "b", 1), ("b", "b", 0), ("b", "c", 0)], **kind)
        require_apart(looped, ["a", "c"], ["c", "c"])
    require_apart(Network([0], [1], shape=(3, 3)), [2], [2])  # two kinds of nodes


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("background", [0.0, 0.1])
def test_pairs_that_were_calibrated_on_are_refused(symmetric, background):
    whole = Network([0, 0, 1, 1, 2], [1, 2, 2, 3, 3], shape=(4, 4), symmetric=symmetric)
    train = whole.with_background(background).hide([1, 3, 4])
    calibrated = np.array([0, 1]), np.array([2, 3])
    require_apart(train, [2], [3], "asked", calibrated=calibrated)
    with pytest.raises(
        InputError, match=r"1 of 2 asked pairs took part in the calibration, first \(1, 3\); .* Leave"
    ):
        require_apart(train, [2, 1], [3, 3], "asked", calibrated=calibrated)
    with pytest.raises(InputError, match=r"1 of 1 asked pair took part in the fit, first \(0, 1\)"):
        require_apart(train, [0], [1], "asked", calibrated=calibrated)
    if symmetric:
        with pytest.raises(InputError, match=r"took part in the calibration, first \(3, 1\)"):
            require_apart(train, [3], [1], "asked", calibrated=calibrated)


def test_a_pair_may_be_asked_again():
    network = Network([0], [1], shape=(4, 4))
    require_apart(network, [2, 2], [3, 3], "asked", again=True)


def test_the_way_out_of_other_pairs_is_not_to_calibrate():
    for background in (0.0, 0.1):
        network = Network([0], [1], shape=(4, 4), background=background)
        with pytest.raises(InputError) as caught:
            require_apart(network, [0], [1], "candidate")
        assert "calibration=0.1" not in str(caught.value)
        assert "holdout of latentlink.splitting" in str(caught.value)


def test_refusals():
    network = Network([0], [1], shape=(4, 4))
    with pytest.raises(InputError, match="2 rows and 1 columns of calibration pairs"):
        require_apart(network, [0, 1], [2])
    with pytest.raises(InputError, match="There is no row 9"):
        require_apart(network, [9], [2])
    with pytest.raises(InputError, match="expected a Network"):
        require_apart(np.eye(2), [0], [1])
    require_apart(network, [], [])
