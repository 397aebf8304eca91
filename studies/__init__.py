"""Studies over many fixed seeds, run by `make studies`; their results are in studies/results."""

import os

# One thread a process, NumPy's own too; before NumPy is imported.
for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"
