"""Saving and loading of fitted estimators, without pickle; predictions after loading are bit-identical."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from latentlink import rank, regime, solvers
from latentlink.errors import InputError
from latentlink.factors import Factors
from latentlink.network import Network, Step
from latentlink.rank.results import STATUSES
from latentlink.saving import load_tree, save_tree
from latentlink.stacking import QuadraticStage
from latentlink.strategy import Strategy

__all__ = ["load", "save_estimator"]

_KIND = "estimator"
_NETWORK = (
    "rows",
    "cols",
    "values",
    "weights",
    "shape",
    "background",
    "symmetric",
    "square",
    "row_names",
    "col_names",
    "history",
)
_RECORDS = (Factors, QuadraticStage, Step, rank.RankPath, rank.RankRecord, rank.Choice, rank.RidgeChoice)
_FITTED = {"path": rank.RankPath, "choice": rank.Choice, "solver": solvers.Solver, "regime": regime.Regime}


def save_estimator(estimator: Any, folder: str | os.PathLike[str], overwrite: bool) -> None:
    """Save a fitted estimator; see `LinkModel.save`."""
    save_tree(folder, _KIND, _described(estimator), overwrite=overwrite)


def load(folder: str | os.PathLike[str], *, also: Iterable[type] = ()) -> Any:
    """Load a saved estimator; nothing in the folder is ever executed.

    Parameters
    ----------
    folder : path
    also : iterable of types
        Your own settings classes that it was fitted with: solvers, thresholds, ...

    Examples
    --------
    >>> import tempfile
    >>> from latentlink import WNMFk
    >>> model = WNMFk((1,), n_perturbs=2, random_state=0).fit(np.outer(range(1, 5), range(1, 6)))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     model.save(f"{folder}/model")
    ...     loaded = load(f"{folder}/model")
    >>> bool(loaded.predict_links([(0, 1)]) == model.predict_links([(0, 1)]))
    True
    """
    known = {cls.__name__: cls for cls in (*_RECORDS, *_settings(), *also)}
    return _estimator(load_tree(folder, _KIND, known), str(folder))


def _settings() -> list[type]:
    """Return the public settings classes of solvers, regimes and rank searches."""
    public = [getattr(module, name) for module in (rank, regime, solvers) for name in module.__all__]
    return [each for each in public if isinstance(each, type) and issubclass(each, Strategy)]


def _described(estimator: Any) -> dict[str, Any]:
    """Return an estimator as a tree: its class, its parameters and its fitted state, if any."""
    name = type(estimator).__name__
    if name not in _classes():
        raise InputError(
            f"A {name} cannot be saved: load would not know the class. Save one of {', '.join(_classes())}."
        )
    tree = {"class": name, "params": _plain_params(estimator)}
    if estimator._fitted_estimators and hasattr(estimator, estimator._fitted_estimators[0]):
        tree["inner"] = {
            name: _map(_described, getattr(estimator, name)) for name in estimator._fitted_estimators
        }
        tree["learned"] = {name: getattr(estimator, name) for name in estimator._fitted_values}
    elif hasattr(estimator, "path_"):
        tree["fitted"] = {
            "network": _network_tree(estimator.network_),
            "path": estimator.path_,
            "choice": estimator.choice_,
            "solver": estimator.solver_,
            "regime": estimator.regime_,
            "ridge_choice": estimator.ridge_choice_,
            "complete": estimator.complete_,
            "seed": estimator.seed_,
            "n_features_in": estimator.n_features_in_,
        }
    if hasattr(estimator, "feature_names_in_"):
        tree["feature_names_in"] = estimator.feature_names_in_
    return tree


def _classes() -> dict[str, type]:
    """Return the estimators that can be saved, by class name."""
    from latentlink import estimators

    public = {name: getattr(estimators, name) for name in estimators.__all__}
    return {
        name: each
        for name, each in public.items()
        if isinstance(each, type) and issubclass(each, BaseEstimator)
    }


def _plain_params(estimator: Any) -> dict[str, Any]:
    params = estimator.get_params(deep=False)
    if isinstance(params.get("ranks"), set | frozenset):
        params["ranks"] = sorted(params["ranks"])
    if isinstance(params.get("random_state"), np.random.Generator | np.random.RandomState):
        params["random_state"] = None
    return {name: _plain(value) for name, value in params.items()}


def _plain(value: Any) -> Any:
    """Return a parameter as a tree: an estimator as its class and its own parameters."""
    if isinstance(value, list | tuple):
        return type(value)(map(_plain, value))
    if isinstance(value, BaseEstimator) and type(value).__name__ in _classes():
        return {"class": type(value).__name__, "params": _plain_params(value)}
    return value


def _network_tree(network: Network) -> dict[str, Any]:
    tree = {name: getattr(network, name) for name in _NETWORK}
    if network.square:  # one set of names for both
        tree["col_names"] = None
    return tree


def _estimator(tree: Any, source: str) -> Any:
    """Make an estimator of a tree; raise for one that is inconsistent."""
    name = _part(tree, "class", str, source)
    cls = _classes().get(name)
    params = _part(tree, "params", dict, source)
    if cls is None or not set(params) <= set(cls._get_param_names()):  # type: ignore[attr-defined]
        raise _damage(source, f"names a {name} with the parameters {', '.join(sorted(map(str, params)))}")
    given = {name: _map(partial(_estimator_or_value, source=source), each) for name, each in params.items()}
    estimator = cls(**given)
    if "inner" in tree:
        _restore_joint(estimator, tree, source)
    if "fitted" in tree:
        _restore_factorizer(estimator, _part(tree, "fitted", dict, source), source)
    if "feature_names_in" in tree:
        estimator.feature_names_in_ = np.asarray(tree["feature_names_in"]).astype(object)
    return estimator


def _map(function: Callable[[Any], Any], part: Any) -> Any:
    """Apply a function to a part, or to each of several."""
    return type(part)(map(function, part)) if isinstance(part, list | tuple) else function(part)


def _estimator_or_value(part: Any, source: str) -> Any:
    return _estimator(part, source) if isinstance(part, dict) else part


def _restore_joint(estimator: Any, tree: dict[str, Any], source: str) -> None:
    """Restore an estimator that holds other fitted estimators."""
    inner, learned = (_part(tree, name, dict, source) for name in ("inner", "learned"))
    if (set(inner), set(learned)) != (set(estimator._fitted_estimators), set(estimator._fitted_values)):
        raise _damage(source, f"has the parts {', '.join(sorted(map(str, {*inner, *learned})))}")
    for name, part in inner.items():
        setattr(estimator, name, _map(partial(_estimator, source=source), part))
    for name, part in learned.items():
        setattr(estimator, name, part)
    estimator._assemble()


def _restore_factorizer(estimator: Any, fitted: dict[str, Any], source: str) -> None:
    """Restore the fitted state of a factorizer."""
    path, choice, solver, used = (_part(fitted, name, kind, source) for name, kind in _FITTED.items())
    parts = _part(fitted, "network", dict, source)
    if set(parts) != set(_NETWORK):
        raise _damage(source, f"has a network of the parts {', '.join(sorted(map(str, parts)))}")
    network = Network(**parts)
    if choice.status not in STATUSES:
        raise _damage(source, f"has a choice of the status {choice.status!r}")
    model = path[choice.rank].model
    if model.shape != network.shape:
        raise _damage(source, f"has a model that does not fit its network of shape {network.shape}")
    estimator._set_fitted(network, used, solver, path, choice)
    estimator.ridge_choice_ = fitted.get("ridge_choice")
    estimator.complete_ = _part(fitted, "complete", bool, source)
    estimator.n_features_in_ = _part(fitted, "n_features_in", int, source)
    estimator.seed_ = _part(fitted, "seed", int, source)


def _part(tree: Any, name: str, kind: type, source: str) -> Any:
    """Return a part of a tree; raise if it is missing or of another kind."""
    part = tree.get(name) if isinstance(tree, dict) else None
    if not isinstance(part, kind):
        raise _damage(source, f"has {type(part).__name__} for {name!r} where a {kind.__name__} should be")
    return part


def _damage(source: str, what: str) -> InputError:
    return InputError(
        f"{source!r} {what}. It is damaged, or was not saved by latentlink. Save the model again."
    )
