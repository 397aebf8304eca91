"""Which candidates are pairs of few nodes, and what is selected among all pairs of a chosen node."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink import Network, RNMFk, WNMFk, datasets
from latentlink.errors import InputError
from latentlink.scoring.discovery.few_nodes import few_nodes
from latentlink.splitting import holdout
from tests.helpers.fitted import coin_flips, every_pair, pairs_of

SHAPE = (60, 40)


def random_pairs(seed, count, shape=SHAPE):
    rng = np.random.default_rng(seed)
    return every_pair(shape)[rng.choice(shape[0] * shape[1], count, replace=False)].T


def told(pairs, shape=SHAPE, symmetric=False, own=None):
    others = [random_pairs(100, min(2000, shape[0] * shape[1]), shape), random_pairs(101, 300, shape)]
    return few_nodes(tuple(pairs), others if own is None else [others[0], own], shape, symmetric)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("count", [20, 100, 1500])
def test_random_pairs_have_as_many_nodes_as_others(seed, count):
    assert told(random_pairs(seed, count)) is None


def test_pairs_of_one_row_or_of_some_columns():
    one_row = np.stack([np.full(40, 7), np.arange(40)])
    nodes = told(one_row)
    assert (nodes.count, nodes.total, nodes.kind) == (1, 60, "row")
    every = every_pair(SHAPE)
    nodes = told(every[every[:, 1] < 10].T)
    assert (nodes.count, nodes.total, nodes.kind) == (10, 40, "column")


def test_of_two_sides_with_few_nodes_the_lower_level_counts():
    block = every_pair(SHAPE)
    block = block[(block[:, 0] < 6) & (block[:, 1] < 20)].T
    assert told(block).kind == "row"


def test_the_pairs_of_an_undirected_node_are_a_star():
    star = np.array([(min(9, other), max(9, other)) for other in range(30) if other != 9]).T
    nodes = told(star, (30, 30), symmetric=True)
    assert (nodes.count, nodes.total, nodes.kind) == (1, 30, "node")
    assert told(random_pairs(3, 60, (30, 30)), (30, 30), symmetric=True) is None


def test_candidates_drawn_like_the_calibration_pairs_are_not_few():
    """Both have a tenth of the columns, which random untested pairs do not."""
    own = random_pairs(1, 160, (60, 4))
    assert told(random_pairs(2, 60, (60, 4)), own=own) is None
    assert told(random_pairs(2, 60, (60, 4))).kind == "column"


# ---------------------------------------------------------------- models


def false_shares(model, chosen, seeds, side=1):
    """Return the mean share of false links at fdr 0.1 among all untested pairs of a chosen node of noise."""
    shares = []
    for seed in seeds:
        network = coin_flips(seed, (60, 30), 0.5)
        split = holdout(network, 0.01, seed, calibration=0.3)
        calibrated = model(seed).fit(split.train).calibrate(split.calibration)
        every = calibrated.top_links(10**6)
        pairs = np.column_stack([every["row"], every["column"]])
        ends = [split.train.rows, split.train.cols][side]
        if chosen == "links":
            node = np.argmax(np.bincount(ends, split.train.known * split.train.values))
        else:
            node = np.argmax(np.bincount(pairs[:, side], every["score"]) / np.bincount(pairs[:, side]))
        try:
            table = calibrated.discover(pairs[pairs[:, side] == node], fdr=0.1)
        except InputError:
            shares.append(0.0)
            continue
        # No pair is a link with another probability than a half.
        shares.append(0.5 * bool(table["selected"].any()))
    return np.mean(shares)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("chosen", ["links", "scores"])
@pytest.mark.parametrize("model", [RNMFk, WNMFk])
def test_all_pairs_of_a_column_chosen_for_its_links_or_scores(model, chosen):
    """With RNMFk such a column had .29 to .34 false links, with WNMFk .23."""
    shares = false_shares(lambda seed: model((1,), n_perturbs=2, random_state=seed), chosen, range(12))
    assert shares <= 0.1


@pytest.fixture(scope="module")
def planted():
    network = datasets.planted_boolean(rows=80, columns=30, rank=2, flips=0.01).network
    split = holdout(network, 0.3, 0, calibration=0.4)
    return WNMFk((2,), n_perturbs=4, random_state=0).fit(split.train).calibrate(split.calibration), pairs_of(
        split.test
    )


@pytest.mark.filterwarnings("ignore")
def test_links_of_some_nodes_are_found_at_a_lower_level_that_is_stated(planted):
    calibrated, test = planted
    some = test[np.isin(test[:, 0], np.arange(32))]
    table = calibrated.discover(some, fdr=0.2)
    assert table["selected"].any()
    assert "pairs of 32 of 80 rows. They are selected at a rate of 8 %, so that 20 % holds" in table.limits
    free = calibrated.discover(some, fdr=0.2, chosen_without_scores=True)
    assert "They are selected at" not in free.limits
    assert (free["selected"] >= table["selected"]).all()


@pytest.mark.filterwarnings("ignore")
def test_a_node_for_which_the_level_is_too_low_raises_with_a_way_out(planted):
    calibrated, _ = planted
    every = calibrated.top_links(10**6)
    pairs = np.column_stack([every["row"], every["column"]])
    links = np.bincount(pairs[:, 1], every["score"] > 0.5)
    column = pairs[pairs[:, 1] == np.argmax(links)]
    assert len(column) >= 20
    with pytest.raises(InputError, match=r"pairs of 1 of 30 columns.*chosen_without_scores=True"):
        calibrated.discover(column, fdr=0.05)
    assert calibrated.discover(column, fdr=0.05, chosen_without_scores=True)["selected"].any()


@pytest.mark.filterwarnings("ignore")
def test_excluding_all_but_one_node_raises():
    network = coin_flips(1, (60, 30), 0.5)
    links = Network(
        network.rows, network.cols, np.where(network.cols == 3, 1.0, network.values), shape=network.shape
    )
    split = holdout(links, 0.01, 1, calibration=0.3)
    calibrated = RNMFk((1,), n_perturbs=2, random_state=0).fit(split.train).calibrate(split.calibration)
    every = calibrated.top_links(10**6)
    pairs = np.column_stack([every["row"], every["column"]])
    with pytest.raises(InputError, match="Exclude pairs that somebody knows, and no others"):
        calibrated.discover(exclude=pairs[pairs[:, 1] != 3])
