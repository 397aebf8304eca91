"""Rank searches on MPI, by `mpi4py.futures`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import latentlink

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("mpiexec") is None, reason="there is no mpiexec")
@pytest.mark.skipif(find_spec("mpi4py") is None, reason="mpi4py is not installed")
def test_a_search_on_three_ranks_of_mpi_gives_the_same_bits(tmp_path):
    paths = os.pathsep.join([str(Path(latentlink.__file__).parents[1]), str(ROOT)])
    allowed = {  # Open MPI refuses more ranks than cores, and to run as root in a container
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_rmaps_base_oversubscribe": "1",
        "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
    }
    command = ["mpiexec", "-n", "3", sys.executable, "-m", "mpi4py.futures", "-m", "tests.cluster.mpi_search"]
    done = subprocess.run(
        [*command, str(tmp_path / "run")],
        env={**os.environ, **allowed, "PYTHONPATH": paths},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "the same on 2 workers"
