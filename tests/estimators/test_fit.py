"""What can be fitted, and what a fit leaves behind."""

from __future__ import annotations

import pickle

import numpy as np
import pandas
import polars
import pytest
from scipy import sparse

from latentlink import BNMFk, Network, NMFk, RankedFactorizer, RNMFk, WNMFk
from latentlink.errors import DataWarning, IncompatibleError, InputError
from latentlink.rank import Bisect
from latentlink.solvers import LMF, NMF, RNMF, WNMF, SymLMF
from tests.helpers.fitted import SMALL, blocks, every_pair, friends, planted


def fitted(X, mask=None, **params):
    return WNMFk(**({"solver": WNMF(ridge=0.05)} | SMALL | params)).fit(X, mask=mask)


def scores(model):
    return model.predict_links(every_pair(model.network_.shape))


def with_holes(seed=1):
    X = planted()
    X[np.random.default_rng(seed).random(X.shape) < 0.2] = np.nan
    return X


def test_what_a_fit_leaves_behind():
    model = WNMFk((1, 2, 3), solver=WNMF(ridge=0.05), n_perturbs=4, random_state=0).fit(planted())
    assert model.rank_ == model.choice_.rank == model.factors_.rank
    assert model.path_.ranks == (1, 2, 3)
    np.testing.assert_array_equal(model.W_, model.factors_.W)
    np.testing.assert_array_equal(model.H_, model.factors_.H)
    assert model.components_ is model.H_
    assert model.members_ == model.path_[model.rank_].members
    assert model.solver_.ridge == 0.05
    assert model.n_features_in_ == 9
    assert not hasattr(model, "feature_names_in_")
    assert model.row_names_ is None
    assert model.complete_
    assert list(model.get_feature_names_out()) == [f"wnmfk{c}" for c in range(model.rank_)]


# ---------------------------------------------------------------- ways in


@pytest.mark.parametrize("kind", [np.int64, np.int8, np.uint8, bool, np.float32])
def test_whole_numbers_and_booleans_mean_their_values(kind):
    X = blocks().astype(kind)
    np.testing.assert_array_equal(scores(fitted(X)), scores(fitted(blocks())))


def test_nan_in_the_data_is_zero_in_the_mask():
    X = with_holes()
    mask = ~np.isnan(X)
    expected = scores(fitted(X))
    filled = np.where(mask, X, 99.0)
    for given in (mask, mask.astype(int), sparse.csr_array(mask.astype(float)), pandas.DataFrame(mask)):
        np.testing.assert_array_equal(scores(fitted(filled, mask=given)), expected)
    np.testing.assert_array_equal(scores(fitted(np.ma.array(filled, mask=~mask))), expected)
    np.testing.assert_array_equal(scores(fitted(Network.from_dense(X))), expected)


def test_infinity_under_the_mask_has_no_say():
    X = with_holes()
    mask = ~np.isnan(X)
    np.testing.assert_array_equal(scores(fitted(np.where(mask, X, np.inf), mask=mask)), scores(fitted(X)))


def test_unstored_entries_are_known_zeros():
    X = blocks()
    model = fitted(sparse.csr_matrix(X))
    assert model.network_.background == 1
    np.testing.assert_allclose(model.factors_.score(*every_pair(X.shape).T), scores(model))
    dense = fitted(X)
    # The same loss, though not the same speckles, so that members differ a little.
    np.testing.assert_allclose(scores(model), scores(dense), atol=0.02)


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "lil", "dok"])
@pytest.mark.parametrize("make", [sparse.csr_array, sparse.csr_matrix])
def test_every_sparse_form_is_read(form, make):
    X = make(blocks()).asformat(form)
    np.testing.assert_array_equal(scores(fitted(X)), scores(fitted(sparse.csr_array(blocks()))))


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
def test_which_labels_are_names(index, expected):
    names = fitted(pandas.DataFrame(planted(), index=list(index))).row_names_
    assert (None if names is None else names.tolist()) == expected


def test_missing_values_of_frames_are_unknown():
    frame = pandas.DataFrame(with_holes()).convert_dtypes()
    np.testing.assert_array_equal(scores(fitted(frame)), scores(fitted(with_holes())))


def test_a_mask_with_other_labels_is_refused():
    frame = pandas.DataFrame(planted(), columns=list("abcdefghi"))
    with pytest.raises(InputError, match="columns of the data and of the mask differ"):
        fitted(frame, mask=frame[list("ihgfedcba")] > 0)


