"""Tables for people: a data frame where there is a library for it."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.network.frames import frame_from

__all__ = ["table"]


def table(columns: dict[str, NDArray[Any]]) -> Any:
    """Return columns as a frame of the first library that is installed, or as they are if none is.

    Examples
    --------
    >>> import numpy as np
    >>> table({"row": np.array(["ann", "bob"]), "score": np.array([0.5, 0.25])})
       row  score
    0  ann   0.50
    1  bob   0.25
    """
    try:
        return frame_from(columns)
    except InputError:
        return columns
