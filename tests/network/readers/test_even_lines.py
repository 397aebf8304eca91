"""Lines that are split at once, with quotes around whole columns."""

from __future__ import annotations

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from latentlink.network import Network
from latentlink.network.readers.text.even_lines import LONG_LINE, split_at_once, without_quotes
from latentlink.network.readers.text.records import split_line

FIELDS = st.sampled_from(
    ['"a"', '" b "', '""', "c", " d ", "", '"e"f', 'g"h"', '"', '"i""j"', '"k,l"', '"m', 'n"']
)


@given(st.lists(st.tuples(FIELDS, FIELDS), min_size=1, max_size=4), st.sampled_from(["\n", "\r\n"]))
def test_what_is_split_at_once_is_split_as_line_by_line(rows, end):
    piece = [f"{','.join(row)}{end}" for row in rows]
    fields = split_at_once(piece, "".join(piece), ",", 2)
    found = fields and without_quotes(fields, 2)
    if found is not None:
        assert found == [field for line in piece for field in split_line(line, ",") or ()]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("last", ["{}", '"{}"'], ids=["value as it is", "value in quotes"])
def test_quotes_around_columns_need_no_csv(file, monkeypatch, end, last):
    """As R and spreadsheets write them; csv takes twice the time of the whole reading."""
    lines = [f'"u{k}"," i {k % 3}",{last.format(k)}' for k in range(50)]
    monkeypatch.setattr(csv, "reader", lambda *_, **__: pytest.fail("csv was used"))
    network = Network.from_file(file(end.join([*lines, ""])), header=False)
    assert network.n_listed == 50
    assert list(network.col_names) == [" i 0", " i 1", " i 2"]
    assert sorted(network.values.tolist()) == list(range(50))


def test_long_lines_and_other_numbers_of_fields_are_not_split_at_once():
    assert split_at_once(["a,b\n", "c\n"], "a,b\nc\n", ",", 2) is None
    for blanks, split in ((LONG_LINE - 4, True), (LONG_LINE - 3, False)):
        line = f"a,b{' ' * blanks}\n"
        assert (split_at_once([line], line, ",", 2) is not None) is split
