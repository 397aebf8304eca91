"""A first line of two words that are in no other line may name the columns."""

from __future__ import annotations

import warnings

import pytest

from latentlink.errors import DataWarning
from latentlink.network import Network

LINKS = "".join(f"u{i % 7},v{i % 5}\n" for i in range(30))
FRIENDS = "".join(f"u{i % 7},u{(i * i + 1) % 9}\n" for i in range(30))


def read(tmp_path, text, **options):
    path = tmp_path / "links.csv"
    path.write_text(text)
    return Network.from_file(path, duplicates="keep", **options)


@pytest.mark.parametrize("text", [LINKS, FRIENDS], ids=["two kinds", "one kind"])
@pytest.mark.parametrize("square", [False, True])
def test_words_that_never_come_again_warn(tmp_path, text, square):
    with pytest.warns(
        DataWarning, match="'a' and 'b' are read as a link, but no other line has either"
    ) as told:
        network = read(tmp_path, "a,b\n" + text, square=square)
    assert f"{tmp_path / 'links.csv'}, line 1: 'a'" in str(told[0].message)
    assert "header=True" in str(told[0].message)
    assert network.n_listed == 31


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("a,b\n" + LINKS, {"header": False}),  # said
        ("a,b\n" + LINKS, {"header": True}),
        ("a,b\n" + LINKS, {"columns": (0, 1), "header": False}),
        ("a,b\n" + LINKS + "a,v1\n", {}),  # a is a node
        ("a,b\n" + LINKS + "u1,b\n", {}),
        ("a,b\n" + LINKS + "u1,a\n", {}),  # a node of the other column
        ("a,b\n" + LINKS + "b,v1\n", {}),
        ("a,b\n" + LINKS + "u1,a\n", {"square": True}),
        ("u1,v1\n" + LINKS, {}),
        ("1,2\n" + LINKS, {}),  # numbers are no names of columns
        ("a,b,1\n" + "".join(f"u{i % 7},v{i % 5},1\n" for i in range(30)), {}),  # nor is a value
        ("a,b\n" + "".join(LINKS.splitlines(keepends=True)[:8]), {}),  # nine links are too few to tell
        ("".join(f"u{i},v{i}\n" for i in range(30)), {}),  # every link is apart
        ("a,b\n" + LINKS + "c,d\ne,f\n", {}),  # two of 32 are apart as well
    ],
)
def test_other_first_lines_do_not(tmp_path, text, options):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        network = read(tmp_path, text, **options)
    assert network.n_listed == text.count("\n") - (options.get("header") is True)


def test_one_other_link_apart_of_thirty_is_rare(tmp_path):
    with pytest.warns(DataWarning, match="they may name the columns"):
        read(tmp_path, "a,b\n" + LINKS + "c,d\n")
