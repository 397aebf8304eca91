"""What was hidden stays hidden: nothing is predicted where there is nothing to predict."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from latentlink import LinkStack, Network, datasets
from latentlink.estimators import link_stack
from latentlink.splitting import holdout
from latentlink.stacking import FeatureKinds, GraphFeatures, inner_folds, with_drawn_non_links
from tests.helpers.fitted import pairs_of
from tests.proximity.test_proximity import KINDS, network_of

NODES, LINKS, SEEDS = 50, 300, 20
ALL_PAIRS = np.column_stack(np.triu_indices(NODES, 1))


def quick_stack(seed):
    return LinkStack((3,), n_perturbs=2, random_state=seed)


def assert_is_chance(scores):
    """Assert a mean AUC of one half, within three standard errors that are small enough to tell."""
    error = np.std(scores, ddof=1) / np.sqrt(len(scores))
    assert error < 0.02
    assert abs(np.mean(scores) - 0.5) < 3 * error


def undirected(pairs, values=None):
    return Network(*pairs.T, values, shape=(NODES, NODES), symmetric=True)


def auc_of_hidden_links(model, whole, hidden):
    """Return the AUC of hidden links against all pairs that are no links of the whole network."""
    others = ALL_PAIRS[whole.positions(*ALL_PAIRS.T) < 0]
    labels = np.repeat([1, 0], [hidden.n_listed, len(others)])
    return roc_auc_score(labels, model.predict_links(np.vstack([pairs_of(hidden), others])))


def random_links(seed, by_degree=False):
    """Return a network of links without structure; if ``by_degree``, hubs have the first numbers."""
    pairs = ALL_PAIRS[np.random.default_rng(seed).permutation(len(ALL_PAIRS))[:LINKS]]
    if by_degree:
        order = np.argsort(-np.bincount(pairs.ravel(), minlength=NODES), kind="stable")
        pairs = np.argsort(order)[pairs]
    return undirected(pairs)


@pytest.mark.slow
def test_hidden_links_of_a_random_network_are_not_predicted():
    """Hidden links may be listed as hidden, and nodes in the order of their degrees with the hidden links."""
    scores = []
    for seed in range(SEEDS):
        whole = random_links(seed, by_degree=seed % 2 == 0)
        split = holdout(whole, 0.1, seed)
        train = split.train if seed % 4 < 2 else split.train.subset(split.train.known)
        scores.append(auc_of_hidden_links(quick_stack(seed).fit(train), whole, split.test))
    assert_is_chance(scores)


@pytest.mark.slow
def test_shuffled_labels_are_not_predicted():
    """Which pairs are known has structure here, with hubs; whether they are links has none."""
    scores = []
    for seed in range(SEEDS):
        listed = datasets.heavy_tailed(NODES, 2 * LINKS, seed, blocks=2).network
        values = np.random.default_rng(seed).permutation(np.arange(listed.n_listed) % 2).astype(float)
        split = holdout(undirected(pairs_of(listed), values), 0.2, seed)
        model = quick_stack(seed).fit(split.train)
        scores.append(roc_auc_score(split.test.values, model.predict_links(pairs_of(split.test))))
    assert_is_chance(scores)


def test_hidden_labels_do_not_change_a_bit():
    """Scores are functions of the training part: so shuffled labels of the test part have an AUC of .5."""
    listed = datasets.heavy_tailed(NODES, 2 * LINKS, 0, blocks=2).network
    values = np.random.default_rng(0).permutation(np.arange(listed.n_listed) % 2).astype(float)
    train = holdout(undirected(pairs_of(listed), values), 0.2, 0).train
    flipped = train.with_values(np.where(train.known, train.values, 1 - train.values))
    assert (train.values != flipped.values).sum() == (~train.known).sum() > 0
    one, other = (quick_stack(0).fit(each) for each in (train, flipped))
    np.testing.assert_array_equal(one.predict_links(ALL_PAIRS), other.predict_links(ALL_PAIRS))


# -------------------------------------------------------------------- order of the listing


def named_links(rng, links, names):
    """Return links by name, in another order and with ends swapped at random."""
    pairs = names[pairs_of(links)][rng.permutation(links.n_listed)]
    swapped = rng.random(len(pairs)) < 0.5
    pairs[swapped] = pairs[swapped, ::-1]
    return Network.from_edges([tuple(pair) for pair in pairs.tolist()], symmetric=True, nodes=sorted(names))


def test_order_and_orientation_of_the_listing_do_not_change_a_bit():
    links, rng = random_links(0), np.random.default_rng(0)
    names = np.array([f"n{number:02}" for number in range(NODES)])
    one, other = (quick_stack(0).fit(named_links(rng, links, names)) for _ in range(2))
    pairs = [tuple(pair) for pair in names[ALL_PAIRS].tolist()]
    np.testing.assert_array_equal(one.predict_links(pairs), other.predict_links(pairs))
    swapped = [pair[::-1] for pair in pairs]
    np.testing.assert_allclose(one.predict_links(swapped), one.predict_links(pairs), atol=1e-9)


@pytest.mark.slow
def test_other_names_change_scores_no_more_than_another_seed_does():
    """Names are sorted, so that other names are another order of the nodes, and other draws."""
    whole = datasets.planted_blocks(NODES, 2, links_only=True, probabilities=(0.5, 0.05)).network
    split = holdout(whole, 0.1, 0)
    train = split.train.subset(split.train.known)
    plain = np.array([f"n{number:02}" for number in range(NODES)])
    by_renaming, by_seed, gains = [], [], []
    for seed in range(6):
        rng = np.random.default_rng(seed)
        fits = []
        for names, of_fit in ((plain, seed), (rng.permutation(plain), seed), (plain, 100 + seed)):
            model = quick_stack(of_fit).fit(named_links(rng, train, names))
            fits.append(model.predict_links([tuple(pair) for pair in names[ALL_PAIRS].tolist()]))
        hidden, linked = (part.positions(*ALL_PAIRS.T) >= 0 for part in (split.test, whole))
        aucs = [roc_auc_score(hidden[hidden | ~linked], scores[hidden | ~linked]) for scores in fits]
        by_renaming.append(np.abs(fits[0] - fits[1]).mean())
        by_seed.append(np.abs(fits[0] - fits[2]).mean())
        gains.append(aucs[1] - aucs[0])
    assert np.mean(by_renaming) < 1.25 * np.mean(by_seed)
    assert abs(np.mean(gains)) < 3 * np.std(gains, ddof=1) / np.sqrt(len(gains))


# -------------------------------------------------------------------- inner folds


@pytest.mark.parametrize("kind", KINDS)
def test_a_drawn_pair_is_no_link_and_is_hidden_in_one_fold(kind):
    links = network_of(kind, size=20, share=0.2)
    network, drawn = with_drawn_non_links(links, 0)
    tested = []
    for split in inner_folds(network, 0, 10):
        test = pairs_of(split.test)
        assert not split.train.known[split.train.positions(*test.T)].any()
        zeros = test[split.test.values == 0]
        assert (links.positions(*zeros.T) < 0).all()
        tested += [tuple(pair) for pair in test.tolist()]
    assert len(tested) == len(set(tested)) == 2 * drawn


@pytest.mark.parametrize("kind", KINDS)
def test_features_of_hidden_pairs_come_from_the_graph_without_them(kind, monkeypatch):
    """What the last stage learns from is what a graph of the other folds' links alone gives."""
    links = network_of(kind, size=20, share=0.2)
    learned = []

    def fit(tables, tests, *settings):
        learned.extend(zip(tables, tests, strict=True))
        return link_stack_fit(tables, tests, *settings)

    link_stack_fit = link_stack.fit_last_stage
    monkeypatch.setattr(link_stack, "fit_last_stage", fit)
    model = LinkStack((2,), n_perturbs=2, random_state=0).fit(links)
    assert len(learned) == 10
    kinds = FeatureKinds.for_network(links, drawn=True)
    for table, test in learned:
        others = links.subset(test.positions(links.rows, links.cols) < 0)
        assert others.n_listed == links.n_listed - (test.values == 1).sum()
        expected = GraphFeatures.of(others, kinds).features(test.rows, test.cols)
        np.testing.assert_allclose(table[:, len(model.models_) :], np.column_stack(expected), atol=1e-9)
