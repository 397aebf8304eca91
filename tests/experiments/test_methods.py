"""Methods by name, in both modes."""

from __future__ import annotations

import pytest

from latentlink.experiments.cases.dog_cases import METHODS, NNDSVD
from latentlink.experiments.methods import MODES, factorizer, split_name


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("method", [*METHODS, *NNDSVD])
def test_names_give_base_threshold_and_start(method, mode):
    model = factorizer(method, mode, (2, 3), n_perturbs=5, random_state=7)
    base, threshold = split_name(method)
    assert type(model).__name__ == base
    assert (model.n_perturbs, model.random_state, model.ranks) == (5, 7, (2, 3))
    used = model.used_regime()
    assert used.is_boolean == (threshold is not None)
    assert used.speckle == (0.0 if mode == "paper" else 0.1)
    assert model.used_solver().init == ("nndsvd" if method.endswith("nndsvd") else "random")


def test_there_are_13_methods():
    assert len(METHODS) == len(set(METHODS)) == 13
