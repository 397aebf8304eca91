"""The dog data."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from latentlink import datasets
from latentlink.datasets import Dataset


@pytest.fixture(scope="module")
def data():
    return datasets.dog()


@pytest.fixture(scope="module")
def drawings(data):
    return data.truth.W.astype(bool)


def image(data, name):
    column = data.network.to_dense()[:, data.network.col_index(name)]
    return column.reshape(20, 20).astype(bool)


def test_has_400_pixels_and_16_combinations_all_known(data):
    assert data.network.shape == (400, 16)
    assert data.network.n_known == data.network.n_pairs == 6400
    assert data.network.is_binary


def test_is_the_boolean_product_of_its_factors(data):
    W, H = data.truth.W.astype(bool), data.truth.H.astype(bool)
    boolean = np.array([[np.any(W[i] & H[:, j]) for j in range(16)] for i in range(400)])
    np.testing.assert_array_equal(data.network.to_dense(), boolean)


def test_true_boolean_rank_is_4(data, drawings):
    # Each drawing has pixels of its own. With the four columns of one drawing each they form a 4 x 4 identity
    # matrix, and a Boolean rectangle covers at most one of its ones: fewer than 4 do not suffice.
    own = [int(np.argmax(drawings[:, c] & ~np.delete(drawings, c, axis=1).any(axis=1))) for c in range(4)]
    alone = [data.network.col_index(name) for name in ("sun", "person", "dog", "cloud")]
    np.testing.assert_array_equal(data.network.to_dense()[np.ix_(own, alone)], np.eye(4))
    assert data.rank == data.truth.rank == 4


def test_drawings_overlap_a_little(drawings):
    shared = drawings.sum(axis=1) > 1
    assert 0 < shared.sum() < 0.1 * drawings.any(axis=1).sum()


def test_has_every_combination_once(data):
    assert len({tuple(column) for column in data.truth.H.T}) == 16


def test_pixels_and_combinations_have_names(data):
    network = data.network
    parts = ("sun", "person", "dog", "cloud")
    expected = ["+".join(some) for size in range(1, 5) for some in combinations(parts, size)]
    assert sorted(network.col_names) == sorted(["nothing", *expected])
    assert network.row_index("r03c17") == 3 * 20 + 17
    assert not image(data, "nothing").any()
    np.testing.assert_array_equal(image(data, "sun+dog"), image(data, "sun") | image(data, "dog"))


def test_every_drawing_is_at_its_position(data):
    def centroid(name):
        return np.argwhere(image(data, name)).mean(axis=0)

    assert centroid("sun")[0] < centroid("person")[0]
    assert centroid("cloud")[0] < centroid("dog")[0]
    assert centroid("person")[1] < centroid("dog")[1]


def test_the_repr_describes_the_data(data):
    assert repr(data).startswith("Dataset dog: four drawings")
    assert repr(data).endswith("rank 4")
    assert repr(Dataset("plain", "no more", data.network)) == "Dataset plain: no more"


def test_each_call_returns_new_arrays():
    first = datasets.dog()
    first.truth.W[:] = 0
    assert datasets.dog().truth.W.any()
