"""Settings shared by all tests."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def data_folder() -> Path:
    beside = Path(__file__).parents[2] / "shared" / "data"
    folder = Path(os.environ.get("LATENTLINK_DATA", beside))
    if not folder.is_dir():
        pytest.skip(f"no real data: {folder} is not there (set LATENTLINK_DATA)")
    return folder
