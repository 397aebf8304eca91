"""Whole messages about null characters, decimal commas and words above them, with their line."""

from __future__ import annotations

import pytest

from latentlink.errors import InputError
from latentlink.network import Network

INVALID_FILES = {
    "a null character at the end of a name": (
        "a,b,1\n\nc,d\0,1\n",
        {},
        "x.csv, line 3: the column is 'd\\x00'; expected a name that does not end in a null character. "
        "Remove it.",
    ),
    "a null character in the second column of a square network": (
        "a,b,1\nc,d\0,1\n",
        {"square": True},
        "x.csv, line 2: the column is 'd\\x00'; expected a name that does not end in a null character. "
        "Remove it.",
    ),
    "a null character in the name of a row of a matrix": (
        ",a,b,c\n\nx,1,2,3\ny\0,1,2,3\n",
        {"matrix": True},
        "x.csv, line 4: the name of row 1 (counted from 0) is 'y\\x00'; expected a name that is not empty "
        "and does not end in a null character.",
    ),
    "an empty name above a matrix": (
        "# c\n,a,,c\nx,1,2,3\ny,1,2,3\n",
        {"matrix": True},
        "x.csv, line 2: the name of column 1 (counted from 0) is ''; expected a name that is not empty and "
        "does not end in a null character.",
    ),
    "decimal commas below words": (
        "u;i;r\na;b;0,5\nc;d;1,5\n",
        {},
        "x.csv, line 2, column 'r': found '0,5'; expected a finite number with a decimal point, the value.",
    ),
    "decimal commas below a header": (
        "user;item;rating\na;b;0,5\nc;d;1,5\n",
        {},
        "x.csv, line 2, column 'rating': found '0,5'; expected a finite number with a decimal point, the "
        "value.",
    ),
    "a word above values of another kind": (
        "u,i,r\na,b,$5\nc,d,$7\n",
        {},
        "x.csv, line 1, column 2 (counted from 0): found 'r'; expected a finite number, the value. If this "
        "line names the columns, give header=True.",
    ),
}


@pytest.mark.parametrize(("content", "options", "message"), INVALID_FILES.values(), ids=INVALID_FILES)
def test_the_message_has_the_line_and_what_to_do(content, options, message, file):
    path = file(content, "x.csv")
    with pytest.raises(InputError) as error:
        Network.from_file(path, **options)
    assert str(error.value).replace(str(path), "x.csv") == message
