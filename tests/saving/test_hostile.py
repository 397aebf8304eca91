"""Files that are damaged or meant to harm are refused in a sentence; nothing in them is executed."""

from __future__ import annotations

import io
import json
import os
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latentlink.errors import InputError
from latentlink.factors import Factors
from latentlink.saving import load_file, load_tree, save_file, save_tree
from latentlink.strategy import Strategy
from tests.saving.records import RECORDS, Blur, Branch, Leaf, Positive, same

TREE = {"leaf": Leaf(np.arange(5.0)), "blur": Blur(), "names": np.array(["a", "bc"])}


@pytest.fixture
def saved(tmp_path):
    save_tree(tmp_path / "saved", "model", TREE)
    return tmp_path / "saved"


def refused(folder, match, kind="model", records=RECORDS):
    with pytest.raises(InputError, match=match) as error:
        load_tree(folder, kind, records)
    assert str(error.value).endswith(".")


def edit(folder, **changes):
    meta = json.loads((folder / "meta.json").read_text())
    (folder / "meta.json").write_text(json.dumps(meta | changes))


def with_tree(folder, node):
    """Give the folder another tree, and no arrays."""
    edit(folder, tree=node)
    write_members(folder, {})


def npy(array):
    file = io.BytesIO()
    np.save(file, array, allow_pickle=True)
    return file.getvalue()


def write_members(folder, members, compression=zipfile.ZIP_STORED):
    with zipfile.ZipFile(folder / "arrays.npz", "w", compression) as archive:
        for name, content in members.items():
            archive.writestr(name, content)


def header(text, data=b""):
    text = text.encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + data


# ---------------------------------------------------------------- the JSON


def test_another_kind(saved):
    refused(saved, "holds 'model'; expected 'task'", kind="task")
    edit(saved, kind=[[]])
    refused(saved, "holds a list; expected 'model'")


def test_a_newer_version_says_what_to_do(saved):
    edit(saved, version=2, shape="unknown")
    refused(saved, "has version 2 of the format, but this latentlink reads versions up to 1. Install a newer")


@pytest.mark.parametrize("version", [0, -1, "1", 1.0, True, None, [1]], ids=repr)
def test_no_version(saved, version):
    edit(saved, version=version)
    refused(saved, "names no version")


def test_a_version_of_many_digits(saved):
    edit(saved, version=10**4000)
    refused(saved, "Install a newer one")


@pytest.mark.parametrize("meta", ["[]", "3", "null", '"latentlink"', "{}", '{"format": "other"}'])
def test_another_format(saved, meta):
    (saved / "meta.json").write_text(meta)
    refused(saved, "was not saved by latentlink")


@pytest.mark.parametrize(
    "meta",
    [b"", b"{", b"\xff\xfe", b'{"format": NaN}', b'{"a": 1, "a": 2}', b"9" * 5000, b"\x80\x04K\x01."],
)
def test_no_json(saved, meta):
    (saved / "meta.json").write_bytes(meta)
    refused(saved, "is not JSON")


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_bottomless_json(saved, opening):
    (saved / "meta.json").write_text(opening * 100_000)
    refused(saved, "nested too deeply")


def test_deep_json(saved):
    node = 1
    for _ in range(100):
        node = [node]
    with_tree(saved, node)
    refused(saved, "nested more than 64 levels")


def test_entries_that_are_missing_or_strange(saved):
    edit(saved, extra=1)
    refused(saved, "has the entries .*'extra'.*; expected 'format', 'kind', 'library', 'tree', 'version'")


def test_the_library_is_named(saved):
    edit(saved, library="0.0.9", tree={"record": "Gone", "fields": {}})
    refused(saved, "written by latentlink 0.0.9, names the class 'Gone' at tree")
    edit(saved, library="<script>")
    refused(saved, "written by latentlink of unknown version, names")


# ---------------------------------------------------------------- the tree


@pytest.mark.parametrize(
    "name", ["system", "os.system", "builtins.eval", "__class__", "", 3, None, ["Leaf"], {}]
)
@pytest.mark.parametrize(("what", "parts"), [("record", "fields"), ("settings", "params")])
def test_classes_that_were_not_allowed(saved, name, what, parts):
    with_tree(saved, [{what: name, parts: {}}])
    refused(saved, r"names the class .* at tree\[0\]; expected one of '")


