"""Sweeps of a block of members on a device, made from the sweeps of the host and their settings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from array_api_compat import array_namespace
from numpy.typing import NDArray

from latentlink.kernels import Coordinates, Listed
from latentlink.solvers.descent.completed_sweeps import Completed
from latentlink.solvers.descent.coordinate_sweeps import Descent
from latentlink.solvers.descent.sweeps import Sweeps
from latentlink.solvers.devices.array_device import ArrayDevice
from latentlink.solvers.devices.device_factor import DeviceFactor, DeviceMoving
from latentlink.solvers.devices.device_sums import balanced, device_gram, penalty_sums
from latentlink.solvers.devices.entry_terms import boolean_targets, logistic_terms, squared_terms
from latentlink.solvers.devices.gathered_entries import GatheredEntries
from latentlink.solvers.devices.masked_matrix import MaskedMatrix
from latentlink.solvers.devices.row_descent import Background, DeviceCoordinates, descended
from latentlink.solvers.devices.row_terms import Entries, RowTerms, Terms

__all__ = ["DeviceSweeps", "Side"]

# Share of listed entries from which a network is a matrix on a device: products of whole matrices take less
# than a quarter of the time of gathered ones, for each entry.
_DENSE = 0.25


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """The rows of a factorization on a device, or its columns.

    Attributes
    ----------
    held : DeviceFactor
    coordinates : DeviceCoordinates
    entries : Entries
        The listed entries of each of these rows.
    pull : array
        The penalties in the order of the entries.
    """

    held: DeviceFactor
    coordinates: DeviceCoordinates
    entries: Entries
    pull: Any

    @classmethod
    def of(cls, device: ArrayDevice, factor: NDArray[Any], own: Coordinates, entries: Entries) -> Side:
        """Copy a side to a device."""
        coordinates = DeviceCoordinates.of(device, own)
        pull = coordinates.pull
        held = DeviceFactor(device.put(np.moveaxis(factor, 2, 0)))
        return cls(held, coordinates, entries, entries.ordered(pull) if pull.shape[1] > 1 else pull)

    def pull_of(self, rows: slice) -> Any:
        """Return the penalties of some rows in the order of the entries."""
        return self.pull if self.pull.shape[1] == 1 else self.pull[:, rows, :]


class DeviceSweeps:
    """Coordinate descent of a block of members on a device, with the steps of `Descent` or `Completed`.

    Parameters
    ----------
    sweeps : Descent or Completed
        Data, starts and settings on the host.
    device : ArrayDevice
    """

    def __init__(self, sweeps: Sweeps, device: ArrayDevice) -> None:
        block = sweeps.block
        self.device, self._share = device, block.share
        self._divisor = sweeps.penalty_divisor
        self._logistic = isinstance(sweeps, Descent) and sweeps.logistic
        self._completed = isinstance(sweeps, Completed)
        self._cycles = sweeps.cycles if isinstance(sweeps, Descent) else 1
        self._terms = _terms_of(sweeps)
        rows, cols = _entries(device, sweeps)
        self.rows = Side.of(device, sweeps.rows, sweeps.row_coordinates, rows)
        self.cols = Side.of(device, sweeps.cols, sweeps.col_coordinates, cols)

    @property
    def state(self) -> tuple[DeviceFactor, DeviceFactor]:
        """The factors that sweeps change."""
        return self.rows.held, self.cols.held

    def moving_parts(self, whole: bool) -> list[DeviceMoving]:
        """Return the factors that are extrapolated, of the columns alone unless the ``whole`` is fitted."""
        sides = (self.rows, self.cols) if whole else (self.cols,)
        return [DeviceMoving(self.device, side.held, side.coordinates) for side in sides]

    def sweep(self) -> NDArray[np.float64]:
        """Update rows, then columns; return the loss before."""
        loss = self._rest() + self._improve(self.rows, self.cols)
        self._improve(self.cols, self.rows)
        if self.rows.coordinates.penalised and self.cols.coordinates.penalised:
            self.rows.held.value, self.cols.held.value = balanced(
                self.rows.held.value, self.cols.held.value, self.rows.coordinates, self.cols.coordinates
            )
        return self._on_host(loss)

    def sweep_cols(self) -> NDArray[np.float64]:
        """Update the columns, given the rows; return the loss before."""
        return self._on_host(self._rest() + self._improve(self.cols, self.rows))

    def loss(self) -> NDArray[np.float64]:
        """Return the current objective."""
        listed: Any = 0.0
        for part in self._parts(self.rows, self.cols, False):
            listed = listed + part.loss
        return self._on_host(self._rest() + listed)

    def factors(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return rows and columns on the host, shape (nodes, coordinates, members)."""
        rows, cols = (np.moveaxis(self.device.get(held.value), 0, 2) for held in self.state)
        return rows, cols

    def _on_host(self, loss: Any) -> NDArray[np.float64]:
        return np.asarray(self._share * self.device.get(loss), np.float64)

    def _parts(self, side: Side, other: Side, curved: bool) -> Iterator[RowTerms]:
        A = side.entries.ordered(side.held.value)
        yield from side.entries.row_terms(A, other.held.value, self._terms, curved)

    def _improve(self, side: Side, other: Side) -> Any:
        """Update all rows of a side, given the other; return the loss of their entries before."""
        B = other.held.value
        xp = array_namespace(B)
        entries, loss = side.entries, 0.0
        gram = device_gram(B)[:, None, :, :]
        # Of the same weights of all entries, or of the completed matrix, all rows have the same curvature.
        of_all = self._completed or (entries.unit and not self._logistic)
        parts = []
        for part in self._parts(side, other, not of_all):
            gradient, curvature, background = part.gradient, part.curvature, None
            if entries.base is not None:
                weighted = xp.astype(entries.base[..., None] * gram, B.dtype)
                gradient = gradient - xp.matmul(part.a, weighted[:, 0, :, :])
                if curvature is not None:
                    curvature = curvature + weighted
                    background = _background(weighted, entries, part.span)
            if curvature is None:
                curvature = xp.astype(gram, B.dtype)
            new = descended(
                part.a,
                (gradient, curvature),
                side.coordinates,
                side.pull_of(part.span),
                self._cycles,
                background,
            )
            parts.append(new)
            loss = loss + part.loss
        side.held.value = entries.restored(xp.concat(parts, axis=1))
        return loss

    def _rest(self) -> Any:
        """Return the penalties, and the loss of all pairs as background zeros."""
        rows, cols = self.rows, self.cols
        xp = array_namespace(rows.held.value)
        rest = xp.zeros(rows.held.shape[2], dtype=xp.float64, device=self.device.handle)
        for side in (rows, cols):
            own = side.coordinates
            if own.penalised:
                sums = penalty_sums(side.held.value, own)[:, own.first : own.last]
                rest = rest + xp.sum(sums, axis=1) / self._divisor
        if rows.entries.base is not None:
            grams = device_gram(rows.held.value) * device_gram(cols.held.value)
            rest = rest + rows.entries.base[:, 0, 0] * xp.sum(grams, axis=(1, 2))
        return rest


