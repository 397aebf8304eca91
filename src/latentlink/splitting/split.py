"""The record of one split into training, test and calibration parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.network import Network, Step

__all__ = ["Split", "split_at"]


@dataclass(frozen=True, slots=True)
class Split:
    """A network split into a training, a test and optionally a calibration part.

    Attributes
    ----------
    train : Network
        The whole network, with the entries of the other parts hidden (weight 0): unknown, whatever the
        background.
    test : Network
        The entries held out for testing; all others are unknown.
    calibration : Network or None
        The entries held out for calibration; all others are unknown.
    """

    train: Network
    test: Network
    calibration: Network | None = None

    def __repr__(self) -> str:
        parts = [f"{self.train.n_known:,} to train", f"{self.test.n_listed:,} to test"]
        if self.calibration is not None:
            parts.append(f"{self.calibration.n_listed:,} to calibrate")
        return "Split: " + ", ".join(parts)


def split_at(
    network: Network,
    name: str,
    test: NDArray[np.integer[Any]],
    calibration: NDArray[np.integer[Any]] | None = None,
    note: str = "",
) -> Split:
    """Return the split that holds out the listed entries at the given positions."""
    held_out = test if calibration is None else np.concatenate([test, calibration])
    step = Step(
        name, len(held_out), f"Held out {len(held_out):,} of {network.n_known:,} known entries{note}."
    )
    return Split(
        network.hide(held_out).with_step(step),
        _only(network, test, step),
        None if calibration is None else _only(network, calibration, step),
    )


def _only(network: Network, positions: NDArray[np.integer[Any]], step: Step) -> Network:
    return network.subset(np.sort(positions)).with_background(0.0).with_step(step)
