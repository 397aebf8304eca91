"""Plain reading of an AnnData file: ``python -m tools.fuzz.hdf5_oracle path`` prints its entries as JSON.

It runs in a process of its own, since HDF5 may crash on a damaged file.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

__all__ = ["anndata_entries"]

_SECONDS = 30


def anndata_entries(path: Path) -> list[tuple[str, str, float]]:
    """Return the entries of the matrix X by names; raise ValueError if the file cannot be read."""
    command = [sys.executable, "-m", "tools.fuzz.hdf5_oracle", str(path)]
    done = subprocess.run(command, capture_output=True, check=False, timeout=_SECONDS)
    if done.returncode:
        raise ValueError(done.stderr.decode("utf-8", "replace")[-300:] or f"code {done.returncode}")
    return [(row, col, value) for row, col, value in json.loads(done.stdout)]


def _entries(file: Any) -> list[tuple[str, str, float]]:
    rows, cols = ([each.decode() for each in file[side]["_index"][()]] for side in ("obs", "var"))
    matrix = file["X"]
    if hasattr(matrix, "shape"):
        return [
            (rows[row], cols[col], float(value))
            for row, line in enumerate(matrix[()])
            for col, value in enumerate(line)
            if not math.isnan(value)
        ]
    data, indices, indptr = (matrix[part][()].tolist() for part in ("data", "indices", "indptr"))
    entries = []
    for line in range(len(indptr) - 1):
        for position in range(indptr[line], indptr[line + 1]):
            pair = (line, indices[position])
            row, col = pair if matrix.attrs["encoding-type"] == "csr_matrix" else pair[::-1]
            entries.append((rows[row], cols[col], float(data[position])))
    return entries


def _main() -> None:
    import h5py

    with h5py.File(sys.argv[1], "r") as file:
        print(json.dumps(_entries(file)))


if __name__ == "__main__":
    _main()
