"""Link prediction and matrix completion by matrix factorization, with rank selection and uncertainty.

Importing this package imports no other: names are loaded when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from latentlink import datasets as datasets
    from latentlink import paper as paper
    from latentlink.estimators import BayesianFactorizer as BayesianFactorizer
    from latentlink.estimators import BNMFk as BNMFk
    from latentlink.estimators import LinkPredictor as LinkPredictor
    from latentlink.estimators import LinkStack as LinkStack
    from latentlink.estimators import LogisticHead as LogisticHead
    from latentlink.estimators import NMFk as NMFk
    from latentlink.estimators import RankedFactorizer as RankedFactorizer
    from latentlink.estimators import RNMFk as RNMFk
    from latentlink.estimators import ValueStack as ValueStack
    from latentlink.estimators import WNMFk as WNMFk
    from latentlink.estimators import load as load
    from latentlink.evaluation import evaluate as evaluate
    from latentlink.network import Network as Network
    from latentlink.progress import progress_bar as progress_bar

__version__ = "0.1.0"

_HOMES = {
    "BNMFk": "latentlink.estimators",
    "BayesianFactorizer": "latentlink.estimators",
    "LinkPredictor": "latentlink.estimators",
    "LinkStack": "latentlink.estimators",
    "LogisticHead": "latentlink.estimators",
    "NMFk": "latentlink.estimators",
    "Network": "latentlink.network",
    "RNMFk": "latentlink.estimators",
    "RankedFactorizer": "latentlink.estimators",
    "ValueStack": "latentlink.estimators",
    "WNMFk": "latentlink.estimators",
    "datasets": "latentlink",
    "evaluate": "latentlink.evaluation",
    "load": "latentlink.estimators",
    "paper": "latentlink",
    "progress_bar": "latentlink.progress",
}

__all__ = [
    "BNMFk",
    "BayesianFactorizer",
    "LinkPredictor",
    "LinkStack",
    "LogisticHead",
    "NMFk",
    "Network",
    "RNMFk",
    "RankedFactorizer",
    "ValueStack",
    "WNMFk",
    "__version__",
    "datasets",
    "evaluate",
    "load",
    "paper",
    "progress_bar",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'latentlink' has no attribute {name!r}")
    home = _HOMES[name]
    return import_module(f"{home}.{name}") if home == "latentlink" else getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
