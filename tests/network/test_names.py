"""Names of rows and columns."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latentlink.errors import InputError
from latentlink.network import Network
from latentlink.network import names as name_module
from latentlink.network.names import sorted_names
from tests.network.strategies import names


def test_rows_and_columns_of_a_square_network_share_their_names():
    network = Network([0], [1], shape=(2, 2), square=True, row_names=["a", "b"], col_names=["a", "b"])
    assert network.col_names is network.row_names
    with pytest.raises(InputError, match="expected one set of names"):
        Network([0], [1], shape=(2, 2), symmetric=True, row_names=["a", "b"], col_names=["b", "a"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"shape": (2, 1), "row_names": ["a"]}, "1 row names for 2 rows"),
        ({"shape": (3, 1), "row_names": ["b", "a", "a"]}, "row name 'a' occurs 2 times"),
        ({"shape": (5, 1), "row_names": ["a", "b", "b", "b", "a"]}, "row name 'a' occurs 2 times"),
        ({"shape": (2, 1), "row_names": ["a", ""]}, "row name at position 1 is ''"),
        ({"shape": (2, 1), "row_names": np.array(["a", ""])}, "row name at position 1 is ''"),
        ({"shape": (2, 1), "row_names": ["a", 7]}, "row name at position 1 is 7"),
        ({"shape": (1, 2), "col_names": ["a", "a\0"]}, "column name at position 1 .* null character"),
    ],
)
def test_invalid_names_raise(options, message):
    with pytest.raises(InputError, match=message):
        Network([0], [0], **options)


def test_a_very_long_name_among_many_raises_before_memory_is_allocated():
    with pytest.raises(InputError, match="1,000,000 characters"):
        Network([0], [0], shape=(1001, 1), row_names=["x" * 10**6, *map(str, range(1000))])


@settings(max_examples=30)
@given(st.lists(st.integers(0, 10**6).map(str), unique=True) | st.lists(names, unique=True))
def test_names_are_sorted_as_integers_only_if_all_are(listed):
    plain = all(name.isascii() and name.isdigit() and str(int(name)) == name for name in listed)
    assert sorted_names(listed) == sorted(listed, key=int if plain else None)


def test_indices_up_to_the_last_node_and_no_further():
    network = Network.from_edges([(0, 0, 1.0)], shape=(3, 5))
    for indices, size in ((network.row_indices, 3), (network.col_indices, 5)):
        assert indices(np.array([0, size - 1])).tolist() == [0, size - 1]
        for wrong in (size, -1):
            with pytest.raises(InputError, match=f"{wrong}"):
                indices(np.array([0, wrong]))
    for index, size in ((network.row_index, 3), (network.col_index, 5)):
        assert index(size - 1) == size - 1
        for wrong in (size, -1):
            with pytest.raises(InputError, match=f"{wrong}"):
                index(wrong)


@pytest.mark.parametrize("kind", [object, np.str_])
def test_names_in_arrays_are_checked_and_stored_as_text(kind):
    network = Network([0], [0], shape=(2, 1), row_names=np.array(["b", "a"], kind))
    assert network.row_names.dtype.kind == "U"
    with pytest.raises(InputError, match="The row name at position 1 is ''"):
        Network([0], [0], shape=(2, 1), row_names=np.array(["b", ""], kind))


def test_an_array_of_other_objects_has_no_names():
    with pytest.raises(InputError, match="The row name at position 1 is 5; expected a string"):
        Network([0], [0], shape=(2, 1), row_names=np.array(["b", 5], object))


def test_names_take_four_bytes_for_each_character_of_the_longest(monkeypatch):
    listed = ["a", "bb", "ccc"]
    monkeypatch.setattr(name_module, "LARGEST_BYTES", 4 * 3 * 3)
    assert Network([0], [0], shape=(3, 1), row_names=listed).row_names.tolist() == listed
    monkeypatch.setattr(name_module, "LARGEST_BYTES", 4 * 3 * 3 - 1)
    with pytest.raises(InputError, match=r"A row name has 3 characters .* too many for 3 names in memory"):
        Network([0], [0], shape=(3, 1), row_names=listed)


@pytest.mark.parametrize("as_array", [False, True])
def test_the_name_that_repeats_is_told_with_its_number(as_array):
    names = ["ann", "bob", "kim", "bob", "bob"]
    with pytest.raises(InputError, match="The row name 'bob' occurs 3 times; expected distinct names"):
        Network([0], [0], shape=(5, 1), row_names=np.array(names) if as_array else names)


@pytest.mark.parametrize("as_array", [False, True])
def test_an_empty_name_is_told_with_its_position(as_array):
    names = ["ann", "", "kim"]
    with pytest.raises(
        InputError, match="The row name at position 1 is ''; expected a string that is not empty"
    ):
        Network([0], [0], shape=(3, 1), row_names=np.array(names) if as_array else names)
