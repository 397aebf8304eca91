"""Removal of nodes with few partners."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latentlink.errors import InputError
from latentlink.network import Network, drop_duplicates, drop_sparse_nodes
from tests.network.strategies import networks


def partners_of(network, links_only=False):
    """Partners of each node by name, by plain loops."""
    partners = {}
    row_prefix, col_prefix = ("", "") if network.square else ("row ", "column ")
    for row, col, value, weight in zip(*network.entries, strict=True):
        one = f"{row_prefix}{network.row_names[row]}"
        other = f"{col_prefix}{network.col_names[col]}"
        if weight and (value or not links_only) and one != other:
            partners.setdefault(one, set()).add(other)
            partners.setdefault(other, set()).add(one)
    return partners


@settings(max_examples=30)
@given(networks(binary=True), st.integers(1, 3), st.booleans())
def test_every_remaining_node_has_enough_partners(network, minimum, links_only):
    try:
        cleaned = drop_sparse_nodes(network, minimum, links_only=links_only)
    except InputError as error:
        assert "no row or no column would remain" in str(error)  # noqa: PT017
        return
    partners = partners_of(cleaned, links_only)
    n, m = cleaned.shape
    assert len(partners) == (n if network.square else n + m)
    assert all(len(others) >= minimum for others in partners.values())
    removed = network.shape[0] - n + (0 if network.square else network.shape[1] - m)
    assert cleaned.history[-1].touched == removed
    assert drop_sparse_nodes(cleaned, minimum, links_only=links_only) == cleaned


def test_nodes_are_removed_once_or_until_all_have_enough_partners():
    path = Network.from_edges([(i, i + 1) for i in range(9)] + [(0, 2)], symmetric=True)
    assert drop_sparse_nodes(path, 2, repeat=False).shape == (9, 9)
    core = drop_sparse_nodes(path, 2)
    assert core.row_names.tolist() == ["0", "1", "2"]
    assert core.history[-1].sentence == "Removed 7 nodes with fewer than 2 partners, with 7 entries."


def test_hidden_entries_do_not_count_and_duplicates_count_once():
    network = Network([0, 0, 1], [1, 1, 2], shape=(3, 3), symmetric=True).hide([2])
    assert drop_sparse_nodes(network, 1).row_names.tolist() == ["0", "1"]
    with pytest.raises(
        InputError, match=r"partners is 2, .* has at most 1 partner before others are removed"
    ):
        drop_sparse_nodes(network, 2)


def test_a_long_chain_is_removed_node_by_node():
    n = 3_000
    chain = [(i, i + 1) for i in range(n)]
    triangle = [(n, n + 1), (n, n + 2), (n + 1, n + 2)]
    network = Network.from_edges(chain + triangle, symmetric=True)
    assert drop_sparse_nodes(network, 2).row_names.tolist() == [str(n), str(n + 1), str(n + 2)]


@pytest.mark.parametrize(("partners", "shown"), [(0, "0"), ("x", "'x'"), (1.5, "1.5")])
def test_an_invalid_number_of_partners_raises(partners, shown):
    with pytest.raises(InputError, match=f"partners is {shown}; expected a whole number"):
        drop_sparse_nodes(Network([0], [0], shape=(1, 1)), partners)


@pytest.mark.parametrize(
    ("file", "counts"),
    [
        ("ppi_disease_of_metabolism.tsv", (1010, 5089, 5076)),
        ("ppi_neurodegenerative_disease.tsv", (813, 5867, 5869)),
    ],
)
def test_the_filter_of_the_paper_gives_its_counts(data_folder, file, counts):
    columns = ("Uniprot_A", "Uniprot_B", "Interaction")
    raw = Network.from_file(data_folder / file, columns=columns, symmetric=True, duplicates="keep")
    network = drop_sparse_nodes(drop_duplicates(raw), 5)
    links = int(np.count_nonzero(network.values))
    assert (network.shape[0], links, network.n_listed - links) == counts
