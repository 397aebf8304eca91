"""Models fitted to a training part, with calibration and test parts that they were not fitted to."""

from __future__ import annotations

import pytest

from latentlink import BNMFk, RankedFactorizer, WNMFk, datasets
from latentlink.solvers import LMF, WNMF
from latentlink.splitting import holdout


@pytest.fixture(scope="session")
def boolean_split():
    data = datasets.planted_boolean(rows=60, columns=40, rank=3, flips=0.05, seed=0)
    return holdout(data.network, 0.2, 0, calibration=0.2)


@pytest.fixture(scope="session")
def boolean_fit(boolean_split):
    return BNMFk((3,), n_perturbs=6, random_state=0).fit(boolean_split.train)


@pytest.fixture(scope="session")
def calibrated(boolean_fit, boolean_split):
    return boolean_fit.calibrate(boolean_split.calibration)


@pytest.fixture(scope="session")
def real_split():
    return holdout(datasets.gaussian(60, 3, 0, noise=0.1).network, 0.2, 0, calibration=0.2)


@pytest.fixture(scope="session")
def real_fit(real_split):
    return WNMFk((3,), solver=WNMF(ridge=0.1), n_perturbs=6, random_state=0).fit(real_split.train)


@pytest.fixture(scope="session")
def single_member(boolean_split):
    """Return a fitted ensemble of one member."""
    solver = LMF(ridge=1.0, max_iter=20, tol=1e-3)
    return RankedFactorizer((2,), solver=solver, n_perturbs=1, random_state=0).fit(boolean_split.train)
