import csv
import gzip
import io

import numpy as np
import pandas
import pyarrow
import pytest
import scipy.io
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from latentlink.errors import InputError
from latentlink.network import Network, drop_duplicates, resolve_conflicts
from latentlink.network.readers.text.records import LineNumbers, split_line
from tests.network.strategies import edge_lists

EXPECTED = Network.from_edges([("ann", "tea", 1), ("bob", "tea", 0), ("bob", "milk", 0.5)])
PLAIN = "ann,tea,1\nbob,tea,0\nbob,milk,0.5\n"


@pytest.fixture
def file(tmp_path):
    def write(content, name="links.csv"):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


class TestDelimited:
    @pytest.mark.parametrize(
        "content",
        [
            PLAIN,
            PLAIN.rstrip("\n"),
            PLAIN.replace("\n", "\r\n"),
            PLAIN.replace("\n", "\r"),
            "\ufeff" + PLAIN,
            "\ufeffsource,target,value\n" + PLAIN,
            "a,b,rating\n" + PLAIN,
            "\n# comment, with comma\n  % another\n\n" + PLAIN,
            PLAIN.replace("\n", "\n\n"),
            PLAIN.replace("\n", "\n   \n") + "\n\n",
            PLAIN.replace(",", "\t"),
            PLAIN.replace(",", ";"),
            PLAIN.replace(",", "|"),
            PLAIN.replace(",", " "),
            PLAIN.replace(",", "  \t "),
            PLAIN.replace(",", "::"),
            PLAIN.replace(",", " , "),
            PLAIN.replace("ann", '"ann"'),
            PLAIN.replace("0.5", '"0.5"'),
            PLAIN.replace("ann", ' "ann" '),
            PLAIN.replace(",1\n", ",1e0\n"),
        ],
    )
    def test_many_ways_of_writing_the_same(self, file, content):
        assert Network.from_file(file(content)) == EXPECTED
        assert Network.from_file(str(file(gzip.compress(content.encode()), "links.csv.gz"))) == EXPECTED
        assert Network.from_file(file(gzip.compress(content.encode()), "unnamed")) == EXPECTED

    def test_what_was_decided_is_in_the_history(self, file):
        path = file("# about\nwho\twhat\tmuch\tnote\nann\ttea\t1\tx\n\nbob\ttea\t0\ty\n", "t.tsv")
        (step,) = Network.from_file(path, columns=("who", "what", "much")).history
        assert step.touched == 2
        for part in (str(path), "by tab", "Line 2 is the header", "value: 'much'", "Not read: 'note'"):
            assert part in step.sentence
        assert "1 comment or blank line at the top" in step.sentence
        assert "Passed over 1 blank line." in step.sentence

    def test_two_columns_are_links(self, file):
        network = Network.from_file(file("a b\nb c\n"), symmetric=True)
        assert network == Network.from_edges([("a", "b"), ("b", "c")], symmetric=True)
        headed = Network.from_file(file("Node_1 Node_2\na b\nb c\n"), symmetric=True)
        assert headed == network

    def test_a_first_line_of_two_unusual_words_is_data(self, file):
        assert Network.from_file(file("person,drink\nann,tea\n")).n_listed == 2
        assert Network.from_file(file("person,drink\nann,tea\n"), header=True).n_listed == 1
        assert Network.from_file(file("source,target\nann,tea\n"), header=False).n_listed == 2

    def test_a_missing_first_value_is_no_header(self, file):
        with pytest.raises(InputError, match="line 1"):
            Network.from_file(file("a,b,NA\nc,d,1\n"))

    def test_what_was_passed_over_is_counted(self, file):
        network = Network.from_file(file("# one\n# two\na,b,1\n\n\nb,c,0\n"))
        for part in ("Passed over 2 comment or blank lines at the top.", "Passed over 2 blank lines."):
            assert part in network.history[0].sentence

    def test_many_columns_are_not_all_shown(self, file):
        path = file(",".join(f"name{place}" for place in range(1001)) + "\n" + ",".join(["5"] * 1001) + "\n")
        with pytest.raises(InputError) as error:
            Network.from_file(path)
        for part in ("1001 columns", "9 ('name9') and 991 more", "columns=(0, 1, 2)"):
            assert part in str(error.value)
        network = Network.from_file(path, columns=("name0", "name1"))
        assert "Not read: 'name2'" in network.history[0].sentence
        assert "'name11' and 989 more" in network.history[0].sentence

    def test_columns_by_name_and_by_place(self, file):
        path = file("v,w,b,a\n1,0.5,tea,ann\n0,0,tea,bob\n")
        named = Network.from_file(path, columns=("a", "b", "v", "w"))
        assert named.values.tolist() == [1, 0]
        assert named.weights.tolist() == [0.5, 0]
        assert Network.from_file(path, columns=(3, 2, 0, 1)) == named
        assert Network.from_file(path, columns=(3, 2), header=True).values.tolist() == [1, 1]

    def test_movielens_files_need_no_more_said(self, file):
        network = Network.from_file(file("1::122::5::838985046\n10::122::3::838983525\n", "ratings.dat"))
        assert network.values.tolist() == [5, 3]
        assert network.row_names.tolist() == ["1", "10"]
        assert "Not read: column 3" in network.history[0].sentence

    def test_the_delimiter_may_be_given(self, file):
        assert Network.from_file(file(PLAIN.replace(",", "~")), delimiter="~") == EXPECTED
        odd = "a b,c d,1\n"
        assert Network.from_file(file(odd)).row_names.tolist() == ["a b"]
        assert Network.from_file(file("a,x b,y 1\n"), delimiter=" ").col_names.tolist() == ["b,y"]

    @pytest.mark.parametrize(
        ("content", "row", "col"),
        [
            ("New York;Paris;0.5\nRome, Italy;Paris;1\n", "Rome, Italy", "Paris"),
            ("Smith, J\tDoe, K\t1\nx\ty\t1\n", "Smith, J", "Doe, K"),
            ('"a, b","c ""d"" e",1\n', "a, b", 'c "d" e'),
            ('" kept ",  stripped  ,1\n', " kept ", "stripped"),
            ('"two\nlines",x,1\n', "two\nlines", "x"),
            ('"two\r\nlines",x,1\r\n', "two\r\nlines", "x"),
            ("007,7,1\n", "007", "7"),
            ("\U0001f600,e\u0301,1\n", "\U0001f600", "e\u0301"),
            ("5\" pipe,O'Brien,1\n", '5" pipe', "O'Brien"),
            ('"#tag","%rate",1\n', "#tag", "%rate"),
            ('"a b" c 1\n', "a b", "c"),
        ],
    )
    def test_names_stay_as_written(self, file, content, row, col):
        network = Network.from_file(file(content))
        assert network.position(row, col) >= 0

    def test_symmetric_files_have_one_set_of_names(self, file):
        network = Network.from_file(file("b,a,1\nc,b,0\n"), symmetric=True)
        assert network.row_names.tolist() == ["a", "b", "c"]
        assert network.shape == (3, 3)
        assert Network.from_file(file("b,a,1\na,b,0\n"), square=True).n_listed == 2

    def test_duplicates_are_refused_with_file_and_lines(self, file):
        path = file("# top\na,b,1\n\nc,d,1\nb,a,0\n")
        with pytest.raises(InputError) as error:
            Network.from_file(path, symmetric=True)
        for part in (str(path), "('a', 'b')", "line 2 has the value 1", "line 5 has 0", "values differ"):
            assert part in str(error.value)
        assert Network.from_file(path, symmetric=True, duplicates="keep").n_listed == 3

    @given(
        edge_lists(), st.sampled_from([",", "\t", ";", "|"]), st.booleans(), st.sampled_from(["\n", "\r\n"])
    )
    def test_nasty_names_there_and_back(self, tmp_path_factory, edges, delimiter, header, end):
        text = io.StringIO(newline="")
        writer = csv.writer(text, delimiter=delimiter, lineterminator=end, quoting=csv.QUOTE_NONNUMERIC)
        writer.writerows([("source", "target", "value")] * header + edges)
        path = tmp_path_factory.getbasetemp() / "round.csv"
        path.write_bytes(text.getvalue().encode())
        expected = Network.from_edges(edges)
        assert Network.from_file(path, delimiter=delimiter, header=header) == expected

    def test_large_files_are_read_in_pieces(self, file):
        # Longer than a piece, with quotes running over the seam somewhere.
        lines = [f'"name\n{place}",x,{place}\n' for place in range(60_000)]
        network = Network.from_file(file("".join(lines)))
        assert network.n_listed == 60_000
        assert network.values[network.position("name\n59999", "x")] == 59_999
        with pytest.raises(InputError, match="line 120003"):
            Network.from_file(file("".join(lines) + "a,b,1\n\na,b,oops\n"))

    def test_a_plain_file_of_several_pieces(self, file):
        content = "".join(f"row{place},col{place % 7},{place}\n" for place in range(120_000))
        network = Network.from_file(file(content))
        assert network.values[network.position("row119999", f"col{119999 % 7}")] == 119_999
        with pytest.raises(InputError, match=r"line 120001, column 2.*'x'"):
            Network.from_file(file(content + "a,b,x\n"))


