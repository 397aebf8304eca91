"""Run the benchmarks, print their tables and optionally write them to benchmarks/results."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any

# One thread for all that is compared; BLAS reads these before NumPy is imported.
for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

RESULTS = Path(__file__).parent / "results"
STUDIES = ("sweep", "growth", "peers", "memory", "cold", "search", "guarantees", "stack")
ON_REQUEST = ("device",)  # needs PyTorch, which nothing else does


def main() -> None:
    """Run the studies named on the command line, or all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "studies",
        nargs="*",
        metavar="study",
        help=f"of {', '.join(STUDIES)}; all of these without any; {', '.join(ON_REQUEST)}",
    )
    parser.add_argument("--device", help="what the study of that name measures, such as cuda or torch:cpu")
    parser.add_argument("--keep", action="store_true", help="write the results to benchmarks/results")
    options = parser.parse_args()
    for study in options.studies or STUDIES:
        if study not in (*STUDIES, *ON_REQUEST):
            parser.error(f"there is no study {study!r}; expected one of {', '.join((*STUDIES, *ON_REQUEST))}")
        of_study = {"device": options.device} if study == "device" else {}
        rows = importlib.import_module(f"benchmarks.{study}").measure(**of_study)
        print(f"\n{study}")
        _print_table(rows)
        if options.keep:
            RESULTS.mkdir(exist_ok=True)
            record = {"study": study, "machine": _machine(), "rows": rows}
            name = "-".join([study, *(of_study.get("device") or "").split(":")]).rstrip("-")
            (RESULTS / f"{name}.json").write_text(json.dumps(record, indent=1) + "\n")


def _machine() -> dict[str, str | int | None]:
    packages = ("latentlink", "numba", "numpy", "scikit-learn")
    return {
        "processor": platform.machine(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        **{package: version(package) for package in packages},
    }


def _print_table(rows: list[dict[str, Any]]) -> None:
    """Print rows under the names of their columns."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    lines = [names, *([_shown(row.get(name, "")) for name in names] for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(names))]
    for line in lines:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


def _shown(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    main()
