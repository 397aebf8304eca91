"""Candidates that are given: which are accepted, and which raise as chosen by score."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink import BNMFk, Network, WNMFk, datasets
from latentlink.errors import InputError
from latentlink.scoring.discovery.given_candidates import GivenCandidates
from latentlink.scoring.untested_pairs import UntestedPairs
from latentlink.solvers import WNMF
from latentlink.splitting import holdout
from tests.helpers.fitted import coin_flips, every_pair, pairs_of


def candidates_of_noise(seed):
    """Return a calibrated model of coin flips, and all untested pairs, best first."""
    split = holdout(coin_flips(seed, (60, 50), 0.4), 0.002, seed, calibration=0.4)
    model = WNMFk((3,), solver=WNMF(ridge=0.1), n_perturbs=2, random_state=seed).fit(split.train)
    calibrated = model.calibrate(split.calibration)
    every = calibrated.top_links(10**6)
    return calibrated, np.column_stack([every["row"], every["column"]])


def found(calibrated, pairs):
    try:
        return bool(calibrated.discover(pairs)["selected"].any())
    except InputError:
        return False


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_few_of_the_best_among_random_pairs_find_nothing_in_noise():
    """The best pair and 19 random ones were selected in 39 of 40 seeds, the best two and 38 in 31."""
    counts = np.zeros(5, int)
    random_refused = 0
    for seed in range(12):
        calibrated, best = candidates_of_noise(seed)
        rng = np.random.default_rng(seed)
        row = best[0, 0]
        routes = [np.concatenate([best[:n], rng.permutation(best[n:])[: 19 * n]]) for n in (1, 2, 5)]
        routes += [best[best[:, 0] == row][:20], best[best[:, 0] == row]]
        counts += [found(calibrated, pairs) for pairs in routes]
        for pairs in (
            rng.permutation(best)[:50],
            best[np.isin(best[:, 0], rng.choice(60, 5, replace=False))],
        ):
            try:
                calibrated.discover(pairs)
            except InputError:
                random_refused += 1
    assert counts.max() <= 3  # of 12, at a rate of 0.1, more have a probability of 0.03
    assert counts[:3].sum() == 0
    assert random_refused <= 2


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_the_next_best_among_random_pairs_find_nothing_in_noise():
    """Whoever knows the best 8 hands in the next: 3 of them and 18 random pairs held .45 false ones."""
    found_at = dict.fromkeys([(8, 11, 18), (8, 14, 15), (8, 9, 20)], 0)
    for seed in range(12):
        calibrated, best = candidates_of_noise(seed)
        for first, last, others in found_at:
            drawn = np.random.default_rng(seed).permutation(best[last:])[:others]
            found_at[first, last, others] += found(calibrated, np.concatenate([best[first:last], drawn]))
    assert max(found_at.values()) <= 3  # of 12, at a rate of 0.1, more have a probability of 0.03
    assert sum(found_at.values()) <= 3


@pytest.fixture(scope="module")
def planted():
    split = holdout(
        datasets.planted_boolean(rows=100, columns=80, rank=4, flips=0.02).network, 0.7, 0, calibration=0.1
    )
    return BNMFk((4,), random_state=0).fit(split.train).calibrate(split.calibration), pairs_of(split.test)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("side", [0, 1])
def test_the_pairs_of_some_nodes_are_not_taken_for_chosen_by_score(planted, side):
    """All test pairs of a row were refused for 25 of 100 rows, whose pairs all score high."""
    calibrated, test = planted
    rng = np.random.default_rng(0)
    refused = selected = 0
    for _ in range(20):
        nodes = rng.choice(80, 60, replace=False)
        try:
            selected += calibrated.discover(test[np.isin(test[:, side], nodes)])["selected"].any()
        except InputError:
            refused += 1
    assert refused <= 1
    assert selected > 15


@pytest.mark.filterwarnings("ignore")
def test_a_few_links_among_candidates_raise_unless_scores_did_not_choose_them(planted):
    """Many links among the candidates are selected: a few could be the best of all, chosen for that."""
    calibrated, test = planted
    by_score = test[np.argsort(-calibrated.scorer.score(*test.T, calibrated.by))]
    few = np.concatenate([by_score[:6], by_score[-18:]])
    with pytest.raises(InputError, match=r"Of 24 candidates so few would be selected .* which makes up for"):
        calibrated.discover(few)
    assert calibrated.discover(few, chosen_without_scores=True)["selected"].any()
    assert calibrated.discover(test[::7])["selected"].sum() > 50


@pytest.mark.filterwarnings("ignore")
def test_the_best_pairs_of_some_nodes_raise():
    calibrated, best = candidates_of_noise(0)
    for side in (0, 1):
        pairs = np.concatenate([best[best[:, side] == node][:5] for node in range(3, 11)])
        with pytest.raises(InputError, match="evidently chosen by score"):
            calibrated.discover(pairs)


# ---------------------------------------------------------------- parts


def untested_of(shape=(6, 5), symmetric=False, known=((0, 1), (2, 3))):
    rows, cols = np.array(known).T
    network = Network(rows, cols, np.ones(len(rows)), shape=shape, symmetric=symmetric, square=symmetric)
    return UntestedPairs(network, np.zeros(0, np.int64))


@pytest.mark.parametrize("symmetric", [False, True])
def test_which_pairs_are_untested(symmetric):
    shape = (6, 6) if symmetric else (6, 5)
    untested = untested_of(shape, symmetric)
    known = {(0, 1), (2, 3)} | ({(1, 0), (3, 2)} if symmetric else set())
    pairs = every_pair(shape)
    expected = [
        tuple(pair) not in known and not (symmetric and pair[0] == pair[1]) for pair in pairs.tolist()
    ]
    assert untested.contains(*pairs.T).tolist() == expected


def additive(rows, cols):
    return 10.0 * np.asarray(rows) + np.asarray(cols)


def test_percentiles_are_shares_of_lower_untested_pairs_of_the_same_node():
    untested = untested_of()
    given = GivenCandidates(np.zeros(3, int), np.array([0, 2, 4]), untested, additive)
    own = (np.array([2, 5]), np.array([0, 4]), additive(np.array([2, 5]), np.array([0, 4])))
    by_row, by_column = given.comparisons(own)
    # Row 0 has the untested columns 0, 2, 3 and 4; 0 of the 3 others are lower than column 0, and so on.
    assert by_row.candidates.tolist() == [0, 1 / 4, 3 / 4]
    assert by_row.alone
    assert not by_column.alone
    assert by_column.candidates.tolist() == [0, 0, 0]  # row 0 is the lowest in every column
    assert by_row.calibration.tolist() == [0, 4 / 5]


def test_the_common_node_of_undirected_pairs_counts_as_their_row():
    untested = untested_of((8, 8), symmetric=True, known=((0, 1),))
    rows, cols = np.array([0, 1, 2, 3, 3, 3]), np.array([3, 3, 3, 4, 5, 6])
    by_row, _ = GivenCandidates(rows, cols, untested, lambda a, b: np.asarray(a + b, float)).comparisons(
        (rows, cols, (rows + cols).astype(float))
    )
    assert by_row.alone
    assert by_row.candidates.tolist() == [lower / 7 for lower in (0, 1, 2, 3, 4, 5)]


def test_candidates_of_many_nodes_are_compared_by_their_scores():
    pairs = np.array([(0, 0), (1, 2), (3, 3), (4, 1), (5, 4)])
    (comparison,) = GivenCandidates(*pairs.T, untested_of(), additive).comparisons((*pairs.T, np.ones(5)))
    assert comparison.candidates.tolist() == additive(*pairs.T).tolist()
    assert len(comparison.untested) == 28
