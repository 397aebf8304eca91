"""Messages about unknown names: how many, the nearest known ones, swapped rows and columns."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latentlink.errors import InputError
from latentlink.network import Network
from latentlink.network.nearest_names import nearest_names
from tests.network.strategies import names

GENES = ["BRCA1", "BRCA2", "EGFR", "KRAS", "MYC", "TP53"]
DRUGS = ["aspirin", "ibuprofen", "imatinib"]
NETWORK = Network([0], [0], shape=(6, 3), row_names=GENES, col_names=DRUGS)


def message(look_up):
    with pytest.raises(InputError) as raised:
        look_up()
    return str(raised.value)


class TestMessages:
    def test_a_single_unknown_name_comes_with_the_nearest(self):
        text = message(lambda: NETWORK.row_index("TP35"))
        assert text.startswith("No row has the name 'TP35'; expected one of the 6 names")
        assert "Nearest: 'TP53'." in text

    def test_many_names_are_counted_each_once(self):
        text = message(lambda: NETWORK.row_indices(["TP35", "MYC", "brac1", "TP35", "quite other", "KRAS"]))
        assert text.startswith(
            "3 of 5 row names are unknown: 'TP35' (nearest: 'TP53'), 'brac1' (nearest: 'BRCA1'), 'quite"
        )

    def test_the_message_is_short_however_many_names_there_are(self):
        text = message(lambda: NETWORK.row_indices([f"{i}" * 100 for i in range(1000)]))
        assert text.startswith("1,000 of 1,000 row names are unknown: ")
        assert "and 997 more" in text
        assert len(text) < 400

    def test_swapped_pairs_are_noticed(self):
        text = message(lambda: NETWORK.pair_indices(["aspirin", "imatinib"], ["TP53", "MYC"]))
        assert text.startswith("Rows and columns are swapped: 'aspirin', 'imatinib' given as row")
        assert "(row, column)" in text

    def test_one_swapped_side_is_noticed(self):
        assert "'aspirin'. It is the name of a column" in message(lambda: NETWORK.row_index("aspirin"))
        assert "They are names of columns" in message(lambda: NETWORK.row_indices(["aspirin", "imatinib"]))
        assert "It is the name of a row" in message(lambda: NETWORK.position("TP53", "MYC"))

    def test_both_sides_are_named(self):
        text = message(lambda: NETWORK.positions(["TP35"], ["asprin"]))
        assert "No row has the name 'TP35'" in text
        assert "No column has the name 'asprin'" in text
        assert "'TP53'" in text
        assert "'aspirin'" in text

    def test_sides_of_a_square_network_are_never_swapped(self):
        square = Network([0], [1], shape=(6, 6), square=True, row_names=GENES)
        assert "swapped" not in message(lambda: square.pair_indices(["x"], ["y"]))

    def test_indices_that_are_too_large_are_counted(self):
        assert "There is no row 9 (and 1 others given are beyond)" in message(
            lambda: NETWORK.row_indices(np.array([0, 9, 12, 9]))
        )
        assert message(lambda: NETWORK.row_indices([6])).startswith(
            "There is no row 6: the network has 6 rows"
        )


def test_unknown_nodes_may_be_missing():
    rows, cols = NETWORK.pair_indices(["MYC", "x", 9], ["aspirin", 1, "y"], missing=True)
    assert (rows.tolist(), cols.tolist()) == ([4, -1, -1], [0, 1, -1])
    for nodes in ([-1], [True], [0.5]):
        with pytest.raises(InputError, match=r"There is no row -1|A row is given as"):
            NETWORK.pair_indices(nodes, [0], missing=True)


class TestNearest:
    @pytest.mark.parametrize(
        "typo", ["gene0o5000", "gene00500000", "gene0050000", "Gene005000", "xgene005000"]
    )
    def test_one_slip_of_the_keys_is_found_among_many(self, typo):
        known = np.array([f"gene{i:06d}" for i in range(20_000)])
        right = "gene005000"
        assert right in nearest_names(typo, known, 5)

    @settings(max_examples=50)
    @given(st.lists(names, min_size=1, unique=True), names)
    def test_the_nearest_are_known_and_best_first(self, known, name):
        near = nearest_names(name, np.array(known), 3)
        assert set(near) <= set(known)
        assert len(near) <= 3
        if name in known:
            assert near[0].lower() == name.lower()

    def test_very_long_names(self):
        known = np.array(["x" * 5000, "x" * 4999 + "y", "z"])
        assert nearest_names("x" * 100_000, known) == ["x" * 5000]
        assert nearest_names("", known) == []
