"""What LogisticHead and LinkStack share: input, saving, checkpoints, failed fits, warnings issued once."""

from __future__ import annotations

import warnings

import numpy as np
import pandas
import pytest
from sklearn.base import clone

from latentlink import LinkPredictor, LinkStack, LogisticHead, load
from latentlink.errors import IncompatibleError, InputError
from latentlink.solvers import SymLMF
from tests.helpers.fitted import every_pair, pairs_of
from tests.helpers.joint_fits import groups, logistic_part, small_head, small_stack, weighted_base

MAKERS = pytest.mark.parametrize("make", [small_head, small_stack], ids=["head", "stack"])


# ---------------------------------------------------------------- questions


def test_they_are_assessed_and_calibrated_like_factorizers(joint_model):
    assert joint_model.factors_.logistic  # so that probabilities are calibrated on their logits
    prediction = joint_model.assess([(0, 3), (1, 2)])
    np.testing.assert_allclose(prediction.threshold, joint_model.training_spread().mean())
    with pytest.raises(InputError, match="were used in fitting"):
        joint_model.calibrate(joint_model.network_)


@pytest.mark.slow
@MAKERS
def test_link_predictor_fits_and_scores_by_them(make):
    network = groups()
    predictor = LinkPredictor(make(), symmetric=True, shape=(30, 30))
    predictor.fit(pairs_of(network), network.values)
    pairs = every_pair((30, 30))
    for one, other in zip(
        predictor.predict(pairs, return_std=True),
        make().fit(network).predict_links(pairs, return_std=True),
        strict=True,
    ):
        np.testing.assert_array_equal(one, other)
    assert len(predictor.top_links(4)) == 4


# ---------------------------------------------------------------- input


@MAKERS
@pytest.mark.slow
def test_a_symmetric_array_is_an_undirected_network_if_one_model_needs_it(make):
    rng = np.random.default_rng(0)
    group = np.arange(20) % 2
    A = np.triu(rng.random((20, 20)) < np.where(group[:, None] == group, 0.8, 0.2), 1)
    symmetric = logistic_part(solver=SymLMF)
    model = make()
    model.set_params(
        **({"lmf": symmetric} if make is small_head else {"models": [weighted_base(), symmetric]})
    )
    model.fit((A | A.T).astype(float))
    assert model.network_.symmetric
    np.testing.assert_allclose(model.predict_links([(0, 7)]), model.predict_links([(7, 0)]), rtol=1e-12)


@MAKERS
def test_real_values_raise_before_any_task(make):
    progress = []
    with pytest.raises(IncompatibleError, match=r"30 known values are others \(first: 0\."):
        make().fit(np.random.default_rng(0).random((6, 5)), callback=progress.append)
    assert not progress


@pytest.mark.parametrize("frequent", [0.0, 1.0])
@MAKERS
def test_too_few_links_or_non_links_raise_before_any_task(make, frequent):
    progress = []
    network = groups()
    surplus = np.flatnonzero(network.values != frequent)[19:]
    with pytest.raises(IncompatibleError, match=r"20 links and 20 non-links for that; .*19"):
        make().fit(network.hide(surplus), callback=progress.append)
    assert not progress
    with pytest.raises(IncompatibleError, match="; 0 and 0 are known"):
        make().fit(network.hide(np.arange(network.n_listed)))


# ---------------------------------------------------------------- fits


@pytest.mark.slow
def test_the_same_seed_gives_the_same_fit_for_any_number_of_threads(weighted_head, undirected_stack):
    pairs = every_pair((30, 30))
    head = clone(weighted_head).set_params(estimator__n_jobs=2).fit(groups())
    np.testing.assert_array_equal(head.weights_, weighted_head.weights_)
    np.testing.assert_array_equal(head.predict_links(pairs), weighted_head.predict_links(pairs))
    stack = clone(undirected_stack).set_params(n_jobs=2).fit(groups())
    np.testing.assert_array_equal(stack.predict_links(pairs), undirected_stack.predict_links(pairs))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "parts"),
    [(small_head, {"base", "lmf"}), (small_stack, {"model-1", "model-2"})],
    ids=["head", "stack"],
)
def test_each_part_has_a_folder_and_a_second_fit_continues_with_the_stored_seed(make, parts, tmp_path):
    first, second = (make(random_state=None).fit(groups(), folder=tmp_path / "run") for _ in range(2))
    assert {path.name for path in (tmp_path / "run").iterdir()} == parts
    pairs = every_pair((30, 30))
    np.testing.assert_array_equal(second.predict_links(pairs), first.predict_links(pairs))


@pytest.mark.slow
@MAKERS
def test_a_fit_that_fails_restores_the_earlier_one(make):
    model = make().fit(groups())
    before = model.predict_links([(0, 1)])
    with pytest.raises(IncompatibleError):
        model.fit(np.full((3, 4), 0.5))
    np.testing.assert_array_equal(model.predict_links([(0, 1)]), before)
    assert model.n_features_in_ == 30


@pytest.mark.slow
@MAKERS
def test_a_warning_that_all_models_give_is_issued_once_at_the_callers_line(make):
    network = groups()
    isolated = network.hide((network.rows == 4) | (network.cols == 4))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        make().fit(isolated)
    sentences = [str(each.message) for each in caught]
    assert len(set(sentences)) == len(sentences)
    assert sum(each.startswith("Nothing is known of 1 node (") for each in sentences) == 1
    assert {each.filename for each in caught} == {__file__}


# ---------------------------------------------------------------- saving


def test_a_loaded_model_predicts_the_same(joint_model, tmp_path):
    joint_model.save(tmp_path / "model")
    loaded = load(tmp_path / "model")
    assert repr(loaded) == repr(joint_model)
    pairs = every_pair(joint_model.network_.shape)
    for one, other in zip(
        loaded.predict_links(pairs, return_std=True),
        joint_model.predict_links(pairs, return_std=True),
        strict=True,
    ):
        np.testing.assert_array_equal(one, other)
    assert repr(loaded.top_links(5)) == repr(joint_model.top_links(5))
    assert loaded.complete_ is joint_model.complete_ is True


@MAKERS
@pytest.mark.slow
def test_labels_of_a_frame_are_saved(make, tmp_path):
    X = np.random.default_rng(0).random((8, 6)) < 0.5
    model = make().fit(pandas.DataFrame(X.astype(float), columns=list("abcdef")))
    model.save(tmp_path / "model")
    assert load(tmp_path / "model").feature_names_in_.tolist() == list("abcdef")


@pytest.mark.slow
def test_parameters_that_are_estimators_are_saved(tmp_path):
    stack = LinkStack(models=[weighted_base()], random_state=0).fit(groups())
    stack.save(tmp_path / "stack")
    assert repr(load(tmp_path / "stack").models) == repr(stack.models)
    head = LogisticHead(weighted_base(), form="paper", lmf=logistic_part()).fit(groups())
    head.save(tmp_path / "head")
    assert repr(load(tmp_path / "head").lmf) == repr(head.lmf)
