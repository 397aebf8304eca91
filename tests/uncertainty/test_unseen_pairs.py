"""Pairs that were used in fitting or calibration raise."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latentlink.errors import InputError
from latentlink.network import Network
from latentlink.splitting import holdout
from latentlink.uncertainty import require_unseen


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


def used_in_fitting(network, i, j):
    """Search the whole list."""
    if network.symmetric:
        i, j = min(i, j), max(i, j)
    listed = (network.rows == i) & (network.cols == j)
    if listed.any():
        return bool(network.weights[listed].any())
    return network.background > 0


@settings(max_examples=60)
@given(networks(), st.data())
@pytest.mark.slow
def test_against_a_search_of_the_list(network, data):
    i = data.draw(st.integers(0, network.shape[0] - 1))
    j = data.draw(st.integers(0, network.shape[1] - 1))
    if network.square and i == j and not network.has_self_loops:
        with pytest.raises(InputError, match="1 of 1 calibration pair joins a node with itself"):
            require_unseen(network, [i], [j])
    elif used_in_fitting(network, i, j):
        with pytest.raises(InputError, match="1 of 1 calibration pair was used in fitting"):
            require_unseen(network, [i], [j])
    else:
        require_unseen(network, [i], [j])


@pytest.mark.parametrize("weights", [(0.0, 1.0), (1.0, 0.0)])
def test_a_pair_listed_twice_was_used_if_one_entry_has_a_weight(weights):
    network = Network([0, 0], [1, 1], None, weights, shape=(3, 3))
    with pytest.raises(InputError, match="1 of 1 calibration pair was used in fitting"):
        require_unseen(network, [0], [1])


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("background", [0.0, 0.1])
def test_held_out_pairs_are_unseen(symmetric, background):
    rng = np.random.default_rng(0)
    X = (rng.random((12, 12)) < 0.4).astype(float)
    X = np.maximum(X, X.T) if symmetric else X
    rows, cols = np.nonzero(np.triu(X, 1) if symmetric else X)
    network = Network(rows, cols, shape=(12, 12), symmetric=symmetric, background=background)
    split = holdout(network, 0.2, calibration=0.2, rng=0)
    held = split.calibration
    require_unseen(split.train, held.rows, held.cols)
    if symmetric:
        require_unseen(split.train, held.cols, held.rows)
    n = held.n_listed
    with pytest.raises(InputError, match=f"{n} of {n} calibration pairs were used in fitting"):
        require_unseen(network, held.rows, held.cols)


def test_the_message_names_the_first_pair_and_the_remedy():
    network = Network.from_edges([("a", "b", 1), ("b", "c", 0), ("c", "d", 1)], symmetric=True)
    with pytest.raises(
        InputError,
        match=r"2 of 3 tuning pairs were used in fitting, first \('b', 'a'\); expected unseen pairs\. "
        r"Leave them out, or hold them out before fitting",
    ):
        require_unseen(network, ["a", "b", "d"], ["d", "a", "c"], "tuning")
    with pytest.raises(InputError, match=r"first \(0, 3\).*fitted as zeros here: list"):
        require_unseen(Network([0], [1], shape=(4, 4), background=0.1), [0], [3])


@pytest.mark.parametrize("symmetric", [False, True])
def test_a_pair_that_occurs_twice_raises(symmetric):
    network = Network([0], [1], shape=(4, 4), symmetric=symmetric)
    if symmetric:
        with pytest.raises(
            InputError, match=r"1 of 2 calibration pairs occurs a second time, first \(3, 2\)"
        ):
            require_unseen(network, [2, 3], [3, 2])
    else:
        require_unseen(network, [2, 3], [3, 2])
    with pytest.raises(InputError, match="1 of 3 calibration pairs occurs a second time"):
        require_unseen(network, [2, 0, 2], [3, 2, 3])
    with pytest.raises(InputError, match="2 of 3 calibration pairs occur a second time"):
        require_unseen(network, [2, 2, 2], [3, 3, 3])


def test_repeats_are_accepted_if_allowed():
    network = Network([0], [1], shape=(4, 4))
    require_unseen(network, [2, 2], [3, 3], "requested", repeats=True)
    with pytest.raises(InputError, match="2 of 2 requested pairs were used in fitting"):
        require_unseen(network, [0, 0], [1, 1], "requested", repeats=True)


def test_a_node_with_itself_raises_where_no_self_loop_is_listed():
    for kind in ({"symmetric": True}, {"square": True}):
        bare = Network.from_edges([("a", "b", 1), ("b", "c", 0)], **kind)
        with pytest.raises(
            InputError,
            match=r"1 of 2 tuning pairs joins a node with itself, first \('c', 'c'\); .* lists no self loop",
        ):
            require_unseen(bare, ["a", "c"], ["c", "c"], "tuning")
        with pytest.raises(
            InputError, match=r"2 of 2 tuning pairs join a node with itself, first \('a', 'a'\)"
        ):
            require_unseen(bare, ["a", "c"], ["a", "c"], "tuning")
        looped = Network.from_edges([("a", "b", 1), ("b", "b", 0), ("b", "c", 0)], **kind)
        require_unseen(looped, ["a", "c"], ["c", "c"])
    require_unseen(Network([0], [1], shape=(3, 3)), [2], [2])  # rows and columns are different nodes


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("background", [0.0, 0.1])
def test_pairs_used_in_calibration_raise(symmetric, background):
    whole = Network([0, 0, 1, 1, 2], [1, 2, 2, 3, 3], shape=(4, 4), symmetric=symmetric)
    train = whole.with_background(background).hide([1, 3, 4])
    calibrated = np.array([0, 1]), np.array([2, 3])
    require_unseen(train, [2], [3], "requested", calibrated=calibrated)
    with pytest.raises(
        InputError, match=r"1 of 2 requested pairs was used in calibration, first \(1, 3\); .* Leave"
    ):
        require_unseen(train, [2, 1], [3, 3], "requested", calibrated=calibrated)
    with pytest.raises(InputError, match="2 of 2 requested pairs were used in calibration"):
        require_unseen(train, *calibrated, "requested", calibrated=calibrated)
    with pytest.raises(InputError, match=r"1 of 1 requested pair was used in fitting, first \(0, 1\)"):
        require_unseen(train, [0], [1], "requested", calibrated=calibrated)
    if symmetric:
        with pytest.raises(InputError, match=r"was used in calibration, first \(3, 1\)"):
            require_unseen(train, [3], [1], "requested", calibrated=calibrated)


def test_the_remedy_mentions_the_calibration_part_for_calibration_pairs_alone():
    for background in (0.0, 0.1):
        network = Network([0], [1], shape=(4, 4), background=background)
        for what in ("candidate", "calibration"):
            with pytest.raises(InputError, match=r"holdout of latentlink\.splitting") as caught:
                require_unseen(network, [0], [1], what)
            assert ("calibration=0.1" in str(caught.value)) == (what == "calibration")


def test_invalid_pairs_raise():
    network = Network([0], [1], shape=(4, 4))
    with pytest.raises(InputError, match="2 rows and 1 columns of calibration pairs"):
        require_unseen(network, [0, 1], [2])
    with pytest.raises(InputError, match="There is no row 9"):
        require_unseen(network, [9], [2])
    with pytest.raises(InputError, match="expected a Network"):
        require_unseen(np.eye(2), [0], [1])


def test_no_pairs_are_accepted():
    assert require_unseen(Network([0], [1], shape=(4, 4)), [], []) is None


def test_the_first_listed_pair_is_unseen_if_it_is_hidden():
    network = Network([0, 1], [1, 2], shape=(4, 4), background=0.1).hide([0])
    assert require_unseen(network, [0], [1]) is None