def test_a_network_keeps_what_it_says(tmp_path):
    network = friends()
    model = WNMFk(solver=WNMF(ridge=0.1), **SMALL).fit(network)
    assert model.network_ is network
    assert model.factors_.symmetric
    np.testing.assert_allclose(model.predict_links([(2, 7)]), model.predict_links([(7, 2)]))


def test_names_of_a_network_are_remembered_and_forgotten():
    edges = [(f"u{i}", f"v{j}", planted()[i, j]) for i in range(12) for j in range(9)]
    model = fitted(Network.from_edges(edges))
    assert model.feature_names_in_[0] == "v0"
    assert not hasattr(model.fit(Network.from_dense(planted())), "feature_names_in_")


def test_a_symmetric_array_suits_a_symmetric_solver():
    A = friends().to_dense(fill=0.0)
    model = RankedFactorizer(solver=SymLMF(ridge=0.5), **SMALL)
    for X in (A, sparse.csr_array(A)):
        network = model.fit(X).network_
        assert network.symmetric
        assert not network.has_self_loops
    frame = pandas.DataFrame(A, columns=[f"n{i}" for i in range(14)])
    assert model.fit(frame).row_names_[3] == "n3"


# ---------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("X", "sentence"),
    [
        (np.zeros((0, 3)), "0 sample"),
        (np.zeros((3, 0)), "0 feature"),
        (np.ones(4), "Reshape your data"),
        (np.ones((2, 2, 2)), "dim 3"),
        ([[1.0, np.inf], [2.0, 3.0]], "inf in row 0, column 1"),
        ([[1.0, -2.0], [2.0, 3.0]], "Negative values in data passed to WNMFk.*row 0, column 1"),
        ([["a", "b"], ["c", "d"]], "could not convert"),
        (np.array([[1j, 2.0], [1.0, 2.0]]), "Complex data not supported"),
        (np.full((3, 3), np.nan), "nothing to learn from"),
        ([[1.0, np.nan], [1.0, 1.0]], "All 3 known values are 1"),
        (sparse.csr_array([[1.0, np.inf], [0.0, 3.0]]), "inf in row 0, column 1"),
        (sparse.csr_array((3, 3)), "nothing to learn from"),
    ],
)
def test_data_that_make_no_sense_are_refused(X, sentence):
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
def test_masks_that_make_no_sense_are_refused(wrap, mask, sentence):
    with pytest.raises(InputError, match=sentence):
        fitted(wrap(planted()), mask=mask)


def test_other_refusals():
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


def test_negative_values_suit_biases():
    X = planted() - 1
    model = RNMFk(solver=RNMF(ridge=0.05), **SMALL).fit(X)
    assert np.abs(scores(model) - X.ravel()).max() < 0.3


# ---------------------------------------------------------------- manners


@pytest.mark.parametrize("wrap", [np.array, sparse.csr_array, pandas.DataFrame])
def test_inputs_and_masks_stay_as_they_were(wrap):
    X, mask = wrap(blocks()), (np.arange(140).reshape(14, 10) % 7 > 0) * 1.0
    before, mask_before = X.copy(), mask.copy()
    model = fitted(X, mask=mask)
    model.fit_transform(X, mask=mask)
    model.score(X)
    same = abs(X - before)
    assert (same.sum() if not isinstance(same, pandas.DataFrame) else same.to_numpy().sum()) == 0
    np.testing.assert_array_equal(mask, mask_before)


def test_read_only_data_will_do():
    X = planted()
    X.setflags(write=False)
    fitted(X)


@pytest.mark.parametrize(
    "model",
    [
        NMFk((1, 2), solver=NMF(max_iter=30), n_perturbs=9, random_state=3),
        RNMFk((1, 2), solver=RNMF(max_iter=30, ridge=0.1), n_perturbs=9, random_state=3),
    ],
    ids=["NMFk", "RNMFk"],
)
def test_the_number_of_threads_changes_no_bit(model):
    X = with_holes()
    alone = scores(model.set_params(n_jobs=1).fit(X))
    for n_jobs in (2, 4):
        np.testing.assert_array_equal(scores(model.set_params(n_jobs=n_jobs).fit(X)), alone)


def test_the_same_seed_gives_the_same_model_and_another_one_another():
    X = with_holes()
    one, same, other = (fitted(X, random_state=seed) for seed in (4, 4, 5))
    np.testing.assert_array_equal(scores(one), scores(same))
    assert any((a.W != b.W).any() for a, b in zip(one.members_, other.members_, strict=True))


