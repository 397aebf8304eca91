"""Saved estimators: predictions after loading are bit-identical, and damaged folders raise."""

from __future__ import annotations

import json

import numpy as np
import pandas
import pytest
from sklearn.exceptions import NotFittedError

import latentlink
from latentlink import RankedFactorizer, RNMFk, WNMFk, load
from latentlink.errors import IncompatibleError, InputError
from latentlink.rank import Bisect, SilhouetteCutoff
from latentlink.saving.archive import read_arrays, write_arrays
from latentlink.saving.meta import sealed
from latentlink.solvers import WNMF
from latentlink.strategy import strategy
from tests.helpers.fitted import SMALL, every_pair, planted


def assert_all_equal(one, other):
    for a, b in zip(one, other, strict=True):
        np.testing.assert_array_equal(a, b)


def test_a_range_with_one_end_is_saved(tmp_path):
    counts = np.random.default_rng(0).poisson(1.5, (20, 12)).astype(float)
    model = RNMFk((1,), n_perturbs=2, random_state=0).fit(counts)
    model.save(tmp_path / "model")
    again = load(tmp_path / "model")
    assert again.factors_.bounds == model.factors_.bounds == (0.0, np.inf)
    assert all(member.bounds == (0.0, np.inf) for member in again.members_)


def test_a_loaded_model_predicts_the_same(any_model, tmp_path):
    any_model.save(tmp_path / "model")
    loaded = load(tmp_path / "model")
    assert type(loaded) is type(any_model)
    assert repr(loaded) == repr(any_model)
    assert loaded.network_ == any_model.network_
    assert loaded.network_.history == any_model.network_.history
    assert loaded.choice_ == any_model.choice_
    pairs = every_pair(any_model.network_.shape)
    for by in ("model", "ensemble"):
        assert_all_equal(
            loaded.predict_links(pairs, return_std=True, by=by),
            any_model.predict_links(pairs, return_std=True, by=by),
        )
    for table, expected in (
        (loaded.top_links(5, known=True), any_model.top_links(5, known=True)),
        (loaded.explain((0, 1)), any_model.explain((0, 1))),
    ):
        pandas.testing.assert_frame_equal(table.to_frame("pandas"), expected.to_frame("pandas"))
    X = any_model.network_
    np.testing.assert_array_equal(loaded.transform(X), any_model.transform(X))
    assert loaded.score() == any_model.score()
    assert loaded._repr_html_() == any_model._repr_html_()


def test_names_parameters_and_the_whole_path_are_saved(tmp_path):
    frame = pandas.DataFrame(
        planted(), index=[f"ü{i}" for i in range(12)], columns=[f"<{j}>" for j in range(9)]
    )
    model = WNMFk(
        range(1, 3),
        solver=WNMF(ridge=0.05),
        selection=SilhouetteCutoff(threshold=0.7),
        n_perturbs=3,
        random_state=np.random.default_rng(0),
    ).fit(frame)
    model.save(tmp_path / "model")
    loaded = load(tmp_path / "model")
    assert loaded.ranks == range(1, 3)
    assert loaded.selection.threshold == 0.7
    assert loaded.random_state is None
    assert loaded.path_.ranks == (1, 2)
    assert loaded.feature_names_in_.tolist() == frame.columns.tolist()
    assert_all_equal([loaded.predict_links([("ü3", "<4>")])], [model.predict_links([("ü3", "<4>")])])
    np.testing.assert_array_equal(loaded.transform(frame), model.transform(frame))


def test_the_choice_of_the_ridge_is_saved(tmp_path):
    model = WNMFk(**SMALL).fit(planted())
    assert model.solver_.ridge == model.ridge_choice_.ridge
    model.save(tmp_path / "model")
    assert load(tmp_path / "model").ridge_choice_ == model.ridge_choice_
    assert f"ridge {model.ridge_choice_.ridge:.3g}" in model._repr_html_()


