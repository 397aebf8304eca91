"""Run the benchmarks, print their tables and optionally write them and their page."""

from __future__ import annotations

import argparse
import importlib
import inspect
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

# One thread for all that is compared, unless a study gives more; BLAS reads these before NumPy is imported.
for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

RESULTS = Path(__file__).parent / "results"
STUDIES = (
    "sweep",
    "roofline",
    "growth",
    "peers",
    "whole_fits",
    "ratings",
    "ensemble",
    "memory",
    "cold",
    "search",
    "guarantees",
    "stack",
)
ON_REQUEST = ("device",)  # needs PyTorch, which nothing else does
REPORT = "report"  # no study: the page of what was kept


def main() -> None:
    """Run the studies named on the command line, or all."""
    parser = _parser()
    options = parser.parse_args()
    known = (*STUDIES, *ON_REQUEST, REPORT)
    for study in options.studies:
        if study not in known:
            parser.error(f"there is no study {study!r}; expected one of {', '.join(known)}")
    if options.keep and options.quick and options.folder == RESULTS:
        parser.error("--quick is of tiny data and not kept among the results; name another --folder")
    for study in options.studies or STUDIES:
        if study != REPORT:
            _run(study, options)
    if REPORT in options.studies or (options.keep and not options.studies):
        from benchmarks.report.page import write_page

        print(f"\n{write_page(options.folder)}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "studies",
        nargs="*",
        metavar="study",
        help=f"of {', '.join(STUDIES)}; all of these without any; {', '.join(ON_REQUEST)}; "
        f"{REPORT} writes the page and the plots of what was kept",
    )
    parser.add_argument("--device", help="what the study of that name measures, such as cuda or torch:cpu")
    parser.add_argument("--keep", action="store_true", help="write the results to benchmarks/results")
    parser.add_argument(
        "--quick", action="store_true", help="tiny data, to try the code: numbers mean nothing"
    )
    parser.add_argument("--folder", type=Path, default=RESULTS, help="where results are written and read")
    return parser


def _run(study: str, options: argparse.Namespace) -> None:
    """Run a study, print its table and keep it if asked to."""
    from benchmarks.measuring.machine import circumstances

    measure = importlib.import_module(f"benchmarks.{study}").measure
    of_study: dict[str, Any] = {"device": options.device} if study == "device" else {}
    if options.quick and "quick" in inspect.signature(measure).parameters:
        of_study["quick"] = True
    print(f"{study} ...", file=sys.stderr, flush=True)
    around, begin = circumstances(), time.perf_counter()
    rows = measure(**of_study)
    took = round(time.perf_counter() - begin)
    print(f"\n{study}, {took} s")
    _print_table(rows)
    sys.stdout.flush()
    if options.keep:
        options.folder.mkdir(parents=True, exist_ok=True)
        name = "-".join([study, *(of_study.get("device") or "").split(":")]).rstrip("-")
        record = {"study": study, **around, "took_s": took, "rows": rows}
        (options.folder / f"{name}.json").write_text(json.dumps(record, indent=1) + "\n")


def _print_table(rows: list[dict[str, Any]]) -> None:
    """Print rows under the names of their columns."""
    from benchmarks.report.cells import shown

    names = list(dict.fromkeys(name for row in rows for name in row))
    lines = [names, *([shown(row.get(name, "")) for name in names] for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(names))]
    for line in lines:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


if __name__ == "__main__":
    main()
