"""Panels with an image each."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from latentlink.network import Network

__all__ = ["dense", "show_image"]


def dense(network: Network) -> NDArray[np.float64]:
    """Return the values of a network as a matrix; entries that it does not have are 0."""
    matrix = np.zeros(network.shape)
    matrix[network.rows, network.cols] = network.values
    return matrix


def show_image(axes: Axes, image: NDArray[np.float64], *, largest: float = 1) -> Any:
    """Draw an image in shades of grey, dark where it is large, with a thin frame and without ticks."""
    shown = axes.imshow(image, cmap="Greys", vmin=0, vmax=largest, interpolation="nearest")
    axes.set(xticks=[], yticks=[])
    for spine in axes.spines.values():
        spine.set(visible=True, color="0.7", linewidth=0.5)
    return shown
