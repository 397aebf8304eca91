"""Start-up times: import, first fits with an empty compile cache, and first fits with a warm one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile

__all__ = ["measure"]

_IMPORT = """
import json, sys, time
begin = time.perf_counter()
import latentlink
seconds = time.perf_counter() - begin
heavy = [name for name in ("numba", "sklearn", "numpy", "scipy") if name in sys.modules]
print(json.dumps({"seconds": seconds, "imports": heavy}))
"""

_FIT = """
import json, sys, time, warnings
warnings.simplefilter("ignore")
begin = time.perf_counter()
import numba, sklearn.base, sklearn.utils.extmath
imported = time.perf_counter()
import numpy as np
from latentlink import Network
from latentlink.network import Ensemble
import latentlink.solvers
rng = np.random.default_rng(0)
X = (rng.random((30, 30)) < 0.5).astype(float)
X = np.triu(X, 1) + np.triu(X, 1).T
np.fill_diagonal(X, np.nan)
symmetric = Network.from_dense(X, symmetric=True)
for name in sys.argv[2].split(","):
    solver = getattr(latentlink.solvers, name)()
    for members in (1, 8):
        solver.solve(Ensemble.of(symmetric, members), 3, 0)
done = time.perf_counter()
print(json.dumps({"seconds": done - imported, "imports": imported - begin}))
"""


def measure() -> list[dict[str, object]]:
    """Return the seconds of the import and of first fits with an empty and with a warm cache."""
    rows: list[dict[str, object]] = []
    rows.append({"what": "import latentlink", "target": 0.5, **_run(_IMPORT, "", "")})
    solvers = ["NMF", "WNMF", "RNMF", "BNMF", "LMF", "SymLMF"]
    for names in (*solvers, ",".join(solvers)):
        with tempfile.TemporaryDirectory() as folder:
            cold, warm = (_run(_FIT, folder, names) for _ in range(2))
        what = "all six" if "," in names else names
        rows.append({"what": f"first fits of {what}, empty cache", "target": 15.0, **cold})
        rows.append({"what": f"first fits of {what}, warm cache", "target": 1.0, **warm})
    return rows


def _run(code: str, cache: str, solvers: str) -> dict[str, object]:
    """Run code in a new interpreter and return the JSON that it prints."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache} if cache else None
    command = [sys.executable, "-c", code, cache, solvers]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    result: dict[str, object] = json.loads(done.stdout)
    return result
