"""Damaged and hostile metadata raises InputError, and nothing in it is executed."""

from __future__ import annotations

import json
import os

import numpy as np
import pytest

from latentlink.errors import InputError
from latentlink.factors import Factors
from latentlink.saving import load_tree, save_file, save_tree
from latentlink.strategy import Strategy
from tests.saving.damage import TREE, assert_raises, edit, npy, with_tree, write_members
from tests.saving.records import RECORDS, Blur, Branch, Leaf, Positive

# ---------------------------------------------------------------- the JSON


def test_another_kind(saved):
    assert_raises(saved, "holds 'model'; expected 'task'", kind="task")
    edit(saved, kind=[[]])
    assert_raises(saved, "holds a list; expected 'model'")


def test_a_newer_version_says_what_to_do(saved):
    edit(saved, version=9, shape="unknown")
    assert_raises(saved, "has version 9 of the format, but this latentlink reads version 8. Install a newer")


def test_an_older_version_says_what_to_do(saved):
    meta = json.loads((saved / "meta.json").read_text())
    del meta["sha256"]
    (saved / "meta.json").write_text(json.dumps(meta | {"version": 1}, indent=1))
    assert_raises(saved, "has version 1 of the format, but .* reads version 8. Fit the model again, or load")


@pytest.mark.parametrize("version", [0, -1, "1", 1.0, True, None, [1]], ids=repr)
def test_an_invalid_version(saved, version):
    edit(saved, version=version)
    assert_raises(saved, "has no valid version")


def test_a_version_of_many_digits(saved):
    edit(saved, version=10**4000)
    assert_raises(saved, "Install a newer one")


@pytest.mark.parametrize("meta", ["[]", "3", "null", '"latentlink"', "{}", '{"format": "other"}'])
def test_another_format(saved, meta):
    (saved / "meta.json").write_text(meta)
    assert_raises(saved, "was not saved by latentlink")


@pytest.mark.parametrize(
    "meta",
    [b"", b"{", b"\xff\xfe", b'{"format": NaN}', b'{"a": 1, "a": 2}', b"9" * 5000, b"\x80\x04K\x01."],
)
def test_invalid_json(saved, meta):
    (saved / "meta.json").write_bytes(meta)
    assert_raises(saved, "is not JSON")


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_json_nested_without_end(saved, opening):
    (saved / "meta.json").write_text(opening * 100_000)
    assert_raises(saved, "nested too deeply")


def test_deep_json(saved):
    node = 1
    for _ in range(100):
        node = [node]
    with_tree(saved, node)
    assert_raises(saved, "nested more than 64 levels")


def test_unknown_entries_of_the_metadata(saved):
    edit(saved, extra=1)
    assert_raises(
        saved,
        "has the entries .*'extra'.*; expected 'format', 'kind', 'library', 'sha256', 'tree', 'version'",
    )


def test_the_version_of_the_library_is_named(saved):
    edit(saved, library="0.0.9", tree={"record": "Gone", "fields": {}})
    assert_raises(saved, "written by latentlink 0.0.9, names the class 'Gone' at tree")
    edit(saved, library="<script>")
    assert_raises(saved, "written by latentlink of unknown version, names")


# ---------------------------------------------------------------- the tree


@pytest.mark.parametrize(
    "name", ["system", "os.system", "builtins.eval", "__class__", "", 3, None, ["Leaf"], {}]
)
@pytest.mark.parametrize(("what", "parts"), [("record", "fields"), ("settings", "params")])
def test_classes_that_are_not_allowed(saved, name, what, parts):
    with_tree(saved, [{what: name, parts: {}}])
    assert_raises(saved, r"names the class .* at tree\[0\]; expected one of '")


def test_settings_are_no_records_and_records_no_settings(saved):
    with_tree(saved, {"record": "Blur", "fields": {"width": 1, "edge": "a"}})
    assert_raises(saved, "names the class 'Blur'")
    with_tree(saved, {"settings": "Leaf", "params": {"value": 1}})
    assert_raises(saved, "names the class 'Leaf'")


def test_no_class_is_allowed_by_default(saved):
    assert_raises(saved, "names the class 'Leaf' .*; expected one of none", records={})


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "unknown are none, missing are 'left', 'right'"),
        ({"left": 1}, "unknown are none, missing are 'right'"),
        ({"left": 1, "right": 2, "__class__": 3, "x": 4}, "unknown are '__class__', 'x', missing are none"),
        ([], "has no named values"),
        (None, "has no named values"),
    ],
)
def test_fields_that_differ(saved, fields, message):
    with_tree(saved, {"record": "Branch", "fields": fields})
    assert_raises(saved, message)


def test_params_that_differ(saved):
    with_tree(saved, {"settings": "Blur", "params": {"width": 1, "set_params": 2}})
    assert_raises(saved, "has a Blur at tree .* unknown are 'set_params', missing are 'edge'")


def test_many_unknown_fields_make_a_short_message(saved):
    with_tree(saved, {"record": "Leaf", "fields": {f"{number}" * 100: 0 for number in range(1000)}})
    with pytest.raises(InputError) as error:
        load_tree(saved, "model", RECORDS)
    assert len(str(error.value)) < 1500


def test_records_that_raise_for_their_fields(saved):
    with_tree(saved, {"record": "Positive", "fields": {"number": -1}})
    assert_raises(saved, "has a Positive at tree that is invalid")


@pytest.mark.parametrize("number", ["a", None, [], True, 2**60, {"int": "0xffffffffffffffffff"}], ids=repr)
def test_fields_of_another_type(saved, number):
    with_tree(saved, {"record": "Positive", "fields": {"number": number}})
    assert_raises(saved, "has a Positive at tree whose number is .*; expected float")


