"""Consistency of the fitted state of a loaded estimator: types, shapes and ranks, before it is used."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.factors import Factors
from latentlink.network import Network, Step
from latentlink.network.names import same_names
from latentlink.rank import Choice, RankPath, RankRecord
from latentlink.rank.results import STATUSES
from latentlink.solvers import Solver
from latentlink.solvers.needs import ridges_of_members
from latentlink.validation.wording import names, shortened

__all__ = [
    "NETWORK_PARTS",
    "check_array",
    "check_choice_and_path",
    "check_factorizers",
    "check_names",
    "check_solver",
    "check_weights",
    "checked_seed",
    "given_network",
    "network_of",
]

Shape = tuple[int, int]

_LARGEST_OFFSET = 1e150  # of a model: its square is a float, and no data that can be fitted reach it

NETWORK_PARTS = (
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


def network_of(parts: dict[str, Any], shape: Shape) -> Network:
    """Return the network of its saved parts; raise InputError unless they fit together and have a shape.

    The shape is that of the factors, whose bytes are there: a network alone could declare any.
    """
    if set(parts) != set(NETWORK_PARTS):
        raise InputError(f"a network of the parts {names(parts)}; expected {names(NETWORK_PARTS)}")
    _check_network_parts(parts)
    if type(parts["shape"]) is not tuple or parts["shape"] != shape:
        raise InputError(f"a network whose shape is not that of the model, {shape[0]:,} x {shape[1]:,}")
    return Network(**parts)


def given_network(parts: Any, fitted: Network) -> Network | None:
    """Return the network that a model was given, of its saved parts, if it is not the one that was fitted.

    Raises InputError unless it has the nodes of the fitted one, and all of its links.
    """
    if parts is None:
        return None
    if not isinstance(parts, dict):
        raise InputError(f"{shortened(parts)} as the given network; expected its parts, or None")
    network = network_of(parts, fitted.shape)
    links = fitted.subset(fitted.known & (fitted.values != 0))
    at = network.positions(links.rows, links.cols)
    same = ("background", "symmetric", "square")
    if (
        any(getattr(network, name) != getattr(fitted, name) for name in same)
        or not same_names(network.row_names, fitted.row_names)
        or not same_names(network.col_names, fitted.col_names)
        or bool((at < 0).any())
    ):
        raise InputError("a given network whose nodes or links are not those of the model")
    return network


def _check_network_parts(parts: dict[str, Any]) -> None:
    """Raise InputError unless the parts of a network have their types."""
    for name, kinds in (("rows", "iu"), ("cols", "iu"), ("values", "f"), ("weights", "f")):
        check_array(parts[name], f"the {name} of its network", kinds, np.shape(parts["rows"]))
    for name in ("row_names", "col_names"):
        if parts[name] is not None:
            check_array(parts[name], f"the {name} of its network", "U")
    for name in ("symmetric", "square"):
        if type(parts[name]) is not bool:
            raise InputError(f"{shortened(parts[name])} as {name!r} of its network; expected True or False")
    history = parts["history"]
    if type(history) is not tuple or not all(isinstance(step, Step) for step in history):
        raise InputError(f"{shortened(history)} as the history of its network; expected steps")


def check_choice_and_path(path: RankPath, choice: Choice) -> None:
    """Raise InputError unless the choice is a rank of the path, and all records fit together."""
    if choice.status not in STATUSES:
        raise InputError(f"a choice of the status {shortened(choice.status)}; expected {names(STATUSES)}")
    ranks = [record.rank for record in path.records]
    if choice.rank not in ranks or sorted(set(ranks)) != ranks:
        raise InputError(
            f"the chosen rank {shortened(choice.rank)} and the ranks {shortened(str(ranks))}; expected one "
            "of them, in ascending order"
        )
    shape = path[choice.rank].model.shape
    for record in path.records:
        _check_record(record, shape)


def _check_record(record: RankRecord, shape: Shape) -> None:
    """Raise InputError unless the parts of a record have its rank and a shape."""
    where = f"at rank {shortened(record.rank)}"
    if not record.members:
        raise InputError(f"no members {where}; expected at least one")
    for model in (record.model, *record.members):
        if (model.rank, model.shape) != (record.rank, shape) or record.rank < 1:
            raise InputError(
                f"factors of rank {model.rank} and shape {model.shape} {where}; expected shape {shape}"
            )
        if not abs(model.offset) < _LARGEST_OFFSET:
            raise InputError(
                f"an offset of {shortened(model.offset)} {where}; expected the scale of the data"
            )
        if _form(model) != _form(record.model):
            raise InputError(
                f"a member {where} whose biases or whose link are not those of the central model"
            )
    if record.model.symmetric and shape[0] != shape[1]:
        raise InputError(f"symmetric factors of shape {shape} {where}; expected as many rows as columns")
    _check_measures(record, shape, where)


def _check_measures(record: RankRecord, shape: Shape, where: str) -> None:
    """Raise InputError unless the errors and counts of a record have the sizes of its rank and members."""
    sizes = {
        "stability_rows": (record.rank,),
        "stability_cols": (record.rank,),
        "column_errors": (shape[1],),
        "held_out": (_n_fitted(record, where),),
        "held_out_ensemble": (_n_fitted(record, where),),
    }
    for name, expected in sizes.items():
        check_array(getattr(record, name), f"the {name} {where}", "f", expected)
    numbers = range(len(record.held_out))
    if sorted(set(record.set_aside)) != list(record.set_aside) or not set(record.set_aside) <= set(numbers):
        raise InputError(f"members set aside {where} that are not among its {len(numbers)}")
    if not 0 <= record.converged <= len(numbers):
        raise InputError(f"{shortened(record.converged)} members that converged {where}, of {len(numbers)}")


def _n_fitted(record: RankRecord, where: str) -> int:
    """Return the number of members of a record, or of its chains; raise if their numbers do not fit."""
    chains = record.posterior
    if chains is None:
        return len(record.members) + len(record.set_aside)
    check_array(chains.noise, f"the noise {where}", "f", (len(record.members),))
    for name in ("r_hats", "effective_sizes"):
        check_array(getattr(chains, name), f"the {name} {where}", "f")
    for name, size in zip(("row_noise", "col_noise"), record.model.shape, strict=True):
        relative = getattr(chains, name)
        check_array(relative, f"the {name} {where}", "f", (size,) if len(chains.row_noise) else (0,))
        if not (np.isfinite(relative).all() and (relative >= 0).all()):
            raise InputError(f"a {name} {where} that is not a number >= 0")
    if chains.chains < 1 or len(record.members) % chains.chains or len(chains.r_hats) < 2:
        raise InputError(
            f"{shortened(chains.chains)} chains of {len(record.members)} draws {where}; expected as many "
            "draws of each"
        )
    if not (np.isfinite(chains.noise).all() and (chains.noise >= 0).all()):
        raise InputError(f"a noise {where} that is not a number >= 0")
    return int(chains.chains) + len(record.set_aside)


def _form(model: Factors) -> tuple[object, ...]:
    """Return what the model and the members of a rank have in common."""
    biases = model.row_bias is not None, model.col_bias is not None
    return (*biases, model.logistic, model.boolean, model.symmetric, model.bounds)


def check_solver(solver: Solver, network: Network) -> None:
    """Raise InputError or IncompatibleError unless a solver can be used with a network for one model."""
    solver.check(network)
    for name in ridges_of_members(solver):
        raise InputError(f"several numbers as {name!r} of its solver; expected one")


def checked_seed(seed: int) -> int:
    """Return the seed of the random draws, or raise InputError for one that no fit has."""
    if seed < 0:
        raise InputError(f"{shortened(seed)} as its seed; expected a whole number >= 0")
    return seed


def check_names(feature_names: Any, count: int) -> None:
    """Raise InputError unless there is one name for each of the columns."""
    check_array(feature_names, "the names of the columns", "U", (count,))


def check_factorizers(models: tuple[Any, ...]) -> None:
    """Raise InputError unless all models are factorizers that were fitted to the same network."""
    if not all(hasattr(model, "path_") for model in models):
        kinds = names(type(model).__name__ for model in models)
        raise InputError(f"models of the classes {kinds} in another; expected factorizers")
    if not all(model.network_ == models[0].network_ for model in models):
        raise InputError("models of different networks in another; expected the same one for all")


def check_weights(weights: Any) -> None:
    """Raise InputError unless there are three weights."""
    check_array(weights, "the weights", "f", (3,))


def _taken_by_kernels(array: NDArray[Any]) -> bool:
    """Whether kernels take an array: in the byte order of the machine, and not in half precision."""
    return array.dtype.isnative and array.dtype != np.float16


def check_array(array: Any, what: str, kinds: str, shape: tuple[int, ...] | None = None) -> None:
    """Raise InputError unless an array has a kind of type, and a shape or one dimension."""
    if not isinstance(array, np.ndarray) or array.dtype.kind not in kinds or not _taken_by_kernels(array):
        found = f"an array of type {array.dtype}" if isinstance(array, np.ndarray) else shortened(array)
        expected = {"iu": "integers", "i": "integers", "f": "floating-point numbers", "U": "text"}[kinds]
        raise InputError(f"{found} as {what}; expected an array of {expected}")
    if array.shape != shape and (shape is not None or array.ndim != 1):
        raise InputError(f"an array of shape {array.shape} as {what}; expected {shape or 'one dimension'}")