def test_settings_are_no_records_and_records_no_settings(saved):
    with_tree(saved, {"record": "Blur", "fields": {"width": 1, "edge": "a"}})
    refused(saved, "names the class 'Blur'")
    with_tree(saved, {"settings": "Leaf", "params": {"value": 1}})
    refused(saved, "names the class 'Leaf'")


def test_nothing_is_allowed_unless_named(saved):
    refused(saved, "names the class 'Leaf' .*; expected one of none", records={})


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "unknown are none, missing are 'left', 'right'"),
        ({"left": 1}, "unknown are none, missing are 'right'"),
        ({"left": 1, "right": 2, "__class__": 3, "x": 4}, "unknown are '__class__', 'x', missing are none"),
        ([], "has no names"),
        (None, "has no names"),
    ],
)
def test_fields_that_differ(saved, fields, message):
    with_tree(saved, {"record": "Branch", "fields": fields})
    refused(saved, message)


def test_params_that_differ(saved):
    with_tree(saved, {"settings": "Blur", "params": {"width": 1, "set_params": 2}})
    refused(saved, "has a Blur at tree .* unknown are 'set_params', missing are 'edge'")


def test_many_strange_fields_make_a_short_message(saved):
    with_tree(saved, {"record": "Leaf", "fields": {f"{number}" * 100: 0 for number in range(1000)}})
    with pytest.raises(InputError) as error:
        load_tree(saved, "model", RECORDS)
    assert len(str(error.value)) < 1500


@pytest.mark.parametrize("number", [-1, "a", None, []])
def test_records_that_refuse_what_they_are_given(saved, number):
    with_tree(saved, {"record": "Positive", "fields": {"number": number}})
    refused(saved, "has a Positive at tree that makes no sense")


def test_factors_that_do_not_fit_together(tmp_path):
    save_tree(tmp_path / "saved", "model", Factors(np.ones((3, 2)), np.ones((2, 4))))
    write_members(tmp_path / "saved", {"0.npy": npy(np.ones((3, 2))), "1.npy": npy(np.ones((5, 4)))})
    refused(tmp_path / "saved", "has a Factors at tree that makes no sense .The factors do not fit together")


@pytest.mark.parametrize(
    "node",
    [
        {}, {"unknown": 1}, {"tuple": [], "dict": {}}, {"record": "Leaf"}, {"fields": {}},
        {"tuple": 3}, {"tuple": {"a": 1}}, {"dict": [1]}, {"dict": None}, {"range": [1, 2]},
        {"range": [1, 2, 0]},
        {"range": [1, 2.0, 1]}, {"range": "abc"}, {"range": [True, 2, 1]}, {"float": "1"}, {"float": 1},
        {"float": []}, {"int": "12"}, {"int": "0x"}, {"int": "0x1g"}, {"int": 5}, {"int": "__import__('os')"},
    ],
    ids=str,
)  # fmt: skip
def test_nodes_that_mean_nothing(saved, node):
    with_tree(saved, [1, node])
    refused(saved, r"tree\[1\]")


@pytest.mark.parametrize("number", [7, -1, "0", 0.0, None, True, [0], {"array": 0}], ids=repr)
def test_arrays_that_are_not_there(saved, number):
    with_tree(saved, {"array": number})
    refused(saved, "refers at tree to array")


def test_one_array_in_many_places(saved):
    edit(saved, tree=[{"array": 0}, {"array": 0}, {"array": 1}])
    refused(saved, r"refers at tree\[1\] to array 0, which is not there or stands elsewhere too")


def test_arrays_that_nothing_refers_to(saved):
    edit(saved, tree=[{"array": 1}])
    refused(saved, "has 1 arrays that nothing refers to")


def test_classes_that_are_no_records(saved):
    for wrong in (os.system, int, object, Leaf(1), "Leaf"):
        with pytest.raises(InputError, match=r"records\['Leaf'\] is .*; expected a dataclass"):
            load_tree(saved, "model", {"Leaf": wrong})
    assert issubclass(Blur, Strategy)
    assert Positive(1.0).number == 1.0
    assert Branch(1).right is None


# ---------------------------------------------------------------- the arrays


@pytest.mark.parametrize("name", ["meta.json", "arrays.npz"])
def test_missing_files(saved, name):
    (saved / name).unlink()
    refused(saved, f"There is no file .*{name}")
    (saved / name).mkdir()
    refused(saved, f"There is no file .*{name}")


