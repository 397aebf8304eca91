import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from latentlink.errors import IncompatibleError, InputError
from latentlink.network import Network, sample_negatives
from latentlink.network import matched as matched_module
from latentlink.network.pair_codes import PairCodes, distinct_numbers, unlisted_codes
from tests.network.strategies import networks

HOW = ["uniform", "degree-matched"]


def pairs(network, which=slice(None)):
    return set(zip(network.rows[which].tolist(), network.cols[which].tolist(), strict=True))


def every_pair(network):
    n, m = network.shape
    return {
        (i, j)
        for i in range(n)
        for j in range(m)
        if (not network.square or i != j) and (not network.symmetric or i < j)
    }


def links_of(network):
    known = network.known & (network.values != 0)
    return np.bincount(network.rows[known], minlength=network.shape[0]), np.bincount(
        network.cols[known], minlength=network.shape[1]
    )


class TestDrawn:
    @given(networks(binary=True), st.sampled_from(HOW), st.integers(1, 20), st.integers(0, 5))
    def test_negatives_are_new_pairs_off_the_diagonal(self, network, how, count, seed):
        try:
            sampled = sample_negatives(network, count, how=how, rng=seed)
        except InputError:
            free = len(every_pair(network) - pairs(network))
            assert how == "degree-matched" or count > free
            return
        assert sampled.is_clean
        new = pairs(sampled) - pairs(network)
        assert len(new) == count == sampled.history[-1].touched
        assert new <= every_pair(network)
        assert pairs(network) <= pairs(sampled)
        places = [sampled.position(*pair) for pair in new]
        assert not sampled.values[places].any()
        assert (sampled.weights[places] == 1).all()
        again = sample_negatives(network, count, how=how, rng=seed)
        assert again == sampled

    @pytest.mark.parametrize("symmetric", [True, False])
    @pytest.mark.parametrize("how", HOW)
    def test_all_that_is_left_can_be_drawn(self, symmetric, how):
        n = 6
        links = [(i, (i + 1) % n) for i in range(n)]
        network = Network.from_edges(links, symmetric=symmetric, square=True)
        free = len(every_pair(network)) - n
        full = sample_negatives(network, free, how=how, rng=0)
        assert pairs(full) == every_pair(network)

    def test_ratio_counts_known_links(self):
        network = Network.from_edges(
            [
                (0, 1, 1),
                (0, 2, 0),
                (
                    0,
                    3,
                    1,
                ),
            ],
            shape=(9, 9),
            symmetric=True,
        )
        assert sample_negatives(network, ratio=2.5, rng=0).history[-1].touched == 5
        assert sample_negatives(network.hide([0]), rng=0).history[-1].touched == 1

    @pytest.mark.parametrize("kind", [{"symmetric": True}, {"square": True}, {}])
    def test_uniform_draws_every_free_pair_alike(self, kind):
        network = Network.from_edges([(0, 1), (2, 3)], shape=(5, 5), **kind)
        free = sorted(every_pair(network) - pairs(network))
        counts = dict.fromkeys(free, 0)
        rng = np.random.default_rng(0)
        draws = 600
        for _ in range(draws):
            for pair in pairs(sample_negatives(network, 2, rng=rng)) - pairs(network):
                counts[pair] += 1
        expected = 2 * draws / len(free)
        chi = sum((count - expected) ** 2 / expected for count in counts.values())
        # Five standard deviations of chi squared with len(free) - 1 degrees of freedom.
        assert chi < len(free) - 1 + 5 * np.sqrt(2 * (len(free) - 1))


