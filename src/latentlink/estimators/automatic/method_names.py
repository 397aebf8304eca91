"""Estimators by the names of methods, as the command line calls them."""

from __future__ import annotations

from typing import Any

from latentlink.errors import IncompatibleError
from latentlink.estimators.bnmfk import BNMFk
from latentlink.estimators.factorizer import RankedFactorizer
from latentlink.estimators.link_model import LinkModel
from latentlink.estimators.link_stack import LinkStack
from latentlink.estimators.logistic_head import LogisticHead
from latentlink.estimators.nmfk import NMFk
from latentlink.estimators.rnmfk import RNMFk
from latentlink.estimators.values.value_stack import ValueStack
from latentlink.estimators.wnmfk import WNMFk
from latentlink.network import Network
from latentlink.solvers import LMF, SymLMF
from latentlink.validation.choices import checked_choice

__all__ = ["METHODS", "make_estimator"]

_FACTORIZATIONS: dict[str, Any] = {"nmfk": NMFk, "wnmfk": WNMFk, "rnmfk": RNMFk, "bnmfk": BNMFk}
_LOGISTIC: dict[str, Any] = {"lmf": LMF, "symlmf": SymLMF}
METHODS = (*_FACTORIZATIONS, *_LOGISTIC, "stack")
"""Names of methods."""


def make_estimator(
    name: str,
    network: Network,
    *,
    ranks: Any = None,
    members: int | None = None,
    logistic: bool = False,
    n_jobs: int | None = None,
    random_state: Any = None,
) -> LinkModel:
    """Return the unfitted estimator of a method.

    Parameters
    ----------
    name : {"nmfk", "wnmfk", "rnmfk", "bnmfk", "lmf", "symlmf", "stack"}
    network : Network
        The data; a stack of values is another estimator than one of links.
    ranks : as for the estimators
        None is their default.
    members : int or None
        Members of the ensembles; None is the default of the estimator.
    logistic : bool
        Give a factorization a logistic head.
    n_jobs, random_state
        As for the estimators.

    Examples
    --------
    >>> network = Network.from_edges([("ann", "tea", 5.0), ("bob", "tea", 3.0)])
    >>> type(make_estimator("rnmfk", network, ranks=(1, 2))).__name__
    'RNMFk'
    """
    checked_choice(name, METHODS, "name")
    settings: dict[str, Any] = {"n_jobs": n_jobs, "random_state": random_state}
    if members is not None:
        settings["n_perturbs"] = members
    if logistic and name not in _FACTORIZATIONS:
        raise IncompatibleError(
            f"The method is {name!r} with a logistic head; expected one of {', '.join(_FACTORIZATIONS)} with "
            "it, since the others are logistic or learn such a head by themselves. Leave it out."
        )
    if name in _FACTORIZATIONS:
        base = _FACTORIZATIONS[name](ranks, **settings)
        return LogisticHead(base) if logistic else base
    if name in _LOGISTIC:
        return RankedFactorizer(ranks, solver=_LOGISTIC[name].for_members(), **settings)
    stack: Any = LinkStack if network.is_binary else ValueStack
    estimator: LinkModel = stack(ranks, **settings)
    return estimator
