"""Listed links of a stack of links alone are scored by a part of the network without them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from latentlink import LinkStack, Network, datasets, load
from latentlink.errors import DataWarning
from latentlink.estimators import link_stack
from latentlink.network import sample_negatives
from latentlink.stacking import HiddenLinks, ListedLinks, inner_folds, with_drawn_non_links
from tests.helpers.fitted import pairs_of
from tests.proximity.test_proximity import KINDS, network_of


def quick_stack(seed=0):
    return LinkStack((2,), n_perturbs=2, random_state=seed)


def with_false_links(kind):
    """Return a network of dense blocks with a few links more that none should be, and these links."""
    shape = (60, 50) if kind == "bipartite" else 60
    whole = datasets.planted_blocks(shape, 3, 0, probabilities=(0.5, 0.03), links_only=True).network
    drawn = sample_negatives(whole, 30, rng=1)
    false = pairs_of(drawn.subset(drawn.values == 0))
    pairs = np.vstack([pairs_of(whole), false])
    if kind == "directed":
        pairs[1::2] = pairs[1::2, ::-1]
    network = Network(*pairs.T, shape=whole.shape, symmetric=kind == "undirected", square=kind != "bipartite")
    return network, pairs[whole.n_listed :]


@pytest.mark.parametrize("kind", KINDS)
def test_a_listed_link_that_should_be_none_scores_like_a_pair_that_is_not_listed(kind):
    network, false = with_false_links(kind)
    model = quick_stack().fit(network)
    is_false = np.zeros(network.n_listed, bool)
    is_false[network.positions(*false.T)] = True
    score = model.predict_links(pairs_of(network))
    # What the whole graph, which has the links themselves, would say:
    whole = [replace(member, listed=None) for member in model.members_]
    inside = np.mean([member.score(network.rows, network.cols) for member in whole], axis=0)
    drawn = sample_negatives(network, 500, rng=2)
    unlisted = np.median(model.predict_links(pairs_of(drawn.subset(drawn.values == 0))))
    of_false, of_true = np.median(score[is_false]), np.median(score[~is_false])
    assert of_false < 0.5 < of_true
    assert of_false - unlisted < (of_true - unlisted) / 3
    assert roc_auc_score(~is_false, score) > max(0.75, roc_auc_score(~is_false, inside) - 0.02)


@pytest.mark.parametrize("kind", KINDS)
def test_the_score_of_a_listed_link_is_that_of_the_inner_fold_that_hid_it(kind, monkeypatch):
    """Alone, in a block, in either direction of an undirected pair, in explanations and after a load."""
    links = network_of(kind, size=20, share=0.2)
    learned = []

    def fit(tables, tests, *settings):
        stage = whole_fit(tables, tests, *settings)
        for table, test in zip(tables, tests, strict=True):
            of_links = test.values == 1
            learned.append((pairs_of(test)[of_links], stage.value(list(table[of_links].T))))
        return stage

    whole_fit = link_stack.fit_last_stage
    monkeypatch.setattr(link_stack, "fit_last_stage", fit)
    model = quick_stack().fit(links)
    pairs, logits = (np.concatenate(parts) for parts in zip(*learned, strict=True))
    assert len(pairs) == links.n_listed
    expected = 1 / (1 + np.exp(-logits))
    np.testing.assert_allclose(model.predict_links(pairs, by="model"), expected)
    if links.symmetric:
        np.testing.assert_allclose(model.predict_links(pairs[:, ::-1], by="model"), expected)
    ranked = model.top_links(links.shape[0] * links.shape[1], known=True)
    listed = ~np.isnan(ranked["value"])
    assert listed.sum() == links.n_listed
    again = model.predict_links(np.column_stack([ranked["row"], ranked["column"]]))
    np.testing.assert_allclose(ranked["score"], again)
    total = model.explain(pairs[0], by="model")["contribution"].sum()
    assert total == pytest.approx(logits[0])


def test_spreads_of_listed_links_are_those_of_the_members_of_the_fold():
    links = network_of("undirected", size=20, share=0.2)
    model = quick_stack().fit(links)
    member = [member.score(links.rows, links.cols) for member in model.members_]
    score, spread = model.predict_links(pairs_of(links), return_std=True)
    np.testing.assert_allclose(score, np.mean(member, axis=0))
    np.testing.assert_allclose(spread, np.std(member, axis=0), atol=1e-12)
    assert (model._hidden.scores[:, 0] != model._hidden.scores[:, 1]).any()


def test_a_loaded_stack_scores_listed_links_alike(tmp_path):
    links = network_of("undirected", size=20, share=0.2)
    model = quick_stack().fit(links)
    model.save(tmp_path / "stack")
    again = load(tmp_path / "stack")
    np.testing.assert_array_equal(again.predict_links(pairs_of(links)), model.predict_links(pairs_of(links)))


def test_links_that_no_fold_has_hidden_leave_all_as_they_are():
    """Of large networks not all folds are taken: then no link is scored in another way than the others."""
    links = network_of("undirected", size=20, share=0.2)
    network, _ = with_drawn_non_links(links, 0)
    splits = list(inner_folds(network, 0, 10))
    features = [np.ones((split.test.n_listed, 3)) for split in splits]
    logits = [[np.ones((2, split.test.n_listed))] for split in splits]
    assert HiddenLinks.of(network, splits[:9], features[:9], logits[:9], (0, 1)) is None
    whole = HiddenLinks.of(network, splits, features, logits, (1,))
    assert whole.features.shape == (3, links.n_listed)
    assert whole.scores.shape == (1, 1, links.n_listed)
    assert ListedLinks.of(network, whole).place.max() == links.n_listed - 1


def test_links_that_were_never_hidden_are_told_of(monkeypatch):
    monkeypatch.setattr(HiddenLinks, "of", lambda *parts: None)
    links = network_of("undirected", size=20, share=0.2)
    model = quick_stack().fit(links)
    listed = pairs_of(links)[:3]
    for asked in (model.predict_links, model.probabilities, model.assess):
        with pytest.warns(DataWarning, match=r"3 pairs are links that the model was fitted to, and too many"):
            asked(listed)
    with pytest.warns(DataWarning, match="1 pair is a link that the model was fitted to"):
        model.explain(listed[0])
    model.predict_links([(i, j) for i in range(20) for j in range(i) if links.positions([i], [j]) < 0])


def test_labelled_networks_are_scored_as_they_are():
    network = datasets.planted_blocks(30, 2, 0).network
    assert quick_stack().fit(network)._hidden is None
