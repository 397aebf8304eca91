"""A contender: how one package, with some settings, is fitted to training data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any

from numpy.typing import NDArray

from latentlink.network import Network

__all__ = ["Contender", "Predictor", "Prepare", "Run"]

Predictor = Callable[[NDArray[Any], NDArray[Any]], NDArray[Any]]
"""Scores of pairs by their rows and columns."""

Run = Callable[[], Predictor]
"""The fit that is measured; what a package needs the data in is made before."""

Prepare = Callable[..., Run]


@dataclass(frozen=True)
class Contender:
    """A method under the name that tables show.

    Attributes
    ----------
    name : str
    prepare : function
        Takes the training network, the rank and ``settings``, and returns the fit.
    settings : dict
    package : str
        The module that it needs, which may not be installed; "" for this library.
    left_out : str
        Why it is not run here, as a sentence, or "".
    """

    name: str
    prepare: Prepare
    settings: Mapping[str, Any] = field(default_factory=dict)
    package: str = ""
    left_out: str = ""

    @property
    def is_ours(self) -> bool:
        """Whether it is a method of this library."""
        return self.prepare.__module__ == "benchmarks.fits.ours"

    @property
    def obstacle(self) -> str:
        """Why it cannot be run, as a sentence, or ""."""
        if self.left_out:
            return self.left_out
        if self.package and find_spec(self.package) is None:
            return f"The package {self.package} is not installed."
        return ""

    def run_for(self, train: Network, rank: int) -> Run:
        """Return its fit to the training data."""
        return self.prepare(train, rank, **self.settings)
