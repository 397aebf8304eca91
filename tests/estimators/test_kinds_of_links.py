"""LinkStack of links alone: directed, bipartite and weighted links, and nodes without any."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import spearmanr
from sklearn.metrics import roc_auc_score

from latentlink import (
    BayesianFactorizer,
    BNMFk,
    LinkPredictor,
    LinkStack,
    LogisticHead,
    Network,
    NMFk,
    RankedFactorizer,
    RNMFk,
    WNMFk,
    datasets,
)
from latentlink.errors import DataWarning, IncompatibleError
from latentlink.proximity import LinkGraph, degree_product
from latentlink.solvers import KLNMF, LMF, SymLMF
from latentlink.splitting import holdout
from tests.helpers.fitted import every_pair, pairs_of


def quick_stack(seed=0):
    return LinkStack((5,), n_perturbs=2, random_state=seed)


@pytest.mark.slow
@pytest.mark.parametrize(
    "settings",
    [{"nodes": 80}, {"nodes": 80, "directed": True}, {"nodes": (80, 60)}],
    ids=["undirected", "directed", "bipartite"],
)
def test_links_of_every_kind_are_predicted_better_than_by_degrees(settings):
    whole = datasets.planted_blocks(blocks=4, probabilities=(0.35, 0.03), links_only=True, **settings).network
    split = holdout(whole, 0.1, 0)
    pairs = every_pair(whole.shape)
    others = whole.positions(*pairs.T) < 0
    if whole.square:
        others &= pairs[:, 0] < pairs[:, 1] if whole.symmetric else pairs[:, 0] != pairs[:, 1]
    pairs = np.vstack([pairs_of(split.test), pairs[others]])
    labels = np.arange(len(pairs)) < split.test.n_listed
    graph = LinkGraph.of(split.train.subset(split.train.known))
    by_degree = roc_auc_score(labels, degree_product(graph, *pairs.T))
    assert roc_auc_score(labels, quick_stack().fit(split.train).predict_links(pairs)) > by_degree + 0.2


@pytest.mark.slow
def test_strengths_of_links_tell_more_than_links():
    """Strong links within groups, weak ones everywhere: without weights the groups are hard to see."""
    rng = np.random.default_rng(0)
    group = np.arange(80) % 4
    same = group[:, None] == group
    linked = np.triu(rng.random((80, 80)) < np.where(same, 0.3, 0.1), 1)
    rows, cols = np.nonzero(linked)
    weights = rng.gamma(np.where(same[rows, cols], 8, 1))
    pairs = np.column_stack(np.nonzero(np.triu(~linked, 1)))
    plain, weighted = (
        quick_stack().fit(Network(rows, cols, None, each, shape=(80, 80), symmetric=True))
        for each in (None, weights)
    )
    within = same[tuple(pairs.T)]
    assert roc_auc_score(within, plain.predict_links(pairs)) < 0.8
    assert roc_auc_score(within, weighted.predict_links(pairs)) > 0.95
    np.testing.assert_array_equal(weighted.network_.weights, weights)


# ---------------------------------------------------------------- nodes without links


@pytest.fixture(scope="module")
def with_lonely_nodes():
    """Return a model of links between 120 nodes, five more nodes, and the degrees of all."""
    links = datasets.heavy_tailed(120, 600, 0, blocks=3).network
    names = [f"n{number:03}" for number in range(125)]
    edges = [(names[i], names[j]) for i, j in pairs_of(links).tolist()]
    network = Network.from_edges(edges, symmetric=True, nodes=names)
    degrees = np.bincount(np.concatenate([network.rows, network.cols]), minlength=125)
    assert (degrees[120:] == 0).all()
    with pytest.warns(DataWarning, match="^5 nodes have no known link"):
        return quick_stack().fit(network), degrees


@pytest.mark.slow
def test_nodes_without_links_are_unlikely_to_be_linked_and_likeliest_with_hubs(with_lonely_nodes):
    model, degrees = with_lonely_nodes
    others = np.flatnonzero(degrees)
    scores, spread = model.predict_links(
        np.column_stack([np.full(len(others), 120), others]), return_std=True
    )
    assert np.isfinite([scores, spread]).all()
    rng = np.random.default_rng(0)
    usual = model.predict_links(np.array([rng.choice(others, 2, replace=False) for _ in range(300)]))
    assert scores.mean() < 0.5 * usual.mean()
    assert spearmanr(scores, degrees[others])[0] > 0.3
    assert model.predict_links([(120, 121)])[0] < usual.mean()
    best = model.top_links(20)
    assert not np.isin([f"n{number}" for number in range(120, 125)], [best["row"], best["column"]]).any()


@pytest.mark.slow
def test_an_explanation_says_that_a_node_has_no_links(with_lonely_nodes):
    model, degrees = with_lonely_nodes
    hub = f"n{int(np.argmax(degrees)):03}"
    with pytest.warns(DataWarning, match="'n120' has no known link"):
        table = model.explain(("n120", hub))
    assert np.isfinite(table["contribution"]).all()
    model.explain(("n000", hub))


# ---------------------------------------------------------------- other methods


@pytest.mark.parametrize(
    "method",
    [
        *(each((2,)) for each in (NMFk, WNMFk, RNMFk, BNMFk, BayesianFactorizer)),
        *(RankedFactorizer((2,), solver=each()) for each in (LMF, SymLMF, KLNMF)),
        LogisticHead(WNMFk((2,))),
    ],
    ids=lambda method: type(getattr(method, "solver", None) or method).__name__,
)
def test_every_other_method_sends_links_alone_to_the_stack(method):
    links = datasets.planted_blocks(30, 2, links_only=True).network
    with pytest.raises(
        IncompatibleError, match=r"links alone use LinkStack\(\)\.fit\(network\), which draws"
    ):
        method.fit(links)


def test_a_predictor_does_so_too():
    links = datasets.planted_blocks(30, 2, links_only=True).network
    with pytest.raises(IncompatibleError, match=r"LinkStack\(\)\.fit\(network\)"):
        LinkPredictor(WNMFk((2,))).fit(pairs_of(links), np.ones(links.n_listed))
