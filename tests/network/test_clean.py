import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from latentlink.errors import IncompatibleError, InputError
from latentlink.network import (
    Network,
    binarize,
    drop_duplicates,
    drop_self_loops,
    drop_sparse_nodes,
    resolve_conflicts,
)
from tests.network.strategies import networks

HOW = ["link", "non-link", "mean", "drop"]


@st.composite
def unclean(draw):
    entry = st.tuples(
        st.integers(0, 2), st.integers(0, 2), st.sampled_from([0.0, 1.0]), st.sampled_from([0.0, 1.0, 2.0])
    )
    listed = draw(st.lists(entry, min_size=1, max_size=25))
    return Network.from_edges(listed, shape=(3, 3), symmetric=draw(st.booleans()), duplicates="keep")


def entries(network):
    return list(zip(network.rows, network.cols, network.values, network.weights, strict=True))


class TestDuplicates:
    @given(unclean())
    def test_each_different_entry_stays_once(self, network):
        cleaned = drop_duplicates(network)
        assert sorted(entries(cleaned)) == sorted(set(entries(network)))
        assert cleaned.history[-1].touched == network.n_listed - cleaned.n_listed
        assert drop_duplicates(cleaned) == cleaned

    def test_a_known_listing_stays_beside_a_hidden_one(self):
        network = Network.from_edges([(0, 0, 1, 0), (0, 0, 1, 1), (0, 0, 1, 1)], duplicates="keep")
        assert sorted(drop_duplicates(network).weights) == [0, 1]

    def test_nothing_to_do_is_said_too(self):
        network = Network([], [], shape=(2, 2))
        assert drop_duplicates(network).history[-1].touched == 0


class TestConflicts:
    @given(unclean(), st.sampled_from(HOW))
    def test_every_pair_is_listed_once_afterwards(self, network, how):
        cleaned = resolve_conflicts(network, how)
        assert cleaned.is_clean
        assert resolve_conflicts(cleaned, how) == cleaned
        pairs = {}
        for row, col, value, weight in entries(network):
            pairs.setdefault((row, col), []).append((value, weight))
        # Hidden listings have no say beside known ones.
        pairs = {
            pair: [each for each in found if each[1]] if any(weight for _, weight in found) else found
            for pair, found in pairs.items()
        }
        conflicts = {pair for pair, found in pairs.items() if len({value for value, _ in found}) > 1}
        assert cleaned.history[-1].touched == len(conflicts)
        left = {(row, col): (value, weight) for row, col, value, weight in entries(cleaned)}
        assert set(left) == set(pairs) - (conflicts if how == "drop" else set())
        for pair, (value, weight) in left.items():
            values, weights = (np.array(each) for each in zip(*pairs[pair], strict=True))
            assert weight == weights.max()
            mean = np.average(values, weights=weights if weights.any() else None)
            expected = {"link": values.max(), "non-link": values.min(), "mean": mean, "drop": values[0]}[how]
            assert value == pytest.approx(expected)

    @pytest.mark.parametrize("how", HOW)
    def test_a_hidden_listing_never_overrules_a_known_one(self, how):
        listed = [("a", "x", 0, 1), ("a", "x", 1, 0), ("b", "x", 1, 1)]
        network = Network.from_edges(listed, duplicates="keep")
        for raw in (network, drop_duplicates(network)):
            cleaned = resolve_conflicts(raw, how)
            place = cleaned.position("a", "x")
            assert (cleaned.values[place], cleaned.weights[place]) == (0, 1)
            assert cleaned.history[-1].touched == 0
            assert "3 entries became 2" in cleaned.history[-1].sentence

    def test_known_listings_are_settled_among_themselves(self):
        listed = [(0, 0, 2, 1), (0, 0, 9, 0), (0, 0, 4, 1), (0, 0, -9, 0)]
        network = Network.from_edges(listed, duplicates="keep")
        found = {how: resolve_conflicts(network, how).values.tolist() for how in HOW}
        assert found == {"link": [4], "non-link": [2], "mean": [3], "drop": []}

    def test_the_sentence_says_what_became_of_them(self):
        network = Network.from_edges([(0, 1, 1), (0, 1, 0), (1, 1, 1)], duplicates="keep")
        told = resolve_conflicts(network, "mean").history[-1].sentence
        assert told == "1 pair had different values and got their mean; 3 entries became 2."

    def test_nothing_listed_and_odd_choices(self):
        assert resolve_conflicts(Network([], [], shape=(2, 2)), "link").n_listed == 0
        with pytest.raises(InputError, match="how is 'best'"):
            resolve_conflicts(Network([0], [0], shape=(1, 1)), "best")


