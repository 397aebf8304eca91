"""The protocol of models that score pairs, which Factors and StackedModel both fulfil."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from scipy.special import logit

import latentlink
from latentlink.factors import Factors
from latentlink.network import Network
from latentlink.scoring import Members, PairModel
from latentlink.stacking import (
    AdditiveStage,
    BoostedTrees,
    FeatureKinds,
    GraphFeatures,
    MixedStage,
    StackedMembers,
    StackedModel,
)
from tests.helpers.fitted import every_pair

PACKAGE = Path(latentlink.__file__).parent


def factors(shape=(7, 5), seed=0, biased=False, **settings):
    """Return random factors of rank 3."""
    rng = np.random.default_rng(seed)
    W, H = rng.normal(size=(shape[0], 3)), rng.normal(size=(3, shape[1]))
    if settings.get("boolean"):
        W, H = (W > 0.3) * 1.0, (H > 0.3) * 1.0
    biases = (rng.normal(size=shape[0]), rng.normal(size=shape[1]), 0.7) if biased else ()
    return Factors(W, H, *biases, **settings)


def additive(knots, heights):
    """Return a last stage without trees."""
    return MixedStage(AdditiveStage(knots, heights, 0.2), BoostedTrees.none(), 0.0, ())


def stacked(undirected, seed=0):
    """Return two random models stacked with the features of a random graph."""
    rng = np.random.default_rng(seed)
    shape = (6, 6) if undirected else (7, 5)
    links = np.triu(np.ones(shape), 1) if undirected else np.ones(shape)
    rows, cols = np.nonzero(links * (rng.random(shape) < 0.7))
    values = (rng.random(len(rows)) < 0.5) * 1.0
    network = Network(rows, cols, values, shape=shape, symmetric=undirected)
    models = tuple(factors(shape, 2 * seed + i, biased=i > 0, symmetric=undirected) for i in range(2))
    graph = GraphFeatures.of(network, FeatureKinds(walks=True, non_links=True))
    count = len(models) + len(graph.names)
    knots = np.sort(rng.normal(size=(count, 4)), axis=1)
    stage = additive(knots, rng.normal(size=(count, 4)) / 5)
    return StackedModel(models, ("one", "two"), graph, stage)


MODELS = {
    "factors": factors(),
    "biased": factors(biased=True),
    "logistic": factors(biased=True, logistic=True),
    "boolean": factors(boolean=True),
    "undirected": factors((6, 6), biased=True, symmetric=True),
    "undirected logistic": factors((6, 6), biased=True, symmetric=True, logistic=True),
    "undirected boolean": factors((6, 6), boolean=True, symmetric=True),
    "stack": stacked(undirected=False),
    "undirected stack": stacked(undirected=True),
}


@pytest.fixture(params=MODELS)
def model(request):
    return MODELS[request.param]


def test_it_has_everything_that_the_protocol_names(model):
    names = [name for name in vars(PairModel) if not name.startswith("_")]
    assert set(names) == {"logistic", "boolean", "shape", "W", "H", "score", "block", "contributions"}
    assert all(hasattr(model, name) for name in names)
    n, m = model.shape
    assert isinstance(model.logistic, bool)
    assert isinstance(model.boolean, bool)
    assert model.W.shape == (n, model.H.shape[0])
    assert model.H.shape == (model.W.shape[1], m)


@pytest.mark.parametrize("name", ["stack", "undirected stack"])
def test_a_stack_returns_probabilities_and_has_no_components(name):
    model = MODELS[name]
    assert (model.logistic, model.boolean) == (True, False)
    assert (model.W.shape[1], model.H.shape[0]) == (0, 0)


def test_scores_are_in_the_range_of_the_link(model):
    scores = model.score(*every_pair(model.shape).T)
    if model.logistic:
        assert ((scores > 0) & (scores < 1)).all()
    if model.boolean:
        assert set(scores) == {0.0, 1.0}


@pytest.mark.parametrize(("begin", "end", "first"), [(0, None, 0), (2, 5, 3), (1, 2, 0), (3, 3, 1)])
def test_a_block_has_the_scores_of_its_pairs(model, begin, end, first):
    n, m = model.shape
    end = n if end is None else end
    rows, cols = np.mgrid[begin:end, first:m]
    expected = model.score(rows.ravel(), cols.ravel()).reshape(rows.shape)
    np.testing.assert_allclose(model.block(begin, end, first), expected, rtol=1e-12, atol=1e-12)


def test_contributions_add_up_to_the_score_before_the_link(model):
    for row, col in ((0, 1), (3, 2), (5, 4)):
        contributions = list(model.contributions(row, col).values())
        score = float(model.score([row], [col])[0])
        if model.boolean:
            assert set(contributions) <= {0.0, 1.0}
            assert max(contributions) == score
        else:
            assert sum(contributions) == pytest.approx(logit(score) if model.logistic else score, abs=1e-9)


def test_contributions_are_named_by_components_or_by_models_and_features():
    assert list(MODELS["biased"].contributions(0, 0)) == [
        *(f"component {c}" for c in range(3)), "row bias", "column bias", "offset"
    ]  # fmt: skip
    assert list(MODELS["stack"].contributions(0, 0)) == [
        "one", "two", *MODELS["stack"].graph.names, "constant"
    ]  # fmt: skip


# ---------------------------------------------------------------- ensembles


@pytest.mark.parametrize("undirected", [False, True])
def test_stacked_members_share_features_and_score_like_other_members(undirected):
    central = stacked(undirected)
    models = [
        StackedModel(stacked(undirected, seed).models, central.names, central.graph, central.stage)
        for seed in range(3)
    ]
    rows, cols = every_pair(central.shape).T
    for shared, separate in zip(
        (StackedMembers(models).scores(rows, cols), StackedMembers(models).blocks(1, 4, 2)),
        (Members(models).scores(rows, cols), Members(models).blocks(1, 4, 2)),
        strict=True,
    ):
        np.testing.assert_array_equal(list(shared), list(separate))


def test_a_stack_of_one_model_and_an_ensemble_of_one_member():
    two = stacked(undirected=False)
    functions = two.stage.additive
    kept = [0, *range(2, len(functions.knots))]
    part = additive(functions.knots[kept], functions.heights[kept])
    one = StackedModel(two.models[:1], ("one",), two.graph, part)
    assert one.shape == (7, 5)
    rows, cols = every_pair((7, 5)).T
    members = StackedMembers([one])
    np.testing.assert_array_equal(list(members.scores(rows, cols)), [one.score(rows, cols)])
    np.testing.assert_array_equal(list(members.blocks(0, 7, 0)), [one.block(0, 7)])
    np.testing.assert_allclose(one.block(0, 7).ravel(), one.score(rows, cols))


def test_members_are_a_tuple_that_scores_each_model():
    models = [factors(seed=seed) for seed in range(2)]
    members = Members(models)
    assert members == tuple(models)
    np.testing.assert_array_equal(list(members.scores([1], [2])), [each.score([1], [2]) for each in models])
    np.testing.assert_array_equal(list(members.blocks(0, 3, 1)), [each.block(0, 3, 1) for each in models])


# ---------------------------------------------------------------- no dispatch on classes


@pytest.mark.parametrize(
    "pattern",
    # Raising for an object that is not Factors is a check of input, not dispatch.
    [r"(?<!not )\bisinstance\([^()]*,[^()]*\bFactors\b", r"\bhasattr\([^()]*, [\"']scores[\"']\)"],
)
def test_no_source_asks_for_the_class_of_a_model(pattern):
    sources = [path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "factors.py"]
    sources = [path for path in sources if PACKAGE / "saving" not in path.parents]
    assert len(sources) > 100
    assert [str(path) for path in sources if re.search(pattern, path.read_text())] == []
