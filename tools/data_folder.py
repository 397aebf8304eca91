"""The folder with files of published data sets, for studies, benchmarks and tests."""

from __future__ import annotations

import os
from pathlib import Path

from latentlink.datasets.fetched.data_folders import DATA_VARIABLE

__all__ = ["data_folder"]

_BESIDE = Path(__file__).parents[2] / "shared" / "data"


def data_folder() -> Path:
    """Return the folder in LATENTLINK_DATA, else the one beside the repository, whether it exists or not."""
    return Path(os.environ.get(DATA_VARIABLE) or _BESIDE)