class TestMatched:
    def test_numbers_of_links_are_matched_exactly_in_a_sparse_network(self):
        rng = np.random.default_rng(0)
        rows, cols = rng.integers(0, 300, 900), (300 * rng.random(900) ** 2).astype(int)
        unique = sorted({(i, j) for i, j in zip(rows.tolist(), cols.tolist(), strict=True) if i != j})
        for options in ({}, {"square": True}):
            network = Network.from_edges(unique, shape=(300, 300), **options)
            sampled = sample_negatives(network, ratio=2, how="degree-matched", rng=1)
            new = sampled.subset(sampled.values == 0).with_values(np.ones(2 * network.n_listed))
            for found, wanted in zip(links_of(new), links_of(network), strict=True):
                np.testing.assert_array_equal(found, 2 * wanted)

    def test_numbers_of_links_are_matched_in_an_undirected_network(self, data_folder):
        path = data_folder / "ppi_disease_of_metabolism.tsv"
        columns = ("Uniprot_A", "Uniprot_B", "Interaction")
        raw = Network.from_file(path, columns=columns, symmetric=True, duplicates="keep")
        network = raw.subset(raw.values == 1)
        sampled = sample_negatives(network, how="degree-matched", rng=0)
        new = sampled.subset(sampled.values == 0).with_values(np.ones(network.n_listed))
        np.testing.assert_array_equal(sum(links_of(new)), sum(links_of(network)))

    def test_hubs_without_free_partners_get_what_there_is(self):
        # The hub is linked with everyone, so none of its ends can be matched.
        n = 12
        links = [(0, i) for i in range(1, n)] + [(i, i + 1) for i in range(1, n - 1)]
        network = Network.from_edges(links, symmetric=True)
        sampled = sample_negatives(network, 20, how="degree-matched", rng=0)
        assert "only in proportion" in sampled.history[-1].sentence
        assert not any(0 in pair for pair in pairs(sampled) - pairs(network))

    def test_pairs_of_many_nodes_are_drawn_without_a_list_of_all(self, monkeypatch):
        monkeypatch.setattr(matched_module, "_LARGEST_LIST", 10)
        links = [(0, i) for i in range(1, 12)] + [(i, i + 1) for i in range(1, 11)]
        network = Network.from_edges(links, symmetric=True)
        sampled = sample_negatives(network, 20, how="degree-matched", rng=0)
        assert sampled.is_clean
        assert sampled.n_listed == network.n_listed + 20
        star = Network.from_edges([(0, i) for i in range(1, 5)], shape=(9, 9), symmetric=True)
        with pytest.raises(InputError, match="Ask for fewer, or use how='uniform'"):
            sample_negatives(star, 8, how="degree-matched", rng=0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"count": 0}, "count is 0"),
        ({"count": 99}, "99 non-links are asked for, but only 7 pairs"),
        ({"ratio": 0}, "ratio is 0"),
        ({"ratio": 0.1}, "is no non-link at all"),
        ({"how": "best"}, "how is 'best'"),
        (
            {"count": 5, "how": "degree-matched"},
            "5 non-links are asked for, but only 1 pair of nodes with links",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused(options, message):
    network = Network.from_edges([(0, 1), (1, 2), (3, 4)], shape=(5, 5), symmetric=True)
    if options.get("how") == "degree-matched":
        network = Network.from_edges([(0, 1), (1, 2)], shape=(5, 5), symmetric=True)
    with pytest.raises(InputError, match=message):
        sample_negatives(network, **options)


def test_no_link_and_no_clean_listing_are_refused():
    with pytest.raises(InputError, match="No link is known"):
        sample_negatives(Network.from_dense([[0, np.nan]]), 1, how="degree-matched")
    with pytest.raises(IncompatibleError, match="sample_negatives needs every pair listed once"):
        sample_negatives(Network([0, 0], [1, 1], shape=(2, 2)), 1)
    with pytest.raises(InputError, match="more pairs than can be numbered"):
        PairCodes((2**40, 2**40), False, False)


@given(networks())
def test_numbers_of_pairs_there_and_back(network):
    codes = PairCodes(network.shape, network.symmetric, network.square)
    expected = sorted(every_pair(network))
    assert codes.total == len(expected)
    rows, cols = codes.pairs(np.arange(codes.total))
    assert list(zip(rows.tolist(), cols.tolist(), strict=True)) == expected
    np.testing.assert_array_equal(codes.of(rows, cols), np.arange(codes.total))


def test_numbers_of_pairs_are_exact_in_a_network_of_a_million_nodes():
    n = 1_000_000
    codes = PairCodes((n, n), True, True)
    numbers = np.array([0, n - 2, n - 1, codes.total - 2, codes.total - 1])
    rows, cols = codes.pairs(numbers)
    assert rows.tolist() == [0, 0, 1, n - 3, n - 2]
    assert cols.tolist() == [1, n - 1, 2, n - 1, n - 1]
    np.testing.assert_array_equal(codes.of(rows, cols), numbers)


@given(st.integers(1, 2000), st.data())
def test_distinct_numbers_are_distinct(below, data):
    count = data.draw(st.integers(0, below))
    drawn = distinct_numbers(below, count, np.random.default_rng(0))
    assert len(set(drawn.tolist())) == count
    assert ((drawn >= 0) & (drawn < below)).all()


@given(st.sets(st.integers(0, 30)))
def test_unlisted_numbers_are_the_others(listed):
    ascending = np.array(sorted(listed), dtype=np.int64)
    others = sorted(set(range(31)) - listed)
    assume(others)
    np.testing.assert_array_equal(unlisted_codes(np.arange(len(others)), ascending), others)
