"""The components: the members of each, loadings of small data, and images where nodes are pixels."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.estimators import BayesianFactorizer, RankedFactorizer
from latentlink.network import Network
from latentlink.report.report_data import Section
from latentlink.tables import Table

__all__ = ["component_section"]

Array = NDArray[Any]

_MOST = 40  # components that are shown
_MEMBERS = 8  # of each component and side
_SMALL = 60  # nodes of a heat map
_PIXELS = 24_000  # of all images together


def component_section(name: str, model: RankedFactorizer, image_shape: tuple[int, int] | None) -> Section:
    """Return the top members of each component, heat maps of small sides, and images.

    Parameters
    ----------
    name : str
        Of the factorization.
    model : RankedFactorizer
    image_shape : (int, int) or None
        Height and width, if rows (or else columns) are the pixels of images, in C order.
    """
    network, W, H = model.network_, np.asarray(model.W_), np.asarray(model.H_).T
    shown = min(model.rank_, _MOST)
    if not shown:
        return {}, {}
    signed = bool((W < 0).any() or (H < 0).any())
    sides = [("rows", W, network.row_names)]
    if not network.symmetric:
        sides.append(("columns", H, network.col_names))
    facts: dict[str, Any] = {
        "model": name,
        "count": model.rank_,
        "shown": shown,
        "signed": signed,
        "directions": isinstance(model, BayesianFactorizer),
        "shares": _shares(W, H)[:shown],
        "stability": [_rounded(each) for each in model.record_.stability_rows[:shown].tolist()],
        "sides": [side for side, _, _ in sides],
        "one_side": network.symmetric,
    }
    tables = {"members": _member_table(sides, shown)}
    small = [side for side in sides if len(side[1]) <= _SMALL]
    if small:
        tables["loadings"] = _loading_table(small, shown)
    if image_shape is not None:
        facts["images"] = _images(image_shape, network, W, H, shown)
    return {"components": facts}, tables


def _shares(W: Array, H: Array) -> list[float]:
    """Return what each component adds to the sum of all scores, as a share of all components."""
    mass = np.abs(W).sum(axis=0) * np.abs(H).sum(axis=0)
    return (mass / (mass.sum() or 1.0)).round(4).tolist()


def _relative(side: Array) -> Array:
    """Return loadings relative to the largest of each component."""
    largest = np.abs(side).max(axis=0, initial=0.0)
    return side / np.where(largest > 0, largest, 1.0)


def _member_table(sides: list[tuple[str, Array, Any]], shown: int) -> Table:
    found: dict[str, list[Any]] = {"component": [], "side": [], "node": [], "loading": []}
    for name, side, names in sides:
        relative = _relative(side)
        for component in range(shown):
            column = relative[:, component]
            order = np.argsort(-np.abs(column), kind="stable")[:_MEMBERS]
            order = order[column[order] != 0]
            found["component"] += [component] * len(order)
            found["side"] += [name] * len(order)
            found["node"] += [_name(names, node) for node in order.tolist()]
            found["loading"] += column[order].tolist()
    return _table(found)


def _loading_table(sides: list[tuple[str, Array, Any]], shown: int) -> Table:
    """Return all loadings of small sides; nodes in the order of their main component."""
    found: dict[str, list[Any]] = {"component": [], "side": [], "node": [], "loading": []}
    for name, side, names in sides:
        relative = _relative(side)[:, :shown]
        main = np.abs(relative).argmax(axis=1)
        order = np.lexsort((-np.abs(relative).max(axis=1), main))
        for node in order.tolist():
            found["component"] += range(shown)
            found["side"] += [name] * shown
            found["node"] += [_name(names, node)] * shown
            found["loading"] += relative[node].round(4).tolist()
    return _table(found)


def _table(found: dict[str, list[Any]]) -> Table:
    kinds: dict[str, Any] = {"component": np.int64, "loading": np.float64}
    return Table({name: np.array(column, kinds.get(name, object)) for name, column in found.items()})


def _name(names: Any, node: int) -> str:
    return str(node) if names is None else str(names[node]).encode("utf-8", "replace").decode()


def _images(shape: tuple[int, int], network: Network, W: Array, H: Array, shown: int) -> dict[str, Any]:
    height, width = shape
    side = {network.shape[0]: ("rows", W), network.shape[1]: ("columns", H)}.get(height * width)
    if network.shape[0] == height * width:
        side = ("rows", W)
    if side is None:
        raise InputError(
            f"image_shape is {height} x {width}, {height * width:,} pixels; expected as many pixels as "
            f"there are rows ({network.shape[0]:,}) or columns ({network.shape[1]:,})."
        )
    count = min(shown, _PIXELS // (height * width))
    pixels = np.rint(100 * _relative(side[1])[:, :count]).astype(int)
    return {"height": height, "width": width, "of": side[0], "pixels": pixels.T.tolist()}


def _rounded(stability: float) -> float | None:
    """Return the stability of a component with three digits; None where too few members were compared."""
    return None if np.isnan(stability) else round(stability, 3)
