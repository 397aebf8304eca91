"""The record of a prediction: score, spread and abstention for each pair."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.tables import frame_from
from latentlink.validation.wording import counted

__all__ = ["Prediction"]

_COLUMNS = {"row": "rows", "column": "cols", "score": "score", "spread": "spread", "abstained": "abstained"}


@dataclass(frozen=True, eq=False, repr=False)
class Prediction:
    """Scores of pairs with their spread, and where the model abstains.

    Attributes
    ----------
    rows, cols : arrays of int or str, shape (pairs,)
        The pairs, by index or by name.
    score : array, shape (pairs,)
    spread : array, shape (pairs,)
        Standard deviation of the members' scores, U in the paper.
    abstained : array of bool, shape (pairs,)
        Where the model abstains.
    threshold : float
        The spread above which it abstains.

    Examples
    --------
    >>> prediction = Prediction(
    ...     np.array(["ann", "bob"]), np.array(["tea", "tea"]), np.array([0.9, 0.4]), np.array([0.02, 0.3]),
    ...     np.array([False, True]), 0.1,
    ... )
    >>> prediction
    Prediction: 2 pairs, 1 answered (spread up to 0.1)
    >>> prediction.coverage
    0.5
    >>> prediction.to_frame()
       row column  score  spread  abstained
    0  ann    tea    0.9    0.02      False
    1  bob    tea    0.4    0.30       True
    """

    rows: NDArray[Any]
    cols: NDArray[Any]
    score: NDArray[np.float64]
    spread: NDArray[np.float64]
    abstained: NDArray[np.bool_]
    threshold: float

    def __post_init__(self) -> None:
        shapes = {column.name: np.shape(getattr(self, column.name)) for column in fields(self)[:-1]}
        if len(set(shapes.values())) > 1 or len(shapes["rows"]) != 1:
            listed = ", ".join(f"{name} {shape}" for name, shape in shapes.items())
            raise InputError(
                f"The arrays of a prediction have the shapes {listed}; expected one shape for all, (pairs,)."
            )

    def __len__(self) -> int:
        return len(self.score)

    @property
    def answered(self) -> NDArray[np.bool_]:
        """Where the model does not abstain."""
        return ~self.abstained

    @property
    def f_abstain(self) -> float:
        """Share of the pairs on which the model abstains; NaN if there are no pairs."""
        return float(self.abstained.mean()) if len(self) else float("nan")

    @property
    def coverage(self) -> float:
        """Share of the pairs that are answered; NaN if there are no pairs."""
        return 1 - self.f_abstain

    def to_dict(self) -> dict[str, NDArray[Any]]:
        """Return the columns row, column, score, spread and abstained."""
        return {name: getattr(self, part) for name, part in _COLUMNS.items()}

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the columns of `to_dict` as a data frame with one row for each pair.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            By default the first of them that is installed.
        """
        return frame_from(self.to_dict(), backend)

    def __repr__(self) -> str:
        pairs, answered = counted(len(self), "pair"), int(np.count_nonzero(self.answered))
        return f"Prediction: {pairs}, {answered:,} answered (spread up to {self.threshold:.4g})"
