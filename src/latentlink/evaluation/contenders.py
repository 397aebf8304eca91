"""What takes part in an evaluation: estimators, functions, and scores from elsewhere."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from latentlink.errors import DataWarning, InputError
from latentlink.evaluation.tasks.task import Task
from latentlink.network import Network
from latentlink.uncertainty import uq_weights
from latentlink.validation.wording import few, shortened

__all__ = ["checked_contenders", "scores_of"]

Array = NDArray[Any]

_EXPECTED = (
    "expected an estimator with fit(network) and predict_links(pairs), a function of the training network "
    "and the pairs, or one array of scores for each task (see latentlink.evaluation.evaluation_tasks)"
)


def checked_contenders(models: Any, baselines: Mapping[str, Any]) -> dict[str, Any]:
    """Return models by name, or raise InputError for one that cannot be evaluated."""
    if not isinstance(models, Mapping):
        raise InputError(
            f"The models are {shortened(models)}; expected a dict of names and models, such as "
            '{"WNMFk": WNMFk()}.'
        )
    for name, model in models.items():
        if not isinstance(name, str):
            raise InputError(f"The name of a model is {shortened(name)}; expected text.")
        if name in baselines:
            raise InputError(
                f"A model is named {name!r}, the name of a baseline; these are always evaluated and named "
                f"{few(list(baselines))}. Give it another name."
            )
        if isinstance(model, type):
            raise InputError(f"Model {name!r} is the class {model.__name__}; expected an object. Call it.")
        if not (_is_estimator(model) or callable(model) or isinstance(model, Mapping | Sequence)):
            raise InputError(f"Model {name!r} is {shortened(model)}; {_EXPECTED}.")
    return dict(models)


def scores_of(name: str, model: Any, task: Task) -> tuple[Array, Array | None]:
    """Return the scores of a task's pairs, NaN where there is none, and the weights of UQ metrics if any.

    Parameters
    ----------
    name : str
        For messages.
    model : object
        An estimator is cloned and fitted; it is not changed.
    task : Task
    """
    try:
        if _is_estimator(model):
            with warnings.catch_warnings():
                # Nodes without training entries are measured apart, and every split would tell of them again.
                warnings.simplefilter("ignore", DataWarning)
                scores, weights = _fitted_scores(model, task)
        elif callable(model):
            scores, weights = model(task.train, task.pairs.copy()), None
        else:
            scores, weights = _given_scores(name, model, task), None
    except Exception as error:
        error.add_note(f"This is model {name!r} of evaluate, in task {task.number}.")
        raise
    return _checked_scores(name, scores, task), weights


def _is_estimator(model: Any) -> bool:
    return hasattr(model, "fit") and hasattr(model, "predict_links")


def _fitted_scores(model: Any, task: Task) -> tuple[Any, Array | None]:
    unfitted = clone(model) if hasattr(model, "get_params") else deepcopy(model)
    train = task.train_of(unfitted)
    fitted = unfitted.fit(train)
    fitted = unfitted if fitted is None else fitted
    if "return_std" not in inspect.signature(fitted.predict_links).parameters:
        return fitted.predict_links(task.pairs), None
    scores, spread = fitted.predict_links(task.pairs, return_std=True)
    spread = np.asarray(spread)
    if not np.isfinite(spread).all() or not spread.any():  # a single member has no spread
        return scores, None
    return scores, uq_weights(spread, _training_spread(fitted, train))


def _training_spread(fitted: Any, train: Network) -> Array:
    if hasattr(fitted, "training_spread"):
        return fitted.training_spread()
    known = train.known
    pairs = np.column_stack([train.rows[known], train.cols[known]])
    return fitted.predict_links(pairs, return_std=True)[1]


def _given_scores(name: str, model: Any, task: Task) -> Any:
    try:
        return model[task.number]
    except (KeyError, IndexError):
        raise InputError(f"Model {name!r} has no scores for task {task.number}; {_EXPECTED}.") from None


def _checked_scores(name: str, scores: Any, task: Task) -> Array:
    numbers = np.asarray(scores)
    if numbers.shape != (len(task.pairs),) or numbers.dtype.kind not in "biuf":
        raise InputError(
            f"Model {name!r} returned scores of shape {numbers.shape} and type {numbers.dtype} in task "
            f"{task.number}; expected {len(task.pairs):,} numbers, one for each pair."
        )
    numbers = numbers.astype(np.float64)
    if np.isinf(numbers).any():
        position = int(np.argmax(np.isinf(numbers)))
        raise InputError(
            f"Model {name!r} scored pair {position} of task {task.number} as {numbers[position]}; expected a "
            "finite number, or NaN for a pair that it cannot score."
        )
    return numbers
