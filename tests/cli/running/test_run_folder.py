"""The folder of a run: new, interrupted, finished, or another's."""

from __future__ import annotations

import pytest

from latentlink.cli.results.run_folder import Identity, RunFolder
from latentlink.cli.running.run_settings import FitSettings, parsed_ranks, parsed_shape
from latentlink.errors import InputError
from latentlink.rank import Bisect

IDENTITY = Identity("d1", {"seed": 0, "method": "auto"}, "1.0")
OTHER = Identity("d2", {"seed": 1, "method": "auto"}, "1.0")


@pytest.fixture
def folder(tmp_path):
    return RunFolder(tmp_path / "run")


def test_a_run_is_new_interrupted_and_finished(folder):
    assert folder.compare(IDENTITY, force=False) == "new"
    folder.begin(IDENTITY, fresh=True)
    assert folder.compare(IDENTITY, force=False) == "interrupted"
    with pytest.raises(InputError, match="its run was interrupted: the same fit command continues it"):
        folder.finished()
    folder.finish(IDENTITY.as_dict())
    assert folder.compare(IDENTITY, force=False) == "finished"
    assert folder.finished() == IDENTITY.as_dict()
    assert not (folder / ".work").exists()


@pytest.mark.parametrize("state", ["interrupted", "finished"])
def test_another_run_is_replaced_by_force_alone(state, folder):
    folder.begin(IDENTITY, fresh=True)
    (folder / "links.csv").write_text("old")
    if state == "finished":
        folder.finish(IDENTITY.as_dict())
    with pytest.raises(InputError, match=rf"{state} run with other data; seed 0 instead of 1\. .*--force"):
        folder.compare(OTHER, force=False)
    assert folder.compare(OTHER, force=True) == "new"
    folder.begin(OTHER, fresh=True)
    assert not (folder / "links.csv").exists()
    assert folder.record is None
    assert folder.compare(OTHER, force=False) == "interrupted"


def test_force_runs_a_finished_run_again_and_continues_an_interrupted_one(folder):
    folder.begin(IDENTITY, fresh=True)
    assert folder.compare(IDENTITY, force=True) == "interrupted"
    folder.finish(IDENTITY.as_dict())
    assert folder.compare(IDENTITY, force=True) == "new"


def test_another_version_is_another_run(folder):
    folder.begin(IDENTITY, fresh=True)
    folder.finish(IDENTITY.as_dict())
    with pytest.raises(InputError, match=r"version 1\.0 of latentlink"):
        folder.compare(Identity(IDENTITY.data, IDENTITY.settings, "2.0"), force=False)


@pytest.mark.parametrize("force", [False, True])
def test_files_of_the_user_are_never_overwritten(force, tmp_path):
    (tmp_path / "links.csv").write_text("mine")
    with pytest.raises(InputError, match=r"links\.csv\) and no run that they belong to"):
        RunFolder(tmp_path).compare(IDENTITY, force=force)
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputError, match="is a file; expected a folder"):
        RunFolder(tmp_path / "file").compare(IDENTITY, force=force)


@pytest.mark.parametrize("content", ["{", "[1]", "", "\x00", "[" * 100_000])
def test_damaged_records_raise(content, folder):
    folder.begin(IDENTITY, fresh=True)
    (folder / "run.json").write_text(content)
    with pytest.raises(InputError, match=r"run\.json is damaged"):
        folder.compare(IDENTITY, force=False)


# ---------------------------------------------------------------- settings


