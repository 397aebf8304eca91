"""What an elimination fills: estimates beside the decompositions themselves."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.sparse.linalg import splu

from latentlink.proximity.elimination import fills_little, left_by_elimination


def pattern_of(links, size):
    one, other = np.array(links).reshape(-1, 2).T
    A = sparse.csr_array((np.ones(len(one)), (one, other)), (size, size))
    A = (A + A.T).tocsr()
    A.setdiag(0)
    A.eliminate_zeros()
    return A


def grown(size, links=2, seed=0):
    """Each node is linked to so many earlier ones: no subgraph has more links than these at every node."""
    rng = np.random.default_rng(seed)
    return [(new, old) for new in range(links, size) for old in rng.choice(new, links, replace=False)]


def grid(rows, columns):
    place = np.arange(rows * columns).reshape(rows, columns)
    across, down = (place[:, :-1], place[:, 1:]), (place[:-1], place[1:])
    return [pair for ends in (across, down) for pair in zip(*(end.ravel() for end in ends), strict=True)]


@pytest.mark.parametrize(
    ("links", "size", "left"),
    [
        ([(k, k + 1) for k in range(9)], 10, 0),  # a chain
        ([(k, (k + 1) % 10) for k in range(10)], 10, 0),  # a ring
        ([(0, k) for k in range(1, 10)], 10, 0),  # a star
        ([(i, j) for i in range(5) for j in range(i)], 5, 5),  # all pairs of five
        (
            [(i, j) for i in range(4) for j in range(i)] + [(0, 4), (4, 5), (5, 1)],
            6,
            4,
        ),  # and a path beside it
        (grid(3, 3), 9, 5),  # without its corners a wheel of four spokes
        ([], 3, 0),
    ],
)
def test_nodes_that_are_left(links, size, left):
    assert len(left_by_elimination(pattern_of(links, size))) == left


@given(st.integers(0, 2**32 - 1), st.integers(4, 12), st.integers(0, 25))
def test_the_nodes_left_have_three_links_or_more_and_no_order_removes_them(seed, size, count):
    rng = np.random.default_rng(seed)
    A = pattern_of(rng.integers(0, size, (count, 2)), size)
    left = left_by_elimination(A)
    dense = A.toarray() > 0
    order = rng.permutation(size)
    gone = np.zeros(size, bool)
    while True:  # plain, in another order
        small = [node for node in order if not gone[node] and dense[node].sum() <= 2]
        if not small:
            break
        ends = np.flatnonzero(dense[small[0]])
        dense[np.ix_(ends, ends)] = ~np.eye(len(ends), dtype=bool)
        dense[small[0]] = dense[:, small[0]] = False
        gone[small[0]] = True
    np.testing.assert_array_equal(left, np.flatnonzero(~gone))


@pytest.mark.slow
def test_what_is_said_to_fill_little_does():
    """Grown networks have no node of core number 3, and fill as the square of their nodes all the same."""
    for links, size, little in [(grid(60, 60), 3600, True), (grown(12_000), 12_000, False)]:
        A = pattern_of(links, size)
        assert fills_little(A) is little
        share = A.multiply(0.8 / np.maximum(1, A.sum(axis=0))).tocsc()
        found = splu(sparse.eye_array(size, format="csc") - share, permc_spec="MMD_AT_PLUS_A")
        assert (found.L.nnz < 60 * size) is little
