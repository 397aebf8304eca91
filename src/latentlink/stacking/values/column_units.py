"""Units of the columns of a table: centres and scales, one of each where the columns are of one unit.

A factorization has one noise and one prior for the factors of all columns. Of a table with an area in the
thousands and a length below 1 it fits the area, and errs about the length by more than this varies. So
columns whose scales differ by more than a factor of 30, or whose means are further apart than 30 times the
median scale, are taken for columns of different units: all models see the columns less their means, divided
by their standard deviations, and scores are turned back.

Other tables are standardized as a whole, by one mean and one standard deviation. So a table in another unit,
or with a constant added, has the same scores in this unit: rounding errors do not grow with the values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.network import Network
from latentlink.stacking.values.value_kind import kind_of_values
from latentlink.validation.wording import shortened

__all__ = ["LEAST_RATIO", "ColumnUnits", "fault_of_units"]

Array = NDArray[Any]

LEAST_RATIO = 30.0  # of the largest scale to the smallest, or of the range of the means to the median scale
_LEAST_KNOWN = 10  # values of a column whose scale is compared
_LEAST_SHARE = 0.3  # known entries of a table
_ROUNDING = 8 * np.finfo(np.float64).eps  # of a mean: values that deviate by less are the same


@dataclass(frozen=True, eq=False)
class ColumnUnits:
    """Centres and scales of the columns of a table.

    Attributes
    ----------
    centres : array, shape (columns,)
        Means of the known values; of a column without any, the mean of all. Or the mean of all for each.
    scales : array, shape (columns,)
        Their standard deviations; 1 where these are 0. Or that of all for each.
    """

    centres: Array
    scales: Array

    @classmethod
    def of(cls, network: Network) -> ColumnUnits | None:
        """Return the units of the columns of a table; None if they are of one unit, or it is no table.

        Values on a scale, or between two ends, are of one unit.
        """
        n, m = network.shape
        if network.symmetric or network.square or network.n_known < _LEAST_SHARE * n * m:
            return None
        kind = kind_of_values(network)
        if np.isfinite([kind.low, kind.high]).all():
            return None
        known = network.known
        cols, values = network.cols[known], network.values[known]
        unit = _power_of_2(values)  # squares of values in this unit are finite
        values = values / unit
        counts = np.bincount(cols, minlength=m)
        there = np.maximum(counts, 1)
        centres = np.where(counts > 0, np.bincount(cols, values, minlength=m) / there, values.mean())
        scales = np.sqrt(np.bincount(cols, (values - centres[cols]) ** 2, minlength=m) / there)
        # The mean of equal numbers differs from them by rounding errors, of which each sum makes one.
        rounding = there * np.finfo(np.float64).eps * np.abs(centres)
        scales = np.where(scales > rounding, scales, 0.0)
        compared = (counts >= _LEAST_KNOWN) & (scales > 0)
        if not compared.any():
            return None
        ratio = scales[compared].max() / scales[compared].min()
        apart = np.ptp(centres[compared]) / np.median(scales[compared])
        if max(ratio, apart) < LEAST_RATIO:
            return None
        return cls(unit * centres, np.where(scales > 0, unit * scales, 1.0))

    @classmethod
    def of_all(cls, network: Network, centred: bool = True) -> ColumnUnits | None:
        """Return the mean and the standard deviation of all known values, for each column.

        Parameters
        ----------
        network : Network
        centred : bool
            Whether the mean is subtracted; models of values of at least 0 need it to be 0.

        Returns
        -------
        ColumnUnits or None
            None if all values are the same.
        """
        values = network.values[network.known]
        unit = _power_of_2(values)
        values = values / unit
        centre, scale = float(values.mean()), float(values.std())
        if scale <= _ROUNDING * abs(centre):
            return None
        each = np.ones(network.shape[1])
        return cls(each * (unit * centre if centred else 0.0), each * (unit * scale))

    @property
    def shared(self) -> bool:
        """Whether all columns are of one unit."""
        return bool(np.ptp(self.centres) == 0 and np.ptp(self.scales) == 0)

    def standardized(self, network: Network) -> Network:
        """Return a network of these columns with standardized values."""
        cols = network.cols
        return network.with_values((network.values - self.centres[cols]) / self.scales[cols])

    def scores(self, standardized: Array, cols: Any) -> Array:
        """Return scores of columns in their own units."""
        scores: Array = self.centres[cols] + self.scales[cols] * standardized
        return scores


def _power_of_2(values: Array) -> float:
    """Return the power of 2 at the largest size of a value: divided by it, values have the same digits."""
    exponent = np.frexp(np.abs(values).max(initial=0.0))[1]
    return float(np.ldexp(1.0, exponent - 1))


def fault_of_units(units: Any, columns: int) -> str | None:
    """Return what is wrong with loaded units of columns, None if nothing is."""
    if not isinstance(units, ColumnUnits):
        return f"{shortened(units)} as the units of its columns"
    for name in ("centres", "scales"):
        array = getattr(units, name)
        if not isinstance(array, np.ndarray) or array.dtype != np.float64 or array.shape != (columns,):
            return f"units of columns whose {name} are not an array of float64 of shape {(columns,)}"
        if not np.isfinite(array).all():
            return f"units of columns with {name} that are not finite"
    return None if (units.scales > 0).all() else "units of columns with scales that are not above 0"
