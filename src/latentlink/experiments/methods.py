"""The methods of the paper by name, with its own settings and with the defaults."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import latentlink
from latentlink import paper
from latentlink.estimators import RankedFactorizer
from latentlink.regime import KMeans, Otsu, Search, boolean, real

__all__ = ["MODES", "factorizer", "split_name"]

MODES = ("paper", "default")
_THRESHOLDS = {"kmeans": KMeans, "otsu": Otsu, "search": Search}


def split_name(method: str) -> tuple[str, str | None]:
    """Return base and threshold of a method's name.

    Examples
    --------
    >>> split_name("WNMFk otsu"), split_name("RNMFk"), split_name("BNMFk uniform")
    (('WNMFk', 'otsu'), ('RNMFk', None), ('BNMFk', None))
    """
    base, _, threshold = method.partition(" ")
    return base, threshold if threshold in _THRESHOLDS else None


def factorizer(
    method: str, mode: str, ranks: Iterable[int], *, n_perturbs: int = 16, random_state: int = 0
) -> RankedFactorizer:
    """Return a method of the paper by name, such as "BNMFk kmeans", "WNMFk" or "BNMFk uniform".

    Parameters
    ----------
    method : str
        NMFk, WNMFk, RNMFk or BNMFk, followed by kmeans, otsu or search, or by nothing (for BNMFk "uniform")
        for real-valued factors. "nndsvd" starts all members from the same singular vectors.
    mode : {"paper", "default"}
        The paper's settings (`latentlink.paper`), or the library's defaults.
    ranks : iterable of int
    n_perturbs, random_state : int
        Of the estimator.

    Examples
    --------
    >>> factorizer("BNMFk otsu", "default", (2, 3)).regime.threshold
    Otsu()
    """
    base, threshold = split_name(method)
    shared: dict[str, Any] = {"n_perturbs": n_perturbs, "random_state": random_state}
    if mode == "paper":
        preset: Callable[..., RankedFactorizer] = getattr(paper, base)
        estimator = preset(ranks, threshold=threshold, **shared)
    else:
        regime = real() if threshold is None else boolean(_THRESHOLDS[threshold]())
        estimator = getattr(latentlink, base)(ranks, regime=regime, **shared)
    return estimator.set_params(solver__init="nndsvd") if method.endswith("nndsvd") else estimator