WRONG = {
    "empty": ("", {}, ["nothing", "empty"]),
    "comments only": ("# a\n\n", {}, ["only blank lines and comments"]),
    "header only": ("source,target,value\n", {}, ["header and no data"]),
    "header of two only": ("source,target\n", {}, ["header and no data"]),
    "one column": ("a\nb\n", {}, ["line 1", "one column", "'a'", "delimiter="]),
    "short row": ("a,b,1\nc,d\n", {}, ["line 2", "2 fields", "['c', 'd']", "expected 3"]),
    "short row, names with blanks": ("a x,b,1\nc y,d\n", {}, ["line 2", "2 fields", "expected 3"]),
    "long row": ("a,b,1\n\nc,d,1,5\n", {}, ["line 3", "4 fields", "expected 3"]),
    "long row with blanks": ("a b 1\nc d 1 5\ne f 1\n", {}, ["line 2", "4 fields", "expected 3"]),
    "text as value": ("a,b,1\nc,d,high\n", {}, ["line 2", "column 2", "'high'", "finite number"]),
    "text under a header": ("a,b,rate\nx,y,1\nz,y,high\n", {}, ["line 3", "column 'rate'", "'high'"]),
    "text everywhere": ("source,target,value\na,b,x\nc,d,y\n", {}, ["line 2", "column 'value'", "'x'"]),
    "decimal comma": ("a;b;0,5\nc;d;0,7\n", {}, ["line 1", "'0,5'"]),
    "underscore": ("a,b,1\nc,d,1_000\n", {}, ["line 2", "'1_000'"]),
    "no value": ("a,b,1\nc,d,\n", {}, ["line 2", "column 2", "''"]),
    "nan": ("a,b,1\nc,d,NaN\n", {}, ["line 2", "column 2", "nan", "finite"]),
    "infinity": ("a,b,1\nc,d,-inf\n", {}, ["line 2", "column 2", "-inf", "finite"]),
    "negative weight": ("a,b,1,1\nc,d,1,-2\n", {"columns": (0, 1, 2, 3)}, ["line 2", "column 3", "-2"]),
    "no row name": ("a,b,1\n,d,1\n", {}, ["line 2", "column 0", "found nothing", "name"]),
    "no column name": ("a,b,1\nc,,1\n", {}, ["line 2", "column 1", "found nothing"]),
    "quoted nothing": ('a,b,1\n"",b,1\n', {}, ["line 2", "column 0", "found nothing"]),
    "no name, symmetric": ("a,b,1\nc,,1\n", {"symmetric": True}, ["line 2", "column 1", "found nothing"]),
    "open quote": ('a,b,1\n"c,d,1\ne,f,1\n', {}, ["line 2", "never closed"]),
    "open quote at once": ('"a,b,1\nc,d,1\n', {}, ["line 1", "never closed"]),
    "text after quote": ('a,b,1\n"c"x,d,1\n', {}, ["line 2", "'x,d,1'", "closing quote"]),
    "text after first quote": ('"c"x,d,1\na,b,1\n', {}, ["line 1", "closing quote"]),
    "late comment": ("a,b,1\n# so\nc,d,1\n", {}, ["line 2", "'# so'", "comment"]),
    "many columns": ("a,b,c,d\n1,2,3,4\n", {}, ["line 1", "4 columns", "'c'", "columns=("]),
    "many columns, no header": ("1,2,3,4\n", {}, ["4 columns", "3 ('4')", "columns=(0, 1, 2)"]),
    "no such column": ("a,b,c\n1,2,3\n", {"columns": ("a", "z")}, ["no column 'z'", "'a', 'b', 'c'"]),
    "column twice": ("a,a,c\n1,2,3\n", {"columns": ("a", "c")}, ["2 columns 'a'"]),
    "no such place": ("1,2,3\n", {"columns": (0, 5)}, ["no column 5"]),
    "not UTF-8": (b"a,b,1\nc\xff\xfe,d,1\n", {}, ["line 2", "\\xff\\xfe", "UTF-8"]),
    "unstored": ("a,b,1\n", {"unstored": "zero"}, ["unstored='zero'", "no meaning"]),
    "truncated gzip": (gzip.compress(PLAIN.encode() * 50)[:-12], {}, ["damaged", "after line"]),
}


