"""Damaged and hostile archives of arrays raise InputError, and nothing in them is executed."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from latentlink.errors import InputError
from latentlink.saving import load_file, save_file, save_tree
from tests.saving.damage import TREE, assert_raises, header, npy, write_members
from tests.saving.records import RECORDS, same


@pytest.mark.parametrize("name", ["meta.json", "arrays.npz"])
def test_missing_files(saved, name):
    (saved / name).unlink()
    assert_raises(saved, f"There is no file .*{name}")
    (saved / name).mkdir()
    assert_raises(saved, f"There is no file .*{name}")


def test_missing_folder(tmp_path):
    assert_raises(tmp_path / "nowhere", "There is no file .*nowhere")


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """A folder for many examples, with a tree saved as ``folder`` and as ``file.npz``."""
    folder = tmp_path_factory.mktemp("shared")
    save_tree(folder / "folder", "model", TREE)
    save_file(folder / "file.npz", "model", TREE)
    return folder


@given(data=st.data())
def test_a_truncated_archive(shared, data):
    whole = (shared / "folder" / "arrays.npz").read_bytes()
    truncated = shared / "truncated"
    truncated.mkdir(exist_ok=True)
    (truncated / "meta.json").write_bytes((shared / "folder" / "meta.json").read_bytes())
    (truncated / "arrays.npz").write_bytes(whole[: data.draw(st.integers(0, len(whole) - 1))])
    assert_raises(truncated, "cannot be read as a file of arrays")


@given(data=st.data())
def test_any_changed_byte_raises_or_has_no_effect(shared, data):
    content = bytearray((shared / "file.npz").read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    (shared / "changed.npz").write_bytes(content)
    try:
        loaded = load_file(shared / "changed.npz", "model", RECORDS)
    except InputError:
        return
    assert same(loaded, TREE)


@given(content=st.binary(max_size=300))
def test_any_bytes_raise(shared, content):
    (shared / "bytes.npz").write_bytes(content)
    with pytest.raises(InputError):
        load_file(shared / "bytes.npz", "model", RECORDS)


def test_numbers_that_changed_on_disk(saved):
    content = (saved / "arrays.npz").read_bytes()
    data = np.arange(5.0).tobytes()
    assert content.count(data) == 1
    (saved / "arrays.npz").write_bytes(content.replace(data, data[::-1]))
    assert_raises(saved, "CRC")


def test_compressed_archives_raise_unread(saved):
    write_members(saved, {"0.npy": npy(np.zeros(10**6))}, zipfile.ZIP_DEFLATED)
    assert_raises(saved, "compressed or encrypted")


def test_overlapping_parts(saved):
    content = npy(np.zeros(10_000))
    write_members(saved, {f"{number}.npy": content for number in range(50)})
    path = saved / "arrays.npz"
    whole = path.read_bytes()
    # All entries of the directory point to the first part, and the other parts are removed.
    with zipfile.ZipFile(path) as archive:
        directory, second = archive.start_dir, archive.infolist()[1].header_offset
    entries = bytearray(whole[directory:])
    entry = 0
    while entries[entry : entry + 4] == b"PK\x01\x02":
        entries[entry + 42 : entry + 46] = bytes(4)
        entry += 46 + sum(
            int.from_bytes(entries[entry + at : entry + at + 2], "little") for at in (28, 30, 32)
        )
    entries[entry + 16 : entry + 20] = second.to_bytes(4, "little")
    path.write_bytes(whole[:second] + bytes(entries))
    assert_raises(saved, "declares 4,006,400 bytes of arrays, but has")


SHAPE = "{'descr': '<f8', 'fortran_order': False, 'shape': (%s), }"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (SHAPE % "1000000000000,", "declares 8,000,000,000,000 bytes .* but has 8"),
        (SHAPE % "2,", "declares 16 bytes"),
        (SHAPE % "0,", "declares 0 bytes"),
        (SHAPE % "0, 999999999999999999", "declares 0 bytes"),
        (SHAPE % "-1,", "no array of numbers or text"),
        (SHAPE % ("1, " * 65), "declares 8 bytes"),
        (SHAPE % "__import__('os').getcwd(),", "no array of numbers or text"),
        ("[" * 5000, "no array of numbers or text"),
        ("1" * 60_000, "no array of numbers or text"),
        ("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", "no array of numbers or text"),
        ("{'descr': '|S8', 'fortran_order': False, 'shape': (1,), }", "no array of numbers or text"),
        ("{'descr': '|V8', 'fortran_order': False, 'shape': (1,), }", "no array of numbers or text"),
        ("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }", "no array of numbers or text"),
        ("{'descr': '<U0', 'fortran_order': False, 'shape': (9,), }", "no array of numbers or text"),
        ("{'descr': '<f3', 'fortran_order': False, 'shape': (1,), }", "unknown type f3"),
        ("{'descr': '<U2', 'fortran_order': False, 'shape': (1,), }", "text in '0.npy' that is not Unicode"),
        ("{'descr': '|b1', 'fortran_order': False, 'shape': (8,), }", "neither 0 nor 1"),
    ],
    ids=lambda text: text[:60],
)
def test_invalid_headers(saved, text, message):
    write_members(saved, {"0.npy": header(text, b"\xff" * 8)})
    assert_raises(saved, message)


def test_a_shape_that_numpy_cannot_represent(saved):
    write_members(saved, {"0.npy": header(SHAPE % "0, 999999999999999999, 999999999999999999")})
    assert_raises(saved, "cannot be read as a file of arrays")


def test_a_pickle_is_never_opened(saved, tmp_path):
    class Harm:
        def __reduce__(self):
            return (Path.touch, (tmp_path / "harmed",))

    write_members(saved, {"0.npy": npy(np.array([Harm()], object))})
    assert_raises(saved, "no array of numbers or text")
    assert not (tmp_path / "harmed").exists()


@pytest.mark.parametrize("name", ["0.txt", "../0.npy", "00.npy", "x.npy", "1.npy", "-1.npy"])
def test_parts_with_other_names(saved, name):
    write_members(saved, {name: npy(np.zeros(1))})
    assert_raises(saved, "expected arrays only|whose names are not 0, 1, 2")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_parts_of_one_name(saved):
    with zipfile.ZipFile(saved / "arrays.npz", "w") as archive:
        for _ in range(2):
            archive.writestr("0.npy", npy(np.zeros(1)))
    assert_raises(saved, "two parts of the same name")


def test_files_without_read_permission(saved, monkeypatch):
    def denied(path):
        raise PermissionError("permission denied")

    monkeypatch.setattr(Path, "read_bytes", denied)
    assert_raises(saved, "cannot be read .permission denied")


# ---------------------------------------------------------------- single files


def test_a_file_without_its_json(tmp_path):
    np.savez(tmp_path / "plain.npz", a=np.zeros(3))
    np.savez(tmp_path / "odd.npz", meta=np.zeros(3))
    for name in ("plain.npz", "odd.npz"):
        with pytest.raises(InputError, match="was not saved by latentlink"):
            load_file(tmp_path / name, "task", {})


def test_a_file_of_another_kind(tmp_path):
    save_file(tmp_path / "task.npz", "task", None)
    with pytest.raises(InputError, match="holds 'task'; expected 'model'"):
        load_file(tmp_path / "task.npz", "model", {})
    with pytest.raises(InputError, match="There is no file"):
        load_file(tmp_path / "gone.npz", "task", {})
    with pytest.raises(InputError, match="There is no file"):
        load_file(tmp_path, "task", {})
