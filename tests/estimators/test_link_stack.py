"""LinkStack: several factorizations and graph features, joined by an additive last stage."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from latentlink import LinkStack, Network, WNMFk
from latentlink.errors import IncompatibleError, RankWarning
from latentlink.factors import sigmoid
from latentlink.solvers import LMF, WNMF, BayesianSymLMF, SymLMF
from latentlink.splitting import holdout
from latentlink.stacking import FeatureKinds, GraphFeatures
from tests.helpers.fitted import every_pair, pairs_of
from tests.helpers.joint_fits import (
    FEW,
    all_logits,
    groups,
    links_of,
    logistic_part,
    small_stack,
    weighted_base,
)


def test_members_are_sums_of_functions_of_scores_and_features(stack):
    pairs = every_pair(stack.network_.shape)
    graph = GraphFeatures.of(stack.network_, FeatureKinds.for_network(stack.network_, drawn=False))
    features = graph.features(*pairs.T)
    expected = [
        sigmoid(stack.stage_.member(number).value([*map(all_logits, members), *features]))
        for number, members in enumerate(zip(*(model.members_ for model in stack.models_), strict=True))
    ]
    score, spread = stack.predict_links(pairs, return_std=True)
    np.testing.assert_allclose(score, np.mean(expected, axis=0), atol=1e-6)
    np.testing.assert_allclose(spread, np.std(expected, axis=0), atol=1e-6)
    assert len(stack.stage_.additive.knots) == len(stack.models_) + len(graph.names)


@pytest.mark.slow
def test_the_default_models_depend_on_the_kind_of_network(undirected_stack, bipartite_stack):
    assert [type(each.solver_) for each in undirected_stack.models_] == [SymLMF, WNMF, BayesianSymLMF]
    assert [type(each.solver_) for each in bipartite_stack.models_] == [LMF, WNMF]


@pytest.mark.slow
def test_an_undirected_pair_has_one_score(undirected_stack):
    one, other = undirected_stack.predict_links([(0, 7)]), undirected_stack.predict_links([(7, 0)])
    np.testing.assert_allclose(one, other, rtol=1e-12)


def test_the_top_links_are_the_pairs_of_highest_score(stack):
    network = stack.network_
    pairs = every_pair(network.shape)
    if network.symmetric:
        pairs = pairs[pairs[:, 0] < pairs[:, 1]]
    known = set(map(tuple, pairs_of(network)[network.known].tolist()))
    unknown = np.array([pair for pair in pairs.tolist() if tuple(pair) not in known])
    scores = stack.predict_links(unknown)
    np.testing.assert_allclose(stack.top_links(8)["score"], np.sort(scores)[::-1][:8], atol=1e-9)


def test_contributions_add_up_to_the_logit(stack):
    table = stack.explain((0, 3), by="model")
    np.testing.assert_allclose(
        sigmoid(table["contribution"].sum()), stack.predict_links([(0, 3)], by="model")[0], atol=1e-9
    )
    assert table["part"].tolist()[-1] == "constant"
    assert (np.diff(np.abs(table["contribution"][:-1])) <= 0).all()
    of_all = stack.explain((0, 3))
    np.testing.assert_allclose(
        sigmoid(of_all["contribution"].sum()), stack.predict_links([(0, 3)])[0], atol=1e-9
    )
    assert of_all["part"].tolist()[-2:] == ["averaging over members", "constant"]
    assert (np.diff(np.abs(of_all["contribution"][:-2])) <= 0).all()
    assert "paths of three" in table["part"].tolist()


@pytest.mark.slow
def test_unseen_pairs_are_predicted_with_calibrated_probabilities():
    split = holdout(groups(45), 0.2, 0)
    models = [weighted_base((3,)), logistic_part((3,)), logistic_part((3,), SymLMF)]
    scores = LinkStack(models=models, random_state=0).fit(split.train).predict_links(pairs_of(split.test))
    assert roc_auc_score(split.test.values, scores) > 0.8
    assert abs(scores.mean() - split.test.values.mean()) < 0.1


@pytest.mark.slow
def test_no_warnings_of_unstable_ranks_since_components_are_not_interpreted():
    noise = Network.from_dense((np.random.default_rng(0).random((20, 15)) < 0.5).astype(float))
    model = WNMFk((3, 4), solver=WNMF(ridge=0.1), n_perturbs=3, random_state=0)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(noise)
        assert any(issubclass(each.category, RankWarning) for each in caught)
        caught.clear()
        LinkStack(models=[model], random_state=0).fit(noise)
    assert not [each for each in caught if issubclass(each.category, RankWarning)]


def test_models_can_be_given():
    stack = small_stack(random_state=3)
    fitted = stack.fit(groups()).models_
    assert [type(each.solver_) for each in fitted] == [WNMF, LMF]
    assert {each.seed_ for each in fitted} == {3}
    assert not any(hasattr(each, "path_") for each in stack.models)


@pytest.mark.parametrize(
    ("models", "sentence"),
    [
        ([], "expected factorizers such as"),
        ([LMF()], "expected factorizers such as"),
        (WNMFk(), "in a list, at least one"),
    ],
    ids=repr,
)
def test_invalid_models_raise_at_fit(models, sentence):
    with pytest.raises(IncompatibleError, match=sentence):
        LinkStack(models=models).fit(groups())


@pytest.mark.slow
def test_probabilities_include_the_zeros_of_the_background():
    links = links_of(groups(), 0.3)
    rows, cols = np.triu_indices(30, 1)
    scores = small_stack().fit(links).predict_links(np.column_stack([rows, cols]))
    listed = np.isin(rows * 30 + cols, links.rows * 30 + links.cols)
    weights = np.where(listed, 1.0, 0.3)
    share = listed.sum() / weights.sum()
    # Scores of pairs that were used in the fit are more extreme than those that the last stage was fitted to.
    assert abs(np.average(scores, weights=weights) - share) < 0.15
    assert scores[listed].mean() > share + 0.05


@pytest.mark.slow
def test_n_perturbs_is_the_number_of_members_of_each_default_model(undirected_stack):
    assert {len(model.record_.members) for model in undirected_stack.models_} == {FEW["n_perturbs"]}
    assert len(undirected_stack.members_) <= FEW["n_perturbs"]
