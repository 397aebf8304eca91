"""The one record of a model, and how it scores."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latentlink import factors as module
from latentlink.errors import InputError
from latentlink.factors import Factors, sigmoid


@pytest.fixture
def model():
    rng = np.random.default_rng(0)
    return Factors(
        rng.normal(size=(6, 3)), rng.normal(size=(3, 5)), rng.normal(size=6), rng.normal(size=5), offset=0.7
    )


def dense(model):
    return model.W @ model.H + model.row_bias[:, None] + model.col_bias + model.offset


ROWS, COLS = (index.ravel() for index in np.indices((6, 5)))


def test_scores(model):
    np.testing.assert_allclose(model.score(ROWS, COLS).reshape(6, 5), dense(model))


def test_scores_without_biases(model):
    plain = Factors(model.W, model.H)
    np.testing.assert_allclose(plain.score(ROWS, COLS).reshape(6, 5), model.W @ model.H)


def test_probabilities(model):
    found = replace(model, logistic=True).score(ROWS, COLS)
    np.testing.assert_allclose(found.reshape(6, 5), 1 / (1 + np.exp(-dense(model))))


def test_boolean_products():
    model = Factors(np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([[1.0, 0.0], [1.0, 0.0]]), boolean=True)
    np.testing.assert_array_equal(model.score([0, 0, 1, 1], [0, 1, 0, 1]), [1, 0, 1, 0])


@pytest.mark.parametrize("logistic", [False, True])
def test_unordered_pairs_take_the_mean_of_both_directions(logistic):
    rng = np.random.default_rng(1)
    model = Factors(
        rng.normal(size=(5, 2)), rng.normal(size=(2, 5)), rng.normal(size=5), rng.normal(size=5),
        symmetric=True, logistic=logistic,
    )  # fmt: skip
    i, j = (index.ravel() for index in np.indices((5, 5)))
    linear = (dense(model) + dense(model).T) / 2
    found = model.score(i, j).reshape(5, 5)
    np.testing.assert_allclose(found, sigmoid(linear) if logistic else linear)
    np.testing.assert_array_equal(found, found.T)


def test_indices_broadcast(model):
    np.testing.assert_array_equal(model.score(2, [0, 1, 4]), model.score([2, 2, 2], [0, 1, 4]))
    assert model.score(2, 3).shape == (1,)
    assert model.score([], []).shape == (0,)


@pytest.mark.parametrize("kind", [np.int8, np.uint16, np.int64])
def test_indices_of_any_integer_type(model, kind):
    np.testing.assert_array_equal(model.score(kind([1, 2]), kind([3, 4])), model.score([1, 2], [3, 4]))


@pytest.mark.parametrize(
    ("rows", "cols", "said"),
    [
        (6, 0, "no row 6"), (-1, 0, "no row -1"), (0, 5, "no column 5"), ([0, -2], [0, 0], "no row -2"),
        (1.5, 0, "integers"), ("a", 0, "integers"), ([[0, 1]], 0, "one dimension"), (True, 0, "integers"),
    ],
)  # fmt: skip
def test_indices_that_are_none(model, rows, cols, said):
    with pytest.raises(InputError, match=said):
        model.score(rows, cols)


def test_scoring_in_pieces(model, monkeypatch):
    expected = model.score(ROWS, COLS)
    symmetric = replace(model, W=model.W[:5], row_bias=model.row_bias[:5], symmetric=True)
    both = symmetric.score(ROWS % 5, COLS)
    monkeypatch.setattr(module, "_CHUNK", 12)  # four pairs at once
    np.testing.assert_array_equal(model.score(ROWS, COLS), expected)
    np.testing.assert_array_equal(symmetric.score(ROWS % 5, COLS), both)


def test_single_precision_stays(model):
    single = Factors(*(np.float32(part) for part in (model.W, model.H, model.row_bias, model.col_bias)), 0.7)
    assert single.score(ROWS, COLS).dtype == np.float32
    assert replace(single, logistic=True).score(ROWS, COLS).dtype == np.float32
    np.testing.assert_allclose(single.score(ROWS, COLS), model.score(ROWS, COLS), rtol=1e-5, atol=1e-5)


def test_whole_numbers_make_scores_that_are_not():
    """Thresholded factors may be integers; their scores with an offset are none."""
    model = Factors(np.array([[1], [2]]), np.array([[3, 4]]), offset=0.5)
    np.testing.assert_array_equal(model.score([0, 1], [0, 1]), [3.5, 8.5])
    biased = replace(model, row_bias=np.array([0.25, 0.0]))
    np.testing.assert_array_equal(biased.score(0, 0), [3.75])


def test_transposed(model):
    turned = replace(model, logistic=True).transposed()
    assert turned.shape == (5, 6)
    assert turned.logistic
    np.testing.assert_allclose(turned.score(COLS, ROWS), replace(model, logistic=True).score(ROWS, COLS))
    np.testing.assert_array_equal(turned.transposed().W, model.W)


def test_shape_and_rank(model):
    assert model.shape == (6, 5)
    assert model.rank == 3


def test_a_model_does_not_change(model):
    with pytest.raises(FrozenInstanceError):
        model.offset = 1.0
    before = model.W.copy()
    model.score(ROWS, COLS)
    np.testing.assert_array_equal(model.W, before)


def test_models_are_compared_by_identity(model):
    """Arrays have no single truth value, so equality of models is that of objects."""
    assert model == model
    assert model != replace(model)


def test_sigmoid_does_not_overflow():
    z = np.array([-1e4, -50.0, 0.0, 50.0, 1e4])
    np.testing.assert_allclose(sigmoid(z), [0, np.exp(-50), 0.5, 1, 1])


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10_000), st.integers(1, 4))
def test_scores_do_not_depend_on_the_scale_of_components(seed, rank):
    rng = np.random.default_rng(seed)
    W, H = rng.normal(size=(4, rank)), rng.normal(size=(rank, 3))
    scale = rng.uniform(0.1, 10, rank)
    i, j = (index.ravel() for index in np.indices((4, 3)))
    np.testing.assert_allclose(
        Factors(W * scale, H / scale[:, None]).score(i, j), Factors(W, H).score(i, j), rtol=1e-9, atol=1e-9
    )


@pytest.mark.parametrize(
    ("parts", "name"),
    [
        ({"W": np.ones((3, 1)), "H": np.ones((2, 3))}, "H"),
        ({"W": np.ones(3), "H": np.ones((1, 3))}, "W"),
        ({"W": np.ones((3, 1)), "H": np.ones((1, 4)), "row_bias": np.ones(4)}, "row_bias"),
        ({"W": np.ones((3, 1)), "H": np.ones((1, 4)), "col_bias": np.ones((4, 1))}, "col_bias"),
    ],
)
def test_parts_that_do_not_fit_together(parts, name):
    with pytest.raises(InputError, match=f"do not fit together: {name} has shape"):
        Factors(**parts)


def test_unequal_numbers_of_indices():
    model = Factors(np.ones((3, 1)), np.ones((1, 4)))
    assert model.score([0, 1, 2], 0).shape == (3,)
    with pytest.raises(InputError, match="3 row indices and 2 column indices"):
        model.score([0, 1, 2], [0, 1])
