"""Discoveries among all untested pairs, and candidates that were chosen by their scores."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from latentlink import Network, RankedFactorizer, WNMFk, datasets
from latentlink.errors import InputError
from latentlink.random import rng_for
from latentlink.scoring import Members, Scorer
from latentlink.scoring.discovery import calibrated_discovery as calibrated_module
from latentlink.scoring.pair_degrees import PairDegrees
from latentlink.scoring.pair_input import excluded_keys
from latentlink.scoring.untested_pairs import UntestedPairs
from latentlink.solvers import LMF, WNMF
from latentlink.splitting import holdout
from latentlink.uncertainty.exchangeability import compare_pairs
from tests.helpers.fitted import coin_flips, every_pair, friends, pairs_of

BLOCK = "latentlink.scoring.best_pairs.BLOCK_SIZE"


def fit(network, seed=0):
    return WNMFk((2,), solver=WNMF(ridge=0.1), n_perturbs=2, random_state=seed).fit(network)


def undirected_links(size=40):
    rng = np.random.default_rng(0)
    group = np.arange(size) % 2
    links = [
        (i, j, int(rng.random() < (0.95 if group[i] == group[j] else 0.05)))
        for i in range(size)
        for j in range(i + 1, size)
        if rng.random() < 0.6
    ]
    return Network.from_edges(links, shape=(size, size), symmetric=True)


def sparse_boolean():
    whole = datasets.planted_boolean(rows=60, columns=40, rank=2, flips=0.02, seed=0).network
    return whole.subset(np.random.default_rng(1).random(whole.n_listed) < 0.6)


@pytest.fixture(scope="module", params=["rectangular", "undirected", "directed", "background"])
def case(request):
    """Return a calibrated model, its split, and all untested pairs."""
    network = {
        "rectangular": sparse_boolean,
        "undirected": undirected_links,
        "directed": lambda: Network.from_edges(
            [
                (i, j, float((i + j) % 2))
                for i in range(30)
                for j in range(30)
                if i != j and (i + 2 * j) % 5 % 3
            ],
            shape=(30, 30),
            square=True,
        ),
        "background": lambda: sparse_boolean().with_background(0.05),
    }[request.param]()
    split = holdout(network, 0.2, 0, calibration=0.3)
    model = fit(split.train)
    known = split.train.known
    seen = {tuple(p) for p in pairs_of(split.train)[known].tolist() + pairs_of(split.calibration).tolist()}
    pairs = pairs_of(split.test).tolist() if network.background else every_pair(network.shape).tolist()
    if network.symmetric:
        pairs = [(i, j) for i, j in pairs if i < j]
    elif network.square:
        pairs = [(i, j) for i, j in pairs if i != j]
    untested = np.array([pair for pair in pairs if tuple(pair) not in seen])
    return model.calibrate(split.calibration), split, untested


def pairs_in(table):
    return set(zip(table["row"].tolist(), table["column"].tolist(), strict=True))


@pytest.mark.parametrize("block", [1, 97, 1 << 18])
def test_without_pairs_all_untested_pairs_are_candidates(case, block, monkeypatch):
    monkeypatch.setattr(BLOCK, block)
    calibrated, _, untested = case
    table = calibrated.discover(fdr=0.2)
    given = calibrated.discover(untested, fdr=0.2)
    selected = given["selected"]
    assert table.rule.n_candidates == len(untested)
    assert pairs_in(table) == set(map(tuple, untested[selected].tolist()))
    assert len(table) == selected.sum() > 0
    np.testing.assert_array_equal(np.sort(table["p_value"]), np.sort(given["p_value"][selected]))
    assert (np.diff(table["score"]) <= 1e-12).all()
    assert table["selected"].all()
    assert f"selected among {len(untested):,} candidates" in table.limits
    assert table.rule.shortest == given.rule.shortest


def test_excluded_pairs_are_no_candidates(case):
    calibrated, split, untested = case
    test = pairs_of(split.test)
    without = calibrated.discover(fdr=0.2, exclude=split.test) if len(untested) > len(test) else None
    if without is None:
        fitted = ", and unlisted pairs were fitted as zeros" if split.train.background else ""
        with pytest.raises(
            InputError, match=f"There are no untested pairs: all .* or excluded{fitted}\\. Expect"
        ):
            calibrated.discover(exclude=split.test)
        without = calibrated.discover(fdr=0.2, exclude=test[1:], chosen_without_scores=True)
        assert without.rule.n_candidates == 1
        return
    assert without.rule.n_candidates == len(untested) - len(test)
    assert not pairs_in(without) & set(map(tuple, test.tolist()))
    np.testing.assert_array_equal(calibrated.discover(fdr=0.2, exclude=test)["row"], without["row"])
    with pytest.raises(InputError, match="both pairs and exclude"):
        calibrated.discover(test, exclude=test)


@pytest.mark.parametrize("best", [5, 50, 200])
def test_excluding_all_but_the_best_pairs_is_a_choice_by_score(best):
    """On labels of a coin: all that would be selected are the best of many."""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        labels = (rng.random((50, 40)) < 0.3).astype(float)
        labels[rng.random(labels.shape) < 0.4] = np.nan
        split = holdout(Network.from_dense(labels), 0.05, seed, calibration=0.3)
        model = WNMFk([3], n_perturbs=2, random_state=seed).fit(split.train)
        calibrated = model.calibrate(split.calibration)
        for form in (calibrated, model.cross_calibrate(2)) if seed == 0 and best == 50 else (calibrated,):
            ranked = form.top_links(10_000)
            pairs = np.column_stack([ranked["row"], ranked["column"]])
            with pytest.raises(InputError, match="Exclude pairs that somebody knows, and no others"):
                form.discover(fdr=0.1, exclude=pairs[best:])
            if best > 20:  # others are no choice by score
                form.discover(fdr=0.1, exclude=rng.permutation(pairs)[best:])


def test_the_best_pairs_leave_out_calibration_pairs_and_excluded_ones(case):
    calibrated, split, untested = case
    calibration = set(map(tuple, pairs_of(split.calibration).tolist()))
    best = calibrated.top_links(10_000)
    assert not pairs_in(best) & calibration
    if not calibrated.network.background:
        assert pairs_in(best) == set(map(tuple, untested.tolist()))
    fewer = calibrated.top_links(10_000, exclude=split.test)
    assert pairs_in(fewer) == pairs_in(best) - set(map(tuple, pairs_of(split.test).tolist()))
    per_node = calibrated.top_links(10_000, per_node=True)
    both = pairs_in(best) | {(j, i) for i, j in pairs_in(best)} if split.train.symmetric else pairs_in(best)
    assert pairs_in(per_node) == both


def test_a_fitted_model_leaves_out_excluded_pairs():
    split = holdout(friends(30), 0.3, 0)
    model, test = fit(split.train), pairs_of(split.test)
    every, others = model.top_links(10_000), model.top_links(10_000, exclude=split.test)
    assert pairs_in(every) - pairs_in(others) == set(map(tuple, test.tolist()))
    reversed_pairs = model.top_links(10_000, exclude=test[:, ::-1])
    assert pairs_in(reversed_pairs) == pairs_in(others)
    known = model.top_links(10_000, known=True, exclude=split.test)
    assert pairs_in(known) & set(map(tuple, test.tolist())) == set()


def test_excluded_networks_are_matched_by_name():
    names = [(f"u{i}", f"v{j}") for i in range(6) for j in range(5)]
    network = Network.from_edges([(*pair, float(k % 2)) for k, pair in enumerate(names) if k % 3])
    other = Network.from_edges([("u3", "v0", 1.0), ("u0", "v0", 1.0)])
    best = fit(network).top_links(100)
    fewer = fit(network).top_links(100, exclude=other)
    assert pairs_in(best) - pairs_in(fewer) == {("u3", "v0"), ("u0", "v0")}


@pytest.mark.slow
def test_all_pairs_are_never_in_memory_at_once(monkeypatch):
    monkeypatch.setattr(BLOCK, 1 << 14)
    shape = (2000, 1500)
    rng = np.random.default_rng(0)
    keys = rng.choice(shape[0] * shape[1], 15_000, replace=False)
    values = rng.integers(0, 2, len(keys)).astype(float)
    network = Network.from_edges(*np.divmod(keys, shape[1]), values, shape=shape)
    split = holdout(network, 0.05, 0, calibration=0.1)
    solver = WNMF(ridge=1.0, max_iter=20, tol=0.1)
    with pytest.warns(match="Nothing is known of 2 rows"):
        model = WNMFk((1,), solver=solver, n_perturbs=2, random_state=0).fit(split.train)
    calibrated = model.calibrate(split.calibration)
    tracemalloc.start()
    found = calibrated.discover()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.rule.n_candidates > 2_900_000
    assert peak < shape[0] * shape[1] * 8 / 4


# ---------------------------------------------------------------- candidates chosen by their scores


@pytest.mark.parametrize("n", [1, 2, 19])
def test_a_few_candidates_need_the_word_that_scores_did_not_choose_them(n):
    """The best columns of one row are no higher than many untested pairs, and no test could tell."""
    split = holdout(coin_flips(0), 0.1, 0, calibration=0.3)
    model = fit(split.train)
    calibrated = model.calibrate(split.calibration)
    best = model.recommend(0, n, exclude=split.calibration)
    pairs = np.column_stack([best["row"], best["column"]])
    with pytest.raises(InputError, match=rf"{n} candidates? cannot be told .* expected 20 or more"):
        calibrated.discover(pairs)
    assert len(calibrated.discover(pairs, chosen_without_scores=True)) == n


@pytest.mark.parametrize("n", [5, 50])
def test_the_best_scored_pairs_are_no_candidates(n):
    network = coin_flips(0)
    split = holdout(network, 0.1, 0, calibration=0.3)
    calibrated = fit(split.train).calibrate(split.calibration)
    best = calibrated.top_links(n)
    pairs = np.column_stack([best["row"], best["column"]])
    with pytest.raises(InputError, match=r"chosen by score.*discover\(\) without pairs"):
        calibrated.discover(pairs)
    random = every_pair(network.shape)[np.random.default_rng(1).permutation(2000)]
    seen = {tuple(p) for p in pairs_of(split.train).tolist() + pairs_of(split.calibration).tolist()}
    others = np.array([pair for pair in random.tolist() if tuple(pair) not in seen | set(map(tuple, pairs))])
    with pytest.raises(InputError, match="chosen by score"):
        calibrated.discover(np.concatenate([pairs, others[: 2 * n]]))
    assert len(calibrated.discover(others[:50])) == 50


def test_candidates_chosen_by_other_information_are_accepted_on_request(recwarn):
    network = coin_flips(3)
    split = holdout(network, 0.1, 0, calibration=0.3)
    calibrated = fit(split.train).calibrate(split.calibration)
    best = calibrated.top_links(20)
    pairs = np.column_stack([best["row"], best["column"]])
    with pytest.warns(match="20 candidates differ from the"):
        table = calibrated.discover(pairs, chosen_without_scores=True)
    assert len(table) == 20
    assert table.exchangeability.differ
    assert "need not hold" in table.limits


def test_a_test_part_richer_in_links_than_untested_pairs_is_accepted(case):
    calibrated, split, _ = case
    assert len(calibrated.discover(pairs_of(split.test))) == split.test.n_listed


@pytest.mark.slow
def test_no_route_finds_more_in_coin_flips_than_guaranteed():
    """Of 30 lists at a false discovery rate of 0.1, with half of the labels links, about 1.5 are false."""
    found = 0
    for seed in range(30):
        split = holdout(coin_flips(seed), 0.1, seed, calibration=0.3)
        solver = LMF(ridge=1.0, max_iter=15, tol=1e-3)
        model = RankedFactorizer((2,), solver=solver, n_perturbs=2, random_state=seed).fit(split.train)
        calibrated = model.calibrate(split.calibration)
        found += len(calibrated.discover()) > 0
        best = calibrated.top_links(50)
        with pytest.raises(InputError, match="chosen by score"):
            calibrated.discover(np.column_stack([best["row"], best["column"]]))
    assert found <= 7  # at most 0.1 of 30, and 7 or more are then drawn with probability 0.03


def test_what_becomes_of_unknown_nodes_is_checked_without_pairs_too(calibrated):
    with pytest.raises(InputError, match="unknown without pairs is 'average'; expected"):
        calibrated.discover(unknown="average")


@pytest.mark.filterwarnings("ignore")
def test_ten_thousand_untested_pairs_stand_for_all(monkeypatch):
    """Drawn by keys of their own, for the comparison with the calibration pairs and with candidates."""
    rng = np.random.default_rng(0)
    rows, cols = np.divmod(rng.choice(130 * 120, 900, replace=False), 120)
    values = ((rows % 3 == cols % 3) ^ (rng.random(900) < 0.1)).astype(float)
    split = holdout(Network(rows, cols, values, shape=(130, 120)), 0.3, 0)
    model = fit(split.train)
    calibrated = model.calibrate(split.test)
    untested = UntestedPairs(model.network_, excluded_keys(model.network_, split.test))
    sample = np.column_stack(untested.sample(10_000, rng_for(0, 2**32 - 7)))
    assert len(untested) > len(sample) == 10_000
    degrees = PairDegrees.of(model.network_)
    own, others = (
        np.stack([model.predict_links(pairs), degrees(*pairs.T)]) for pairs in (pairs_of(split.test), sample)
    )
    assert calibrated.discover(fdr=0.5).exchangeability == compare_pairs(own, others, split.test.values == 1)
    compared = []
    monkeypatch.setattr(
        calibrated_module, "require_not_chosen_by_score", lambda *given: compared.extend(given[0])
    )
    with pytest.raises(InputError, match="so few would be selected"):
        calibrated.discover(sample[::200], fdr=0.5)
    (comparison,) = compared
    drawn = np.column_stack(untested.sample(10_000, rng_for(0, 2**32 - 8)))
    for given, expected in zip(
        (comparison.candidates, comparison.untested, comparison.calibration),
        (model.predict_links(sample[::200]), model.predict_links(drawn), own[0]),
        strict=True,
    ):
        np.testing.assert_allclose(given, expected)


@pytest.mark.parametrize("block", [1, 20, 1 << 18])
@pytest.mark.parametrize("symmetric", [False, True])
def test_any_pair_is_scored_as_the_untested_ones_are(symmetric, block, monkeypatch):
    """Known pairs too, in both directions, and a node with itself."""
    monkeypatch.setattr(BLOCK, block)
    links = [
        (i, j, float((i + j) % 2))
        for i in range(8)
        for j in range(8)
        if (i < j or (i > j and not symmetric)) and (i + 2 * j) % 5
    ]
    network = Network.from_edges(links, shape=(8, 8), symmetric=symmetric, square=True)
    model = fit(network)
    scorer = Scorer(model.factors_, Members(model.members_), True)
    rows, cols = every_pair((8, 8)).T
    scores = UntestedPairs(network, excluded_keys(network, None)).comparable_scores(
        scorer, "ensemble", rows, cols
    )
    np.testing.assert_allclose(scores, model.predict_links(every_pair((8, 8)), by="ensemble"))


@pytest.mark.parametrize("square", [False, True])
def test_untested_pairs_of_a_background_are_the_hidden_ones_that_are_not_excluded(square):
    """Of one kind of nodes, a node with itself is left out, excluded or not."""
    pairs = [(0, 0), (0, 1), (1, 1), (1, 2), (2, 0), (2, 2), (3, 1)]
    network = Network.from_edges(pairs, shape=(4, 4), square=square, background=0.2)
    hidden = network.hide(np.flatnonzero(network.rows != 3))
    untested = UntestedPairs(hidden, excluded_keys(hidden, [(0, 1), (1, 1), (3, 3)]))
    expected = {(1, 2), (2, 0)} | (set() if square else {(0, 0), (2, 2)})
    drawn = np.column_stack(untested.sample(10, np.random.default_rng(0)))
    assert set(map(tuple, drawn.tolist())) == expected
    assert len(untested) == len(drawn) == len(expected)


def test_nothing_is_excluded_where_nothing_is_given():
    assert len(excluded_keys(coin_flips(0), None)) == 0


@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("background", [0.0, 0.5])
def test_untested_pairs_are_neither_known_nor_excluded_nor_self_loops(symmetric, background):
    rng = np.random.default_rng(0)
    rows, cols = np.nonzero(np.triu(np.ones((7, 7))) if symmetric else np.ones((7, 7)))
    chosen = rng.random(len(rows)) < 0.8
    rows, cols, weights = rows[chosen], cols[chosen], rng.integers(0, 2, chosen.sum()).astype(float)
    network = Network(
        rows,
        cols,
        np.ones(len(rows)),
        weights,
        shape=(7, 7),
        square=True,
        symmetric=symmetric,
        background=background,
    )
    excluded = [(i, j) for i in range(7) for j in range(7) if (2 * i + j) % 5 == 0]
    untested = UntestedPairs(network, excluded_keys(network, excluded))
    expected = set()
    for i in range(7):
        for j in range(i if symmetric else 0, 7):
            position = int(network.positions([i], [j])[0])
            free = network.weights[position] == 0 if position >= 0 else not background
            out = (i, j) in excluded or (symmetric and (j, i) in excluded) or i == j
            expected |= {(i, j)} if free and not out else set()
    drawn = np.column_stack(untested.sample(100, np.random.default_rng(1)))
    assert len(untested) == len(expected) == len(drawn) > 3
    assert set(map(tuple, drawn.tolist())) == expected
