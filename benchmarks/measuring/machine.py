"""When, on what and with what a table was measured."""

from __future__ import annotations

import hashlib
import os
import platform
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import latentlink

__all__ = ["circumstances", "code_hash"]

PACKAGES = ("latentlink", "numba", "numpy", "scipy", "scikit-learn", "implicit", "scikit-surprise")


def circumstances() -> dict[str, object]:
    """Return the date, a hash of the library's code, and the machine with its packages."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "code": code_hash(),
        "machine": {
            "processor": _processor(),
            "cores": os.cpu_count(),
            "threads of BLAS": os.environ.get("OPENBLAS_NUM_THREADS", "not set"),
            "load before": round(os.getloadavg()[0], 1),
            "python": platform.python_version(),
            **{package: found for package in PACKAGES if (found := _version(package))},
        },
    }


def code_hash() -> str:
    """Return a hash of the library's sources."""
    digest = hashlib.sha256()
    root = Path(latentlink.__file__).parent
    for path in sorted(root.rglob("*.py")):
        digest.update(str(path.relative_to(root)).encode() + path.read_bytes())
    return digest.hexdigest()[:12]


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _processor() -> str:
    """Return the model of the processor where the system tells it, else its architecture."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{models[0]}, {platform.machine()}" if models else platform.machine()
