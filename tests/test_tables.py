"""Tables of named columns, and their conversion to data frames."""

from __future__ import annotations

import builtins
import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from latentlink import tables
from latentlink.errors import InputError
from latentlink.tables import GuaranteedTable, Table, frame_from

BACKENDS = ["pandas", "polars", "pyarrow"]


def people():
    return {
        "row": np.array(["ann", "bob", "eve"]),
        "score": np.array([0.5, 0.25, np.nan]),
        "rank": np.array([1, 20, 300]),
        "known": np.array([True, False, True]),
    }


def of_length(rows):
    return Table({"number": np.arange(rows), "score": np.arange(rows) / 7})


@pytest.fixture
def without(monkeypatch):
    """Return a function after which libraries are neither found nor imported."""
    find, load = tables.find_spec, builtins.__import__

    def remove(*names):
        def find_spec(name, *rest):
            return None if name in names else find(name, *rest)

        def import_module(name, *rest):
            if name.partition(".")[0] in names:
                raise ModuleNotFoundError(f"No module named {name!r}")
            return load(name, *rest)

        monkeypatch.setattr(tables, "find_spec", find_spec)
        monkeypatch.setattr(builtins, "__import__", import_module)

    return remove


# ---------------------------------------------------------------- columns


def test_columns_are_found_by_name_in_order():
    table = Table(people())
    assert list(table) == list(table.columns) == ["row", "score", "rank", "known"]
    np.testing.assert_array_equal(table["rank"], [1, 20, 300])
    assert len(table) == 3
    assert "score" in table
    assert "ann" not in table


@pytest.mark.parametrize("name", ["scores", "", 0, None], ids=repr)
def test_an_unknown_column_is_named_with_the_known_ones(name):
    with pytest.raises(KeyError) as error:
        Table(people())[name]
    assert error.value.args == (f"There is no column {name!r}; the columns are row, score, rank, known.",)


@pytest.mark.parametrize(
    ("columns", "shapes"),
    [
        ({"a": np.zeros(2), "b": np.zeros(3)}, "a (2,), b (3,)"),
        ({"a": np.zeros(0), "b": np.zeros(1)}, "a (0,), b (1,)"),
        ({"a": np.zeros((2, 2))}, "a (2, 2)"),
        ({"a": np.float64(1)}, "a ()"),
    ],
)
def test_columns_of_unequal_length_raise(columns, shapes):
    with pytest.raises(InputError) as error:
        Table(columns)
    assert str(error.value) == (
        f"The columns of a table have the shapes {shapes}; expected one dimension and the same length for "
        "all of them."
    )


def test_a_table_needs_a_column():
    with pytest.raises(InputError, match=r"^A table has no columns; expected at least one\.$"):
        Table({})


def test_a_table_does_not_change_with_the_dict_that_it_was_made_of():
    columns = people()
    table = Table(columns)
    columns["more"] = np.zeros(7)
    assert list(table) == ["row", "score", "rank", "known"]


def test_lists_become_arrays():
    assert Table({"name": ["a", "b"]})["name"].dtype.kind == "U"


def test_a_table_never_changes():
    with pytest.raises(AttributeError):
        Table(people()).columns = {}


def test_the_dict_of_a_table_is_a_copy():
    table = Table(people())
    columns = table.to_dict()
    assert list(columns) == list(table)
    columns["rank"][0] = 99
    del columns["row"]
    np.testing.assert_array_equal(table["rank"], [1, 20, 300])
    assert list(table) == ["row", "score", "rank", "known"]


@pytest.mark.parametrize(
    "duplicate", [copy.copy, copy.deepcopy, lambda table: pickle.loads(pickle.dumps(table))]
)
def test_tables_can_be_copied_and_pickled(duplicate):
    table = GuaranteedTable(people(), "At most 5 % are wrong.", {"threshold": 0.5})
    again = duplicate(table)
    assert repr(again) == repr(table)
    assert again.rule == table.rule


# ---------------------------------------------------------------- text and HTML


def test_the_text_has_a_line_for_each_row():
    assert repr(Table(people())).splitlines() == [
        "row  score  rank  known",
        "ann  0.5    1     True",
        "bob  0.25   20    False",
        "eve  nan    300   True",
    ]


@pytest.mark.parametrize(
    ("value", "text"),
    [(1 / 3, "0.3333"), (123456.0, "1.235e+05"), (2.0, "2"), (10**7, "10000000"), ("", ""), (np.inf, "inf")],
)
def test_floats_have_four_digits(value, text):
    assert repr(Table({"x": [value]})) == f"x\n{text}"


@given(st.integers(0, 40))
def test_at_most_ten_rows_are_shown_and_the_others_counted(rows):
    lines = repr(of_length(rows)).splitlines()
    assert len(lines) == 1 + min(rows, 10) + (rows > 10)
    if rows > 10:
        assert lines[-1] == f"... and {rows - 10} row{'s' * (rows > 11)} more"
    html = of_length(rows)._repr_html_()
    assert html.count("<tr>") == 1 + min(rows, 10)
    assert html.count("<p>") == (rows > 10)


