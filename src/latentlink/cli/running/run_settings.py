"""Settings of a run that determine its results, and their digest."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from typing import Any

from latentlink.cli.reading.data_file import DataOptions
from latentlink.errors import InputError
from latentlink.validation.numbers import checked_number, checked_share

__all__ = ["FitSettings", "parsed_ranks", "parsed_shape"]

_MOST_RANK = 10_000


@dataclass(frozen=True, kw_only=True)
class FitSettings:
    """What determines the results of a run, besides the data and the versions of the libraries.

    Attributes
    ----------
    data : DataOptions
    method : str
        "auto", or a name of `latentlink.estimators.METHODS`.
    logistic : bool
    ranks : str or None
        As `parsed_ranks` takes it.
    bisect : bool
    members : int or None
    components : bool or None
        Fit a factorization beside a stack; None where it takes a few minutes at most.
    device : str or None
        Where a factorization is fitted, as the ``device`` of a solver; None for the CPU.
    negatives : float or None
        Non-links to draw for each link.
    seed : int
    time_limit : float or None
        Seconds.
    calibration : {"auto", "cross", "split", "none"}
    fdr : float or None
    risk : float
    base_rate : float or None
    level : float or None
        The coverage of intervals of values; None is that of `ConformalIntervals`.
    top : int
        Number of links to list.
    image_shape : str or None
        Height and width of images whose pixels are the rows, as `parsed_shape` takes it.
    """

    data: DataOptions = field(default_factory=DataOptions)
    method: str = "auto"
    logistic: bool = False
    ranks: str | None = None
    bisect: bool = False
    members: int | None = None
    components: bool | None = None
    device: str | None = None
    negatives: float | None = None
    seed: int = 0
    time_limit: float | None = None
    calibration: str = "auto"
    fdr: float | None = None
    risk: float = 0.05
    base_rate: float | None = None
    level: float | None = None
    top: int = 10_000
    image_shape: str | None = None

    def __post_init__(self) -> None:
        for name in ("risk", "fdr", "base_rate", "level"):
            if getattr(self, name) is not None:
                checked_share(getattr(self, name), f"--{name.replace('_', '-')}")
        if self.negatives is not None:
            what = ", the number of non-links for every link"
            checked_number(self.negatives, "--negatives", 0, above=True, meaning=what)
        if self.time_limit is not None and self.time_limit != math.inf:
            checked_number(self.time_limit, "--time-limit", 0, above=True, meaning=" of seconds")

    def as_dict(self) -> dict[str, Any]:
        """Return the settings as plain values, those of the data among the others."""
        settings = asdict(self)
        data = settings.pop("data")
        return {**settings, **data.pop("columns"), **data}

    def digest(self) -> str:
        """Return the SHA-256 of the settings."""
        return sha256(json.dumps(self.as_dict(), sort_keys=True).encode()).hexdigest()


def parsed_ranks(text: str | None, bisect: bool) -> Any:
    """Return the ranks that a text names: a number, a list or a range, which includes its end.

    Examples
    --------
    >>> parsed_ranks("2:5", False), parsed_ranks("3", False), parsed_ranks("2,4,8", False)
    (range(2, 6), (3,), (2, 4, 8))
    >>> parsed_ranks("2:16", True)
    Bisect(high=16, low=2)
    """
    from latentlink.rank import Bisect

    if text is None:
        return Bisect() if bisect else None
    low, colon, high = text.partition(":")
    parts = [low, high] if colon else text.split(",")
    if not all(part.strip().isdecimal() and part.isascii() for part in parts):
        raise InputError(f"--ranks is {text!r}; expected a number, a list or a range: 5, or 2,4,8, or 1:20.")
    numbers = [int(part) for part in parts]
    if not all(1 <= number <= _MOST_RANK for number in numbers) or (colon and numbers[0] > numbers[1]):
        raise InputError(f"--ranks is {text!r}; expected ascending ranks from 1 to {_MOST_RANK:,}.")
    if bisect and not colon:
        raise InputError(f"--ranks is {text!r} with --bisect; expected a range, such as 1:64.")
    if bisect:
        return Bisect(*numbers)
    return range(numbers[0], numbers[1] + 1) if colon else tuple(numbers)


def parsed_shape(text: str | None) -> tuple[int, int] | None:
    """Return height and width of images.

    Examples
    --------
    >>> parsed_shape("20x30")
    (20, 30)
    """
    if text is None:
        return None
    parts = text.lower().split("x")
    if len(parts) != 2 or not all(part.isdecimal() and part.isascii() and int(part) > 0 for part in parts):
        raise InputError(f"--image-shape is {text!r}; expected height and width, such as 20x30.")
    return int(parts[0]), int(parts[1])