def test_every_setting_changes_the_digest():
    changed = {
        "method": "wnmfk", "logistic": True, "ranks": "2", "bisect": True, "members": 3, "components": False,
        "negatives": 2.0,
        "seed": 1, "time_limit": 5.0, "calibration": "split", "fdr": 0.2, "risk": 0.1, "base_rate": 0.01,
        "level": 0.8,
        "top": 5, "image_shape": "2x3", "device": "torch:cpu",
    }  # fmt: skip
    assert {*changed, "data"} == set(FitSettings.__dataclass_fields__)
    digests = {FitSettings(**{name: value}).digest() for name, value in changed.items()}
    assert len(digests | {FitSettings().digest()}) == len(changed) + 1
    assert FitSettings().as_dict()["relation"] is None


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--risk", "2"), ("--risk", "-1"), ("--risk", "nan"), ("--fdr", "0"), ("--fdr", "5"),
        ("--base-rate", "1.5"), ("--base-rate", "0"), ("--time-limit", "-3"), ("--time-limit", "nan"),
        ("--negatives", "-1"), ("--negatives", "inf"), ("--binarize", "nan"),
    ],
)  # fmt: skip
def test_impossible_settings_raise_before_the_file_is_read(option, value, run, tmp_path):
    shown = run("fit", tmp_path / "missing.csv", "--out", tmp_path / "run", option, value)
    assert shown.code == 1
    assert f"{option} is {float(value)}; expected a " in shown.err
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("text", "bisect", "ranks"),
    [
        ("5", False, (5,)),
        ("2,4, 8", False, (2, 4, 8)),
        ("1:20", False, range(1, 21)),
        (None, False, None),
    ],
)
def test_ranks(text, bisect, ranks):
    assert parsed_ranks(text, bisect) == ranks


def test_ranks_by_bisection():
    assert repr(parsed_ranks("2:16", True)) == repr(Bisect(2, 16))
    assert repr(parsed_ranks(None, True)) == repr(Bisect())


@pytest.mark.parametrize(
    "text", ["", "a", "1:", ":3", "5:2", "0", "-1", "1.5", "1,,2", "99999", "1:2:3", "²"]
)
def test_invalid_ranks_raise(text):
    with pytest.raises(InputError, match="--ranks is"):
        parsed_ranks(text, False)


@pytest.mark.parametrize("text", ["", "20", "20x", "0x5", "axb", "1x2x3"])
def test_invalid_image_shapes_raise(text):
    with pytest.raises(InputError, match="--image-shape is"):
        parsed_shape(text)


def test_bisection_needs_a_range():
    with pytest.raises(InputError, match="with --bisect; expected a range"):
        parsed_ranks("5", True)


def remains(folder, token="0123456789abcdef"):
    """Leave what a process leaves that is killed while it writes."""
    (folder / f".model.{token}.part").mkdir()
    (folder / f".model.{token}.part" / "arrays.npz").touch()
    (folder / f".links.csv.{token}.part").touch()
    (folder / f".run.json.{token}.part").touch()


def test_what_a_killed_process_left_is_removed_by_the_run_that_goes_on(folder):
    folder.begin(IDENTITY, fresh=True)
    remains(folder)
    others = [".links.csv.mine.part", ".notes.0123456789abcdef.part", "links.csv"]
    for name in others:
        (folder / name).touch()
    folder.begin(IDENTITY, fresh=False)
    folder.finish(IDENTITY.as_dict())
    assert sorted(each.name for each in folder.path.iterdir()) == sorted([*others, "run.json"])


def test_what_a_process_left_that_was_killed_at_the_end_is_removed(folder):
    folder.begin(IDENTITY, fresh=True)
    folder.finish(IDENTITY.as_dict())
    remains(folder)
    folder.checkpoints("fit").mkdir(parents=True)
    folder.tidy()
    assert [each.name for each in folder.path.iterdir()] == ["run.json"]


def test_a_folder_that_was_replaced_is_removed_once_the_new_one_is_there(folder):
    folder.begin(IDENTITY, fresh=True)
    (folder / ".model.previous").mkdir()
    folder.tidy()
    assert (folder / ".model.previous").exists()
    (folder / "model").mkdir()
    folder.tidy()
    assert not (folder / ".model.previous").exists()


@pytest.mark.parametrize("name", ["links.csv", "notes.txt", "holidays"])
def test_a_folder_with_anything_else_in_it_is_refused(folder, name):
    (folder / name).mkdir(parents=True)
    with pytest.raises(InputError, match=rf"has 1 file or folder \({name}\) and no run .* an empty folder"):
        folder.compare(IDENTITY, force=True)
    (folder / name).rmdir()
    (folder / ".gitkeep").touch()
    assert folder.compare(IDENTITY, force=False) == "new"
