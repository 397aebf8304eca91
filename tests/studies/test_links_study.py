"""The study of links alone: seconds without the first fit of a process, and what a reader must not miss."""

from __future__ import annotations

import time

import numpy as np
import pytest

from studies import links as study
from tests.helpers.joint_fits import groups


class Slow:
    """A model whose first fit takes a second of processor time, as if it compiled something."""

    fits = 0

    def fit(self, network):
        begin = time.process_time()
        while not Slow.fits and time.process_time() < begin + 1.0:
            pass
        Slow.fits += 1

    def predict_links(self, pairs):
        return np.arange(len(pairs), dtype=float)


@pytest.fixture
def slow(monkeypatch):
    whole = groups(40, 0)
    network = whole.subset(whole.values == 1)
    monkeypatch.setattr(study, "classic_network", lambda name: network)
    monkeypatch.setattr(study, "standard_baselines", lambda kind: {"slow": Slow()})
    monkeypatch.setattr(Slow, "fits", 0)
    monkeypatch.setattr(study, "RARE", 1)
    study._warm_up.cache_clear()
    yield
    study._warm_up.cache_clear()


@pytest.mark.slow
@pytest.mark.usefixtures("slow")
def test_the_first_fit_of_a_process_is_not_counted():
    seconds = [float(study.run("usair", "slow", seed)["seconds"]) for seed in (0, 1)]
    assert Slow.fits == 3
    assert max(seconds) < 0.5


def test_the_page_says_what_the_power_grid_shows():
    names = ("method", "roc_auc", "roc_auc_one_component", "precision_at_100")
    lines = [
        {"network": "power", "seed": "0", **dict(zip(names, each, strict=True))}
        for each in (
            ("LinkStack", "0.96", "0.985", "0.66"),
            ("Katz", "0.66", "0.97", "0.65"),
            ("SVD", "0.65", "0.7", "0.38"),
        )
    ]
    power, seconds = study.remarks(lines)
    assert "pieces that broke off" in power
    assert "stack has 96.0 and Katz 66.0; within one component they have 98.5 and 97.0" in power
    assert "not counted" in seconds
    assert not list(study.remarks([{**line, "network": "pb"} for line in lines]))
    lines[1] |= {"precision_at_100": "0.7"}
    _, head, _ = study.remarks(lines)
    assert "a baseline has more links" in head
    assert "on power Katz (0.700 against 0.660)" in head
