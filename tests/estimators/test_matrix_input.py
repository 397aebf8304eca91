"""Input of fit: arrays, masks, sparse matrices, frames and networks; invalid data raise."""

from __future__ import annotations

import numpy as np
import pandas
import polars
import pytest
from scipy import sparse

from latentlink import BNMFk, LinkStack, LogisticHead, Network, NMFk, RankedFactorizer, RNMFk, WNMFk
from latentlink.errors import IncompatibleError, InputError
from latentlink.solvers import RNMF, WNMF, SymLMF
from tests.helpers.fitted import SMALL, blocks, every_pair, friends, planted, with_unknown


def fitted(X, mask=None, **params):
    return WNMFk(**({"solver": WNMF(ridge=0.05)} | SMALL | params)).fit(X, mask=mask)


def scores(model):
    return model.predict_links(every_pair(model.network_.shape))


X_UNKNOWN = with_unknown(planted(), 0.2)


@pytest.fixture(scope="module")
def scores_of_blocks():
    return scores(fitted(blocks()))


@pytest.fixture(scope="module")
def scores_of_sparse_blocks():
    return scores(fitted(sparse.csr_array(blocks())))


@pytest.fixture(scope="module")
def scores_with_unknown():
    return scores(fitted(X_UNKNOWN))


# ---------------------------------------------------------------- arrays and masks


@pytest.mark.parametrize("kind", [np.int64, np.int8, np.uint8, bool, np.float32])
def test_integers_and_booleans_are_numbers(kind, scores_of_blocks):
    np.testing.assert_array_equal(scores(fitted(blocks().astype(kind))), scores_of_blocks)


@pytest.mark.parametrize(
    "form",
    [
        lambda filled, mask: (filled, mask),
        lambda filled, mask: (filled, mask.astype(int)),
        lambda filled, mask: (filled, sparse.csr_array(mask.astype(float))),
        lambda filled, mask: (filled, pandas.DataFrame(mask)),
        lambda filled, mask: (np.where(mask, filled, np.inf), mask),
        lambda filled, mask: (np.ma.array(filled, mask=~mask), None),
        lambda filled, mask: (Network.from_dense(np.where(mask, filled, np.nan)), None),
    ],
    ids=["bool", "int", "sparse", "frame", "infinity", "masked array", "network"],
)
def test_nan_is_equivalent_to_zero_in_a_mask(form, scores_with_unknown):
    mask = ~np.isnan(X_UNKNOWN)
    X, mask = form(np.where(mask, X_UNKNOWN, 99.0), mask)
    np.testing.assert_array_equal(scores(fitted(X, mask=mask)), scores_with_unknown)


def test_unstored_entries_are_known_zeros(scores_of_blocks):
    model = fitted(sparse.csr_matrix(blocks()))
    assert model.network_.background == 1
    np.testing.assert_allclose(model.factors_.score(*every_pair((14, 10)).T), scores(model))
    # The loss is the same, but not the speckles, so that members differ a little.
    np.testing.assert_allclose(scores(model), scores_of_blocks, atol=0.02)


@pytest.mark.parametrize(
    ("form", "make"),
    [
        *((form, sparse.csr_array) for form in ("csr", "csc", "coo", "lil", "dok")),
        ("csr", sparse.csr_matrix),
        ("coo", sparse.csr_matrix),
    ],
)
def test_every_sparse_form_is_read(form, make, scores_of_sparse_blocks):
    X = make(blocks()).asformat(form)
    np.testing.assert_array_equal(scores(fitted(X)), scores_of_sparse_blocks)


def test_nan_stored_in_a_sparse_matrix_is_unknown():
    X = sparse.csr_array(blocks())
    X.data[0] = np.nan
    network = fitted(X).network_
    assert network.n_listed - network.n_known == 1


def test_under_a_sparse_mask_only_its_entries_are_known():
    X = planted()
    mask = np.random.default_rng(2).random(X.shape) < 0.8
    expected = fitted(np.where(mask, X, np.nan)).network_
    for given in (sparse.csr_array(mask), sparse.coo_array(mask.astype(float)), mask):
        model = fitted(sparse.csr_array(X), mask=given)
        assert model.network_.background == 0
        assert model.network_ == expected


def test_a_zero_under_a_sparse_mask_is_known():
    X, mask = blocks(), np.ones((14, 10))
    mask[0, 0] = 0
    model = fitted(sparse.csr_array(X), mask=sparse.csr_array(mask))
    assert model.network_.n_known == X.size - 1


def test_positive_numbers_in_a_mask_are_weights():
    mask = np.random.default_rng(0).uniform(0.5, 2.0, (12, 9))
    for X, given in ((planted(), mask), (sparse.csr_array(planted()), sparse.csr_array(mask))):
        np.testing.assert_allclose(fitted(X, mask=given).network_.weights, mask.ravel())


# ---------------------------------------------------------------- frames and networks


