"""Saving and loading of fitted estimators, without pickle; predictions after loading are bit-identical."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from latentlink import rank, regime, solvers
from latentlink.errors import IncompatibleError, InputError
from latentlink.estimators.loading import loaded_state
from latentlink.estimators.loading.loaded_state import NETWORK_PARTS
from latentlink.factors import Factors
from latentlink.network import Network, Step
from latentlink.parallel import one_blas_thread
from latentlink.saving import fingerprint, load_tree, save_tree
from latentlink.saving.field_types import fits
from latentlink.stacking import AdditiveStage, BoostedTrees, HiddenLinks, MixedStage
from latentlink.stacking.values import ColumnKernels, ColumnRegressions, LinearStage
from latentlink.strategy import Strategy
from latentlink.validation.arguments import checked_path
from latentlink.validation.choices import checked_switch, is_base
from latentlink.validation.wording import names, shortened, shown_path

__all__ = ["load", "save_estimator", "settings_fingerprint"]

_KIND = "estimator"
_OF_STAGES = (
    AdditiveStage,
    BoostedTrees,
    MixedStage,
    HiddenLinks,
    ColumnKernels,
    ColumnRegressions,
    LinearStage,
)
_OF_SEARCHES = (rank.RankPath, rank.RankRecord, rank.Choice, rank.RidgeChoice, solvers.Posterior)
_RECORDS = (Factors, *_OF_STAGES, Step, *_OF_SEARCHES)
# What constructors and checks of inconsistent parts may raise.
_INCONSISTENT = (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)
_FITTED = {"path": rank.RankPath, "choice": rank.Choice, "solver": solvers.Solver, "regime": regime.Regime}


def save_estimator(estimator: Any, folder: str | os.PathLike[str], overwrite: bool) -> None:
    """Save a fitted estimator; see `LinkModel.save`. Parameters that `load` would refuse raise before."""
    estimator._check_settings()
    path, replaces = checked_path(folder, "folder"), checked_switch(overwrite, "overwrite")
    save_tree(path, _KIND, _described(estimator), overwrite=replaces)


def settings_fingerprint(estimator: Any, network: Network, library: str) -> str:
    """Return a hash of what an unfitted estimator would fit: its settings but threads, data, and version."""
    return fingerprint(_without_threads(_described(estimator)), _network_tree(network), library)


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
    known = {cls.__name__: cls for cls in (*_RECORDS, *_settings(), *_classes_of(also))}
    tree = load_tree(checked_path(folder, "folder"), _KIND, known)
    try:
        return _estimator(tree)
    except IncompatibleError as error:
        raise InputError(
            f"{shown_path(folder)} has a setting with which nothing can be fitted: "
            f"{str(error).rstrip('.')[:400]}. It is damaged, or was not saved by latentlink. Save the "
            "model again."
        ) from error
    except _INCONSISTENT as error:
        raise InputError(
            f"{shown_path(folder)} has {str(error).rstrip('.')[:400]}. It is damaged, or was not saved by "
            "latentlink. Save the model again."
        ) from error


def _classes_of(also: Any) -> list[type]:
    """Return the classes that were given to `load`, or raise InputError unless they are classes in a list."""
    listed: list[Any] = list(also) if isinstance(also, Iterable) else [None]
    if not all(isinstance(each, type) for each in listed):
        raise InputError(f"also is {also!r}; expected classes in a list, such as also=[MySolver].")
    return listed


def _settings() -> list[type]:
    """Return the public settings classes of solvers, regimes and rank searches that are not only bases."""
    public = [getattr(module, name) for module in (rank, regime, solvers) for name in module.__all__]
    classes = [each for each in public if isinstance(each, type) and issubclass(each, Strategy)]
    return [each for each in classes if not is_base(each)]


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
        learned = {name: getattr(estimator, name) for name in estimator._fitted_values}
        tree["learned"] = {
            name: _network_tree(each) if isinstance(each, Network) else each for name, each in learned.items()
        }
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


def _without_threads(tree: Any) -> Any:
    """Return a tree without the number of threads, which changes no result."""
    if isinstance(tree, dict):
        return {name: _without_threads(part) for name, part in tree.items() if name != "n_jobs"}
    return _map(_without_threads, tree) if isinstance(tree, list | tuple) else tree


def _network_tree(network: Network) -> dict[str, Any]:
    tree = {name: getattr(network, name) for name in NETWORK_PARTS}
    if network.square:  # one set of names for both
        tree["col_names"] = None
    return tree


def _estimator(tree: Any) -> Any:
    """Make an estimator of a tree; raise for one that is inconsistent."""
    name = _part(tree, "class", str)
    cls = _classes().get(name)
    params = _part(tree, "params", dict)
    if cls is None or set(params) != set(cls._get_param_names()):  # type: ignore[attr-defined]
        raise InputError(f"a {shortened(name)} with the parameters {names(params)}")
    estimator = cls(**{name: _map(_estimator_or_value, each) for name, each in params.items()})
    estimator._check_settings()
    state = {"inner", "learned"} if estimator._fitted_estimators else {"fitted"}
    if not set(tree) <= {"class", "params", "feature_names_in", *state}:
        raise InputError(f"a {name} of the parts {names(tree)}")
    if "inner" in tree:
        _restore_joint(estimator, tree)
    if "fitted" in tree:
        _restore_factorizer(estimator, _part(tree, "fitted", dict))
    if "feature_names_in" in tree:
        loaded_state.check_names(tree["feature_names_in"], estimator.n_features_in_)
        estimator.feature_names_in_ = tree["feature_names_in"].astype(object)
    return estimator


def _fitted_estimator(tree: Any) -> Any:
    """Make a fitted estimator of a tree."""
    estimator = _estimator(tree)
    if not hasattr(estimator, "network_"):
        raise InputError(f"a {type(estimator).__name__} that is not fitted inside of another estimator")
    return estimator


def _map(function: Callable[[Any], Any], part: Any) -> Any:
    """Apply a function to a part, or to each of several."""
    return type(part)(map(function, part)) if isinstance(part, list | tuple) else function(part)


def _estimator_or_value(part: Any) -> Any:
    return _estimator(part) if isinstance(part, dict) else part


def _restore_joint(estimator: Any, tree: dict[str, Any]) -> None:
    """Restore an estimator that holds other fitted estimators."""
    inner, learned = (_part(tree, name, dict) for name in ("inner", "learned"))
    if (set(inner), set(learned)) != (set(estimator._fitted_estimators), set(estimator._fitted_values)):
        raise InputError(f"a {type(estimator).__name__} of the parts {names({*inner, *learned})}")
    for name, part in inner.items():
        setattr(estimator, name, _map(_fitted_estimator, part))
    for name, part in learned.items():
        setattr(estimator, name, part)
    estimator._check_parts()
    with one_blas_thread():  # as in the fit: what is derived anew has the same bits
        estimator._assemble()


def _restore_factorizer(estimator: Any, fitted: dict[str, Any]) -> None:
    """Restore the fitted state of a factorizer."""
    path, choice, solver, used = (_part(fitted, name, kind) for name, kind in _FITTED.items())
    loaded_state.check_choice_and_path(path, choice)
    network = loaded_state.network_of(_part(fitted, "network", dict), path[choice.rank].model.shape)
    loaded_state.check_solver(solver, network)
    used.check()
    used.perturb.check(network)
    estimator._set_fitted(network, used, solver, path, choice)
    estimator.ridge_choice_ = _part(fitted, "ridge_choice", rank.RidgeChoice | None)
    estimator.complete_ = _part(fitted, "complete", bool)
    estimator.seed_ = loaded_state.checked_seed(_part(fitted, "seed", int))
    estimator.n_features_in_ = _part(fitted, "n_features_in", int)
    if estimator.n_features_in_ != network.shape[1]:
        raise InputError(
            f"{shortened(estimator.n_features_in_)} columns where its network has {network.shape[1]:,}"
        )


def _part(tree: Any, name: str, kind: Any) -> Any:
    """Return a part of a tree; raise if it is missing or of another kind."""
    part = tree.get(name) if isinstance(tree, dict) else None
    if not fits(part, kind):
        expected = getattr(kind, "__name__", str(kind))
        raise InputError(f"{type(part).__name__} for {name!r} where a {expected} should be")
    return part
