"""The study of the paper's settings: every switch is a setting of its method."""

from __future__ import annotations

import pytest
from sklearn.base import clone

from latentlink.experiments.methods import factorizer
from studies.paper_mode import SWITCHES

CASES = [
    (method, switch, changes) for (_, method), each in SWITCHES.items() for switch, changes in each.items()
]


@pytest.mark.parametrize(("method", "switch", "changes"), CASES, ids=[f"{m}: {s}" for m, s, _ in CASES])
def test_a_switch_changes_settings_of_the_method(method, switch, changes):
    model = factorizer(method, "paper", (1, 2))
    changed = clone(model).set_params(**changes)
    assert (repr(changed.get_params()) != repr(model.get_params())) is (switch != "none")
