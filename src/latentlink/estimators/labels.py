"""Labels of frames, as names of rows and columns."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError

__all__ = ["frame_names", "refuse_other_labels"]

Names = NDArray[np.str_]


def frame_names(X: Any) -> tuple[Names | None, Names | None]:
    """Return names of rows and columns by a frame's labels; None where it has none worth keeping.

    Labels 0, 1, 2, ... are no names. Others are, as text; a part of a larger frame keeps its rows' labels so.
    Labels that repeat tell no rows apart and are left out.

    Examples
    --------
    >>> import pandas
    >>> frame_names(pandas.DataFrame([[1], [2]], index=[7, 9], columns=["tea"]))
    (array(['7', '9'], dtype='<U1'), array(['tea'], dtype='<U3'))
    """
    return _names(_labels(X, "index")), _names(_labels(X, "columns"))


def refuse_other_labels(X: Any, mask: Any) -> None:
    """Refuse a mask whose labels are not those of the data: it would hide other entries than meant."""
    for side in ("index", "columns"):
        one, other = _labels(X, side), _labels(mask, side)
        if one is not None and other is not None and one != other:
            raise InputError(
                f"The {side} of the data and of the mask differ; expected the same labels in the same order. "
                "Align the mask first: mask.reindex_like(X)."
            )


def _labels(X: Any, side: str) -> list[Any] | None:
    """Return the labels of a frame; lists and arrays have other things by the same names."""
    if not hasattr(X, "columns"):
        return None
    found = getattr(X, side, None)
    if side == "columns":
        found = getattr(X, "column_names", found)
    return None if found is None or callable(found) else list(found)


def _names(labels: list[Any] | None) -> Names | None:
    if labels is None or labels == list(range(len(labels))):
        return None
    words = [str(label) for label in labels]
    if len(set(words)) < len(words) or not all(words):
        return None
    return np.array(words, dtype=np.str_)
