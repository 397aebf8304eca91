"""Levels and sentences for candidates that are pairs of a few nodes."""

from __future__ import annotations

import pytest

from latentlink.errors import InputError
from latentlink.uncertainty import ChosenNodes


def test_the_level_is_a_union_bound_over_the_nodes():
    assert ChosenNodes(1, 80, "row").share == 1 / 80
    assert ChosenNodes(20, 80, "node").share == 0.25


def test_the_sentences_name_the_nodes_and_both_rates():
    assert ChosenNodes(1, 80, "column").limits(0.1) == (
        " The candidates are pairs of 1 of 80 columns. They are selected at a rate of 0.125 %, so that 10 % "
        "holds whichever of the columns were chosen, for their scores or their links."
    )
    with pytest.raises(
        InputError, match=r"pairs of 1 of 80 rows\. If it was .* If the row was chosen by other"
    ):
        ChosenNodes(1, 80, "row").raise_as_chosen(0.1)
    with pytest.raises(InputError, match=r"at 5 %, which .* Do that\. If the nodes were"):
        ChosenNodes(4, 8, "node").raise_as_chosen(0.1, "Do that")
