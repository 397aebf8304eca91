"""Versions of everything that the results of a run may depend on."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

__all__ = ["versions"]

_LIBRARIES = ("numpy", "scipy", "scikit-learn", "numba", "llvmlite")


def versions() -> dict[str, str]:
    """Return the versions of this package, of Python and of the libraries, and the machine."""
    from latentlink import __version__

    found = {"latentlink": __version__, "python": platform.python_version()}
    for library in _LIBRARIES:
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            continue
    return {**found, "machine": f"{platform.system()} {platform.machine()}"}
