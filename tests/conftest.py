"""Settings shared by all tests."""

import os
from pathlib import Path

import pytest
from hypothesis import settings
from threadpoolctl import threadpool_limits
from tools.data_folder import data_folder as found_data_folder

from tests.helpers.fitted import (  # noqa: F401  (fixtures)
    any_model,
    biased,
    boolean_model,
    logistic,
    undirected,
    undirected_boolean,
    undirected_weighted,
    weighted,
)
from tests.helpers.joint_fits import (  # noqa: F401  (fixtures)
    biased_head,
    bipartite_stack,
    boolean_head,
    head,
    joint_model,
    paper_head,
    stack,
    undirected_stack,
    weighted_head,
)
from tests.helpers.reports import reported  # noqa: F401  (fixture)

# No deadlines: they would measure how busy the machine is. On CI the examples are fixed, so that a failure is
# due to the change; elsewhere they are drawn anew at every run.
settings.register_profile("latentlink", deadline=None, derandomize="CI" in os.environ, print_blob=True)
settings.load_profile("latentlink")

# One thread of BLAS and OpenMP: the matrices of tests are tiny, and further threads would mostly wait
# actively, which doubles the processor time of some tests on a busy machine.
threadpool_limits(limits=1)

# Folders whose tests fit small ensembles with few sweeps on purpose, so that these warnings are expected.
SMALL_FITS = tuple(
    Path(__file__).parent / name
    for name in ("estimators", "scoring", "folding", "stacking", "report", "browser")
)


def pytest_collection_modifyitems(items):
    for item in items:
        if any(folder in item.path.parents for folder in SMALL_FITS):
            for warning in ("ignore::sklearn.exceptions.ConvergenceWarning", "ignore:.*stable"):
                item.add_marker(pytest.mark.filterwarnings(warning), append=False)


@pytest.fixture(scope="session")
def data_folder() -> Path:
    folder = found_data_folder()
    if not folder.is_dir():
        pytest.skip(f"no real data: {folder} is not there (set LATENTLINK_DATA)")
    return folder
