"""Figures of the report for print, by matplotlib; their data are those of the page."""

from __future__ import annotations

from typing import Any

import numpy as np

from latentlink.errors import IncompatibleError, InputError
from latentlink.report.gather import shown_components
from latentlink.report.sections.factorizers import factorizers_of, unwrapped
from latentlink.report.sections.held_out import HeldOutPairs
from latentlink.report.sections.rank_section import rank_section
from latentlink.report.sections.risk_section import reliability_table, risk_table
from latentlink.scoring import Calibrated
from latentlink.tables import Table
from latentlink.validation.wording import shortened

__all__ = ["draw_components", "draw_ranks", "draw_reliability", "draw_risk_coverage"]

_ACCENT, _SECOND, _GREY = "#0064a6", "#b84a00", "#566270"  # as in the page, safe for colour-blind readers
_LONGEST = 18  # characters of a name
_ACROSS = 4  # components side by side


def draw_ranks(model: Any, axes: Any = None) -> Any:
    """Plot stability and held-out error over the ranks, one panel each; the choice is marked."""
    inner = unwrapped(model)
    parts = factorizers_of(inner)
    # A factorization whose rank was given has a single point, which is no curve.
    name, part = next((each for each in parts if len(each[1].path_) > 1), parts[0])
    _, tables = rank_section(inner)
    own = tables["ranks"]["model"] == name
    ranks = {column: values[own] for column, values in tables["ranks"].columns.items()}
    if axes is None:
        _, axes = _pyplot().subplots(2, 1, figsize=(5.5, 4.5), sharex=True, layout="constrained")
    above, below = axes
    above.plot(ranks["rank"], ranks["stability"], "o-", color=_ACCENT)
    above.set_ylabel("stability")
    below.errorbar(
        ranks["rank"], ranks["held_out_error"], ranks["standard_error"], fmt="s-", color=_SECOND, capsize=3
    )
    below.set_ylabel("held-out error")
    below.set_xlabel("number of components")
    below.xaxis.get_major_locator().set_params(integer=True)
    above.set_title(f"{name}: rank {part.rank_} ({part.choice_.status})", loc="left")
    for each in (above, below):
        each.axvline(part.rank_, color=_GREY, linestyle="--", zorder=0)
        _clean(each)
    return axes


def draw_reliability(calibrated: Any, axes: Any = None) -> Any:
    """Plot the observed share of links over the predicted probability, with the diagonal."""
    held_out = _held_out(calibrated)
    table = reliability_table(held_out) if held_out.has_both_labels else None
    if table is None:
        raise IncompatibleError(
            "A reliability curve compares probabilities with links and non-links, of which at least two each "
            "are needed among the calibration pairs. For real values plot the risk and the coverage."
        )
    ax = _axes(axes, (4.5, 4.5))
    ax.plot([0, 1], [0, 1], color=_GREY, linestyle="--", linewidth=1)
    ax.plot(table["predicted"], table["observed"], "o-", color=_ACCENT)
    ax.set(xlim=(0, 1), ylim=(0, 1), xlabel="predicted probability", ylabel="observed share of links")
    ax.set_aspect("equal")
    return _clean(ax)


def draw_risk_coverage(calibrated: Any, axes: Any = None) -> Any:
    """Plot the error among the pairs answered over the share of pairs that are answered."""
    held_out = _held_out(calibrated)
    nothing = Table({"score": np.zeros(0), "spread": np.zeros(0)})
    table = risk_table(held_out, nothing)
    ax = _axes(axes, (5.5, 3.6))
    ax.plot(table["coverage"], table["risk"], color=_ACCENT)
    ax.fill_between(table["coverage"], table["risk"], color=_ACCENT, alpha=0.12, linewidth=0)
    ax.set(xlim=(0, 1), xlabel="coverage: share of pairs answered", ylabel=f"risk: {held_out.unit}")
    ax.set_ylim(bottom=0)
    return _clean(ax)


def draw_components(model: Any, image_shape: tuple[int, int] | None = None) -> Any:
    """Plot each component as bars of its largest loadings, or as an image."""
    facts, tables = shown_components(unwrapped(model), None, image_shape)
    if not facts:
        raise IncompatibleError(f"{type(model).__name__} has no components to plot.")
    images = facts["components"].get("images")
    sides = ["images"] if images else facts["components"]["sides"]
    count = len(images["pixels"]) if images else facts["components"]["shown"]
    across = min(count, _ACROSS)
    lines = -(-count // across)
    figure, panels = _pyplot().subplots(
        lines * len(sides),
        across,
        figsize=(2.6 * across, 2.3 * lines * len(sides)),
        squeeze=False,
        layout="constrained",
    )
    for panel in panels.flat:
        panel.set_axis_off()
    for component in range(count):
        line, place = divmod(component, across)
        for number, side in enumerate(sides):
            panel = panels[line * len(sides) + number][place]
            panel.set_axis_on()
            panel.set_title(
                f"component {component}" + ("" if len(sides) == 1 else f", {side}"), fontsize="small"
            )
            if images:
                _draw_image(panel, images, component)
            else:
                _draw_members(panel, tables["members"], component, side)
    return figure


def _draw_image(panel: Any, images: dict[str, Any], component: int) -> None:
    pixels = np.array(images["pixels"][component]).reshape(images["height"], images["width"])
    panel.imshow(pixels, cmap="Blues", interpolation="nearest")
    panel.set_xticks([])
    panel.set_yticks([])


def _draw_members(panel: Any, members: Table, component: int, side: str) -> None:
    own = (members["component"] == component) & (members["side"] == side)
    loadings = members["loading"][own][::-1]
    panel.barh(np.arange(len(loadings)), loadings, color=np.where(loadings < 0, _SECOND, _ACCENT), height=0.6)
    names = [_short(name) for name in members["node"][own][::-1].tolist()]
    panel.set_yticks(np.arange(len(loadings)), names, fontsize="x-small", parse_math=False)
    panel.tick_params(axis="x", labelsize="x-small")
    _clean(panel)


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}\N{HORIZONTAL ELLIPSIS}"


def _held_out(calibrated: Any) -> HeldOutPairs:
    if not isinstance(calibrated, Calibrated):
        raise InputError(
            f"calibrated is {shortened(calibrated)}; expected what calibrate or cross_calibrate returned."
        )
    return HeldOutPairs.of(calibrated)


def _pyplot() -> Any:
    try:
        from matplotlib import pyplot
    except ImportError:
        raise InputError('Plots need matplotlib: pip install "latentlink[plots]".') from None
    return pyplot


def _axes(axes: Any, size: tuple[float, float]) -> Any:
    return _pyplot().subplots(figsize=size, layout="constrained")[1] if axes is None else axes


def _clean(ax: Any) -> Any:
    """Remove the frame lines that carry nothing."""
    ax.spines[["top", "right"]].set_visible(False)
    return ax
