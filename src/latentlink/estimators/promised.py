"""A table of pairs with a promise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from latentlink.network.describe import counted
from latentlink.network.frames import frame_from

__all__ = ["Promised"]


@dataclass(frozen=True, eq=False, repr=False)
class Promised:
    """What is said of pairs, and what is promised of it.

    Attributes
    ----------
    columns : dict of arrays
        One number a pair in each.
    limits : str
        What is promised and what is not, in sentences.
    rule : object
        What was learned from the calibration pairs: thresholds, quantiles, counts.

    Examples
    --------
    >>> import numpy as np
    >>> found = Promised({"score": np.array([0.9, 0.2]), "answered": np.array([True, False])}, "...", None)
    >>> found["answered"].mean(), len(found)
    (np.float64(0.5), 2)
    >>> found
    score, answered of 2 pairs. ...
    """

    columns: dict[str, NDArray[Any]]
    limits: str
    rule: Any

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self.columns[name]

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the columns as a data frame, one line a pair.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            By default the first that is installed.
        """
        return frame_from(self.columns, backend)

    def __repr__(self) -> str:
        return f"{', '.join(self.columns)} of {counted(len(self), 'pair')}. {self.limits}"