# ---------------------------------------------------------------- what is larger in memory than in the file


@pytest.mark.parametrize("ends", [[0, 50_000_000, 1], [0, 2**53, 1], [2**53, -(2**53), -1], [0, 65_537, 1]])
def test_ranges_are_bounded(saved, ends):
    with_tree(saved, [{"range": ends}])
    assert_raises(saved, r"has ranges of more than 65,536 numbers in all, up to that at tree\[0\]")


def test_all_ranges_together_are_bounded(saved, tmp_path):
    with_tree(saved, [{"range": [0, 60_000, 1]}] * 2)
    assert_raises(saved, r"up to that at tree\[1\]")
    save_tree(tmp_path / "most", "model", range(0, 10 * 65_536, 10))
    assert load_tree(tmp_path / "most", "model", {}) == range(0, 10 * 65_536, 10)
    with pytest.raises(InputError, match=r"With tree\[1\] the ranges of the tree have more than 65,536"):
        save_tree(tmp_path / "more", "model", [range(60_000), range(2**70)])


@pytest.mark.parametrize(
    "node",
    [{"int": "0x" + "f" * 513}, {"int": "-0x1" + "0" * 512}, {"int": "0x" + "0" * 10**6}, 10**700],
    ids=lambda node: str(node)[:20],
)
def test_integers_are_bounded(saved, node):
    with_tree(saved, [node])
    assert_raises(saved, r"whole number of .* at tree\[0\]")


def test_an_integer_that_cannot_be_loaded_is_not_saved(tmp_path):
    with pytest.raises(InputError, match="tree is a whole number of 2,049 bits; expected at most 2,048"):
        save_tree(tmp_path / "saved", "model", 2**2048)


@pytest.mark.parametrize("content", [b"[[],", b" ", b"\xff"])
def test_long_json_is_not_parsed(saved, content, monkeypatch):
    (saved / "meta.json").write_bytes(content * (60_000_000 // len(content)))
    monkeypatch.setattr(json, "loads", pytest.fail)
    monkeypatch.setattr(type(saved), "read_bytes", pytest.fail)
    assert_raises(saved, "has 60,000,000 bytes of JSON; expected at most 8,388,608")


def test_a_tree_of_too_much_json_is_not_saved(tmp_path):
    for save in (save_tree, save_file):
        with pytest.raises(InputError, match=r"takes [\d,]+ bytes of JSON; .* Turn long lists into arrays"):
            save(tmp_path / "saved", "model", ["x" * 100] * 80_000)
    assert not (tmp_path / "saved").exists()


# ---------------------------------------------------------------- the checksum


def test_one_changed_character_of_the_json_raises(saved):
    content = (saved / "meta.json").read_bytes()
    for position in range(len(content)):
        changed = bytearray(content)
        changed[position] = ord("1") if chr(content[position]) in "023456789" else ord("2")
        (saved / "meta.json").write_bytes(changed)
        with pytest.raises(InputError):
            load_tree(saved, "model", RECORDS)
    (saved / "meta.json").write_bytes(content)
    assert load_tree(saved, "model", RECORDS)["blur"].width == 0.5


def test_a_changed_digit_and_exchanged_arrays_do_not_have_the_checksum(saved, tmp_path):
    path = saved / "meta.json"
    content = path.read_bytes()
    path.write_bytes(content.replace(b"0.5", b"0.6"))
    assert_raises(saved, "do not have the checksum that they were saved with.* Restore a copy, or save again")
    path.write_bytes(content)
    save_tree(tmp_path / "other", "model", TREE | {"leaf": Leaf(np.arange(5.0) + 1)})
    (saved / "arrays.npz").write_bytes((tmp_path / "other" / "arrays.npz").read_bytes())
    assert_raises(saved, "do not have the checksum")


def test_factors_that_do_not_fit_together(tmp_path):
    save_tree(tmp_path / "saved", "model", Factors(np.ones((3, 2)), np.ones((2, 4))))
    write_members(tmp_path / "saved", {"0.npy": npy(np.ones((3, 2))), "1.npy": npy(np.ones((5, 4)))})
    assert_raises(
        tmp_path / "saved", "has a Factors at tree that is invalid .The factors do not fit together"
    )


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
def test_invalid_nodes(saved, node):
    with_tree(saved, [1, node])
    assert_raises(saved, r"tree\[1\]")


@pytest.mark.parametrize("number", [7, -1, "0", 0.0, None, True, [0], {"array": 0}], ids=repr)
def test_references_to_missing_arrays(saved, number):
    with_tree(saved, {"array": number})
    assert_raises(saved, "refers at tree to array")


def test_an_array_that_is_referred_to_twice(saved):
    edit(saved, tree=[{"array": 0}, {"array": 0}, {"array": 1}])
    assert_raises(saved, r"refers at tree\[1\] to array 0, which is missing or already referred to")


def test_arrays_without_a_reference(saved):
    edit(saved, tree=[{"array": 1}])
    assert_raises(saved, "has 1 array without a reference")


def test_allowed_classes_must_be_records_or_settings(saved):
    for wrong in (os.system, int, object, Leaf(1), "Leaf"):
        with pytest.raises(InputError, match=r"records\['Leaf'\] is .*; expected a dataclass"):
            load_tree(saved, "model", {"Leaf": wrong})
    assert issubclass(Blur, Strategy)
    assert Positive(1.0).number == 1.0
    assert Branch(1).right is None
