"""Integers given for nodes whose names are other whole numbers."""

import warnings

import numpy as np
import pytest

from latentlink import Network, WNMFk
from latentlink.errors import DataWarning
from latentlink.network.names import warn_if_ids

ONE_TO_THREE = np.array(["1", "2", "3"])


@pytest.fixture(scope="module")
def from_ids(tmp_path_factory):
    rng = np.random.default_rng(0)
    truth = rng.gamma(1, size=(12, 2)) @ rng.gamma(1, size=(2, 9))
    listed = [f"{i + 1},{j + 1},{truth[i, j]}" for i, j in np.argwhere(rng.random(truth.shape) < 0.9)]
    path = tmp_path_factory.mktemp("ids") / "ratings.csv"
    path.write_text("user,item,rating\n" + "\n".join(listed))
    return WNMFk((2,), n_perturbs=3, random_state=0).fit(Network.from_file(path))


@pytest.mark.parametrize("nodes", [np.array([1]), np.array(["2", 1], object)])
def test_an_index_of_another_number_warns(nodes):
    with pytest.warns(DataWarning, match=r"The row 1 is .* an index, .*: that of the row with the name '2'"):
        assert warn_if_ids(nodes, ONE_TO_THREE, "row")


@pytest.mark.parametrize(
    ("nodes", "names"),
    [
        (np.array(["1", "2"]), ONE_TO_THREE),
        (np.array([1]), None),
        (np.array([0, 1]), np.array(["0", "1"])),
        (np.array([0, 1]), np.array(["ann", "bob"])),
        (np.array([7, -1]), ONE_TO_THREE),  # beyond the network, which raises elsewhere
        (np.array([True], object), ONE_TO_THREE),
    ],
    ids=["names", "no names", "positions", "words", "beyond", "truth values"],
)
def test_what_cannot_be_confused_is_quiet(nodes, names):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not warn_if_ids(nodes, names, "row")


@pytest.mark.parametrize(
    "ask",
    [
        lambda model: model.predict_links([(1, 2)]),
        lambda model: model.predict_links(np.array([[1, 2]])),
        lambda model: model.assess([("1", 2)]),
        lambda model: model.explain((1, 2)),
        lambda model: model.recommend(1, known=True),
        lambda model: model.top_links(2, exclude=[(1, 2)]),
        lambda model: model.fold_in({1: 3.0}),
    ],
    ids=["list", "array", "column", "explain", "recommend", "exclude", "fold_in"],
)
def test_every_question_by_id_warns_once(from_ids, ask):
    with pytest.warns(DataWarning, match="If names are meant, give them as text") as told:
        ask(from_ids)
    assert len(told) == 1


def test_names_and_networks_are_quiet(from_ids):
    named = from_ids.predict_links([("1", "2")])
    known = from_ids.network_.subset(np.arange(from_ids.network_.n_listed) == 0)
    assert known.node_names(known.rows, known.cols)[0].tolist() == ["1"]
    assert len(from_ids.predict_links(known)) == len(named) == 1


def test_the_known_entries_of_a_network_are_scored(from_ids):
    network = from_ids.network_
    with pytest.warns(DataWarning, match="as an integer"):
        by_index = from_ids.predict_links(np.column_stack([network.rows, network.cols]))
    np.testing.assert_array_equal(from_ids.predict_links(network), by_index)


def test_links_by_index_beside_names_of_numbers_warn():
    with pytest.warns(DataWarning, match="The row 1 is given as an integer") as told:
        network = Network.from_edges([(1, 2)], symmetric=True, nodes=["1", "2", "3"])
    assert len(told) == 1
    assert network.row_names[network.rows].tolist() == ["2"]


def test_names_that_are_integers_are_told_how_to_be_given():
    with pytest.raises(ValueError, match="Give it as text, '1', here and in the pairs: integers in pairs"):
        Network.from_edges([(1, 2)], symmetric=True, nodes=[1, 2, 3])
