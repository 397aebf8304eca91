"""Messages are short whatever text is given: no public name repeats a long one."""

from __future__ import annotations

import numpy as np
import pandas
import pytest

import latentlink
from latentlink import Network, datasets, metrics, splitting
from latentlink.errors import (
    DataWarning,
    IncompatibleError,
    InputError,
    LatentLinkError,
    StorageError,
    warn_user,
)
from latentlink.solvers import WNMF
from tests.helpers.cases import ALL_SOLVERS

LONG = "z" * 100_000
LONGEST = 700


def fitted():
    data = pandas.DataFrame(
        np.random.default_rng(0).random((5, 4)), index=list("vwxyz"), columns=list("abcd")
    )
    return latentlink.WNMFk((1,), solver=WNMF(ridge=0.1), n_perturbs=2, random_state=0).fit(data)


@pytest.fixture(scope="module")
def model():
    return fitted()


def assert_short(call, *args, **kwargs):
    with pytest.raises((LatentLinkError, TypeError, OSError)) as caught:
        call(*args, **kwargs)
    assert isinstance(caught.value, LatentLinkError), caught.value
    assert len(str(caught.value)) <= LONGEST


DATA = {
    "value of an edge": lambda: Network.from_edges([("a", "b", LONG)]),
    "weight of an edge": lambda: Network.from_edges([("a", "b", 1, LONG)]),
    "cell": lambda: Network.from_dense(np.array([[LONG, 1], [1, 2]], object)),
    "mask": lambda: Network.from_dense(np.ones((2, 2)), mask=np.array([[LONG, 1], [1, 2]], object)),
    "background": lambda: Network.from_edges([("a", "b", 1)], background=LONG),
    "duplicates": lambda: Network.from_edges([("a", "b", 1)], duplicates=LONG),
    "repeated name": lambda: Network.from_edges([(LONG, "b", 1), (LONG, "b", 0)]),
    "unstored": lambda: Network.from_sparse(__import__("scipy.sparse").sparse.eye(3), unstored=LONG),
    "path": lambda: Network.from_file(LONG),
    "matrix": lambda: Network.from_file(__file__, matrix=LONG),
    "columns": lambda: Network.from_file(__file__, columns=[LONG, "y"]),
    "delimiter": lambda: Network.from_file(__file__, delimiter=[1] * 10**5),
    "header": lambda: Network.from_file(__file__, header=LONG),
    "relation": lambda: Network.from_file(__file__, relation=LONG * 2, matrix=True),
    "max_bytes": lambda: Network.from_file(__file__, max_bytes=LONG),
    "label": lambda: metrics.roc_auc([LONG], [1]),
    "labels": lambda: metrics.roc_auc([0, 1], [LONG, 1]),
    "data set": lambda: datasets.fetch(LONG),
    "holdout": lambda: splitting.holdout(Network.from_edges([("a", "b", 1)]), LONG),
    "load": lambda: latentlink.load(LONG),
    "load also": lambda: latentlink.load(".", also=[LONG]),
}


@pytest.mark.parametrize("what", DATA)
def test_of_data(what):
    assert_short(DATA[what])


PARAMETERS = ("ranks", "n_perturbs", "random_state", "n_jobs", "solver", "regime", "selection")
ESTIMATORS = ("NMFk", "WNMFk", "RNMFk", "BNMFk")


@pytest.mark.parametrize("parameter", PARAMETERS)
@pytest.mark.parametrize("name", ESTIMATORS)
def test_of_estimators(name, parameter):
    estimator = getattr(latentlink, name)()
    estimator.set_params(**{parameter: LONG})
    assert_short(estimator.fit, np.eye(4))
    if parameter == "ranks":
        for ranks in ([LONG], [-1] * 10**5):
            assert_short(estimator.set_params(ranks=ranks).fit, np.eye(4))


@pytest.mark.parametrize("solver", ALL_SOLVERS, ids=repr)
def test_of_solvers(solver):
    solver = type(solver)()
    for parameter in solver.get_params(deep=False):
        changed = type(solver)(**{parameter: LONG})
        with pytest.raises(LatentLinkError) as caught:
            latentlink.RankedFactorizer((1,), solver=changed, n_perturbs=2, random_state=0).fit(np.eye(4))
        assert len(str(caught.value)) <= LONGEST


def test_of_answers(model):
    pair = [("v", "a")]
    assert_short(model.predict_links, [(LONG, "a")])
    assert_short(model.predict_links, pair, unknown=LONG)
    assert_short(model.predict_links, pair, by=LONG)
    assert_short(model.top_links, LONG)
    assert_short(model.recommend, LONG, 3)
    assert_short(model.explain, LONG, "a")
    assert_short(model.fold_in, {LONG: 1.0})
    assert_short(model.fit, np.eye(4), time_limit=LONG)


@pytest.mark.parametrize("kind", [InputError, IncompatibleError, StorageError, LatentLinkError])
def test_every_error_of_the_package_is_short(kind):
    error = kind(f"found {LONG}; expected less")
    assert len(str(error)) <= LONGEST
    assert str(error).startswith("found zzz")
    assert str(error).endswith("zzz; expected less")
    assert str(kind("short")) == "short"


def test_warnings_are_short():
    with pytest.warns(DataWarning, match="zzz") as caught:
        warn_user(LONG)
    assert len(str(caught[0].message)) <= LONGEST
