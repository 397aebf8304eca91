"""The device of a search is in its results, and a saved model needs none."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink import Network, WNMFk, load
from latentlink.errors import IncompatibleError
from latentlink.solvers import WNMF

STRICT = "array_api_strict:device2"


@pytest.fixture(scope="module")
def network():
    rng = np.random.default_rng(0)
    return Network.from_dense(rng.random((14, 2)) @ rng.random((2, 9)) + 0.01 * rng.random((14, 9)))


def searched(network, device, **options):
    solver = WNMF(device=device, max_iter=30, tol=1e-3, ridge=0.01)
    return WNMFk((1, 2), solver=solver, n_perturbs=3, random_state=0).fit(network, **options)


@pytest.fixture(scope="module")
def fitted(network):
    return searched(network, STRICT)


def test_the_device_is_in_the_records_and_in_the_table_of_ranks(fitted, network):
    assert [record.device for record in fitted.path_] == [STRICT, STRICT]
    assert fitted.path_.to_dict()["device"] == [STRICT, STRICT]
    assert searched(network, "auto").path_.to_dict()["device"] == ["cpu", "cpu"]


def test_the_choice_and_the_scores_are_those_of_the_cpu(fitted, network):
    here = searched(network, None)
    assert here.rank_ == fitted.rank_
    pairs = [(0, 1), (3, 4), (13, 8)]
    np.testing.assert_allclose(fitted.predict_links(pairs), here.predict_links(pairs), rtol=1e-4)


def test_a_saved_model_answers_where_its_device_is_missing(fitted, tmp_path, monkeypatch):
    fitted.save(tmp_path / "model")
    monkeypatch.setattr("latentlink.solvers.devices.device_choice.find_spec", lambda _: None)
    monkeypatch.setattr("latentlink.solvers.devices.array_libraries.find_spec", lambda _: None)
    model = load(tmp_path / "model")
    assert model.path_[2].device == STRICT
    assert model.solver_.device == STRICT
    assert np.isfinite(model.predict_links([(0, 1)])).all()
    assert np.isfinite(model.transform(np.ones((1, 9)))).all()
    with pytest.raises(IncompatibleError, match="not installed here"):
        model.fit(np.ones((6, 5)))


def test_members_of_a_checkpoint_keep_their_device(network, tmp_path):
    first = searched(network, STRICT, folder=tmp_path / "run")
    again = searched(network, STRICT, folder=tmp_path / "run")
    assert again.path_[2].device == first.path_[2].device == STRICT
    np.testing.assert_array_equal(again.W_, first.W_)
    with pytest.raises(IncompatibleError, match="solver__device is"):
        searched(network, None, folder=tmp_path / "run")