def test_searches_of_ranks_are_saved(tmp_path):
    model = WNMFk(Bisect(1, 3), solver=WNMF(ridge=0.05), n_perturbs=2, random_state=0).fit(planted())
    model.save(tmp_path / "model")
    assert isinstance(load(tmp_path / "model").ranks, Bisect)


def test_a_folder_is_overwritten_only_on_request(weighted, tmp_path):
    weighted.save(tmp_path / "model")
    with pytest.raises(InputError, match="overwrite=True"):
        weighted.save(tmp_path / "model")
    weighted.save(tmp_path / "model", overwrite=True)


def test_unfitted_estimators_and_subclasses_raise(tmp_path):
    with pytest.raises(NotFittedError):
        WNMFk().save(tmp_path / "model")

    class Subclass(WNMFk):
        pass

    with pytest.raises(InputError, match="A Subclass cannot be saved"):
        Subclass(solver=WNMF(ridge=0.05), **SMALL).fit(planted()).save(tmp_path / "model")


@strategy
class CustomSolver(WNMF):
    """A solver that is not part of the package."""


def test_other_settings_classes_are_named_to_load(tmp_path):
    RankedFactorizer(solver=CustomSolver(ridge=0.05), **SMALL).fit(planted()).save(tmp_path / "model")
    with pytest.raises(InputError, match="CustomSolver"):
        load(tmp_path / "model")
    assert isinstance(load(tmp_path / "model", also=[CustomSolver]).solver_, CustomSolver)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda tree: tree.update({"class": "Network"}), "has a 'Network' with the parameters"),
        (lambda tree: tree.update({"class": 3}), "has int for 'class'"),
        (lambda tree: tree["params"]["dict"].update({"shell": "rm"}), "with the parameters .*shell"),
        (
            lambda tree: tree["fitted"]["dict"]["choice"]["fields"].update({"status": "certain"}),
            "has a choice of the status 'certain'",
        ),
        (
            # Renamed and not removed: arrays without a reference would raise before.
            lambda tree: tree["fitted"]["dict"].update({"other": tree["fitted"]["dict"].pop("path")}),
            "for 'path' where a RankPath should be",
        ),
        (lambda tree: tree["fitted"]["dict"]["network"]["dict"].pop("shape"), "a network of the parts"),
        (
            lambda tree: tree["fitted"]["dict"]["network"]["dict"].update({"shape": {"tuple": [50, 50]}}),
            "a network whose shape is not that of the model, 12 x 9",
        ),
        (
            lambda tree: tree["fitted"]["dict"]["network"]["dict"].update({"values": None}),
            "1 array without a reference",
        ),
        (
            lambda tree: tree["fitted"]["dict"]["network"]["dict"].update(
                {"row_names": {"range": [0, 12, 1]}}
            ),
            "a range as the row_names",
        ),
        (lambda tree: tree["fitted"]["dict"]["network"]["dict"].update({"symmetric": 0}), "0 as 'symmetric'"),
        (
            lambda tree: tree["fitted"]["dict"]["network"]["dict"].update({"history": [1]}),
            "a list as the history",
        ),
        (
            lambda tree: tree["fitted"]["dict"]["choice"]["fields"].update({"rank": 3}),
            "the chosen rank 3 and",
        ),
        (lambda tree: record(tree).update({"members": {"tuple": []}}), "without a reference"),
        (lambda tree: record(tree).update({"rank": 1}), "the chosen rank 2 and the ranks"),
        (lambda tree: record(tree).update({"converged": 99}), "99 members that converged at rank 2, of 3"),
        (lambda tree: record(tree).update({"set_aside": {"tuple": [0]}}), "as the held_out at rank 2"),
        (
            lambda tree: record(tree)["model"]["fields"].update({"logistic": True}),
            "a member at rank 2 whose biases or whose link",
        ),
        (
            lambda tree: [each["fields"].update({"symmetric": True}) for each in all_factors(tree)],
            r"symmetric factors of shape \(12, 9\)",
        ),
        (
            lambda tree: tree["fitted"]["dict"]["solver"]["params"].update(
                {"cycles": {"int": "0x" + "f" * 20}}
            ),
            "cycles=1208925819614629174706175; expected a whole number from 1 to 1,000",
        ),
        (
            lambda tree: tree["fitted"]["dict"]["solver"]["params"].update({"ridge": {"tuple": [0.5]}}),
            "several numbers as 'ridge' of its solver",
        ),
        (lambda tree: tree["fitted"]["dict"]["solver"]["params"].update({"max_iter": "x"}), "max_iter"),
        (lambda tree: tree["fitted"]["dict"]["regime"]["params"].update({"speckle": 0.9}), "speckle"),
        (
            lambda tree: tree["fitted"]["dict"].update({"n_features_in": 8}),
            "8 columns where its network has 9",
        ),
        (lambda tree: tree["fitted"]["dict"].update({"complete": 1}), "int for 'complete' where a bool"),
        (lambda tree: tree.update({"feature_names_in": ["a"]}), "a list as the names of the columns"),
        (lambda tree: tree.update({"learned": {"dict": {}}}), "a WNMFk of the parts"),
    ],
)
def test_damaged_folders_raise(weighted, tmp_path, change, sentence):
    weighted.save(tmp_path / "model")
    damage(tmp_path / "model", change)
    with pytest.raises(InputError, match=sentence):
        load(tmp_path / "model")