def test_missing_folder(tmp_path):
    refused(tmp_path / "nowhere", "There is no file .*nowhere")


@settings(deadline=None)
@given(st.data())
def test_a_truncated_archive(data):
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "saved"
        save_tree(folder, "model", TREE)
        whole = (folder / "arrays.npz").read_bytes()
        length = data.draw(st.integers(0, len(whole) - 1))
        (folder / "arrays.npz").write_bytes(whole[:length])
        refused(folder, "cannot be read as a file of arrays")


@settings(deadline=None)
@given(st.data())
def test_any_byte_changed_is_refused_or_has_no_effect(data):
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "saved.npz"
        save_file(path, "model", TREE)
        content = bytearray(path.read_bytes())
        for _ in range(data.draw(st.integers(1, 3))):
            content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
        path.write_bytes(content)
        try:
            found = load_file(path, "model", RECORDS)
        except InputError:
            return
        assert same(found, TREE)


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_refused(content):
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "saved.npz"
        path.write_bytes(content)
        with pytest.raises(InputError):
            load_file(path, "model", RECORDS)


def test_numbers_that_changed_on_the_disk(saved):
    content = (saved / "arrays.npz").read_bytes()
    data = np.arange(5.0).tobytes()
    assert content.count(data) == 1
    (saved / "arrays.npz").write_bytes(content.replace(data, data[::-1]))
    refused(saved, "CRC")


def test_compressed_archives_are_refused_unread(saved):
    write_members(saved, {"0.npy": npy(np.zeros(10**6))}, zipfile.ZIP_DEFLATED)
    refused(saved, "compressed or encrypted")


def test_parts_that_lie_over_each_other(saved):
    content = npy(np.zeros(10_000))
    write_members(saved, {f"{number}.npy": content for number in range(50)})
    path = saved / "arrays.npz"
    whole = path.read_bytes()
    # All entries of the directory point to the first part, and the other parts are gone.
    with zipfile.ZipFile(path) as archive:
        directory, second = archive.start_dir, archive.infolist()[1].header_offset
    entries = bytearray(whole[directory:])
    place = 0
    while entries[place : place + 4] == b"PK\x01\x02":
        entries[place + 42 : place + 46] = bytes(4)
        place += 46 + sum(
            int.from_bytes(entries[place + at : place + at + 2], "little") for at in (28, 30, 32)
        )
    entries[place + 16 : place + 20] = second.to_bytes(4, "little")
    path.write_bytes(whole[:second] + bytes(entries))
    refused(saved, "declares 4,006,400 bytes of arrays, but has")


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
        ("{'descr': '<U2', 'fortran_order': False, 'shape': (1,), }", "text in '0.npy' that is none"),
        ("{'descr': '|b1', 'fortran_order': False, 'shape': (8,), }", "neither 0 nor 1"),
    ],
    ids=lambda text: text[:60],
)
def test_headers_that_lie(saved, text, message):
    write_members(saved, {"0.npy": header(text, b"\xff" * 8)})
    refused(saved, message)


def test_a_shape_that_numpy_refuses(saved):
    write_members(saved, {"0.npy": header(SHAPE % "0, 999999999999999999, 999999999999999999")})
    refused(saved, "cannot be read as a file of arrays")


def test_a_pickle_is_never_opened(saved, tmp_path):
    class Harm:
        def __reduce__(self):
            return (Path.touch, (tmp_path / "harmed",))

    write_members(saved, {"0.npy": npy(np.array([Harm()], object))})
    refused(saved, "no array of numbers or text")
    assert not (tmp_path / "harmed").exists()


@pytest.mark.parametrize("name", ["0.txt", "../0.npy", "00.npy", "x.npy", "1.npy", "-1.npy"])
def test_parts_with_other_names(saved, name):
    write_members(saved, {name: npy(np.zeros(1))})
    refused(saved, "expected arrays only|not named 0, 1, 2")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_parts_of_one_name(saved):
    with zipfile.ZipFile(saved / "arrays.npz", "w") as archive:
        for _ in range(2):
            archive.writestr("0.npy", npy(np.zeros(1)))
    refused(saved, "two parts of the same name")


def test_files_that_may_not_be_read(saved, monkeypatch):
    def denied(path):
        raise PermissionError("permission denied")

    monkeypatch.setattr(Path, "read_bytes", denied)
    refused(saved, "cannot be read .permission denied")


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
