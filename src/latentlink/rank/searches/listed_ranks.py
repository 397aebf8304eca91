"""Ranks that a user lists: whole numbers in any iterable, of which there may be many or no end."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from numbers import Integral
from typing import Any

import numpy as np

from latentlink.errors import IncompatibleError, warn_user
from latentlink.validation.bounds import MOST_RANKS

__all__ = ["as_range", "check_listed", "checked_listed", "up_to"]

_EXPECTED = (
    "expected whole numbers >= 1, such as range(1, 11), a search such as Bisect(1, 64), or None to search by "
    "doubling."
)
_LONGEST = 200


def check_listed(ranks: Any) -> None:
    """Raise IncompatibleError unless listed ranks are whole numbers >= 1.

    Of a range only the ends are looked at, since a search ends at the size of the data. An iterator is not
    looked at: it can be read only once, by the search.
    """
    if isinstance(ranks, range):
        checked_listed([ranks[0], ranks[-1]] if ranks else [])
    elif not isinstance(ranks, Iterator):
        checked_listed(ranks)


def checked_listed(ranks: Any) -> tuple[int, ...]:
    """Return the ranks of an iterable, or of a number; raise IncompatibleError unless they can be visited.

    Examples
    --------
    >>> checked_listed(range(1, 4)), checked_listed(3)
    ((1, 2, 3), (3,))
    """
    listed = _items(ranks)
    wrong = [rank for rank in listed if isinstance(rank, bool) or not isinstance(rank, Integral) or rank < 1]
    if wrong or not listed:
        first_wrong = f"{_shown(wrong[0])} among them" if wrong else "none"
        raise IncompatibleError(f"The ranks are {_shown(ranks)}, with {first_wrong}; {_EXPECTED}")
    if len(listed) > MOST_RANKS:
        raise IncompatibleError(
            f"The ranks are {_shown(ranks)}, more than {MOST_RANKS:,}; {_EXPECTED} Each of them would be "
            "fitted."
        )
    return tuple(int(rank) for rank in listed)


def as_range(ranks: Any) -> Any:
    """Return an array of consecutive whole numbers, such as ``np.arange(1, 40)``, as a range.

    Others are returned as they are: a list names its ranks, and so does an array of one rank or with gaps.

    Examples
    --------
    >>> as_range(np.arange(1, 40)), as_range([1, 2, 3]), as_range(np.array([3, 2]))
    (range(1, 40), [1, 2, 3], range(3, 1, -1))
    """
    if not isinstance(ranks, np.ndarray) or ranks.dtype.kind not in "iu" or ranks.ndim != 1 or len(ranks) < 2:
        return ranks
    first, second = ranks[:2].tolist()
    step = second - first
    whole = range(first, first + step * len(ranks), step) if abs(step) == 1 else range(0)
    return whole if np.array_equal(ranks, whole) else ranks


def up_to(ranks: range, max_rank: int) -> range:
    """Return the ranks of a range up to ``max_rank``; warn of the others.

    Examples
    --------
    >>> up_to(range(1, 4), 9)
    range(1, 4)
    """
    ascending = ranks if ranks.step > 0 else ranks[::-1]
    if not ascending or ascending[-1] <= max_rank:
        return ranks
    # By its ends, since a range may have more numbers than can be counted one by one.
    kept = range(ascending.start, min(ascending.stop, max_rank + 1), ascending.step)
    if not kept:
        raise IncompatibleError(
            f"The ranks are {_spelled(ranks)}, but the smaller side of the data is {max_rank}; expected "
            f"ranks up to {max_rank}. To visit larger ranks, list them: {', '.join(map(str, ranks[:2]))}."
        )
    warn_user(
        f"Of the ranks {_spelled(ranks)}, those above {max_rank}, the smaller side of the data, are left "
        "out. To visit larger ranks, list them one by one."
    )
    return kept


def _spelled(ranks: range) -> str:
    """Return the ranks of a range in words, whether it was written in Python or as an option.

    Examples
    --------
    >>> _spelled(range(1, 31)), _spelled(range(2, 9, 3))
    ('1 to 30', '2 to 8 in steps of 3')
    """
    ascending = ranks if ranks.step > 0 else ranks[::-1]
    steps = f" in steps of {ascending.step}" if ascending.step > 1 and len(ascending) > 1 else ""
    return f"{ascending[0]} to {ascending[-1]}{steps}"


def _items(ranks: Any) -> list[Any]:
    """Return the items of an iterable, one more than allowed at most, or the object itself if it is none."""
    if isinstance(ranks, Integral | str):
        return [ranks]
    try:
        return list(islice(ranks, MOST_RANKS + 1))
    except TypeError:
        return [ranks]


def _shown(ranks: Any) -> str:
    text = repr(ranks)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