def test_a_joint_model_with_other_parts_raises(paper_head, tmp_path):
    paper_head.save(tmp_path / "model")
    damage(
        tmp_path / "model", lambda tree: tree["inner"]["dict"].update(other=tree["inner"]["dict"].pop("lmf_"))
    )
    with pytest.raises(InputError, match="of the parts 'estimator_', 'other', 'weights_'"):
        load(tmp_path / "model")


@pytest.mark.parametrize("cycles", [1001, 2**53])
def test_cycles_without_end_are_neither_loaded_nor_fitted(weighted, tmp_path, cycles):
    """Compiled code cannot be interrupted, and neither `fit` nor `transform` would return."""
    weighted.save(tmp_path / "model")
    damage(
        tmp_path / "model", lambda tree: tree["fitted"]["dict"]["solver"]["params"].update({"cycles": cycles})
    )
    sentence = f"WNMF has cycles={cycles}; expected a whole number from 1 to 1,000"
    with pytest.raises(InputError, match=sentence):
        load(tmp_path / "model")
    with pytest.raises(IncompatibleError, match=sentence):
        WNMFk((1,), solver=WNMF(cycles=cycles)).fit([[1.0, 2.0], [2.0, 4.0]])


def record(tree):
    """Return the fields of the record of the only rank."""
    return tree["fitted"]["dict"]["path"]["fields"]["records"]["tuple"][0]["fields"]


def all_factors(tree):
    return [record(tree)["model"], *record(tree)["members"]["tuple"]]


def test_one_changed_digit_raises(weighted, tmp_path):
    weighted.save(tmp_path / "model")
    path = tmp_path / "model" / "meta.json"
    content = path.read_text()
    path.write_text(content.replace('"ridge": 0.05', '"ridge": 0.06'))
    assert path.read_text() != content
    with pytest.raises(InputError, match="do not have the checksum that they were saved with"):
        load(tmp_path / "model")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda tree: tree["params"]["dict"].update(form="other"), "form='other'"),
        (
            lambda tree: tree["inner"]["dict"]["lmf_"]["dict"].update(fitted=None),
            "arrays without a reference",
        ),
        (lambda tree: tree["inner"]["dict"].update(estimator_={"tuple": []}), "without a reference"),
        (lambda tree: tree.update(learned={"dict": {"weights_": {"array": 0}}}), "already referred to"),
    ],
)
def test_a_joint_model_of_wrong_parts_raises(paper_head, tmp_path, change, sentence):
    paper_head.save(tmp_path / "model")
    damage(tmp_path / "model", change)
    with pytest.raises(InputError, match=sentence):
        load(tmp_path / "model")


