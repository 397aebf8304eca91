"""Downloads by pooch, from a server of the test's own."""

from __future__ import annotations

import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from latentlink.datasets.fetched import load_published
from latentlink.datasets.fetched.data_folders import cache_folder
from latentlink.errors import InputError
from tests.datasets.published import TEXT, small, write

pooch = pytest.importorskip("pooch")


class Handler(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture
def server(tmp_path):
    """Serve a folder; yield it and its address."""
    folder = tmp_path / "served"
    folder.mkdir()
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=folder)) as served:
        thread = threading.Thread(target=served.serve_forever)
        thread.start()
        yield folder, f"http://127.0.0.1:{served.server_port}"
        served.shutdown()
        thread.join()


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.delenv("LATENTLINK_DATA", raising=False)
    monkeypatch.setenv("LATENTLINK_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    return tmp_path / "cache"


def test_a_download_is_cached_and_silent(server, cache, capfd):
    folder, url = server
    write(folder)
    published = small(f"{url}/small.tsv")
    first = load_published(published)
    assert (cache / "small.tsv").read_text() == TEXT
    (folder / "small.tsv").unlink()
    assert load_published(published).network == first.network
    assert capfd.readouterr() == ("", "")


def test_a_given_folder_receives_the_download(server, cache, tmp_path):
    folder, url = server
    write(folder)
    given = tmp_path / "given"
    given.mkdir()
    load_published(small(f"{url}/small.tsv"), given)
    assert [path.name for path in given.iterdir()] == ["small.tsv"]
    assert not cache.exists()


def test_a_download_with_another_hash_is_not_kept(server, cache):
    folder, url = server
    write(folder, "source\ttarget\nx\ty\n")
    with pytest.raises(InputError) as error:
        load_published(small(f"{url}/small.tsv"))
    assert "The download failed: SHA256 hash" in str(error.value)
    assert f"get {url}/small.tsv by other means and save it as {cache / 'small.tsv'}" in str(error.value)
    assert not (cache / "small.tsv").exists()


def test_an_address_without_a_file(server, cache):
    with pytest.raises(InputError, match="The download failed: 404"):
        load_published(small(f"{server[1]}/small.tsv"))


def test_no_network(cache):
    with pytest.raises(
        InputError, match=r"The download failed: .*get http://127\.0\.0\.1:9/small\.tsv by other"
    ):
        load_published(small())


def test_no_pooch(cache, monkeypatch):
    monkeypatch.setitem(sys.modules, "pooch", None)
    message = r"because pooch is not installed \(pip install pooch\)\. To do without a download, get http"
    with pytest.raises(InputError, match=message):
        load_published(small())


def test_neither_pooch_nor_a_cache_folder(tmp_path, monkeypatch):
    for variable in ("LATENTLINK_CACHE", "LATENTLINK_DATA"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setitem(sys.modules, "pooch", None)
    assert cache_folder() is None
    with pytest.raises(InputError, match=r"save it as small\.tsv in a folder that the environment variable"):
        load_published(small())
    write(tmp_path)
    assert load_published(small(), tmp_path).network.n_known == 3


def test_the_cache_is_that_of_the_operating_system(monkeypatch):
    monkeypatch.delenv("LATENTLINK_CACHE", raising=False)
    assert cache_folder() == pooch.os_cache("latentlink")
