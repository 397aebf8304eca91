"""``latentlink fit --device``: the device of a factorization, in the record of the run."""

from __future__ import annotations

import json

import numpy as np
import pytest

from latentlink import LinkStack, LogisticHead, WNMFk
from latentlink.cli.running.device_option import on_chosen_device
from latentlink.errors import IncompatibleError


@pytest.fixture
def matrix(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.random((12, 2)) @ rng.random((2, 9))
    X[2, 3] = X[5, 5] = X[7, 0] = np.nan
    np.save(tmp_path / "matrix.npy", X)
    return tmp_path / "matrix.npy"


def test_the_device_of_a_fit_is_in_its_record(matrix, tmp_path, run):
    options = ("--method", "wnmfk", "--ranks", "2", "--members", "2", "--calibration", "none")
    done = run("fit", matrix, "--out", tmp_path / "run", "--device", "numpy:cpu", *options)
    assert done.code == 0, done.err
    record = json.loads((tmp_path / "run" / "run.json").read_text())
    assert record["rank"]["device"] == "numpy:cpu"
    assert "device='numpy:cpu'" in record["method"]["estimator"]


def test_a_device_that_is_missing_ends_the_command_with_a_sentence(matrix, tmp_path, run):
    done = run("fit", matrix, "--out", tmp_path / "run", "--device", "cuda:99", "--method", "wnmfk")
    assert done.code != 0
    assert "no such device was found" in " ".join(done.err.split())
    assert not (tmp_path / "run" / "run.json").exists()


def test_a_logistic_head_fits_its_factorization_on_the_device():
    model = on_chosen_device(LogisticHead(WNMFk()), "numpy:cpu", "wnmfk")
    assert model.estimator.used_solver().device == "numpy:cpu"


@pytest.mark.parametrize("device", [None, "auto", "cpu"])
def test_a_stack_runs_on_the_cpu(device):
    model = LinkStack()
    assert on_chosen_device(model, device, "stack") is model


def test_a_stack_on_a_gpu_raises():
    with pytest.raises(IncompatibleError, match="--device is cuda, but the method is stack"):
        on_chosen_device(LinkStack(), "cuda", "stack")