class TestSelfLoops:
    @given(networks())
    def test_only_the_diagonal_goes(self, network):
        if not network.square:
            with pytest.raises(IncompatibleError, match="two kinds of nodes"):
                drop_self_loops(network)
            return
        cleaned = drop_self_loops(network)
        assert not cleaned.has_self_loops
        assert cleaned.history[-1].touched == np.count_nonzero(network.rows == network.cols)
        assert cleaned == network.subset(network.rows != network.cols)


class TestBinarize:
    @given(networks())
    def test_values_become_links_and_non_links(self, network):
        cleaned = binarize(network, at=0.5)
        assert cleaned.is_binary
        assert cleaned.values.tolist() == (network.values > 0.5).astype(float).tolist()
        assert cleaned.history[-1].touched == np.count_nonzero(cleaned.values != network.values)
        assert binarize(cleaned, at=0.5) == cleaned

    def test_the_threshold_is_a_number(self):
        with pytest.raises(InputError, match="at is nan"):
            binarize(Network([0], [0], shape=(1, 1)), at=np.nan)


def partners_of(network, links_only=False):
    """Partners of each node by name, the slow way."""
    found = {}
    for row, col, value, weight in entries(network):
        if weight and (value or not links_only):
            one = f"r{network.row_names[row]}" if not network.square else str(network.row_names[row])
            other = f"c{network.col_names[col]}" if not network.square else str(network.col_names[col])
            if one != other:
                found.setdefault(one, set()).add(other)
                found.setdefault(other, set()).add(one)
    return found


class TestSparseNodes:
    @given(networks(binary=True), st.integers(1, 3), st.booleans())
    def test_everyone_left_has_enough_partners(self, network, least, links_only):
        try:
            cleaned = drop_sparse_nodes(network, least, links_only=links_only)
        except InputError as error:
            assert "nothing would be left" in str(error)  # noqa: PT017
            return
        found = partners_of(cleaned, links_only)
        n, m = cleaned.shape
        assert len(found) == (n if network.square else n + m)
        assert all(len(partners) >= least for partners in found.values())
        assert cleaned.history[-1].touched == (
            network.shape[0] - n + (0 if network.square else network.shape[1] - m)
        )
        again = drop_sparse_nodes(cleaned, least, links_only=links_only)
        assert again == cleaned

    def test_once_or_until_stable(self):
        path = Network.from_edges([(i, i + 1) for i in range(9)] + [(0, 2)], symmetric=True)
        assert drop_sparse_nodes(path, 2, repeat=False).shape == (9, 9)
        stable = drop_sparse_nodes(path, 2)
        assert stable.row_names.tolist() == ["0", "1", "2"]
        assert stable.history[-1].sentence == (
            "Took out 7 nodes with fewer than 2 partners, and 7 entries of theirs."
        )

    def test_hidden_entries_join_nobody_and_duplicates_count_once(self):
        network = Network([0, 0, 1], [1, 1, 2], shape=(3, 3), symmetric=True).hide([2])
        assert drop_sparse_nodes(network, 1).row_names.tolist() == ["0", "1"]
        with pytest.raises(InputError, match="busiest node has 1"):
            drop_sparse_nodes(network, 2)

    def test_a_long_chain_is_peeled_quickly(self):
        n = 20_000
        chain = np.arange(n)
        network = Network.from_edges(
            np.r_[chain, n], np.r_[chain + 1, n - 1], symmetric=True, duplicates="keep"
        )
        triangle = Network.from_edges(
            np.r_[network.rows, n - 1], np.r_[network.cols, n + 1], symmetric=True, duplicates="keep"
        )
        closed = Network.from_edges(
            np.r_[triangle.rows, n], np.r_[triangle.cols, n + 1], symmetric=True, duplicates="keep"
        )
        assert drop_sparse_nodes(closed, 2).shape == (3, 3)

    def test_the_number_is_checked(self):
        with pytest.raises(InputError, match="partners is 0"):
            drop_sparse_nodes(Network([0], [0], shape=(1, 1)), 0)

    def test_the_filter_of_the_paper(self, data_folder):
        for file, counts in [
            ("ppi_disease_of_metabolism.tsv", (1010, 5089, 5076)),
            ("ppi_neurodegenerative_disease.tsv", (813, 5867, 5869)),
        ]:
            columns = ("Uniprot_A", "Uniprot_B", "Interaction")
            raw = Network.from_file(data_folder / file, columns=columns, symmetric=True, duplicates="keep")
            network = drop_sparse_nodes(drop_duplicates(raw), 5)
            links = int(network.values.sum())
            assert (network.shape[0], links, network.n_listed - links) == counts
