"""Predict the missing links of a network or matrix, with the rank found and an honest uncertainty.

Importing this package imports nothing else: names are loaded when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from latentlink import datasets as datasets
    from latentlink.network import Network as Network

__version__ = "0.1.0"

_HOMES = {"Network": "latentlink.network", "datasets": "latentlink"}

__all__ = ["Network", "__version__", "datasets"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'latentlink' has no attribute {name!r}")
    home = _HOMES[name]
    return import_module(f"{home}.{name}") if home == "latentlink" else getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
