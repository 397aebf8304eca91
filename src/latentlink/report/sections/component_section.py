"""The components: the members of each, loadings of small data, and images where nodes are pixels."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

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
        "boolean": False,
        "directions": isinstance(model, BayesianFactorizer),
        "shares": _shares(W, H)[:shown],
        "stability": [_rounded(each) for each in model.record_.stability_rows[:shown].tolist()],
        "sides": [side for side, _, _ in sides],
        "one_side": network.symmetric,
    }
    boolean = bool(model.factors_.boolean)
    typical: list[Any] = [None] * len(sides)
    if boolean:  # all loadings are 1
        facts["boolean"] = True
        facts["sizes"] = {name: np.count_nonzero(side, axis=0)[:shown].tolist() for name, side, _ in sides}
        typical = _typical(network, W, H)
    tables = {"members": _member_table(sides, typical, shown)}
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


def _typical(network: Network, W: Array, H: Array) -> list[Array]:
    """Return of each node the share of its known pairs with a component's other side that are links.

    Loadings of a Boolean factorization are all 1: this tells its members apart.
    """
    found = []
    for view, others in ((network.csr, H), (network.csc, W)):
        shape, there = (len(view.indptr) - 1, len(others)), network.known[view.position]
        links = there & (network.values[view.position] != 0)
        of_links, of_known = (
            csr_array((each.astype(np.float64), view.indices, view.indptr), shape=shape) @ (others != 0)
            for each in (links, there)
        )
        if network.background:  # what is not listed is a known 0
            of_known = np.broadcast_to(np.count_nonzero(others, axis=0), of_links.shape)
        found.append(np.divide(of_links, of_known, out=np.zeros(of_links.shape), where=of_known > 0))
    return found


def _member_table(sides: list[tuple[str, Array, Any]], typical: list[Any], shown: int) -> Table:
    """Return the members of largest loading; of a Boolean factorization the most typical ones."""
    found: dict[str, list[Any]] = {"component": [], "side": [], "node": [], "loading": []}
    for (name, side, names), shares in zip(sides, typical, strict=False):
        relative = _relative(side)
        for component in range(shown):
            column = (
                relative[:, component] if shares is None else shares[:, component] * (side[:, component] != 0)
            )
            order = np.argsort(-np.abs(column), kind="stable")[:_MEMBERS]
            order = order[side[order, component] != 0]
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