def test_labels_of_a_frame_are_names():
    frame = pandas.DataFrame(
        planted(), index=[f"user {i}" for i in range(12)], columns=[f"item {j}" for j in range(9)]
    )
    model = fitted(frame)
    assert model.row_names_.tolist()[:2] == ["user 0", "user 1"]
    assert model.feature_names_in_.tolist() == frame.columns.tolist()
    np.testing.assert_array_equal(
        model.predict_links([("user 3", "item 4"), (3, "item 4")]), model.predict_links([(3, 4), (3, 4)])
    )
    np.testing.assert_array_equal(scores(model), scores(fitted(planted())))


def test_columns_of_a_polars_frame_are_names():
    model = fitted(polars.DataFrame(planted(), schema=[f"item {j}" for j in range(9)]))
    assert model.col_names_.tolist()[0] == "item 0"
    assert model.row_names_ is None


@pytest.mark.parametrize(
    ("index", "expected"),
    [
        (range(12), None),
        (range(5, 17), [str(i) for i in range(5, 17)]),
        ([1] * 12, None),
    ],
)
@pytest.mark.filterwarnings("ignore:.*so that its rows have no names")
def test_which_labels_are_names(index, expected):
    names = fitted(pandas.DataFrame(planted(), index=list(index))).row_names_
    assert (None if names is None else names.tolist()) == expected


def test_missing_values_of_frames_are_unknown(scores_with_unknown):
    frame = pandas.DataFrame(X_UNKNOWN).convert_dtypes()
    np.testing.assert_array_equal(scores(fitted(frame)), scores_with_unknown)


def test_a_frame_with_two_columns_of_one_label_raises():
    frame = pandas.DataFrame(planted(), columns=[*"abcdefgh", "a"])
    with pytest.raises(InputError, match="has the label 'a' in columns 0 and 8"):
        WNMFk((1,)).fit(frame)


def test_a_mask_with_other_labels_raises():
    frame = pandas.DataFrame(planted(), columns=list("abcdefghi"))
    with pytest.raises(InputError, match="columns of the data and of the mask differ"):
        fitted(frame, mask=frame[list("ihgfedcba")] > 0)


def test_a_network_is_used_as_it_is():
    network = friends()
    model = WNMFk(solver=WNMF(ridge=0.1), **SMALL).fit(network)
    assert model.network_ is network
    assert model.factors_.symmetric
    np.testing.assert_allclose(model.predict_links([(2, 7)]), model.predict_links([(7, 2)]))


def test_feature_names_are_those_of_the_last_network():
    edges = [(f"u{i}", f"v{j}", planted()[i, j]) for i in range(12) for j in range(9)]
    model = fitted(Network.from_edges(edges))
    assert model.feature_names_in_[0] == "v0"
    assert not hasattr(model.fit(Network.from_dense(planted())), "feature_names_in_")


def test_a_symmetric_array_is_an_undirected_network_for_a_symmetric_solver():
    A = friends().to_dense(fill=0.0)
    model = RankedFactorizer(solver=SymLMF(ridge=0.5), **SMALL)
    for X in (A, sparse.csr_array(A)):
        network = model.fit(X).network_
        assert network.symmetric
        assert not network.has_self_loops
    frame = pandas.DataFrame(A, columns=[f"n{i}" for i in range(14)])
    assert model.fit(frame).row_names_[3] == "n3"


# ---------------------------------------------------------------- invalid data


@pytest.mark.parametrize(
    ("X", "sentence"),
    [
        (np.zeros((0, 3)), "0 sample"),
        (np.zeros((3, 0)), "0 feature"),
        (np.ones(4), "Reshape your data"),
        (np.ones((2, 2, 2)), "dim 3"),
        ([[1.0, np.inf], [2.0, 3.0]], "inf in row 0, column 1"),
        ([[1.0, -2.0], [2.0, 3.0]], "Negative values in data passed to WNMF.*\\(0, 1\\)"),
        ([["a", "b"], ["c", "d"]], "could not convert"),
        (np.array([[1j, 2.0], [1.0, 2.0]]), "Complex data not supported"),
        (np.full((3, 3), np.nan), "nothing to learn from.* all are NaN.* at least one known value"),
        ([[1.0, np.nan], [1.0, 1.0]], "All 3 known values are 1"),
        (sparse.csr_array([[1.0, np.inf], [0.0, 3.0]]), "inf in row 0, column 1"),
        (sparse.csr_array((3, 3)), "nothing to learn from"),
    ],
)
def test_invalid_data_raise(X, sentence):
    with pytest.raises(ValueError, match=sentence):
        fitted(X)


