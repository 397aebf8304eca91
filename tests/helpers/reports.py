"""A small network with hostile names, and the report of a model that is fitted to it once a session."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from latentlink import Network, WNMFk
from latentlink.report import gather_report
from latentlink.solvers import WNMF
from latentlink.splitting import holdout
from latentlink.tables import Table

HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "</script><script>document.title='broken'</script>",
    "a \"quoted\" 'name' & `more`",
    "\u202egnirts detrever\u202c",
    "{{ 7 * 7 }}{% raw %}",
    "two\nlines\tand a tab",
    "=1+1",
    "x" * 10_000,
    "name, with a comma\u2028and a line separator",
    "شبكة",
)


def hostile_network(size=36, seed=0):
    """Return an undirected network of three groups whose first nodes have hostile names."""
    rng = np.random.default_rng(seed)
    names = [*HOSTILE, *(f"node {number}" for number in range(len(HOSTILE), size))]
    group = np.arange(size) % 3
    linked = rng.random((size, size)) < np.where(group[:, None] == group, 0.9, 0.08)
    pairs = [(i, j) for i in range(size) for j in range(i + 1, size) if rng.random() < 0.6]
    edges = [(names[i], names[j], float(linked[i, j])) for i, j in pairs]
    return Network.from_edges(edges, symmetric=True)


class Reported:
    """A fitted model, its calibration, all ranked links with decisions, and the data of its report."""

    def __init__(self, **options):
        split = holdout(hostile_network(), 0.25, rng=0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.model = WNMFk(range(1, 5), solver=WNMF(ridge=0.3), n_perturbs=4, random_state=0).fit(
                split.train
            )
            self.calibrated = self.model.calibrate(split.test)
            self.links = ranked(self.calibrated)
            self.data = gather_report(
                self.model, calibrated=self.calibrated, links=self.links, run=RUN, **options
            )


RUN = {
    "command": "latentlink fit links.csv --out run",
    "method": {"name": "wnmfk", "reason": "links and non-links are known"},
    "calibration": {
        "sentence": "A quarter of the pairs was kept back.",
        "limits": ["At most 5 % are wrong."],
    },
    "seconds": {"fit": 1.25},
    "name": HOSTILE[0],
}


def ranked(calibrated, n=400):
    """Return ranked links under the names of the command line, with probabilities and decisions."""
    best = calibrated.top_links(n)
    probability = np.asarray(calibrated.probabilities(best))
    decision = np.where(probability > 0.7, "link", np.where(probability < 0.3, "no link", "abstain"))
    columns = {"source": best["row"], "target": best["column"], "score": best["score"]}
    columns |= {"probability": probability, "spread": best["spread"], "decision": decision}
    return Table(columns | {"rank": np.arange(1, len(best) + 1)})


@pytest.fixture(scope="session")
def reported():
    return Reported()
