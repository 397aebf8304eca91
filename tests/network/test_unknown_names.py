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
        assert "There is no row 9 (and 1 more are beyond)" in message(
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


WHOLE_MESSAGES = {
    "one name": (
        ["TP35"],
        ["aspirin"],
        "No row has the name 'TP35'; expected one of the 6 names, spelled exactly as it was read. "
        "Nearest: 'TP53'.",
    ),
    "one of two names": (
        ["TP35", "MYC"],
        ["aspirin", "aspirin"],
        "1 of 2 row names is unknown: 'TP35' (nearest: 'TP53'); expected one of the 6 names, "
        "spelled exactly as it was read.",
    ),
    "several near names": (
        ["BRCA"],
        ["aspirin"],
        "No row has the name 'BRCA'; expected one of the 6 names, spelled exactly as it was read. "
        "Nearest: 'BRCA1', 'BRCA2'.",
    ),
    "no near name": (
        ["quite other"],
        ["aspirin"],
        "No row has the name 'quite other'; expected one of the 6 names, spelled exactly as it was read.",
    ),
    "four names": (
        ["a", "TP35", "b", "c", "a"],
        ["aspirin", "aspirin", "aspirin", "aspirin", "aspirin"],
        "4 of 4 row names are unknown: 'a', 'TP35' (nearest: 'TP53'), 'b' and 1 more; expected one "
        "of the 6 names, spelled exactly as it was read.",
    ),
    "five names": (
        ["a", "TP35", "b", "c", "d"],
        ["aspirin", "aspirin", "aspirin", "aspirin", "aspirin"],
        "5 of 5 row names are unknown: 'a', 'TP35' (nearest: 'TP53'), 'b' and 2 more; expected one "
        "of the 6 names, spelled exactly as it was read.",
    ),
    "a name of 40 characters in quotes": (
        ["abcdefghijklmnopqrstuvwxyzabcdefghijkl"],
        ["aspirin"],
        "No row has the name 'abcdefghijklmnopqrstuvwxyzabcdefghijkl'; expected one of the 6 names,"
        " spelled exactly as it was read.",
    ),
    "a longer name": (
        ["abcdefghijklmnopqrstuvwxyzabcdefghijklm"],
        ["aspirin"],
        "No row has the name 'abcdefghijklmnopqrstuvwxyzabcdefghij...; expected one of the 6 names,"
        " spelled exactly as it was read.",
    ),
    "a longer name of two": (
        ["abcdefghijklmnopqrstuvwxyzabcdefghijklm", "MYC"],
        ["aspirin", "aspirin"],
        "1 of 2 row names is unknown: 'abcdefghijklmnopqrstuvwxyzabcdefghij...; expected one of the"
        " 6 names, spelled exactly as it was read.",
    ),
    "swapped one": (
        ["aspirin"],
        ["TP53"],
        "Rows and columns are swapped: 'aspirin' given as row and 'TP53' given as column are known "
        "on the other side. Give each pair as (row, column).",
    ),
    "swapped four": (
        ["aspirin", "ibuprofen", "imatinib", "aspirin"],
        ["BRCA1", "BRCA2", "EGFR", "KRAS"],
        "Rows and columns are swapped: 'aspirin', 'ibuprofen', 'imatinib' given as row and 'BRCA1',"
        " 'BRCA2', 'EGFR' and 1 more given as column are known on the other side. Give each pair as"
        " (row, column).",
    ),
    "row is column": (
        ["aspirin"],
        ["aspirin"],
        "No row has the name 'aspirin'. It is the name of a column: have rows and columns been swapped?",
    ),
    "rows are columns": (
        ["aspirin", "imatinib", "MYC"],
        ["aspirin", "aspirin", "aspirin"],
        "2 of 3 row names are unknown: 'aspirin', 'imatinib'. They are names of columns: have rows "
        "and columns been swapped?",
    ),
    "column is row": (
        ["MYC"],
        ["EGFR"],
        "No column has the name 'EGFR'. It is the name of a row: have rows and columns been swapped?",
    ),
    "names of both sides": (
        ["TP35"],
        ["asprin"],
        "No row has the name 'TP35'; expected one of the 6 names, spelled exactly as it was read. "
        "Nearest: 'TP53'. No column has the name 'asprin'; expected one of the 3 names, spelled "
        "exactly as it was read. Nearest: 'aspirin'.",
    ),
    "swapped partly": (
        ["aspirin"],
        ["asprin"],
        "No row has the name 'aspirin'. It is the name of a column: have rows and columns been "
        "swapped? No column has the name 'asprin'; expected one of the 3 names, spelled exactly as "
        "it was read. Nearest: 'aspirin'.",
    ),
    "indices": (
        [6, 7, 8],
        [0, 0, 0],
        "There is no row 6 (and 2 more are beyond): the network has 6 rows, counted from 0.",
    ),
    "an index": ([0], [3], "There is no column 3: the network has 3 columns, counted from 0."),
    "a name and an index": (
        ["TP35", 9],
        [0, 0],
        "There is no row 9: the network has 6 rows, counted from 0.",
    ),
}


@pytest.mark.parametrize(("rows", "cols", "expected"), WHOLE_MESSAGES.values(), ids=WHOLE_MESSAGES.keys())
def test_whole_messages(rows, cols, expected):
    assert message(lambda: NETWORK.pair_indices(rows, cols)) == expected


WORDS = ["alpha", "beta", "gamma", "delta", "omega", "kappa", "sigma", "theta"]
TYPOS = {
    "alpa-beta3": "alpha-beta3",
    "ALPHA-BETA3": "alpha-beta3",
    "alpha beta3": "alpha-beta3",
    "beta_gama": "beta_gamma0",
    "gammadelta4": "gamma-delta4",
    "omegga_kappa0": "omega_kappa0",
    "theta-sigma": "theta-sigma0",
    "theta_sigmaa2": "theta_sigma2",
    "lpha-beta3": "alpha-beta3",
}
PROTEIN_TYPOS = {
    "protein:0123:humman": "protein:0123:human",
    "protein0123:human": "protein:0123:human",
    "Protein:0123:MOUSE": "protein:0123:mouse",
    "prtein:0123:human": "protein:0123:human",
    "xprotein:0007:human": "protein:0007:human",
}


def test_slips_of_the_keys_among_names_that_are_alike():
    pairs = [(one, other) for one in WORDS for other in WORDS]
    known = np.array(sorted(f"{a}{sign}{b}{k}" for a, b in pairs for sign in "-_" for k in range(5)))
    assert {typo: nearest_names(typo, known)[0] for typo in TYPOS} == TYPOS
    assert [nearest_names(other, known) for other in ("zzzz", "", "3")] == [[]] * 3
    proteins = np.array([f"protein:{k:04d}:{of}" for k in range(300) for of in ("human", "mouse")])
    assert {typo: nearest_names(typo, proteins)[0] for typo in PROTEIN_TYPOS} == PROTEIN_TYPOS


def test_names_are_near_from_a_ratio_of_six_tenths_on():
    """The ratio is twice the number of common letters over that of all letters."""
    assert nearest_names("abcxx", np.array(["abcyy"])) == ["abcyy"]  # 6 of 10
    assert nearest_names("abcxxx", np.array(["abcyyy"])) == []  # 6 of 12
    assert nearest_names("abcdxx", np.array(["abcyy"])) == []  # 6 of 11


@pytest.mark.slow
def test_of_a_large_number_of_names_the_nearest_of_the_first_unknown_one_is_sought():
    for count, suggested in ((200_000, 2), (200_001, 1)):
        known = [f"n{k:06d}" for k in range(count)]
        network = Network([0], [0], shape=(count, 1), row_names=known)
        text = message(lambda network=network: network.row_indices(["n00001x", "n00002x"]))
        assert text.count("(nearest: ") == suggested


def many_names(beginning, others="BCDEFGHIJKLMNOPQRSTUVWXY", length=3):
    """1,728 names with one beginning, which differ in the letters after it."""
    letters = others[:12]
    return [
        beginning + a + b + c + others[-1] * (length - 3) for a in letters for b in letters for c in letters
    ]


@pytest.mark.parametrize(
    ("name", "nearest", "beginning", "length"),
    [
        ("AZAZAZAZ", "azazazaz", "AZAZA", 3),
        ("azazazaz", "AZAZAZAZ", "azaza", 3),
        ("abcd", "abce", "abcd", 18),
        ("abcdefgh", "bcdefgh", "abc", 5),
        ("abcdefgh", "aabcdefgh", "abc", 5),
    ],
)
def test_among_thousands_of_names_the_nearest_is_found(name, nearest, beginning, length):
    """Capitals count as small letters, a letter left out costs little, a difference in length more."""
    known = np.array([*many_names(beginning, length=length), nearest])
    assert nearest_names(name, known) == [nearest]


@pytest.mark.parametrize("beginning", ["", "gne:", "genne:", "Gene:", "other"])
def test_the_beginning_that_all_names_have_may_be_left_out_or_misspelled(beginning):
    known = np.array([*many_names("gene:"), "gene:zyxwvutsrq"])
    assert nearest_names(f"{beginning}zyxwvutsrq", known) == ["gene:zyxwvutsrq"]


@pytest.mark.parametrize(("others", "found"), [(999, ["xxabcd1234"]), (1000, [])])
def test_the_best_thousand_names_letter_by_letter_are_compared_in_full(others, found):
    known = np.array([*many_names("abcd", length=4)[:others], "xxabcd1234"])
    assert nearest_names("abcd1234", known) == found


def test_three_near_names_of_a_single_one_are_shown():
    network = Network([0], [0], shape=(6, 1), row_names=[f"gene{k}" for k in range(6)])
    assert "Nearest: 'gene0', 'gene1', 'gene2'." in message(lambda: network.row_index("gene"))


def test_96_characters_of_a_long_name_are_compared():
    """58 equal characters of 96 are near, 57 are not; what follows does not count."""
    for equal, found in ((58, True), (57, False)):
        known = "x" * equal + "y" * (200 - equal)
        assert bool(nearest_names("x" * equal + "z" * (200 - equal), np.array([known]))) is found


def test_24_characters_of_a_common_beginning_are_compared():
    """Of a beginning of 30 characters the first 6 do not count: 15 of 25 characters are equal here."""
    known = np.array(["abcdef" + "g" * 15 + "h" * 9 + last for last in "mn"])
    assert nearest_names("******" + "g" * 15 + "*" * 10, known) == [str(known[0])]
    assert nearest_names("******" + "g" * 14 + "*" * 11, known) == []


def test_the_24th_character_tells_among_thousands_of_names():
    """All but one name differ in it; that one has its second letter for its first."""
    name = "aabcdefghijklmnopqrstuvw"
    others = many_names(name[:23] + "0", length=40)
    assert nearest_names(name, np.array([*others, "x" + name[1:]])) == ["x" + name[1:]]
