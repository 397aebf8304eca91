"""A tenth of the mutated models of ``python -m tools.fuzz.models``: none crashes, none is silently wrong."""

from __future__ import annotations

import inspect
import subprocess
import sys
from collections import Counter

import pytest
from tools.fuzz.model_kinds import fitted_models, save_models
from tools.fuzz.models import ACCEPTED, fuzz

import latentlink


@pytest.mark.slow
def test_mutated_models_raise_or_answer(tmp_path):
    (tmp_path / "models").mkdir()
    save_models(tmp_path / "models")
    # The step has no common divisor with the number of kinds, so that each of them is reached.
    results = fuzz(tmp_path, range(0, 2640, 11), seed=0)
    assert len(results) == 240
    assert [each for each in results if each["outcome"] not in ACCEPTED] == []
    assert {each["kind"] for each in results} == {each.name for each in (tmp_path / "models").iterdir()}
    outcomes = Counter(each["outcome"] for each in results)
    assert outcomes["raised"] > 200
    assert outcomes["same"] > 0
    assert not (tmp_path / "executed").exists()


@pytest.mark.slow
def test_there_is_a_model_of_every_estimator():
    exported = {name: getattr(latentlink, name) for name in latentlink.__all__}
    estimators = {name for name, kind in exported.items() if inspect.isclass(kind) and hasattr(kind, "fit")}
    assert {type(model).__name__ for model in fitted_models().values()} == estimators


def test_make_fuzz_runs_data_files_and_models():
    command = [sys.executable, "-m", "tools.fuzz", "--help"]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "of command_line, data_files, models; by default all" in " ".join(shown.split())
