"""Readers of published files, on small files of the same structure."""

from __future__ import annotations

import zipfile

import numpy as np
import pytest

from latentlink.datasets.fetched import PUBLISHED
from latentlink.datasets.fetched.formats import dog_archive, labelled_pairs, links, ratings
from latentlink.datasets.fetched.zip_members import open_member, unpacked
from latentlink.errors import InputError

RATINGS = "196\t242\t3\t881250949\n186\t302\t4\t891717742\n196\t302\t1\t878887116\n"
CSV = "userId,movieId,rating,timestamp\n1,1,4.0,964982703\n1,3,0.5,964981247\n2,1,5.0,964982224\n"


def archive(path, **members):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(name.replace("__", "/"), content)
    return path


# ---------------------------------------------------------------- ratings


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("u.data", RATINGS),
        ("ml-100k.inter", "user_id:token\titem_id:token\trating:float\ttimestamp:float\n" + RATINGS),
        ("ratings.csv", CSV),
    ],
)
def test_ratings_of_text_files(name, content, tmp_path):
    path = tmp_path / name
    path.write_text(content)
    network = ratings(path).network
    assert (network.shape, network.n_known, network.background) == ((2, 2), 3, 0)
    assert not network.square
    expected = [0.5, 4, 5] if name == "ratings.csv" else [1, 3, 4]
    assert sorted(network.values) == expected


@pytest.mark.parametrize(
    ("name", "member", "content"),
    [
        ("ml-100k.zip", "ml-100k/u.data", RATINGS),
        ("ml-latest-small.zip", "ml-latest-small/ratings.csv", CSV),
    ],
)
def test_ratings_of_archives(name, member, content, tmp_path):
    path = archive(tmp_path / name, **{member: content, "README": "not read"})
    network = ratings(path).network
    text = tmp_path / member.rpartition("/")[2]
    text.write_text(content)
    assert network == ratings(text).network
    assert network.history[0].sentence.startswith(f"Read 3 entries from {path}, {member}.")
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted([name, text.name])


def test_faults_in_an_archive_are_located(tmp_path):
    path = archive(tmp_path / "ml-100k.zip", **{"ml-100k/u.data": RATINGS + "1\t2\tgood\t3\n"})
    with pytest.raises(InputError) as error:
        ratings(path)
    assert str(error.value).startswith(f"{path}, ml-100k/u.data, line 4")


# ---------------------------------------------------------------- labelled pairs and links


def test_protein_pairs_are_cleaned_as_in_the_paper(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text(
        "Protein_A_idx\tProtein_B_idx\tInteraction\tUniprot_A\tUniprot_B\n"
        "0\t1\t0.7\tA\tB\n"
        "1\t0\t1\tB\tA\n"  # the same pair, with another score
        "0\t2\t1\tA\tC\n"
        "2\t0\t0\tC\tA\n"  # conflicts
        "1\t2\t0\tB\tC\n"
        "1\t2\t0\tB\tC\n"  # a duplicate
        "3\t3\t0\tD\tD\n"
    )
    network = labelled_pairs(path).network
    assert repr(network) == "Network: 4 x 4, symmetric, 1 link, 2 non-links, rest unknown"
    pairs = {
        (network.row_names[row], network.row_names[col]): value
        for row, col, value in zip(network.rows, network.cols, network.values, strict=True)
    }
    assert pairs == {("A", "B"): 1, ("B", "C"): 0, ("D", "D"): 0}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("net.tsv", "source\ttarget\nn0\tn1\nn1\tn2\n"),
        ("USAir.txt", "    177    179    0.0022\n      8    177    0.1767\n    179    177    0.0022\n"),
        ("PB.txt", "1\t2\n2\t1\n2\t2\n2\t30\n"),
        ("Power.txt", "0\t386\r\n395\t0"),
    ],
)
def test_lists_of_links(name, content, tmp_path):
    path = tmp_path / name
    path.write_bytes(content.encode())
    network = links(path).network
    assert repr(network) == "Network: 3 x 3, symmetric, 2 links, 0 non-links, rest unknown"


# ---------------------------------------------------------------- archives


def test_arrays_of_an_archive(tmp_path):
    W, H = np.array([[1, 0], [1, 1], [0, 1]]), np.array([[1, 0, 1], [0, 1, 1]])
    path = tmp_path / "dog.npz"
    np.savez(path, X=np.minimum(W @ H, 1).astype(float), W=W, H=H)
    contents = dog_archive(path)
    assert contents.rank == 2
    np.testing.assert_array_equal(contents.network.to_dense(), np.minimum(W @ H, 1))


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.array([{}], object), "without Python objects"),
        (np.zeros(3), r"shape \(3,\) and type float64; expected a matrix of numbers"),
        (np.array([["a"]]), "expected a matrix of numbers"),
    ],
)
def test_arrays_that_are_no_matrices(X, message, tmp_path):
    path = tmp_path / "dog.npz"
    np.savez(path, X=X, W=np.eye(1), H=np.eye(1))
    with pytest.raises(InputError, match=message):
        dog_archive(path)


def test_a_member_that_is_missing_lists_the_others(tmp_path):
    path = archive(tmp_path / "some.zip", other="text")
    with pytest.raises(
        InputError, match=r"some\.zip has 0 members 'wanted'; expected one\. It has 'other'\."
    ):
        open_member(path, "wanted").__enter__()


def test_a_member_of_excessive_size_is_not_unpacked(tmp_path):
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file, file.open("zeros", "w") as member:
        for _ in range(100):
            member.write(bytes(2**20))
    with (
        pytest.raises(InputError, match=r"the unpacked bytes of 'zeros' take .* out of proportion"),
        unpacked(path, "zeros"),
    ):
        pass


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_compressions_raise(method, tmp_path):
    path = tmp_path / "some.zip"
    with zipfile.ZipFile(path, "w", method) as file:
        file.writestr("text", "content")
    with pytest.raises(InputError, match="expected it uncompressed or deflated"), unpacked(path, "text"):
        pass


@pytest.mark.parametrize("damage", ["no archive", "changed"])
def test_damaged_archives(damage, tmp_path):
    path = archive(tmp_path / "some.zip", text="content" * 100)
    data = bytearray(path.read_bytes())
    data[40] ^= 255
    path.write_bytes(b"PK" if damage == "no archive" else data)
    with (
        pytest.raises(InputError, match=r"some\.zip cannot be read: .*Download it again"),
        unpacked(path, "text"),
    ):
        pass


# ---------------------------------------------------------------- the registry


@pytest.mark.parametrize("published", PUBLISHED.values(), ids=PUBLISHED)
def test_entries_of_the_registry_are_complete(published):
    assert published.download.url.startswith("https://")
    assert published.source.startswith("https://")
    assert published.licence
    assert published.citation
    for file in published.files:
        algorithm, _, digest = (file.hash or "sha256:" + 64 * "0").partition(":")
        assert len(bytes.fromhex(digest)) == {"sha256": 32, "md5": 16}[algorithm]


def test_files_that_scipy_reads_have_a_known_hash():
    """A MATLAB file is read by SciPy, which does not defend itself against hostile ones."""
    matlab = [file for each in PUBLISHED.values() for file in each.files if file.name.endswith(".mat")]
    assert matlab
    assert all(file.hash for file in matlab)