def test_many_rows_are_counted_with_separators():
    assert repr(of_length(1_234_567)).splitlines()[-1] == "... and 1,234,557 rows more"


def test_html_escapes_names_and_values():
    table = GuaranteedTable({"<a & b>": ["<script>", "x & y"]}, "At most 5 % <are> wrong.", None)
    assert table._repr_html_() == (
        "<table><thead><tr><th>&lt;a &amp; b&gt;</th></tr></thead><tbody>"
        "<tr><td>&lt;script&gt;</td></tr><tr><td>x &amp; y</td></tr></tbody></table>"
        "<p>At most 5 % &lt;are&gt; wrong.</p>"
    )


def test_a_table_without_rows_shows_its_columns():
    empty = Table({"row": np.array([], "U1"), "score": np.zeros(0)})
    assert len(empty) == 0
    assert repr(empty) == "row  score"
    assert empty._repr_html_() == (
        "<table><thead><tr><th>row</th><th>score</th></tr></thead><tbody></tbody></table>"
    )


def test_limits_are_below_the_rows():
    limits = "At most 5 % are wrong, with probability 90 %."
    rule = object()
    short = GuaranteedTable({"score": np.array([0.9, 0.2])}, limits, rule)
    assert repr(short) == f"score\n0.9\n0.2\n{limits}"
    assert short._repr_html_().endswith(f"</table><p>{limits}</p>")
    assert (short.limits, short.rule) == (limits, rule)
    long = GuaranteedTable(of_length(12).columns, limits, rule)
    assert repr(long).splitlines()[-2:] == ["... and 2 rows more", limits]
    assert isinstance(long, Table)


# ---------------------------------------------------------------- data frames


def plain_columns(frame):
    """Return the columns of any data frame as lists."""
    if hasattr(frame, "to_pydict"):
        return frame.to_pydict()
    return {name: frame[name].to_list() for name in frame.columns}


@pytest.mark.parametrize("backend", BACKENDS)
def test_frames_of_every_library(backend):
    table = Table(people())
    frame = table.to_frame(backend)
    assert type(frame).__module__.partition(".")[0] == backend
    columns = plain_columns(frame)
    assert list(columns) == list(table)
    for name, column in table.to_dict().items():
        np.testing.assert_array_equal(np.array(columns[name]), column)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", ["U3", object])
def test_text_has_the_type_of_text_with_and_without_rows(backend, dtype):
    types = []
    for names in (["ann"], []):
        frame = frame_from({"row": np.array(names, dtype), "score": np.zeros(len(names))}, backend)
        types.append([str(part) for part in (frame.schema.types if backend == "pyarrow" else frame.dtypes)])
    assert types[0] == types[1]


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_frame_is_a_copy(backend):
    scores = np.array([0.5, 0.25])
    frame = frame_from({"score": scores}, backend)
    scores[:] = 0
    assert plain_columns(frame)["score"] == [0.5, 0.25]


@pytest.mark.parametrize(
    ("removed", "first"),
    [((), "pandas"), (("pandas",), "polars"), (("pandas", "polars"), "pyarrow"), (("pyarrow",), "pandas")],
)
def test_without_a_backend_the_first_installed_library_is_used(without, removed, first):
    without(*removed)
    frame = Table(people()).to_frame()
    assert type(frame).__module__.partition(".")[0] == first


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_library_that_is_not_installed_is_named(without, backend):
    without(backend)
    with pytest.raises(InputError) as error:
        Table(people()).to_frame(backend)
    assert str(error.value) == (f"A data frame needs narwhals and {backend}: pip install narwhals {backend}.")


@pytest.mark.parametrize("removed", [["narwhals"], BACKENDS, ["narwhals", *BACKENDS]], ids=len)
def test_without_any_library_the_message_says_what_to_install(without, removed):
    without(*removed)
    with pytest.raises(InputError) as error:
        Table(people()).to_frame()
    assert str(error.value) == (
        "A data frame needs narwhals and pandas, polars or pyarrow: pip install narwhals pandas."
    )


@pytest.mark.parametrize("backend", ["Pandas", "", 3, "dask"], ids=repr)
def test_an_unknown_backend_raises_whatever_is_installed(without, backend):
    for removed in ([], ["narwhals", *BACKENDS]):
        without(*removed)
        with pytest.raises(InputError) as error:
            Table(people()).to_frame(backend)
        assert str(error.value) == (f"backend is {backend!r}; expected one of 'pandas', 'polars', 'pyarrow'.")


def test_a_table_is_the_same_without_any_library(without):
    def seen():
        table = GuaranteedTable(people(), "At most 5 % are wrong.", None)
        return type(table), repr(table), table._repr_html_(), len(table), list(table), str(table["row"])

    before = seen()
    without("narwhals", *BACKENDS)
    assert seen() == before