def test_global_random_state_is_left_alone():
    np.random.seed(0)  # noqa: NPY002
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    fitted(planted(), random_state=None)
    np.testing.assert_array_equal(np.random.get_state()[1], before)  # noqa: NPY002


def test_a_fitted_model_is_the_same_after_a_pickle(any_model):
    again = pickle.loads(pickle.dumps(any_model))
    pairs = every_pair(any_model.network_.shape)
    for before, after in zip(
        any_model.predict_links(pairs, return_std=True),
        again.predict_links(pairs, return_std=True),
        strict=True,
    ):
        np.testing.assert_array_equal(before, after)


def test_a_logistic_solver_in_any_class_gets_flips():
    assert WNMFk(solver=LMF(ridge=1.0), **SMALL).fit(blocks()).factors_.logistic


def test_folder_callback_and_executor_reach_the_search(monkeypatch):
    seen = {}

    def find_rank(plan, ranks, selection, **settings):
        seen.update(settings)
        raise KeyboardInterrupt

    monkeypatch.setattr("latentlink.estimators.factorizer.find_rank", find_rank)
    with pytest.raises(KeyboardInterrupt):
        WNMFk(n_jobs=3, **SMALL).fit(planted(), folder="there", callback=print, executor="pool")
    assert seen == {"n_jobs": 3, "folder": "there", "callback": print, "executor": "pool"}


def test_a_fit_goes_on_from_its_folder(tmp_path):
    settings = {"solver": WNMF(ridge=0.05), "n_perturbs": 3, "random_state": 0}
    whole = WNMFk((1, 2, 3), **settings).fit(planted())
    stopped = WNMFk((1, 2, 3), **settings).fit(
        planted(), folder=tmp_path / "run", callback=lambda progress: progress.done < 2
    )
    assert not stopped.complete_
    assert len(stopped.path_) < 3
    seen = []
    again = WNMFk((1, 2, 3), **settings).fit(planted(), folder=tmp_path / "run", callback=seen.append)
    assert again.complete_
    assert seen[-1].done == seen[-1].total
    np.testing.assert_array_equal(scores(again), scores(whole))


def test_nothing_need_be_said():
    model = WNMFk(n_perturbs=4, random_state=0).fit(planted((20, 15)))
    assert model.rank_ == 2
    assert isinstance(model.solver_.ridge, float)


def test_a_fit_without_a_seed_goes_on_with_the_one_that_it_drew(tmp_path):
    settings = {"solver": WNMF(ridge=0.05), "n_perturbs": 2}
    first = WNMFk((1, 2), **settings).fit(planted(), folder=tmp_path / "run")
    again = WNMFk((1, 2), **settings).fit(planted(), folder=tmp_path / "run")
    np.testing.assert_array_equal(scores(again), scores(first))
    with pytest.raises(IncompatibleError, match=r"other settings \(seed is \d+ there, 5 here\)"):
        WNMFk((1, 2), random_state=5, **settings).fit(planted(), folder=tmp_path / "run")


def test_a_fit_that_fails_leaves_the_earlier_one_as_it_was():
    model = WNMFk((1,), solver=WNMF(ridge=0.05), n_perturbs=2, random_state=0).fit(planted())
    before = model.predict_links([(0, 0)])
    with pytest.raises(IncompatibleError):
        model.set_params(ranks=Bisect(90, 99)).fit(planted((10, 4)))
    assert model.n_features_in_ == 9
    np.testing.assert_array_equal(model.predict_links([(0, 0)]), before)
    fresh = WNMFk(Bisect(90, 99))
    with pytest.raises(IncompatibleError):
        fresh.fit(planted())
    assert not hasattr(fresh, "n_features_in_")


def test_values_too_large_are_refused_before_any_work_by_the_solver_that_was_asked_for():
    with pytest.raises(IncompatibleError, match=r"^WNMF\((?!.*ridge=\().*largest is 1e\+300") as told:
        WNMFk((1, 2)).fit(planted() * 1e300 / planted().max())
    assert "ridge=(" not in str(told.value)


def test_warnings_point_at_the_line_that_called():
    X = planted()
    X[3] = np.nan
    with pytest.warns(DataWarning, match="Nothing is known of 1 row") as told:
        WNMFk((1,), solver=WNMF(ridge=0.05), n_perturbs=2, random_state=0).fit(X)
    assert all(each.filename == __file__ for each in told)
