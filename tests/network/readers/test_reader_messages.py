"""Whole messages about files and frames that cannot be read: what was found, where, and what to do."""

import gzip

import pytest

from latentlink.errors import InputError
from latentlink.network import Network

LETTERS = "abcdefghijklmnopqrstuvwxyz"
LONG = 4 * LETTERS
RELATION = LETTERS + "abcd"

INVALID_FILES = {
    "not UTF-8": (
        b"a,b,1\n\nc,d\xe9,1\n",
        {},
        "x.csv, line 3: the bytes b'\\xe9,1\\n' are not UTF-8 text. Save the file as UTF-8.",
    ),
    "empty": ("", {}, "x.csv: found nothing: the file is empty; expected lines of row, column and value."),
    "blank line": (
        "\n",
        {},
        "x.csv: found only blank lines and comments; expected lines of row, column and value.",
    ),
    "one column": (
        f"# c\n{LONG}\n",
        {},
        "x.csv, line 2: found one column, "
        "'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcd...; expected at least two, row"
        " and column. Give delimiter= if the delimiter was not detected.",
    ),
    "seven ambiguous columns": (
        "a,b,one,d,e,f,g\na,b,1,d,e,f,g\n",
        {"columns": (0, 1, 2)},
        "x.csv, line 1: found 'a', 'b', 'one', 'd', 'e' and 2 more, and then 'a', 'b', '1', 'd', "
        "'e' and 2 more; the first of them may name the columns or be data. Give header=True if "
        "it names the columns, header=False if it is data.",
    ),
    "4 columns no header": (
        "\n1,2,3,4\n",
        {},
        "x.csv, line 2: found 4 columns: 0 ('1'), 1 ('2'), 2 ('3'), 3 ('4'); expected two or "
        "three. Give row, column and value, for example columns=(0, 1, 2).",
    ),
    "no such column": (
        "a,b,c\n1,2,3\n",
        {"columns": ("a", LONG)},
        "x.csv, line 1: found no column "
        "'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcd...; expected exactly one. The "
        "columns are 'a', 'b', 'c'.",
    ),
    "no such position": (
        "1,2,3\n",
        {"columns": (0, 3)},
        "x.csv, line 1: found no column 3; expected exactly one. The columns are 0 ('1'), 1 ('2'), 2 ('3').",
    ),
    "a column twice": (
        "a,a,c\n1,2,3\n",
        {"columns": ("a", "c")},
        "x.csv, line 1: found 2 columns 'a'; expected exactly one. The columns are 'a', 'a', 'c'.",
    ),
    "too many fields": (
        "a,b,1\nc,d,1,2\n",
        {},
        "x.csv, line 2: found 4 fields, ['c', 'd', '1', '2']; expected 3, as in the first record.",
    ),
    "too few fields after a blank line": (
        "a,b,1\n\nc,d\n",
        {},
        "x.csv, line 3: found 2 fields, ['c', 'd']; expected 3, as in the first record.",
    ),
    "too many fields after quotes": (
        '"a",b,1\n"c\nd",e,1\n\nf,g,1,2\n',
        {},
        "x.csv, line 5: found 4 fields, ['f', 'g', '1', '2']; expected 3, as in the first record.",
    ),
    "no value": (
        "a,b,1\nc,d,\n",
        {},
        "x.csv, line 2, column 2 (counted from 0): found ''; expected a finite number, the value.",
    ),
    "an underscore in a value": (
        "a,b,1\nc,d,1_0\n",
        {},
        "x.csv, line 2, column 2 (counted from 0): found '1_0'; expected a finite number, the value.",
    ),
    "text as the first value": (
        "a,b,high\nc,d,low\n",
        {"header": None},
        "x.csv, line 1, column 2 (counted from 0): found 'high'; expected a finite number, the "
        "value. If these are triples of head, relation and tail, give relation=. If this line "
        "names the columns, give header=True.",
    ),
    "a negative weight": (
        "a,b,1,1\nc,d,1,-2\n",
        {"columns": (0, 1, 2, 3)},
        "The weight of x.csv, line 2, column 3 (counted from 0) is -2; expected 0 (hidden) or more (known).",
    ),
    "text as a weight": (
        "p,q,value,weight\na,b,1,1\nc,d,1,x\n",
        {"columns": (0, 1, 2, 3)},
        "x.csv, line 3, column 'weight': found 'x'; expected a finite number, the weight.",
    ),
    "an infinite value": (
        "a,b,1\nc,d,inf\n",
        {},
        "The value of x.csv, line 2, column 2 (counted from 0) is inf; expected a finite number. "
        "Correct it, or leave the pair out if its value is not known.",
    ),
    "an open quote": (
        'a,b,1\n\n"c,d,1\ne,f,1\n',
        {},
        "x.csv, line 3: a quote is opened and never closed: '\"c,d,1\\n'. Close it, or write a "
        "quote that belongs to a name as two within quotes.",
    ),
    "an open quote at once": (
        f'# c\n"{LONG}c,d,1\ne,f,1\n',
        {},
        "x.csv, line 2: a quote is opened and never closed: "
        "'\"abcdefghijklmnopqrstuvwxyzabcdefghijklm'. Close it, or write a quote that belongs to a"
        " name as two within quotes.",
    ),
    "text after quote": (
        f'a,b,1\n"c"{LONG},d,1\n',
        {},
        "x.csv, line 2: 'abcdefghijklmnopqrst' follows a closing quote; expected the delimiter "
        "','. Write a quote within quotes twice.",
    ),
    "late comment": (
        f"a,b,1\n#{LONG}\nc,d,1\n",
        {},
        "x.csv, line 2: '#abcdefghijklmnopqrstuvwxyzabcdefghijklm' looks like a comment, but is "
        "below data; expected comments only at the top. Remove it; put a name that begins with # "
        "or % in quotes.",
    ),
    "duplicates": (
        "a,b,1\nc,d,1\na,b,1\nc,d,1\n",
        {},
        "x.csv: The pair ('a', 'b') is listed more than once: line 1 has the value 1 and line 3 "
        "has 1 (a duplicate: the values agree). In all, 2 entries repeat a pair. Read with "
        'duplicates="keep", then use drop_duplicates and resolve_conflicts of latentlink.network,'
        " or correct the data.",
    ),
    "conflict": (
        "source,target,value\na,b,1\nb,c,1\nb,c,1\nb,a,0\n",
        {"symmetric": True},
        "x.csv: The pair ('a', 'b') is listed more than once: line 2 has the value 1 and line 5 "
        "has 0 (a conflict: the values differ). In all, 2 entries repeat a pair. Read with "
        'duplicates="keep", then use drop_duplicates and resolve_conflicts of latentlink.network,'
        " or correct the data.",
    ),
    "duplicates with weights": (
        "a,b,1,1\nc,d,2,1\na,b,1,2\n",
        {"columns": (0, 1, 2, 3)},
        "x.csv: The pair ('a', 'b') is listed more than once: line 1 has the value 1 and line 3 "
        "has 1 (a duplicate: the values agree). In all, 1 entry repeats a pair. Read with "
        'duplicates="keep", then use drop_duplicates and resolve_conflicts of latentlink.network,'
        " or correct the data.",
    ),
    "triples header": (
        "head,relation,tail\na,knows,1\n",
        {},
        "x.csv, line 1: found 'head', 'relation', 'tail': the file seems to hold triples of head, relation"
        " and tail; expected row, column and value. Each relation is a network of its own: read "
        "one of them, for example relation='knows', or all of them as links of one network: "
        "columns=(0, 2).",
    ),
    "no relation": (
        "a,knows,b\nb,likes,c\nc,knows,d\n",
        {"relation": "know"},
        "x.csv: found no triple of the relation 'know'; the relations are 'knows', 'likes'. "
        "Nearest: 'knows'.",
    ),
    "relation 4 columns": (
        "a,knows,b,1\nb,likes,c,2\n",
        {"relation": "knows"},
        "x.csv, line 1: found 4 columns, and relation= is given; expected three: head, relation "
        "and tail. Give columns=(head, tail) or (head, tail, value), without that of the "
        "relation.",
    ),
    "relation 2 left": (
        "a,knows,b,1\nb,likes,c,2\n",
        {"relation": "knows", "columns": (0, 2)},
        "x.csv, line 1: relation= is given, but 2 columns are left beside those of nodes and "
        'value; expected one, or one that is named "relation". Write a file with that one column '
        "more.",
    ),
    "no name": (
        "a,b,1\nc,,1\n",
        {},
        "x.csv, line 2, column 1 (counted from 0): found nothing; expected the name of a node.",
    ),
    "no names of either side": (
        "a,b,1\n,d,1\nc,,1\n",
        {"symmetric": True},
        "x.csv, line 2, column 0 (counted from 0): found nothing; expected the name of a node.",
    ),
    "no rows": (
        "%%MatrixMarket matrix coordinate real general\n% c\n0 3 0\n",
        {"unstored": "zero"},
        "x.mtx, line 3: found 0 rows and 3 columns; expected at least one of each.",
    ),
    "no columns": (
        "%%MatrixMarket matrix coordinate real general\n3 0 0\n",
        {"unstored": "zero"},
        "x.mtx, line 2: found 3 rows and 0 columns; expected at least one of each.",
    ),
    "too few entries": (
        "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n",
        {"unstored": "zero"},
        "x.mtx: found 1 entries; expected 2, as the sizes of the Matrix Market format declare. "
        "The file is damaged or incomplete.",
    ),
    "too many entries": (
        "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1\n\n1 2 1\n",
        {"unstored": "zero"},
        "x.mtx: found 2 or more entries; expected 1, as the sizes of the Matrix Market format "
        "declare. The file is damaged or incomplete.",
    ),
    "a column index too large": (
        "%%MatrixMarket matrix coordinate real general\n2 3 2\n1 1 1\n\n1 4 1\n",
        {"unstored": "zero"},
        "x.mtx, line 5: found '1 4 1'; expected a row from 1 to 2 and a column from 1 to 3.",
    ),
    "a row index too large": (
        "%%MatrixMarket matrix coordinate real general\n2 3 2\n1 1 1\n3 3 1\n",
        {"unstored": "zero"},
        "x.mtx, line 4: found '3 3 1'; expected a row from 1 to 2 and a column from 1 to 3.",
    ),
    "both triangles": (
        "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n3 3 1\n1 2 1\n2 1 1\n",
        {"unstored": "zero"},
        "x.mtx: row 1, column 2 is stored in both triangles; expected one of them, since the "
        "matrix is symmetric. Write the lower triangle only, or declare the matrix as general.",
    ),
    "a diagonal of a skew matrix": (
        "%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 2\n2 1 1\n3 3 1\n",
        {"unstored": "zero"},
        "x.mtx: entry 2 is on the diagonal, in row 3; expected zeros there, since the matrix is "
        "skew-symmetric.",
    ),
    "too few of a triangle": (
        "%%MatrixMarket matrix array real symmetric\n3 3\n1\n2\n3\n4\n5\n",
        {},
        "x.mtx: found 5 entries; expected 6, as the sizes of the Matrix Market format declare. "
        "The file is damaged or incomplete.",
    ),
    "too few below a diagonal": (
        "%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n",
        {},
        "x.mtx: found 2 entries; expected 3, as the sizes of the Matrix Market format declare. "
        "The file is damaged or incomplete.",
    ),
    "a field that is shown by 24 characters": (
        f"{LETTERS[:21]},{LETTERS[:22]},{LETTERS[:23]}\nann,bob,1\nann,eve,x\n",
        {},
        "x.csv, line 1: found 'abcdefghijklmnopqrstu', 'abcdefghijklmnopqrstuv', 'abcdefghijklmnopqrst..., "
        "and then 'ann', 'bob', '1'; the first of them may name the columns or be data. Give header=True "
        "if it names the columns, header=False if it is data.",
    ),
    "eleven columns": (
        ",".join(f"{k}c" for k in range(11)) + "\n" + ",".join("12345678901") + "\n",
        {},
        "x.csv, line 1: found 11 columns: 0 ('0c'), 1 ('1c'), 2 ('2c'), 3 ('3c'), 4 ('4c'), 5 ('5c'), 6 "
        "('6c'), 7 ('7c'), 8 ('8c'), 9 ('9c') and 1 more; expected two or three. If it is a matrix with a "
        "line for each row, whose name is in front: Network.from_dense(pandas.read_csv('x.csv', "
        "index_col=0)). If it lists pairs, give row, column and value, for example columns=(0, 1, 2).",
    ),
    "a long relation": (
        "".join(f"{one},{RELATION},{two}\n" for one, two in ("ab", "bc", "cd")),
        {},
        "x.csv, line 1: found 'a', 'abcdefghijklmnopqrst..., 'b': the file seems to hold triples of head, "
        "relation and tail; expected row, column and value. Each relation is a network of its own: read one "
        "of them, for example relation='abcdefghijklmnopqrst..., or all of them as links of one network: "
        "columns=(0, 2).",
    ),
    "seven relations": (
        "".join(f"a,r{k},b{k}\n" for k in range(7)),
        {"relation": "zzz"},
        "x.csv: found no triple of the relation 'zzz'; the relations are 'r0', 'r1', 'r2', 'r3', 'r4' and 2 "
        "more.",
    ),
}


@pytest.mark.parametrize(("content", "options", "message"), INVALID_FILES.values(), ids=INVALID_FILES.keys())
def test_files(content, options, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / ("x.mtx" if str(content).startswith("%%MatrixMarket") else "x.csv")
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError) as error:
        Network.from_file(path.name, **options)
    assert str(error.value) == message


@pytest.mark.parametrize(("kept", "line"), [(-9, 2), (12, 0)])
def test_a_gzipped_file_that_ends_early(kept, line, tmp_path):
    path = tmp_path / "x.csv.gz"
    path.write_bytes(gzip.compress(b"a,b,1\nc,d,1\n")[:kept])
    with pytest.raises(InputError) as error:
        Network.from_file(path)
    assert f"its compressed data end or break after line {line} (" in str(error.value)
