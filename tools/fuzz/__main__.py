"""Run all parts of the fuzzing: ``python -m tools.fuzz [--count N] [--seed S] [part ...]``.

A part is a module of this folder with a function ``run(count, seed)`` that prints its findings and returns
their number.
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys

import tools.fuzz

__all__ = ["main"]


def main() -> int:
    """Run the parts, and return 1 if one of them found a fault."""
    found = {
        module.name: importlib.import_module(f"tools.fuzz.{module.name}")
        for module in pkgutil.iter_modules(tools.fuzz.__path__)
        if module.name != "__main__"
    }
    parts = {name: module for name, module in found.items() if hasattr(module, "run")}
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz", description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="part", help=f"of {', '.join(parts)}; by default all")
    parser.add_argument("--count", type=int, default=2500, help="number of files of each part")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    unknown = set(arguments.parts) - set(parts)
    if unknown:
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    faults = {
        name: module.run(arguments.count, arguments.seed)
        for name, module in parts.items()
        if not arguments.parts or name in arguments.parts
    }
    return int(any(faults.values()))


if __name__ == "__main__":
    sys.exit(main())