@pytest.mark.parametrize("wrap", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize(
    ("mask", "sentence"),
    [
        (np.ones((3, 3)), r"mask has shape \(3, 3\)"),
        (np.full((12, 9), -1.0), "mask has -1 in row 0, column 0"),
        (np.full((12, 9), np.nan), "mask has nan in row 0, column 0"),
    ],
)
def test_invalid_masks_raise(wrap, mask, sentence):
    with pytest.raises(InputError, match=sentence):
        fitted(wrap(planted()), mask=mask)


def test_data_that_do_not_suit_the_mask_or_the_solver_raise():
    with pytest.raises(InputError, match="mask must be None"):
        fitted(Network.from_dense(planted()), mask=np.ones((12, 9)))
    with pytest.raises(InputError, match="which the mask says is known"):
        fitted(sparse.csr_array([[np.inf, 1.0], [1.0, 2.0]]), mask=np.ones((2, 2)))
    with pytest.raises(InputError, match="mask holds values of type"):
        fitted(sparse.csr_array(planted()), mask=np.full((12, 9), "x"))
    with pytest.raises(IncompatibleError, match="needs a symmetric network"):
        RankedFactorizer(solver=SymLMF(), **SMALL).fit(np.triu(np.ones((5, 5))))
    with pytest.raises(IncompatibleError, match=r"0 and 1|zeros and ones"):
        BNMFk(**SMALL).fit(planted())
    with pytest.raises(IncompatibleError, match="weight"):
        NMFk(**SMALL).fit(planted(), mask=np.full((12, 9), 2.0))


def test_negative_values_are_fitted_by_models_with_biases():
    X = planted() - 1
    model = RNMFk(solver=RNMF(ridge=0.05), **SMALL).fit(X)
    assert np.abs(scores(model) - X.ravel()).max() < 0.3


# ---------------------------------------------------------------- what is no matrix of numbers

TEXT = pandas.DataFrame({"a": [1.0, 2.0], "b": ["3", "x"], "c": [1, 2], "d": [0, 1], "e": [1, 1]})
NO_MATRIX = {
    "text in a frame": (
        TEXT,
        "^Column 'b' of the frame has 'x' in row 1 .counted from 0., which is no number",
    ),
    "text in polars": (polars.from_pandas(TEXT), "^Column 'b' of the frame has 'x' in row 1"),
    "dates": (TEXT.assign(b=pandas.Timestamp("2020")), "^Column 'b' of the frame has Timestamp"),
    "complex numbers": (TEXT.assign(b=1j), "^Column 'b' of the frame has 1j in row 0"),
    "labels of two kinds": (
        TEXT.assign(b=1).set_axis([0, "b", "c", "d", "e"], axis=1),
        "must convert them all",
    ),
    "a lazy frame": (polars.from_pandas(TEXT).lazy(), "^The frame is lazy.* Collect it first"),
    "a series": (TEXT["a"], "^Expected a 2-dimensional container"),
    "names": ([["ann", "tea"]], "^X is no matrix of numbers: could not convert string to float: 'ann'"),
    "rows of two lengths": ([[1.0], [1.0, 2.0]], "^X is no matrix of numbers: .* inhomogeneous shape"),
    "one row": ([1.0, 2.0], "^Expected 2D array, got 1D array. Reshape your data"),
    "a masked array of text": (np.ma.array([["x"]], mask=[[False]]), "^X is no matrix of numbers"),
    "a set": ({1.0}, "^X is no matrix of numbers: float.. argument must be a string or a real number"),
    "none": (None, "^Expected 2D array, got scalar array"),
    "no rows": (np.zeros((0, 3)), "^Found array with 0 sample"),
}


@pytest.mark.parametrize("what", NO_MATRIX)
@pytest.mark.parametrize("kind", [WNMFk, LinkStack, LogisticHead])
def test_what_is_no_matrix_raises_a_sentence_with_what_is_expected(kind, what):
    X, sentence = NO_MATRIX[what]
    with pytest.raises(InputError, match=sentence) as error:
        kind().fit(X)
    assert what == "a lazy frame" or "Expected a Network, or an array, sparse matrix or frame" in str(
        error.value
    )
    assert len(str(error.value)) < 900


def test_text_of_numbers_and_none_in_a_frame_are_read():
    frame = pandas.DataFrame({"a": ["1.5", "2"], "b": [None, 1.0], "c": [1, 2], "d": [2, 1], "e": [3, 1]})
    network = fitted(frame, ranks=(1,)).network_
    assert network.values[network.rows == 0].tolist() == [1.5, 1.0, 2.0, 3.0]


def test_a_type_that_no_number_has_is_a_type_error_too():
    with pytest.raises(TypeError, match="X is no matrix of numbers"):
        fitted([[{}]])


@pytest.mark.parametrize("which", ["X", "mask"])
def test_entries_that_a_sparse_matrix_stores_twice_raise(which):
    """SciPy adds them, and nobody could tell from the model that they were two."""
    twice = sparse.coo_array(([1.0, 2.0, 1.0], ([0, 0, 1], [1, 1, 0])), shape=(2, 2))
    once = sparse.coo_array(twice.toarray())
    given = {"X": once, "mask": once} | {which: twice}
    what = {"X": "sparse matrix", "mask": "mask"}[which]
    with pytest.raises(
        InputError, match=rf"The {what} stores row 0, column 1 .* as 1 and as 2; .*sum_duplicates"
    ):
        WNMFk().fit(given["X"], mask=given["mask"])
    if which == "X":
        for form in (twice, sparse.csr_array(([1.0, 2.0, 1.0], [1, 1, 0], [0, 2, 3]), shape=(2, 2))):
            with pytest.raises(InputError, match="The sparse matrix stores row 0, column 1"):
                WNMFk().fit(form)
            assert form.nnz == 3