@pytest.mark.parametrize(("content", "options", "parts"), WRONG.values(), ids=WRONG.keys())
def test_wrong_files_are_refused_with_file_line_and_value(file, content, options, parts):
    path = file(content)
    with pytest.raises(InputError) as error:
        Network.from_file(path, **options)
    for part in [*parts, str(path)]:
        assert part in str(error.value)


WRONG_SETTINGS = {
    "same column twice": ("1,2,3\n", {"columns": (0, 0)}, ["a different column"]),
    "mixed columns": ("1,2,3\n", {"columns": (0, "b")}, ["names or", "places"]),
    "one column asked": ("1,2,3\n", {"columns": (0,)}, ["two to four"]),
    "names without header": ("a,b\n1,2\n", {"columns": ("a", "b"), "header": False}, ["header=False"]),
    "bad background": ("a,b,high\n", {"background": -1}, ["background weight is -1"]),
    "background of text": ("a,b,1\n", {"background": "x"}, ["background weight is 'x'"]),
    "no background": ("a,b,1\n", {"background": None}, ["background weight is None"]),
    "delimiter a number": ("a,b,1\n", {"delimiter": 5}, ["delimiter is 5"]),
    "delimiter empty": ("a,b,1\n", {"delimiter": ""}, ["delimiter is ''"]),
    "delimiter a quote": ("a,b,1\n", {"delimiter": '"'}, ["delimiter is '\"'", 'such as "," or "\\t"']),
    "header a word": ("a,b,1\n", {"header": "yes"}, ["header is 'yes'", "True", "False"]),
    "columns a number": ("a,b,1\n", {"columns": 5}, ["columns is 5", "two to four names"]),
    "columns a word": ("a,b,1\n", {"columns": "ab"}, ["columns is 'ab'", "two to four names"]),
    "bad duplicates": ("a,b,1\n", {"duplicates": "drop"}, ["duplicates is 'drop'"]),
}


