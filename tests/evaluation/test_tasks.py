"""Tasks: what is fitted and what is tested are apart, and non-links are what their kind says."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latentlink import LinkStack, LogisticHead, Network, WNMFk
from latentlink.errors import DataWarning, IncompatibleError, InputError
from latentlink.evaluation import Protocol, evaluation_tasks
from latentlink.evaluation.tasks.data_kind import kind_of, raise_if_cut_by_cells
from latentlink.network.transforms.symmetry import as_matrix
from latentlink.proximity import LinkGraph, personalized_pagerank, resource_allocation
from latentlink.splitting import Split, holdout, kfold
from tests.evaluation.cases import groups, labelled, ratings

SMALL = Protocol(per_link=4, max_links=20, max_nodes=5)


def networks():
    links, _ = groups(30)
    directed = Network(links.rows, links.cols, shape=links.shape, square=True)
    bipartite = Network(links.rows, links.cols, shape=links.shape)
    weak = links.with_background(0.2)
    return {
        "undirected": links, "directed": directed, "bipartite": bipartite, "background": weak,
        "labelled": labelled(), "labelled and undirected": labelled((30, 30), symmetric=True),
        "values": ratings((20, 15)),
    }  # fmt: skip


NETWORKS = networks()


@pytest.mark.parametrize("name", NETWORKS)
@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 1000))
def test_no_pair_is_on_both_sides(name, seed):
    network = NETWORKS[name]
    protocol = Protocol(per_link=4, max_links=20, max_nodes=5, new_nodes=0.1)
    for task in evaluation_tasks(network, repeats=1, protocol=protocol, random_state=seed):
        train = task.train
        positions = train.positions(*task.pairs.T)
        assert not train.known[positions[positions >= 0]].any()
        keys = network.pair_keys(*task.pairs.T)
        assert len(np.unique(keys)) == len(keys)
        listed = network.positions(*task.pairs.T)
        np.testing.assert_array_equal(task.values[listed >= 0], network.values[listed[listed >= 0]])
        if name != "values":
            assert not task.values[listed < 0].any()
        if network.square:
            assert (task.pairs[:, 0] != task.pairs[:, 1]).all()
        if task.hidden == "nodes":
            known = train.known & (train.values != 0 if name != "values" else True)
            rows, cols = set(train.rows[known]), set(train.cols[known])
            rows, cols = (rows | cols, rows | cols) if network.square else (rows, cols)
            linked = task.pairs[(task.values == 1) | (name == "values")]
            if "labelled" not in name:
                assert all(i not in rows or j not in cols for i, j in linked)


@pytest.mark.parametrize("name", ["undirected", "directed", "bipartite"])
def test_links_alone_get_as_many_drawn_nonlinks_as_links(name):
    network = NETWORKS[name]
    (task,) = evaluation_tasks(network, repeats=1, protocol=SMALL)
    values = task.train.values[task.train.known]
    assert (values == 0).sum() == (values == 1).sum() == round(0.8 * network.n_known)
    assert [setting.negatives for setting in task.settings] == ["uniform", "degree", "hard", "all"]


@pytest.mark.parametrize("name", ["undirected", "directed", "bipartite"])
def test_a_model_that_takes_links_alone_gets_the_training_links_and_no_hint_of_the_test_pairs(name):
    network = NETWORKS[name]
    hidden = network.hide([3])  # by the user: no test pair, and stays hidden
    (task,) = evaluation_tasks(hidden, repeats=1, protocol=SMALL)
    known = task.train.known & (task.train.values == 1)
    assert task.links.subset(task.links.known) == task.train.subset(known)
    assert (task.links.positions(*task.pairs.T) < 0).all()
    assert task.links.n_listed == task.links.n_known + 1
    assert task.train_of(LinkStack()) is task.links
    for other in (WNMFk(), LogisticHead(), len):
        assert task.train_of(other) is task.train


@pytest.mark.parametrize("name", ["background", "labelled", "values"])
def test_other_networks_are_the_same_for_all(name):
    for task in evaluation_tasks(NETWORKS[name], repeats=1, protocol=SMALL):
        assert task.links is None
        assert task.train_of(LinkStack()) is task.train


def test_with_a_background_test_pairs_are_unlisted():
    (task,) = evaluation_tasks(NETWORKS["background"], repeats=1, protocol=SMALL)
    assert task.train.background == 0.2
    assert task.train.n_listed == task.train.n_known
    assert (task.train.positions(*task.pairs.T) < 0).all()


def labels(task, negatives):
    setting = next(each for each in task.settings if each.negatives == negatives)
    return setting, task.values[setting.positions]


def test_uniform_and_degree_matched_nonlinks_are_as_many_as_links():
    network, _ = groups(80, within=0.2, between=0.05)
    (task,) = evaluation_tasks(network, repeats=1, test_size=0.1, negatives=("uniform", "degree"))
    for kind in ("uniform", "degree"):
        assert labels(task, kind)[1].mean() == 0.5
    setting, truth = labels(task, "degree")
    ends = task.pairs[setting.positions]
    counts = [np.bincount(ends[truth == value].ravel(), minlength=80) for value in (0, 1)]
    np.testing.assert_array_equal(*counts)


def test_hard_nonlinks_are_the_best_partners_of_the_same_nodes():
    network = NETWORKS["undirected"]
    protocol = Protocol(per_link=2, max_links=1000)
    (task,) = evaluation_tasks(network, repeats=1, negatives=("hard",), protocol=protocol)
    setting, truth = labels(task, "hard")
    train = LinkGraph.of(task.train)
    pairs = task.pairs[setting.positions]
    free = {tuple(sorted(pair)) for pair in np.argwhere(np.triu(np.ones(network.shape), 1)).tolist()}
    for listed in (network, task.train):
        free -= set(zip(listed.rows.tolist(), listed.cols.tolist(), strict=True))
    for link in range(3):
        one, other = pairs[(setting.groups == link) & (truth == 1)][0].tolist()
        nonlinks = pairs[(setting.groups == link) & (truth == 0)].tolist()
        assert len(nonlinks) == 2
        for node, nonlink in zip((one, other), nonlinks, strict=True):
            assert node in nonlink
            candidates = np.array([pair for pair in free if node in pair])
            partners = [[pair] for pair in candidates.tolist()]
            best = []
            for score in (resource_allocation, personalized_pagerank):
                scores = score(train, candidates[:, 0], candidates[:, 1])
                best += [
                    tuple(each[0])
                    for each, is_best in zip(partners, scores == scores.max(), strict=True)
                    if is_best
                ]
            assert tuple(sorted(nonlink)) in best


def test_all_pairs_of_a_node_are_its_test_links_and_everything_unlisted():
    network = NETWORKS["undirected"]
    (task,) = evaluation_tasks(network, repeats=1, negatives=("all",), protocol=SMALL)
    setting, truth = labels(task, "all")
    assert len(np.unique(setting.groups)) == 5
    for node in np.unique(setting.groups):
        in_list = setting.groups == node
        pairs = task.pairs[setting.positions[in_list]]
        assert (pairs == node).any(axis=1).all()
        listed = ((task.train.rows == node) | (task.train.cols == node)) & task.train.known
        assert len(pairs) == network.shape[0] - 1 - listed.sum()
        assert truth[in_list].any()


def test_subsets_are_told_by_the_training_part():
    edges = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5), (6, 0)]
    network = Network.from_edges(edges, symmetric=True)
    test = np.isin(np.arange(network.n_listed), network.positions([0, 3], [6, 5]))
    split = Split(network.hide(test), network.subset(test))
    (task,) = evaluation_tasks(network, repeats=[split], negatives=("uniform",))
    of_pair = {tuple(pair): n for n, pair in enumerate(task.pairs.tolist())}
    new, same = of_pair[0, 6], of_pair[3, 5]
    subsets = {name: mask[[new, same]].tolist() for name, mask in task.subsets.items()}
    assert subsets == {"warm": [False, True], "new nodes": [True, False], "one component": [False, True]}


def test_complete_networks_have_listed_nonlinks_alone():
    network = labelled(known=1.0)
    (task,) = evaluation_tasks(network, repeats=1)
    assert [setting.negatives for setting in task.settings] == ["listed"]
    with pytest.raises(InputError, match="0 unlisted pairs"):
        evaluation_tasks(network, repeats=1, negatives=("uniform",))


def test_the_same_seed_has_the_same_tasks():
    first, again, other = (
        evaluation_tasks(NETWORKS["undirected"], repeats=2, protocol=SMALL, random_state=seed)
        for seed in (3, 3, 4)
    )
    for one, same in zip(first, again, strict=True):
        np.testing.assert_array_equal(one.pairs, same.pairs)
        assert one.train == same.train
    assert first[0].train != other[0].train


# ---------------------------------------------------------------- what raises


def test_a_symmetric_matrix_raises():
    network = as_matrix(NETWORKS["undirected"])
    with pytest.raises(IncompatibleError, match=r"equals its transpose.*symmetric=True"):
        evaluation_tasks(network)
    identity = Network.from_edges([(n, n, float(n % 2)) for n in range(10)])
    assert evaluation_tasks(identity, repeats=1, test_size=0.4, negatives=())


def test_a_split_by_cells_raises():
    network = NETWORKS["undirected"]
    cells = holdout(as_matrix(network), 0.2, rng=0)
    with pytest.raises(InputError, match="split by pairs, not by cells"):
        evaluation_tasks(network, repeats=[cells])
    assert len(evaluation_tasks(network, repeats=kfold(network, 3, rng=0))) == 3


@pytest.mark.parametrize(
    ("splits", "message"),
    [
        ([3], "Split 0 is 3; expected a Split"),
        ([Split(labelled((20, 20)), labelled((20, 20)))], "is of a network of shape"),
        ([Split(labelled(), labelled())], "both in the training and in the test part; expected none.$"),
        ([Split(labelled(), labelled(seed=5))], "that the network does not list"),
        ([Split(labelled(), labelled().subset([]))], "no pairs to train or to test"),
        (0, "repeats is 0; expected a whole number >= 1, or splits"),
        ("5", "Split 0 is '5'"),
    ],
)
def test_invalid_splits_raise(splits, message):
    with pytest.raises(InputError, match=message):
        evaluation_tasks(labelled(), repeats=splits)


@pytest.mark.parametrize(
    ("network", "options", "message"),
    [
        (groups(20)[0], {"negatives": ("odd",)}, "negatives is 'odd'; expected one of 'uniform'"),
        (groups(20)[0], {"negatives": "listed"}, "negatives is 'listed'"),
        (groups(20)[0], {"negatives": ()}, "negatives is empty"),
        (ratings(), {"negatives": ("uniform",)}, "which have no non-links; expected None"),
        (groups(20)[0], {"protocol": 3}, "protocol is 3; expected a Protocol"),
        (groups(20)[0], {"protocol": Protocol(per_link=1)}, "per_link=1"),
        (groups(20)[0], {"protocol": Protocol(new_nodes=1.0)}, "new_nodes=1.0"),
        (Network.from_edges([(0, 1, 0), (1, 2, 0)]), {}, "None of 2 known entries is a link"),
        (np.eye(3), {}, "expected a Network"),
    ],
)
def test_invalid_arguments_raise(network, options, message):
    with pytest.raises((InputError, IncompatibleError), match=message):
        evaluation_tasks(network, **options)


def symmetric_matrix():
    rng = np.random.default_rng(0)
    upper = np.triu(rng.random((30, 30)) < 0.15, 1)
    return (upper | upper.T).astype(float)


def with_one_change(matrix):
    matrix[3, 5] = 1 - matrix[3, 5]
    return matrix


def with_holes(matrix):
    matrix[np.random.default_rng(1).random(matrix.shape) < 0.1] = np.nan
    return matrix


@pytest.mark.parametrize("change", [with_one_change, with_holes])
def test_a_nearly_symmetric_matrix_warns(change):
    network = Network.from_dense(change(symmetric_matrix()))
    with pytest.warns(DataWarning, match=r"known in both directions and are not both 0, .* symmetric=True"):
        raise_if_cut_by_cells(network)


@pytest.mark.parametrize("share", [0.05, 0.5, 0.95])
def test_a_directed_matrix_is_quiet(share):
    """Zeros of a sparse matrix, and ones of a dense one, agree by chance."""
    values = (np.random.default_rng(2).random((30, 30)) < share).astype(float)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        raise_if_cut_by_cells(Network.from_dense(values))
    assert not np.array_equal(values, values.T)


def test_rows_and_columns_of_other_names_are_no_pairs_of_one_kind():
    names = [f"r{number}" for number in range(30)], [f"c{number}" for number in range(30)]
    values = with_one_change(symmetric_matrix())
    rows, cols = np.indices(values.shape).reshape(2, -1)
    edges = [(names[0][i], names[1][j], values[i, j]) for i, j in zip(rows, cols, strict=True)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        raise_if_cut_by_cells(Network.from_edges(edges))
    assert kind_of(Network.from_edges(edges)) == "labelled"


def test_a_share_out_of_range_is_named_as_the_argument():
    network = Network.from_edges([0, 1, 2], [1, 2, 3], symmetric=True, shape=(4, 4))
    with pytest.raises(InputError, match=r"^test_size is 1\.5; expected a number above 0 and below 1"):
        evaluation_tasks(network, test_size=1.5)
