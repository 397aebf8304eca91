"""Errors of the system while a file is read: an InputError with the file and the place, for every reader."""

from __future__ import annotations

import builtins
import errno
import gzip
import io
import os
from pathlib import Path

import numpy as np
import pytest

from latentlink.errors import InputError
from latentlink.network import Network
from latentlink.network.readers.files import first_records

SUFFIXES = [".csv", ".txt", ".csv.gz", ".npz", ".npy", ".mtx", ".mtx.gz", ".parquet", ".h5ad", ""]


def read(path, **options):
    unstored = {"unstored": "zero"} if path.name.endswith((".npz", ".mtx", ".mtx.gz", ".h5ad")) else {}
    return Network.from_file(path, **unstored, **options)


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file of Linux that cannot be read")
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_file_that_cannot_be_read_raises(tmp_path, suffix):
    path = tmp_path / f"f{suffix}"
    path.symlink_to("/proc/self/mem")
    with pytest.raises(InputError, match=r"f[.a-z0-9]*'? (cannot be read|is no readable)"):
        read(path)
    if suffix in {".csv", ".txt", ".csv.gz", ""}:
        with pytest.raises(InputError, match=r"cannot be read: Input/output error\. Check the disk"):
            read(path, matrix=True)
        with pytest.raises(InputError, match="cannot be read: Input/output error"):
            first_records(path)


class Failing(io.FileIO):
    """A file on a disk that fails behind its first bytes."""

    def __init__(self, path, good):
        super().__init__(path)
        self._good = good

    def readinto(self, buffer):
        if self.tell() >= self._good:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return super().readinto(memoryview(buffer)[: self._good - self.tell()])


def fail_behind(path, monkeypatch):
    """Make the disk of one file fail behind three quarters of it."""
    good = path.stat().st_size * 3 // 4
    for owner, name in ((Path, "open"), (builtins, "open")):
        original = getattr(owner, name)

        def opened(file, *args, original=original, **options):
            if str(file) != str(path):
                return original(file, *args, **options)
            return io.BufferedReader(Failing(str(path), good))

        monkeypatch.setattr(owner, name, opened)


LISTED = b"".join(b"row%d,col%d,1\n" % (number, number) for number in range(200_000))
NUMBERS = b"".join(b"%d 1 1\n" % number for number in range(1, 200_001))
LATE = {
    ".csv": LISTED,
    ".csv.gz": gzip.compress(LISTED, 1),
    ".mtx": b"%%MatrixMarket matrix coordinate real general\n200000 1 200000\n" + NUMBERS,
}


@pytest.mark.parametrize("suffix", LATE)
def test_a_disk_that_fails_later_is_told_with_the_line(tmp_path, monkeypatch, suffix):
    path = tmp_path / f"late{suffix}"
    path.write_bytes(LATE[suffix])
    fail_behind(path, monkeypatch)
    with pytest.raises(
        InputError, match=r"late\S+ cannot be read from line [\d]{5,6} on: Input/output error"
    ):
        read(path)


def test_an_array_on_a_disk_that_fails_later(tmp_path, monkeypatch):
    path = tmp_path / "late.npy"
    np.save(path, np.ones((2000, 1000)))
    fail_behind(path, monkeypatch)
    with pytest.raises(InputError, match=r"late\.npy' cannot be read: Input/output error\. Check the disk"):
        read(path)


def test_a_file_that_is_gone_before_its_size_is_read(tmp_path, monkeypatch):
    path = tmp_path / "gone.csv"
    path.write_text("a,b,1\n")

    def gone(path, max_bytes):
        raise OSError(errno.ESTALE, "stale")

    monkeypatch.setattr("latentlink.network.readers.files.unpack_limit", gone)
    with pytest.raises(InputError, match=r"gone\.csv' cannot be read: stale\. Check the disk"):
        Network.from_file(path)