@pytest.mark.parametrize(
    ("part", "change", "sentence"),
    [
        ("additive/knots", lambda array: array[:-1], "as the heights of its last stage"),
        ("additive/heights", lambda array: array[:, :-1], "as the heights of its last stage"),
        ("additive/knots", lambda array: array[:, ::-1], "not in ascending order"),
        ("additive/knots", np.ravel, "expected two dimensions"),
    ],
)
def test_the_last_stage_of_a_stack_has_a_height_for_each_knot(
    undirected_stack, tmp_path, part, change, sentence
):
    with_changed_stage(undirected_stack, tmp_path / "model", {part: change})
    with pytest.raises(InputError, match=sentence):
        load(tmp_path / "model")


def test_the_last_stage_of_a_stack_has_a_function_for_each_model_and_feature(undirected_stack, tmp_path):
    def shorter(array):
        return array[:-1]

    parts = ("additive", *(f"redrawn/{number}" for number in range(len(undirected_stack.stage_.redrawn))))
    changes = {f"{part}/{name}": shorter for part in parts for name in ("knots", "heights")}
    with_changed_stage(undirected_stack, tmp_path / "model", changes)
    with pytest.raises(InputError, match=r"a last stage of \d+ columns; expected"):
        load(tmp_path / "model")


def with_changed_stage(stack, folder, changes):
    """Save a stack with changed arrays of its last stage, with the checksum of the result."""
    stack.save(folder)
    arrays = read_arrays(folder / "arrays.npz")
    meta = json.loads((folder / "meta.json").read_text())
    del meta["sha256"]
    fields = meta["tree"]["dict"]["learned"]["dict"]["stage_"]["fields"]
    for path, change in changes.items():
        *way, name = path.split("/")
        part = fields[way[0]]["tuple"][int(way[1])] if len(way) > 1 else fields[way[0]]
        number = str(part["fields"][name]["array"])
        arrays[number] = np.ascontiguousarray(change(arrays[number]))
    with (folder / "arrays.npz").open("wb") as file:
        write_arrays(file, arrays)
    (folder / "meta.json").write_bytes(sealed(meta, arrays))


def damage(folder, change):
    """Change the tree of a saved estimator, with the checksum of the result."""
    path = folder / "meta.json"
    meta = json.loads(path.read_text())
    del meta["sha256"]
    change(meta["tree"]["dict"])
    path.write_bytes(sealed(meta, read_arrays(folder / "arrays.npz")))


def test_load_is_public():
    assert latentlink.load is load


def test_a_folder_that_does_not_exist_raises(tmp_path):
    with pytest.raises(InputError, match="There is no file"):
        load(tmp_path / "nothing")


def test_ranks_that_are_a_set_are_loaded_as_a_list(tmp_path):
    WNMFk({2, 1}, solver=WNMF(ridge=0.05), n_perturbs=2, random_state=0).fit(planted()).save(tmp_path / "m")
    assert load(tmp_path / "m").ranks == [1, 2]


def test_an_offset_beyond_all_data_raises(tmp_path):
    WNMFk((1, 2), n_perturbs=2, random_state=0).fit(planted()).save(tmp_path / "m")

    def change(tree):
        records = tree["fitted"]["dict"]["path"]["fields"]["records"]["tuple"]
        records[0]["fields"]["members"]["tuple"][0]["fields"]["offset"] = 1e308

    damage(tmp_path / "m", change)
    with pytest.raises(InputError, match=r"an offset of 1e\+308 at rank 1; expected the scale of the data"):
        load(tmp_path / "m")
