"""Published data sets: where files are looked for, hashes, sizes, and messages about missing files."""

from __future__ import annotations

import warnings

import pytest

from latentlink import datasets
from latentlink.datasets.fetched import PUBLISHED, PublishedFile, load_published
from latentlink.errors import DataWarning, InputError
from latentlink.network import drop_sparse_nodes
from tests.datasets.published import TEXT, small, write

PROTEINS = {
    "proteins-disease-of-metabolism": (1_036, 5_131, 5_123),
    "proteins-neurodegenerative-disease": (820, 5_881, 5_879),
}


@pytest.fixture(autouse=True)
def folders(tmp_path, monkeypatch):
    """Make empty folders of every kind, so that no file outside of the test is found."""
    made = {name: tmp_path / name for name in ("given", "data", "cache")}
    for folder in made.values():
        folder.mkdir()
    monkeypatch.setenv("LATENTLINK_DATA", str(made["data"]))
    monkeypatch.setenv("LATENTLINK_CACHE", str(made["cache"]))
    return made


def origin(data):
    """Return the sentence about where a network was read."""
    return data.network.history[0].sentence


# ---------------------------------------------------------------- where files are looked for


def test_the_given_folder_comes_first_then_the_data_folder_then_the_cache(folders):
    for name in ("cache", "data", "given"):
        write(folders[name])
        assert str(folders[name]) in origin(load_published(small(), folders["given"]))


def test_without_a_given_folder_the_data_folder_comes_first(folders):
    for name in ("cache", "data"):
        write(folders[name])
        assert str(folders[name]) in origin(load_published(small()))


def test_the_first_file_that_is_there_is_read(folders):
    either = small(files=(PublishedFile("other.tsv", "http://127.0.0.1:9/"), *small().files))
    write(folders["data"])
    assert "small.tsv" in origin(load_published(either))
    write(folders["data"], name="other.tsv")
    assert "other.tsv" in origin(load_published(either))


def test_a_data_set_says_where_it_is_from(folders):
    write(folders["data"])
    data = load_published(small())
    assert repr(data) == "Dataset small: a triangle; https://example.org/small; licence: none"
    assert repr(data.network) == "Network: 3 x 3, symmetric, 3 links, 0 non-links, nothing else"


@pytest.mark.parametrize("variable", ["folder", "LATENTLINK_DATA"])
def test_folders_have_to_exist(variable, tmp_path, monkeypatch):
    absent = tmp_path / "absent"
    if variable == "LATENTLINK_DATA":
        monkeypatch.setenv(variable, str(absent))
    with pytest.raises(InputError) as error:
        load_published(small(), absent if variable == "folder" else None)
    assert (
        str(error.value) == f"{variable} is {str(absent)!r}, which is not a folder; expected an existing one."
    )


# ---------------------------------------------------------------- hashes and sizes


@pytest.mark.parametrize("place", ["given", "data", "cache"])
def test_a_file_with_another_hash_raises_wherever_it_is(place, folders):
    path = write(folders[place], TEXT + "c\td\n")
    with pytest.raises(InputError) as error:
        load_published(small(), folders["given"])
    message = str(error.value)
    assert message.startswith(f"{path} has the SHA256 hash ")
    assert small().files[0].hash.removeprefix("sha256:") in message
    assert "http://127.0.0.1:9/small.tsv" in message


def test_md5_hashes_are_verified(folders):
    write(folders["data"])
    file = PublishedFile("small.tsv", "http://127.0.0.1:9/", "md5:" + 32 * "0")
    with pytest.raises(InputError, match=r"has the MD5 hash \w{32}; expected 0{32}"):
        load_published(small(files=(file,)))


def test_a_size_that_differs_from_the_published_one_warns(folders):
    path = write(folders["data"])
    with pytest.warns(DataWarning) as caught:
        load_published(small(size=(4, 3)))
    assert str(caught[0].message) == (
        f"The data set 'small', read from {path}, has 3 rows instead of 4, 3 columns instead of 4 that are "
        "published. The file is probably another version or incomplete; see https://example.org/small."
    )
    assert caught[0].filename == __file__


def test_a_size_within_the_tolerance_does_not_warn(folders):
    write(folders["data"])
    assert load_published(small(size=(4, 4), tolerance=0.25)).network.n_known == 3


# ---------------------------------------------------------------- missing files


def test_a_missing_file_says_which_file_to_put_where(folders):
    for folder, place in ((folders["given"], "given"), (None, "cache")):
        with pytest.raises(InputError) as error:
            load_published(small(), folder, download=False)
        assert str(error.value) == (
            "The data set 'small' needs the file small.tsv, which was not found. It is not downloaded, "
            "because download is False. To do without a download, get http://127.0.0.1:9/small.tsv by other "
            f"means and save it as {folders[place] / 'small.tsv'}, or as small.tsv in a folder that the "
            "environment variable LATENTLINK_DATA names."
        )


@pytest.mark.parametrize("name", PUBLISHED)
def test_every_missing_file_has_an_address(name, folders):
    with pytest.raises(InputError) as error:
        datasets.fetch(name, download=False)
    assert "get https://" in str(error.value)
    assert str(folders["cache"]) in str(error.value)


# ---------------------------------------------------------------- arguments of fetch


@pytest.mark.parametrize("name", ["swimmer", "USAIR", None, 3], ids=repr)
def test_unknown_names_list_the_known_ones(name):
    with pytest.raises(InputError, match=r"expected one of 'dog-original', .*'power'"):
        datasets.fetch(name)


def test_download_is_a_switch():
    with pytest.raises(InputError, match="download is 'no'; expected True or False"):
        datasets.fetch("usair", download="no")


# ---------------------------------------------------------------- the files themselves


@pytest.mark.parametrize("name", PUBLISHED)
def test_files_of_the_data_folder_have_their_published_sizes(name, data_folder):
    if not any((data_folder / file.name).exists() for file in PUBLISHED[name].files):
        pytest.skip(f"no file of {name} in {data_folder}")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        network = datasets.fetch(name, folder=data_folder, download=False).network
    assert (*network.shape, network.n_known) == PUBLISHED[name].size[:3]


@pytest.mark.parametrize("name", PROTEINS)
def test_cleaned_protein_networks_have_the_counts_of_the_paper(name, data_folder):
    network = datasets.fetch(name, folder=data_folder, download=False).network
    nodes, links, non_links = PROTEINS[name]
    assert network.shape == (nodes, nodes)
    assert network.symmetric
    assert network.is_clean
    assert [int((network.values == value).sum()) for value in (1, 0)] == [links, non_links]
    few = datasets.fetch(name, folder=data_folder, download=False, min_partners=5).network
    assert few == drop_sparse_nodes(network, 5)
    assert few.shape[0] < nodes


def test_the_original_dog_is_the_product_of_its_factors(data_folder):
    data = datasets.fetch("dog-original", folder=data_folder)
    X = (data.truth.W @ data.truth.H > 0).astype(float)
    assert (data.network.to_dense() == X).all()
    assert data.rank == 4
    assert datasets.fetch("dog-original", folder=data_folder, min_partners=2).truth is None


def test_the_original_swimmer_is_binarized(data_folder):
    counts, binary = (
        datasets.fetch(name, folder=data_folder).network for name in ("swimmer-counts", "swimmer-original")
    )
    assert (binary.values == (counts.values > 6.5)).all()
    close = datasets.swimmer().network
    assert (binary.values == close.values).mean() > 0.99