def _terms_of(sweeps: Sweeps) -> Terms:
    """Return the terms of the loss of some sweeps."""
    if isinstance(sweeps, Descent) and sweeps.logistic:
        return lambda z, x, weight, surplus: logistic_terms(z, x, weight)
    if isinstance(sweeps, Completed) and sweeps.bounds is not None:
        return partial(_boolean_terms, sweeps.bounds)
    return squared_terms


def _boolean_terms(
    bounds: tuple[float, float], z: Any, x: Any, weight: Any, surplus: Any | None
) -> tuple[Any, Any, Any]:
    return squared_terms(z, boolean_targets(z, x, bounds), weight, surplus)


def _background(weighted: Any, entries: Entries, span: slice) -> Background:
    """Return what the compiled kernel calls noise: the rounding error of a sum of so many entries."""
    xp = array_namespace(weighted)
    noise = float(xp.finfo(weighted.dtype).eps) * (16.0 + 4.0 * xp.sqrt(entries.degrees[span]))
    return Background(xp.linalg.diagonal(weighted), noise[:, None])


def _entries(device: ArrayDevice, sweeps: Sweeps) -> tuple[Entries, Entries]:
    """Return the entries by row and by column, as a matrix or gathered, by their density."""
    block = sweeps.block
    background: float | NDArray[Any] = block.background
    n, m = block.ensemble.network.shape
    if len(block.rows.indices) >= _DENSE * n * m:
        matrix = MaskedMatrix.of(device, block.rows, m, background)
        return matrix, matrix.transposed()
    size = sweeps.rows.shape[1]

    def gathered(listed: Listed) -> GatheredEntries:
        return GatheredEntries.of(device, listed, size, background)

    rows = gathered(block.rows)
    return rows, rows if block.cols is block.rows else gathered(block.cols)
