"""Holdouts of whole nodes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latentlink import Network
from latentlink.errors import InputError
from latentlink.splitting import node_holdout


@settings(max_examples=40)
@given(seed=st.integers(0, 1000), kind=st.sampled_from([{}, {"square": True}, {"symmetric": True}]))
def test_nodes_are_held_out_as_a_whole(seed, kind):
    rng = np.random.default_rng(seed)
    linked = rng.random((15, 15)) < 0.4
    linked = np.triu(linked, 1) if kind.get("symmetric") else linked
    network = Network(*np.nonzero(linked), shape=(15, 15), **kind)
    split = node_holdout(network, 0.2, rng=seed)
    train, test = split.train, split.test
    assert train.n_known + test.n_listed == network.n_known
    assert (train.positions(test.rows, test.cols) >= 0).all()
    kept_rows, kept_cols = train.rows[train.known], train.cols[train.known]
    if network.square:
        kept_rows = kept_cols = np.concatenate([kept_rows, kept_cols])
    # Every test pair has an end that occurs nowhere in the training part.
    new = ~np.isin(test.rows, kept_rows) | ~np.isin(test.cols, kept_cols)
    assert new.all()


def test_at_least_one_node_is_held_out_and_some_entries_are_left():
    network = Network.from_edges([(0, 1), (2, 3)], symmetric=True)
    assert node_holdout(network, 0.01, rng=0).test.n_listed == 1
    with pytest.raises(InputError, match="leaves none to train"):
        node_holdout(network, 0.9, rng=0)
    with pytest.raises(InputError, match="share is 1"):
        node_holdout(network, 1.0)


@pytest.mark.parametrize(("share", "rows", "cols"), [(0.01, 1, 1), (0.1, 2, 1), (0.3, 6, 3), (0.58, 12, 6)])
def test_the_share_is_that_of_the_nodes_with_known_entries(share, rows, cols):
    """Of 20 rows and 10 columns, and of 20 nodes of one kind; five more have no entry."""
    known = np.zeros((25, 15), bool)
    known[:20, :10] = True
    train = node_holdout(Network(*np.nonzero(known), shape=(25, 15)), share, rng=0).train
    assert len(np.unique(train.rows[train.known])) == 20 - rows
    assert len(np.unique(train.cols[train.known])) == 10 - cols
    known = np.zeros((25, 25), bool)
    known[:20, :20] = ~np.eye(20, dtype=bool)
    train = node_holdout(Network(*np.nonzero(known), shape=(25, 25), square=True), share, rng=0).train
    assert len(np.unique(train.rows[train.known])) == 20 - rows
