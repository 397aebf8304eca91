"""Three columns of which the first names rows and the others are variables."""

from __future__ import annotations

import warnings

import pytest

from latentlink.errors import DataWarning
from latentlink.network import Network

HEIGHTS = [f"p{k},{1.5 + k / 40:.3f},{60 + k}" for k in range(12)]
MARKS = [f"p{k},{70 + k % 4},{60 + k}" for k in range(12)]


def read(file, first, lines, **options):
    return Network.from_file(file("\n".join([*([first] if first else []), *lines, ""])), **options)


@pytest.mark.parametrize(
    ("header", "lines", "given", "found"),
    [
        ("name,height,age", HEIGHTS, True, r"'height', has numbers with fractions \('1.5"),
        ("name,height,weight", HEIGHTS, None, "'height', has numbers with fractions"),
        ("", HEIGHTS[:5], False, "second column has numbers with fractions"),
        (
            "id,height,age",
            [f"{k},{line.partition(',')[2]}" for k, line in enumerate(HEIGHTS)],
            True,
            "with fractions",
        ),
        ("name,math,physics", MARKS, True, "'math', has numbers, which are read as names of nodes"),
    ],
    ids=["measurements", "a detected header", "no header", "numbered rows", "marks"],
)
def test_a_table_of_two_variables_warns_with_both_ways_out(file, header, lines, given, found):
    with pytest.warns(DataWarning, match=found) as caught:
        read(file, header, lines, header=given)
    message = str(caught[0].message)
    assert "links.csv', index_col=0))" in message
    assert message.endswith("if it lists pairs, say so: columns=(0, 1, 2).")
    assert len(message) < 500


@pytest.mark.parametrize(
    ("header", "lines", "options"),
    [
        ("name,height,age", HEIGHTS, {"columns": (0, 1, 2), "header": True}),
        ("name,height,age", HEIGHTS[:4], {"header": True}),  # too few to tell
        ("package,version,downloads", [f"a{k % 6},1.{k},{k}" for k in range(12)], {"header": True}),
        ("user,ean,stars", HEIGHTS, {}),
        ("user,group,hours", MARKS, {"header": True}),
        ("name,group,rating", MARKS, {"header": True}),
        ("name,group,hours", MARKS[:9], {"header": True}),
        ("node,parent,length", [f"{k},{k // 2},{k / 7}" for k in range(1, 20)], {"header": True}),
        ("name,math,physics", [*MARKS, "p3,80,5"], {"header": True}),
        ("", MARKS, {"header": False}),
    ],
    ids=[
        "said",
        "few",
        "versions",
        "user",
        "user of a group",
        "ratings",
        "nine",
        "a tree",
        "repeated",
        "marks",
    ],
)
def test_lists_of_pairs_do_not_warn(file, header, lines, options):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read(file, header, lines, **options).n_listed == len(lines)
