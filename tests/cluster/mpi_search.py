"""A rank search on the ranks of MPI, run by ``mpiexec -n 3 python -m mpi4py.futures -m ...``."""

from __future__ import annotations

import sys
import warnings

from latentlink.rank import HeldOut, find_rank
from tests.rank.paths import assert_same_path, small_plan


def main() -> None:
    from mpi4py.futures import MPIPoolExecutor  # loads the library of MPI, which may be absent

    warnings.simplefilter("ignore")
    plan = small_plan(n_members=10)
    with MPIPoolExecutor() as executor:
        workers = executor.num_workers
        for folder in (None, sys.argv[1]):
            result = find_rank(plan, (1, 2, 3), HeldOut(), executor=executor, folder=folder)
            assert_same_path(result.path, find_rank(plan, (1, 2, 3), HeldOut()).path)
    sys.stdout.write(f"the same on {workers} workers")


if __name__ == "__main__":
    main()
