"""The record of a factorization: scores of pairs and blocks, contributions, rows."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latentlink import factors as module
from latentlink.errors import InputError
from latentlink.factors import Factors, kept_within, sigmoid


@pytest.fixture
def model():
    rng = np.random.default_rng(0)
    return Factors(
        rng.normal(size=(6, 3)), rng.normal(size=(3, 5)), rng.normal(size=6), rng.normal(size=5), offset=0.7
    )


def dense(model):
    return model.W @ model.H + model.row_bias[:, None] + model.col_bias + model.offset


ROWS, COLS = (index.ravel() for index in np.indices((6, 5)))


def test_every_score_may_have_a_range_of_its_own():
    scores = np.array([-1.0, 0.5, 1.2, 7.0, -3.0])
    low, high = np.array([0.0, 0.0, 0.0, -np.inf, -1.0]), np.array([1.0, np.inf, 1.0, np.inf, np.inf])
    expected = [float(kept_within(scores[k : k + 1], low[k], high[k])[0]) for k in range(5)]
    assert kept_within(scores, low, high).tolist() == expected
    np.testing.assert_allclose(expected, [0, 0.5, 1, 7, -1], atol=1e-9)


def test_scores(model):
    np.testing.assert_allclose(model.score(ROWS, COLS).reshape(6, 5), dense(model))


def test_scores_without_biases(model):
    plain = Factors(model.W, model.H)
    np.testing.assert_allclose(plain.score(ROWS, COLS).reshape(6, 5), model.W @ model.H)


def test_probabilities(model):
    result = replace(model, logistic=True).score(ROWS, COLS)
    np.testing.assert_allclose(result.reshape(6, 5), 1 / (1 + np.exp(-dense(model))))


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
    result = model.score(i, j).reshape(5, 5)
    np.testing.assert_allclose(result, sigmoid(linear) if logistic else linear)
    np.testing.assert_array_equal(result, result.T)


def test_indices_broadcast(model):
    np.testing.assert_array_equal(model.score(2, [0, 1, 4]), model.score([2, 2, 2], [0, 1, 4]))
    assert model.score(2, 3).shape == (1,)
    assert model.score([], []).shape == (0,)


@pytest.mark.parametrize("kind", [np.int8, np.uint16, np.int64])
def test_indices_of_any_integer_type(model, kind):
    np.testing.assert_array_equal(model.score(kind([1, 2]), kind([3, 4])), model.score([1, 2], [3, 4]))


@pytest.mark.parametrize(
    ("rows", "cols", "message"),
    [
        (6, 0, "no row 6"), (-1, 0, "no row -1"), (0, 5, "no column 5"), ([0, -2], [0, 0], "no row -2"),
        (1.5, 0, "integers"), ("a", 0, "integers"), ([[0, 1]], 0, "one dimension"), (True, 0, "integers"),
    ],
)  # fmt: skip
def test_indices_out_of_range_or_of_another_type(model, rows, cols, message):
    with pytest.raises(InputError, match=message):
        model.score(rows, cols)


def test_scoring_in_chunks(model, monkeypatch):
    expected = model.score(ROWS, COLS)
    symmetric = replace(model, W=model.W[:5], row_bias=model.row_bias[:5], symmetric=True)
    both = symmetric.score(ROWS % 5, COLS)
    monkeypatch.setattr(module, "CHUNK", 12)  # four pairs at once
    np.testing.assert_array_equal(model.score(ROWS, COLS), expected)
    np.testing.assert_array_equal(symmetric.score(ROWS % 5, COLS), both)


def test_single_precision_stays(model):
    single = Factors(*(np.float32(part) for part in (model.W, model.H, model.row_bias, model.col_bias)), 0.7)
    assert single.score(ROWS, COLS).dtype == np.float32
    assert replace(single, logistic=True).score(ROWS, COLS).dtype == np.float32
    np.testing.assert_allclose(single.score(ROWS, COLS), model.score(ROWS, COLS), rtol=1e-5, atol=1e-5)


def test_whole_numbers_make_scores_that_are_not():
    """Binarized factors may be integers; their scores with an offset are not."""
    model = Factors(np.array([[1], [2]]), np.array([[3, 4]]), offset=0.5)
    np.testing.assert_array_equal(model.score([0, 1], [0, 1]), [3.5, 8.5])
    biased = replace(model, row_bias=np.array([0.25, 0.0]))
    np.testing.assert_array_equal(biased.score(0, 0), [3.75])


def test_transposed(model):
    transposed = replace(model, logistic=True).transposed()
    assert transposed.shape == (5, 6)
    assert transposed.logistic
    np.testing.assert_allclose(transposed.score(COLS, ROWS), replace(model, logistic=True).score(ROWS, COLS))
    np.testing.assert_array_equal(transposed.transposed().W, model.W)


def test_shape_and_rank(model):
    assert model.shape == (6, 5)
    assert model.rank == 3


def test_a_model_is_frozen(model):
    with pytest.raises(FrozenInstanceError):
        model.offset = 1.0
    before = model.W.copy()
    model.score(ROWS, COLS)
    np.testing.assert_array_equal(model.W, before)


def test_models_are_compared_by_identity(model):
    """Comparisons of arrays have no single truth value."""
    assert model == model
    assert model != replace(model)


def test_sigmoid_does_not_overflow():
    z = np.array([-1e4, -50.0, 0.0, 50.0, 1e4])
    np.testing.assert_allclose(sigmoid(z), [0, np.exp(-50), 0.5, 1, 1])


@settings(max_examples=30)
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
def test_parts_of_incompatible_shapes(parts, name):
    with pytest.raises(InputError, match=f"do not fit together: {name} has shape"):
        Factors(**parts)


def test_unequal_numbers_of_indices():
    model = Factors(np.ones((3, 1)), np.ones((1, 4)))
    assert model.score([0, 1, 2], 0).shape == (3,)
    with pytest.raises(InputError, match="3 row indices and 2 column indices"):
        model.score([0, 1, 2], [0, 1])


# -------------------------------------------------------------------- blocks, contributions and rows


def random_model(boolean=False, symmetric=False, logistic=False, biased=False):
    """Return a model of some kind with 6 rows and 5 columns, or 6 nodes."""
    rng = np.random.default_rng(3)
    n, m = 6, 6 if symmetric else 5
    W, H = rng.normal(size=(n, 3)), rng.normal(size=(3, m))
    if boolean:
        W, H = (W > 0.4).astype(float), (H > 0.4).astype(float)
    biases = (rng.normal(size=n), rng.normal(size=m)) if biased else (None, None)
    offset = 0.3 if biased else 0.0
    return Factors(W, H, *biases, offset, logistic=logistic, boolean=boolean, symmetric=symmetric)


every_kind = pytest.mark.parametrize(
    "kind",
    [
        dict(zip(("boolean", "symmetric", "logistic", "biased"), flags, strict=True))
        for flags in product((False, True), repeat=4)
    ],
    ids=lambda kind: "-".join(name for name, flag in kind.items() if flag) or "plain",
)


def matrix(model):
    """Return the scores of all pairs, one by one."""
    n, m = model.shape
    return np.array([[model.score(i, j)[0] for j in range(m)] for i in range(n)])


@every_kind
def test_a_block_has_the_scores_of_its_pairs(kind):
    model = random_model(**kind)
    expected = matrix(model)
    np.testing.assert_allclose(model.block(0, 6), expected, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(model.block(2, 5, 3), expected[2:5, 3:], rtol=1e-12, atol=1e-14)
    assert model.block(2, 2).shape == (0, model.shape[1])


@every_kind
def test_scores_of_a_block_do_not_depend_on_their_position(kind):
    """Equal rows have equal scores to the last bit, also in other blocks."""
    model = random_model(**kind)
    repeated = replace(
        model,
        W=np.tile(model.W, (50, 1)),
        row_bias=None if model.row_bias is None else np.tile(model.row_bias, 50),
        symmetric=False,
    )
    whole = repeated.block(0, 300)
    np.testing.assert_array_equal(whole, np.tile(whole[:6], (50, 1)))
    np.testing.assert_array_equal(repeated.block(101, 140, 2), whole[101:140, 2:])


@every_kind
def test_contributions_add_up_to_the_score(kind):
    model = random_model(**kind)
    if kind["boolean"]:
        model = replace(model, row_bias=None, col_bias=None, offset=0.0)
    linear = matrix(replace(model, logistic=False))
    for i, j in np.ndindex(model.shape):
        terms = model.contributions(i, j)
        total = max(terms.values()) if kind["boolean"] else sum(terms.values())
        assert total == pytest.approx(linear[i, j], abs=1e-12)
        if kind["boolean"]:
            assert set(terms.values()) <= {0.0, 1.0}


def test_the_names_of_contributions():
    components = [f"component {c}" for c in range(3)]
    assert list(random_model().contributions(0, 0)) == components
    biased = random_model(biased=True)
    assert list(biased.contributions(0, 0)) == [*components, "row bias", "column bias", "offset"]
    assert list(replace(biased, offset=0.0).contributions(0, 0)) == [*components, "row bias", "column bias"]
    one_side = replace(biased, col_bias=None)
    assert one_side.contributions(2, 1)["row bias"] == biased.row_bias[2]
    assert one_side.contributions(2, 1)["column bias"] == 0.0


def test_contributions_of_a_pair_by_hand():
    model = Factors(
        np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[5.0, 6.0], [7.0, 8.0]]),
        np.array([1.0, 2.0]), np.array([10.0, 20.0]), offset=0.5,
    )  # fmt: skip
    assert model.contributions(0, 1) == {
        "component 0": 6.0, "component 1": 16.0, "row bias": 1.0, "column bias": 20.0, "offset": 0.5,
    }  # fmt: skip
    # Undirected: means of 1 * 6 and 3 * 5, of 2 * 8 and 4 * 7, and of both biases of each node.
    assert replace(model, symmetric=True).contributions(0, 1) == {
        "component 0": 10.5, "component 1": 22.0, "row bias": 5.5, "column bias": 11.0, "offset": 0.5,
    }  # fmt: skip


@every_kind
def test_rows_of_fitted_factors(kind):
    """They are the scores of the fitted rows with the mean row bias, in one direction."""
    model = random_model(**kind)
    result = model.rows_from(model.W)
    bias = None if model.row_bias is None else np.full(6, model.row_bias.mean())
    expected = matrix(replace(model, row_bias=bias, symmetric=False))
    np.testing.assert_allclose(result, expected, rtol=1e-12, atol=1e-14)
    assert result.shape == model.shape


def test_rows_of_new_factors():
    model = random_model(biased=True)
    W = np.array([[1.0, 0.0, 0.0], [0.0, 2.0, -1.0]])
    shift = model.row_bias.mean() + model.col_bias + model.offset
    np.testing.assert_allclose(model.rows_from(W), W @ model.H + shift)
    assert model.rows_from(W[:0]).shape == (0, 5)


def test_balanced_factors_have_equal_norms_and_the_same_scores():
    model = random_model(biased=True)
    model = replace(model, W=model.W * [10.0, 0.1, 0.0])
    balanced = model.balanced()
    norms = np.linalg.norm(balanced.W, axis=0), np.linalg.norm(balanced.H, axis=1)
    np.testing.assert_allclose(norms[0][:2], norms[1][:2])
    np.testing.assert_array_equal(balanced.H[2], model.H[2])  # a component of 0 is not scaled
    np.testing.assert_allclose(matrix(balanced), matrix(model), rtol=1e-12)


def test_bounds_clip_scores_and_keep_their_order():
    model = Factors(np.array([[1.0], [2.0], [3.0]]), np.array([[-1.0, 0.5, 2.0, 3.0]]), bounds=(0.0, 4.0))
    expected = np.clip(np.outer([1.0, 2.0, 3.0], [-1.0, 0.5, 2.0, 3.0]), 0, 4)
    rows, cols = (index.ravel() for index in np.indices((3, 4)))
    scores = model.score(rows, cols).reshape(3, 4)
    np.testing.assert_array_equal(scores, model.block(0, 3))
    np.testing.assert_allclose(scores, expected, rtol=0, atol=4e-10)
    np.testing.assert_array_equal(scores[expected % 4 > 0], expected[expected % 4 > 0])  # inside
    np.testing.assert_allclose(model.rows_from(np.array([[2.0]])), expected[1:2], rtol=0, atol=4e-10)
    # Scores of 6 and of 9 are both 4, and those of -1, -2 and -3 are 0, but the order of the pairs is kept.
    assert 4 - 4e-10 <= scores[1, 3] == scores[2, 2] < scores[2, 3] < 4
    assert 4e-10 >= scores[0, 0] > scores[1, 0] > scores[2, 0] > 0
    ends = Factors(np.array([[1.0]]), np.array([[0.0, 4.0]]), bounds=(0.0, 4.0))
    assert ends.score([0, 0], [0, 1]).tolist() == [0.0, 4.0]
    assert model.contributions(2, 3) == {"component 0": 9.0}


@pytest.mark.parametrize(
    "wrong", [(1.0, 1.0), (2.0, 1.0), (np.nan, 1.0), (-np.inf, np.inf), (np.inf, np.inf)]
)
def test_bounds_are_two_numbers_the_least_first(wrong):
    with pytest.raises(InputError, match=r"has? the bounds|have the bounds"):
        Factors(np.ones((2, 1)), np.ones((1, 2)), bounds=wrong)
