"""LinkStack fitted to links alone: drawn non-links, calibration, probabilities, discoveries."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from latentlink import LinkStack, Network, load
from latentlink.errors import DataWarning, IncompatibleError, InputError
from latentlink.network import sample_negatives
from latentlink.scoring import were_sampled
from latentlink.solvers import SymLMF
from latentlink.splitting import holdout
from tests.helpers.fitted import pairs_of
from tests.helpers.joint_fits import groups
from tests.proximity.test_proximity import network_of


def links_alone(seed=0):
    """Return the links of a network of three groups, and the links that were hidden from it."""
    whole = groups(45, seed)
    links = whole.subset(whole.values == 1)
    split = holdout(links, 0.2, seed)
    return split.train, split.test


@pytest.fixture(scope="module")
def fitted_to_links():
    train, test = links_alone()
    return LinkStack(random_state=0).fit(train), test


@pytest.mark.slow
def test_links_alone_are_fitted_with_drawn_non_links_that_are_no_known_facts(fitted_to_links):
    model, _ = fitted_to_links
    assert model.drawn_ == model.network_.n_known
    assert set(model.network_.values) == {1.0}
    assert [type(each.solver_) for each in model.models_] == [SymLMF]
    assert [(each.rank_, len(each.record_.held_out)) for each in model.models_] == [(20, 4)]
    drawn = model.models_[0].network_
    pairs = pairs_of(drawn)[drawn.values == 0]
    everything = model.top_links(45 * 44)
    listed = {frozenset(pair) for pair in zip(everything["row"], everything["column"], strict=True)}
    assert len(everything) == 45 * 44 // 2 - model.network_.n_known
    assert {frozenset(pair) for pair in pairs.tolist()} <= listed


@pytest.mark.slow
def test_answers_for_a_node_with_itself_are_warned_of(fitted_to_links):
    model, _ = fitted_to_links
    with pytest.warns(
        DataWarning, match="1 pair joins a node with itself: of such pairs nothing was learned"
    ):
        model.probabilities([(0, 1), (2, 2)])
    with pytest.warns(DataWarning, match="1 pair joins a node with itself"):
        model.explain((3, 3))


@pytest.mark.slow
def test_hidden_links_are_ranked_above_other_pairs(fitted_to_links):
    model, test = fitted_to_links
    rows, cols = np.triu_indices(45, 1)
    known = model.network_.subset(model.network_.known).positions(rows, cols) >= 0
    hidden = test.positions(rows, cols) >= 0
    scores = model.predict_links(np.column_stack([rows, cols]))
    assert roc_auc_score(hidden[~known], scores[~known]) > 0.7


@pytest.mark.slow
def test_a_stack_of_links_alone_is_saved_and_loaded(fitted_to_links, tmp_path):
    model, _ = fitted_to_links
    model.save(tmp_path / "stack")
    loaded = load(tmp_path / "stack")
    assert (loaded.drawn_, loaded.network_) == (model.drawn_, model.network_)
    np.testing.assert_array_equal(loaded.top_links(5)["score"], model.top_links(5)["score"])


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["directed", "bipartite"])
def test_directed_and_bipartite_links_alone(kind):
    network = network_of(kind, size=30, share=0.2)
    model = LinkStack((2,), n_perturbs=2, random_state=0).fit(network)
    assert model.drawn_ == network.n_known
    scores = model.predict_links([(0, 1), (3, 4)])
    assert ((scores > 0) & (scores < 1)).all()
    assert model.network_ == network


@pytest.mark.slow
def test_links_with_a_background_have_the_models_of_links_alone(fitted_to_links):
    """A background makes nothing more known: two models with a search took five times as long."""
    network = fitted_to_links[0].network_
    model = LinkStack(random_state=0).fit(network.subset(network.known).with_background(0.1))
    assert model.drawn_ == 0
    assert [(type(each.solver_), each.rank_, len(each.record_.held_out)) for each in model.models_] == [
        (SymLMF, 20, 4)
    ]
    limits = model.probabilities([(0, 1)]).limits
    assert "every unlisted pair is a non-link that counts as much as 0.1 of a known pair" in limits
    assert "some may be links" in limits
    assert "% of the pairs are links, as among the pairs of the training, by weight" in limits


def test_too_few_links_alone_raise():
    network = Network(*np.triu_indices(6, 1), shape=(40, 40), symmetric=True)
    with pytest.raises(IncompatibleError, match="at least 20 links"):
        LinkStack().fit(network)


@pytest.fixture(scope="module")
def weighted():
    """Return known links with strengths, and the scores of a stack that was fitted to them."""
    train, _ = links_alone()
    known = train.subset(train.known)
    network = known.with_weights(np.random.default_rng(0).integers(1, 9, known.n_listed).astype(float))
    return network, scores_of(network)


def scores_of(network):
    model = LinkStack((2,), n_perturbs=2, random_state=0).fit(network)
    assert model.network_ is network
    return model.predict_links(np.column_stack(np.triu_indices(45, 1)))


@pytest.mark.slow
@pytest.mark.parametrize("unit", [2.0, 7.3, 1e4])
def test_the_unit_of_strengths_changes_no_probability(weighted, unit):
    """The ridge of a factorization and logarithms of paths are absolute: p changed by up to .24."""
    network, scores = weighted
    again = scores_of(network.with_weights(unit * network.weights))
    np.testing.assert_allclose(again, scores, rtol=0, atol=1e-9)


@pytest.mark.slow
def test_equal_strengths_are_none(weighted):
    network, scores = weighted
    one, three = (scores_of(network.with_weights(np.full(len(network), each))) for each in (1.0, 3.0))
    np.testing.assert_array_equal(one, three)
    assert np.abs(one - scores).max() > 0.01  # strengths that differ tell something


def test_the_network_of_a_stack_is_the_one_that_was_given(fitted_to_links):
    model, _ = fitted_to_links
    train, _ = links_alone()
    assert model.network_ == train
    assert [step.name for step in model.network_.history] == [step.name for step in train.history]
    assert not were_sampled(model.network_)
    assert were_sampled(model.models_[0].network_)


@pytest.fixture(scope="module")
def with_loops_and_lone_nodes():
    """Return a stack of links, five of which join a node with itself, and of nodes without links."""
    train, test = links_alone()
    rows, cols = (np.concatenate([each, np.arange(5)]) for each in (train.rows, train.cols))
    weights = np.concatenate([3.0 * train.weights, [3, 3, 3, 0, 0]])
    network = Network(rows, cols, None, weights, shape=(75, 75), symmetric=True)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = LinkStack((2,), n_perturbs=2, random_state=0).fit(network)
    return model, network, test, [str(each.message) for each in caught]


@pytest.mark.slow
def test_self_loops_and_nodes_without_links_warn_once_each(with_loops_and_lone_nodes):
    model, network, _, (loops, nodes) = with_loops_and_lone_nodes
    assert loops.startswith("3 links of nodes with themselves are left out of what is learned")
    assert nodes.startswith("30 nodes have no known link (45, 46, 47, 48, 49 and 25 more)")
    assert model.drawn_ == network.n_known - 3


@pytest.mark.slow
def test_what_was_given_is_saved(with_loops_and_lone_nodes, tmp_path):
    model, network, *_ = with_loops_and_lone_nodes
    assert model.network_ is network
    model.save(tmp_path / "stack")
    loaded = load(tmp_path / "stack")
    assert loaded.network_ == network
    np.testing.assert_array_equal(loaded.drawn_pairs_, model.drawn_pairs_)


@pytest.mark.slow
def test_held_out_self_loops_do_not_calibrate(with_loops_and_lone_nodes):
    model, _, test, _ = with_loops_and_lone_nodes
    pairs = [*pairs_of(test).tolist(), [3, 3], [4, 4]]
    with pytest.warns(DataWarning, match="^2 calibration pairs join nodes with themselves.* left out"):
        calibrated = model.calibrate(pairs, np.ones(len(pairs)))
    assert calibrated.values.sum() == test.n_listed


@pytest.mark.slow
def test_recommendations_for_a_node_without_links_say_so(with_loops_and_lone_nodes):
    model, *_ = with_loops_and_lone_nodes
    with pytest.warns(DataWarning, match="50 has no known link"):
        model.recommend(50, 3)
    model.recommend(3, 3)


def test_pairs_that_are_listed_twice_are_no_matter_of_an_inner_function():
    network = Network.from_edges([("a", "b"), ("b", "a"), ("b", "c")], symmetric=True, duplicates="keep")
    with pytest.raises(IncompatibleError, match=r"^LinkStack needs every pair listed once.* 1 entry repeats"):
        LinkStack().fit(network)


# ---------------------------------------------------------------- calibration


@pytest.fixture(scope="module")
def calibrated(fitted_to_links):
    model, test = fitted_to_links
    return model.calibrate(test)


def without_drawn(model, pairs):
    """Return the pairs that were not drawn in the fit."""
    return pairs[model.models_[0].network_.positions(*pairs.T) < 0]


def test_hidden_links_are_never_drawn_and_all_calibrate(fitted_to_links, calibrated):
    model, test = fitted_to_links
    assert (
        model.models_[0].network_.known[model.models_[0].network_.positions(test.rows, test.cols)] == 0
    ).all()
    assert calibrated.values.sum() == test.n_listed


def test_as_many_fresh_unlisted_pairs_are_drawn_beside_held_out_links(fitted_to_links, calibrated):
    model, test = fitted_to_links
    nulls = np.column_stack([calibrated.rows, calibrated.cols])[calibrated.values == 0]
    assert len(nulls) == test.n_listed
    assert (model.models_[0].network_.positions(*nulls.T) < 0).all()  # no link, not drawn, not hidden
    again = model.calibrate(pairs_of(test), np.ones(test.n_listed))
    np.testing.assert_array_equal(again.rows, calibrated.rows)


def test_drawn_pairs_of_the_calibration_are_ranked_and_no_known_facts(fitted_to_links, calibrated):
    model, test = fitted_to_links
    ranked = calibrated.top_links(45 * 44)
    assert len(ranked) == 45 * 44 // 2 - model.network_.n_known - test.n_listed
    nulls = np.column_stack([calibrated.rows, calibrated.cols])[calibrated.values == 0]
    limits = calibrated.sets(nulls).limits
    assert f"{len(nulls)} of {len(nulls)} pairs were drawn as non-links in the fit or" in limits
    with pytest.raises(InputError, match="was used in calibration"):
        calibrated.sets(pairs_of(test)[:1])


def test_a_calibration_pair_that_was_drawn_in_the_fit_is_left_out(fitted_to_links):
    model, test = fitted_to_links
    row, col = model.drawn_pairs_[0].tolist()
    pairs = [*pairs_of(test).tolist(), [row, col]]
    sentence = (
        rf"1 of {len(pairs)} calibration pairs \(1 link\) was drawn .* first \({row}, {col}\).* left out"
    )
    with pytest.warns(DataWarning, match=sentence):
        calibrated = model.calibrate(pairs, np.ones(len(pairs)))
    assert calibrated.values.sum() == test.n_listed
    listed = set(zip(calibrated.rows.tolist(), calibrated.cols.tolist(), strict=True))
    assert (row, col) not in listed
    best = calibrated.top_links(45 * 44)
    assert (row, col) not in set(zip(best["row"], best["column"], strict=True))  # somebody knows it
    with pytest.raises(InputError, match="expected pairs that the model was not trained on"):
        model.calibrate([(col, row)], [1])


def test_given_non_links_are_taken_as_they_are(fitted_to_links):
    model, test = fitted_to_links
    others = without_drawn(model, np.column_stack(np.triu_indices(45, 1)))[-test.n_listed :]
    pairs = np.vstack([pairs_of(test), others])
    calibrated = model.calibrate(pairs, np.repeat([1, 0], test.n_listed))
    assert len(calibrated) == len(pairs)
    assert "drawn" not in calibrated.probabilities(pairs[:5]).limits


def test_sampled_non_links_are_known_as_such_by_their_history(fitted_to_links):
    model, test = fitted_to_links
    taken = model.models_[0].network_  # links, drawn pairs, and the hidden links
    sampled = sample_negatives(taken, test.n_listed, rng=0)
    nulls = sampled.positions(taken.rows, taken.cols)
    fresh = sampled.subset(np.setdiff1d(np.arange(sampled.n_listed), nulls))
    both = fresh.relisted(*(np.concatenate(each) for each in zip(fresh.entries, test.entries, strict=True)))
    calibrated = model.calibrate(both)
    assert len(calibrated) == 2 * test.n_listed
    assert "Unlisted pairs were drawn as non-links" in calibrated.sets(pairs_of(taken)[:0]).limits


def test_no_unlisted_pair_may_be_left():
    rng = np.random.default_rng(0)
    pairs = rng.permutation(np.column_stack(np.triu_indices(12, 1)))
    train = Network(*pairs[:42].T, shape=(12, 12), symmetric=True)
    model = LinkStack((1,), n_perturbs=2, random_state=0).fit(train)
    assert model.drawn_ == 24
    with pytest.raises(InputError, match="not trained on"):
        model.calibrate(pairs[42:45], np.ones(3))
    hidden = Network(*pairs.T, np.ones(66), np.arange(66) < 42, shape=(12, 12), symmetric=True)
    with pytest.raises(IncompatibleError, match="at least 20 links and 20 non-links"):
        LinkStack().fit(hidden)


def test_only_what_was_given_is_counted_among_calibration_pairs(fitted_to_links):
    model, _ = fitted_to_links
    count = model.network_.n_known
    with pytest.raises(InputError, match=f"^{count} of {count} calibration pairs were used in fitting"):
        model.calibrate(model.network_.subset(model.network_.known))


def test_cross_calibration_names_the_way(fitted_to_links):
    with pytest.raises(IncompatibleError, match=r"links alone.*holdout.*calibrate\(split.test\)"):
        fitted_to_links[0].cross_calibrate()


# ---------------------------------------------------------------- probabilities


def test_probabilities_state_that_they_are_against_drawn_pairs(fitted_to_links):
    model, test = fitted_to_links
    pairs = pairs_of(test)
    table = model.probabilities(pairs)
    np.testing.assert_array_equal(np.asarray(table), model.predict_links(pairs))
    assert "a link against an unlisted pair drawn at random" in table.limits
    assert "50 % of the pairs are links, as among the pairs of the training" in table.limits
    assert "not calibrated" in table.limits
    rare = model.probabilities(pairs, base_rate=0.01)
    odds = np.asarray(table) / (1 - np.asarray(table))
    np.testing.assert_allclose(np.asarray(rare), odds / (odds + 99))
    assert "1 % of the pairs are links, as stated" in rare.limits
    with pytest.raises(InputError, match="base_rate is 1"):
        model.probabilities(pairs, base_rate=1)
    with pytest.raises(InputError, match="unknown"):
        model.probabilities([(0, 99)])
    table = model.probabilities([(0, 99), (0, 1)], unknown="nan")
    assert np.isnan(np.asarray(table)).tolist() == [True, False]


def test_calibrated_probabilities_state_it_too(fitted_to_links, calibrated):
    _, test = fitted_to_links
    table = calibrated.probabilities(pairs_of(test))
    count = test.n_listed
    assert f"as among the calibration pairs ({count} links and {count} drawn unlisted pairs)" in table.limits
    assert "A probability is that of a link against such a drawn pair" in table.limits
    rare = calibrated.probabilities(pairs_of(test), base_rate=0.01)
    assert "1 % of the pairs are links, as stated" in rare.limits
    assert (np.asarray(rare) < np.asarray(table)).all()


def test_probabilities_of_known_non_links_have_the_share_of_the_training(undirected_stack):
    network = undirected_stack.network_
    table = undirected_stack.probabilities([(0, 1)])
    share = network.values.mean()
    assert f"{100 * share:.4g} % of the pairs are links" in table.limits
    assert "drawn" not in table.limits
    assert undirected_stack.drawn_pairs_.shape == (0, 2)


@pytest.mark.parametrize("scale", [1.0, 50.0])
def test_weights_of_links_do_not_change_the_rate(scale):
    """Drawn pairs have the mean weight of links: fresh pairs, half of them links, have a mean of one half."""
    train, test = links_alone()
    rng = np.random.default_rng(0)
    known = train.subset(train.known)
    weighted = known.with_weights(scale * rng.integers(1, 9, known.n_listed))
    model = LinkStack((2,), n_perturbs=2, random_state=0).fit(weighted)
    assert model.probabilities([(0, 1)]).rule.rate == pytest.approx(0.5)
    pairs = np.column_stack(np.triu_indices(45, 1))
    hidden = test.positions(*pairs.T) >= 0
    fresh = hidden | (known.positions(*pairs.T) < 0)
    scores = model.predict_links(pairs)
    assert abs(scores[hidden].mean() / 2 + scores[fresh & ~hidden].mean() / 2 - 0.5) < 0.06


# ---------------------------------------------------------------- discoveries


def test_discoveries_state_that_drawn_pairs_make_them_conservative(fitted_to_links, calibrated):
    model, test = fitted_to_links
    with pytest.raises(
        IncompatibleError, match=f"{test.n_listed} drawn unlisted pairs .* Hold out more links"
    ):
        calibrated.discover(fdr=0.001)
    table = calibrated.discover(fdr=0.2)
    assert "some of them may be links. Where links score higher" in table.limits
    assert "next to nothing can be selected" in table.limits
    assert f"draws of the {test.n_listed} drawn unlisted pairs, which stand for non-links" in table.limits
    assert "known non-links, if" not in table.limits
    assert table.rule.n_nonlinks == test.n_listed
    assert table.rule.n_candidates == 45 * 44 // 2 - model.network_.n_known - 2 * test.n_listed