@pytest.mark.parametrize(("content", "options", "parts"), WRONG_SETTINGS.values(), ids=WRONG_SETTINGS.keys())
def test_wrong_settings_are_refused_by_their_name(file, content, options, parts):
    with pytest.raises(InputError) as error:
        Network.from_file(file(content), **options)
    for part in parts:
        assert part in str(error.value)


def test_a_file_that_is_cut_off_says_how_far_it_could_be_read(file):
    lines = [f"{place},{np.random.default_rng(place).integers(10**9)},1\n" for place in range(20_000)]
    packed = gzip.compress("".join(lines).encode())
    with pytest.raises(InputError) as error:
        Network.from_file(file(packed[: len(packed) // 2], "links.csv.gz"))
    reached = int(str(error.value).split("after line ")[1].split(" ")[0])
    assert 5_000 < reached < 20_000


def test_files_that_are_none_are_refused(file, tmp_path):
    with pytest.raises(InputError, match=r"no file .*nowhere\.csv"):
        Network.from_file(tmp_path / "nowhere.csv")
    with pytest.raises(InputError, match="folder"):
        Network.from_file(tmp_path)
    with pytest.raises(InputError, match="not gzipped"):
        Network.from_file(file(PLAIN, "links.csv.gz"))
    with pytest.raises(InputError, match=r"gzipped \.npy"):
        Network.from_file(file(b"", "x.npy.gz"))
    with pytest.raises(InputError, match="cannot be opened"):
        Network.from_file(tmp_path / ("x" * 300))
    with pytest.raises(InputError, match=r"'a\\x00b' cannot be opened"):
        Network.from_file("a\0b")
    for path in (None, 5):
        with pytest.raises(InputError, match=f"path is {path}; expected the path of a file"):
            Network.from_file(path)


def test_an_odd_name_is_refused_with_its_file(file):
    path = file("a\0,b,1\n")
    with pytest.raises(InputError, match="null character") as error:
        Network.from_file(path)
    assert str(error.value).startswith(f"{path}: ")


class TestMatrixFiles:
    @pytest.fixture
    def matrix(self):
        return scipy.sparse.csr_array([[1.0, 0, 0], [0, 0, 2.5]])

    def test_npz(self, matrix, tmp_path):
        scipy.sparse.save_npz(tmp_path / "x.npz", matrix)
        network = Network.from_file(tmp_path / "x.npz", unstored="unknown")
        assert network == Network.from_sparse(matrix, unstored="unknown")
        assert network.history[0].name == "from_file"

    def test_matrix_market(self, matrix, tmp_path):
        scipy.io.mmwrite(tmp_path / "x.mtx", matrix)
        expected = Network.from_sparse(matrix, unstored="zero")
        assert Network.from_file(tmp_path / "x.mtx", unstored="zero") == expected
        (tmp_path / "x.mtx.gz").write_bytes(gzip.compress((tmp_path / "x.mtx").read_bytes()))
        assert Network.from_file(tmp_path / "x.mtx.gz", unstored="zero") == expected
        scipy.io.mmwrite(tmp_path / "full.mtx", matrix.toarray())
        assert Network.from_file(tmp_path / "full.mtx") == Network.from_dense(matrix.toarray())

    def test_sparse_arrays_are_asked_for_where_scipy_knows_the_word(self, matrix, tmp_path, monkeypatch):
        path = tmp_path / "x.mtx"
        path.touch()
        asked = []

        def new(source, *, spmatrix=None):
            asked.append(spmatrix)
            return scipy.sparse.coo_array(matrix)

        for mmread in (new, lambda source: scipy.sparse.coo_matrix(matrix)):
            monkeypatch.setattr(scipy.io, "mmread", mmread)
            network = Network.from_file(path, unstored="zero")
            assert network == Network.from_sparse(matrix, unstored="zero")
        assert asked == [False]

    def test_what_is_wrong_inside_is_refused_with_the_file(self, tmp_path):
        arrays = {
            "inf": ([[1, np.inf]], "inf in row 0, column 1"),
            "flat": ([1.0, 2.0], r"shape \(2,\)"),
            "text": ([["a", "b"]], "real numbers"),
            "complex": ([[1j]], "real numbers"),
            "wide": ([[1.0, 2.0]], "as many rows as columns"),
        }
        for name, (array, part) in arrays.items():
            path = tmp_path / f"{name}.npy"
            np.save(path, np.array(array))
            with pytest.raises(InputError, match=part) as error:
                Network.from_file(path, symmetric=name == "wide")
            assert str(error.value).startswith(f"{path}: ")
        path = tmp_path / "x.npz"
        for value in (np.inf, 1j):
            scipy.sparse.save_npz(path, scipy.sparse.csr_array(np.array([[value]])))
            with pytest.raises(InputError) as error:
                Network.from_file(path, unstored="zero")
            assert str(error.value).startswith(f"{path}: ")

    def test_npy(self, tmp_path):
        X = np.array([[1, np.nan], [np.nan, 0]])
        np.save(tmp_path / "x.npy", X)
        network = Network.from_file(tmp_path / "x.npy", symmetric=True)
        assert network == Network.from_dense(X, symmetric=True)

    def test_wrong_ones_are_refused(self, matrix, tmp_path):
        scipy.sparse.save_npz(tmp_path / "x.npz", matrix)
        np.savez(tmp_path / "dense.npz", X=np.eye(2))
        np.save(tmp_path / "pickled.npy", np.array([{}], dtype=object), allow_pickle=True)
        np.save(tmp_path / "good.npy", np.eye(2))
        for name in ("noise.npz", "noise.npy", "noise.mtx", "noise.parquet"):
            (tmp_path / name).write_bytes(b"noise")
        (tmp_path / "short.mtx").write_text("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1.0\n")
        (tmp_path / "cut.mtx.gz").write_bytes(
            gzip.compress(b"%%MatrixMarket matrix array real general\n")[:-9]
        )
        for name, options, part in [
            ("x.npz", {}, 'unstored="zero"'),
            ("x.npz", {"unstored": "zero", "columns": (0, 1)}, "columns=(0, 1)"),
            ("x.npz", {"unstored": "zero", "background": 0.5}, "background=0.5"),
            ("good.npy", {"unstored": "zero"}, "unstored='zero'"),
            ("good.npy", {"delimiter": ","}, "delimiter=','"),
            ("noise.parquet", {"header": True}, "header=True"),
            ("dense.npz", {"unstored": "zero"}, "scipy.sparse.save_npz"),
            ("noise.npz", {"unstored": "zero"}, "scipy.sparse.save_npz"),
            ("pickled.npy", {}, "without Python objects"),
            ("noise.npy", {}, "numpy.save"),
            ("noise.mtx", {"unstored": "zero"}, "Matrix Market"),
            ("short.mtx", {"unstored": "zero"}, "Matrix Market"),
            ("cut.mtx.gz", {"unstored": "zero"}, "Matrix Market"),
            ("noise.parquet", {}, "Parquet file"),
        ]:
            with pytest.raises(InputError) as error:
                Network.from_file(tmp_path / name, **options)
            assert part in str(error.value)
            assert name in str(error.value) or 'unstored="zero"' in part


class TestParquet:
    def test_numbers_are_names_in_files(self, tmp_path):
        path = tmp_path / "links.parquet"
        pandas.DataFrame({"a": [10, 9], "b": ["x", "y"], "c": [1.5, 2.0]}).to_parquet(path)
        network = Network.from_file(path)
        assert network == Network.from_edges([("10", "x", 1.5), ("9", "y", 2.0)])
        assert Network.from_file(path, columns=("b", "a")).values.tolist() == [1, 1]

    def test_wrong_ones_are_refused(self, tmp_path):
        path = tmp_path / "links.parquet"
        pandas.DataFrame({"a": ["x", None], "b": ["x", "y"], "c": [1, 2], "d": [1, 2]}).to_parquet(path)
        for options, parts in [
            ({}, ["4 columns", "columns="]),
            ({"columns": ("a", "z")}, ["no column 'z'"]),
            ({"columns": ("a", "b")}, ["Column 'a' (the row)", "row 1"]),
        ]:
            with pytest.raises(InputError) as error:
                Network.from_file(path, **options)
            for part in [*parts, str(path)]:
                assert part in str(error.value)

    def test_whole_floats_are_names_too(self, tmp_path):
        path = tmp_path / "links.parquet"
        frame = pandas.DataFrame({"u": [1.0, 2.0], "v": pandas.Categorical([-3, 10]), "r": [5, 4]})
        frame.to_parquet(path)
        assert Network.from_file(path) == Network.from_edges([("1", "-3", 5), ("2", "10", 4)])

    @pytest.mark.parametrize("odd", [1.5, np.inf, 2.0**53])
    def test_other_floats_are_refused(self, tmp_path, odd):
        path = tmp_path / "links.parquet"
        pandas.DataFrame({"u": ["a", "b"], "v": [1.0, odd]}).to_parquet(path)
        with pytest.raises(InputError) as error:
            Network.from_file(path)
        for part in (f"The column of {path}, row 1", f"is {odd};", "Save the labels as text"):
            assert part in str(error.value)

    def test_repeated_labels_are_refused_with_the_file(self, tmp_path):
        path = tmp_path / "links.parquet"
        parquet.write_table(pyarrow.table([["x"], ["y"]], names=["a", "a"]), path)
        with pytest.raises(InputError, match="label 'a' in columns 0 and 1") as error:
            Network.from_file(path)
        assert str(error.value).startswith(f"{path} has")

    @pytest.mark.parametrize("kind", [str, float, int])
    def test_an_empty_one_is_refused(self, tmp_path, kind):
        path = tmp_path / "links.parquet"
        pandas.DataFrame({"u": [], "v": []}).astype(kind).to_parquet(path)
        with pytest.raises(InputError, match="found no rows") as error:
            Network.from_file(path)
        assert "shape" not in str(error.value)

    def test_duplicates_have_their_rows(self, tmp_path):
        path = tmp_path / "links.parquet"
        pandas.DataFrame({"a": ["x", "x"], "b": ["y", "y"]}).to_parquet(path)
        with pytest.raises(InputError, match=r"row 0 .* row 1"):
            Network.from_file(path)


@pytest.mark.parametrize(
    ("line", "delimiter", "fields"),
    [
        ("a,b,", ",", ["a", "b", ""]),
        (",", ",", ["", ""]),
        ('"a"', ",", ["a"]),
        ('"a" ', ",", ["a"]),
        ('"a", "b c"\n', ",", ["a", "b c"]),
        ('  x   "y z"  \n', " ", ["x", "y z"]),
        ('"a', ",", None),
        ('a::"b::c"', "::", ["a", "b::c"]),
    ],
)
def test_fields(line, delimiter, fields):
    assert split_line(line, delimiter) == fields


@given(st.lists(st.lists(st.integers(1, 3), min_size=1, max_size=5), max_size=5))
def test_line_numbers_are_kept_across_jumps(gaps):
    lines, kept = [], LineNumbers()
    for gap in gaps:
        start = lines[-1] if lines else 0
        block = start + np.cumsum(gap)
        kept.add(block)
        lines += block.tolist()
    assert [kept(place) for place in range(len(lines))] == [f"line {line}" for line in lines]


class TestRealFiles:
    def test_the_metabolism_network_has_the_counts_of_the_paper(self, data_folder):
        path = data_folder / "ppi_disease_of_metabolism.tsv"
        columns = ("Uniprot_A", "Uniprot_B", "Interaction")
        with pytest.raises(InputError, match="8 entries repeat a pair"):
            Network.from_file(path, columns=columns, symmetric=True)
        raw = Network.from_file(path, columns=columns, symmetric=True, duplicates="keep")
        network = resolve_conflicts(drop_duplicates(raw), "drop")
        assert repr(network) == (
            "Network: 1,036 x 1,036, symmetric, 5,131 links, 5,123 non-links, rest unknown"
        )
        assert [step.touched for step in network.history] == [10_262, 8, 0]
