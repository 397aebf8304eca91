"""Models on disk: the same answers, to the last bit, and no trust in what is read."""

from __future__ import annotations

import json

import numpy as np
import pandas
import pytest
from sklearn.exceptions import NotFittedError

import latentlink
from latentlink import LinkPredictor, RankedFactorizer, WNMFk, load
from latentlink.errors import InputError
from latentlink.rank import Bisect, SilhouetteCutoff
from latentlink.solvers import WNMF
from latentlink.strategy import strategy
from tests.estimators.conftest import SMALL, every_pair, planted


def same(one, other):
    for a, b in zip(one, other, strict=True):
        np.testing.assert_array_equal(a, b)


def test_a_loaded_model_answers_alike(any_model, tmp_path):
    any_model.save(tmp_path / "model")
    again = load(tmp_path / "model")
    assert type(again) is type(any_model)
    assert repr(again) == repr(any_model)
    assert again.network_ == any_model.network_
    assert again.network_.history == any_model.network_.history
    assert again.choice_ == any_model.choice_
    pairs = every_pair(any_model.network_.shape)
    for by in ("model", "ensemble"):
        same(
            again.predict_links(pairs, return_std=True, by=by),
            any_model.predict_links(pairs, return_std=True, by=by),
        )
    pandas.testing.assert_frame_equal(again.top_links(5, known=True), any_model.top_links(5, known=True))
    pandas.testing.assert_frame_equal(again.explain((0, 1)), any_model.explain((0, 1)))
    X = any_model.network_
    np.testing.assert_array_equal(again.transform(X), any_model.transform(X))
    assert again.score() == any_model.score()
    assert again._repr_html_() == any_model._repr_html_()


def test_names_parameters_and_the_whole_path_are_kept(tmp_path):
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
    again = load(tmp_path / "model")
    assert again.ranks == range(1, 3)
    assert again.selection.threshold == 0.7
    assert again.random_state is None
    assert again.path_.ranks == (1, 2)
    assert again.feature_names_in_.tolist() == frame.columns.tolist()
    same([again.predict_links([("ü3", "<4>")])], [model.predict_links([("ü3", "<4>")])])
    np.testing.assert_array_equal(again.transform(frame), model.transform(frame))


def test_a_predictor_of_pairs_is_kept_with_its_estimator(tmp_path):
    pairs = every_pair((12, 9))
    model = LinkPredictor(WNMFk(solver=WNMF(ridge=0.05), **SMALL), shape=(12, 9)).fit(
        pairs, planted().ravel()
    )
    model.save(tmp_path / "model")
    again = load(tmp_path / "model")
    same(again.predict(pairs, return_std=True), model.predict(pairs, return_std=True))
    assert repr(again) == repr(model)
    assert again.n_features_in_ == 2
    model = LinkPredictor(shape=(12, 9)).set_params(estimator__ranks=(1,), estimator__n_perturbs=2)
    model.fit(pairs, planted().ravel()).save(tmp_path / "other")


def test_how_the_ridge_was_chosen_is_kept(tmp_path):
    model = WNMFk(**SMALL).fit(planted())
    assert model.solver_.ridge == model.ridge_choice_.ridge
    model.save(tmp_path / "model")
    assert load(tmp_path / "model").ridge_choice_ == model.ridge_choice_
    assert f"ridge {model.ridge_choice_.ridge:.3g}" in model._repr_html_()


def test_searches_of_ranks_are_kept(tmp_path):
    model = WNMFk(Bisect(1, 3), solver=WNMF(ridge=0.05), n_perturbs=2, random_state=0).fit(planted())
    model.save(tmp_path / "model")
    assert isinstance(load(tmp_path / "model").ranks, Bisect)


def test_a_folder_is_not_overwritten_unasked(weighted, tmp_path):
    weighted.save(tmp_path / "model")
    with pytest.raises(InputError, match="overwrite=True"):
        weighted.save(tmp_path / "model")
    weighted.save(tmp_path / "model", overwrite=True)


def test_what_is_not_fitted_or_not_known_cannot_be_saved(tmp_path, weighted):
    with pytest.raises(NotFittedError):
        WNMFk().save(tmp_path / "model")

    class Mine(WNMFk):
        pass

    with pytest.raises(InputError, match="A Mine cannot be saved"):
        Mine(solver=WNMF(ridge=0.05), **SMALL).fit(planted()).save(tmp_path / "model")


@strategy
class Slow(WNMF):
    """A solver of one's own."""


def test_settings_of_ones_own_are_announced(tmp_path):
    RankedFactorizer(solver=Slow(ridge=0.05), **SMALL).fit(planted()).save(tmp_path / "model")
    with pytest.raises(InputError, match="Slow"):
        load(tmp_path / "model")
    assert isinstance(load(tmp_path / "model", also=[Slow]).solver_, Slow)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda tree: tree.update({"class": "Network"}), "names a Network"),
        (lambda tree: tree.update({"class": 3}), "has int for 'class'"),
        (lambda tree: tree["params"]["dict"].update({"shell": "rm"}), "with the parameters .*shell"),
        (
            lambda tree: tree["fitted"]["dict"]["choice"]["fields"].update({"status": "certain"}),
            "has a choice of the status 'certain'",
        ),
        (lambda tree: tree["fitted"]["dict"].pop("path"), "for 'path' where a RankPath should be"),
        (lambda tree: tree["fitted"]["dict"]["network"]["dict"].pop("shape"), "a network of the parts"),
        (
            lambda tree: tree["fitted"]["dict"]["network"]["dict"].update({"shape": {"tuple": [50, 50]}}),
            "does not fit its network",
        ),
    ],
)
def test_damaged_folders_are_refused(weighted, tmp_path, change, sentence, monkeypatch):
    weighted.save(tmp_path / "model")
    path = tmp_path / "model" / "meta.json"
    meta = json.loads(path.read_text())
    change(meta["tree"]["dict"])
    path.write_text(json.dumps(meta))
    # Arrays that nothing refers to are refused before anything else; that is tested with saving itself.
    monkeypatch.setattr(
        "latentlink.saving.decode.Decoder.decode", lambda self, node: self._decode(node, "tree", 0)
    )
    with pytest.raises(InputError, match=sentence):
        load(tmp_path / "model")


def test_load_is_public():
    assert latentlink.load is load


def test_what_is_not_there_cannot_be_loaded(tmp_path):
    with pytest.raises(InputError, match="There is no file"):
        load(tmp_path / "nothing")


def test_ranks_that_are_a_set_come_back_as_a_list(tmp_path):
    WNMFk({2, 1}, solver=WNMF(ridge=0.05), n_perturbs=2, random_state=0).fit(planted()).save(tmp_path / "m")
    assert load(tmp_path / "m").ranks == [1, 2]
