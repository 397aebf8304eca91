"""The base class of solvers with non-negative factors."""

from __future__ import annotations

import numpy as np

from latentlink.errors import IncompatibleError
from latentlink.factors import Factors
from latentlink.network import Ensemble
from latentlink.solvers.base import Solver
from latentlink.solvers.starts import nndsvd_start, random_start
from latentlink.strategy import strategy
from latentlink.validation.choices import check_choice

__all__ = ["NonNegative"]


@strategy
class NonNegative(Solver):
    """A solver with factors >= 0 and a random or NNDSVD start.

    Parameters
    ----------
    max_iter, tol, precision, extrapolate
        As for `Solver`.
    init : {"random", "nndsvd"}
        Start: uniform numbers scaled to the data, or the positive parts of singular vectors.
    """

    init: str = "random"

    def check_settings(self) -> None:
        """Raise IncompatibleError for settings out of range."""
        super().check_settings()
        check_choice(self, "init", ("random", "nndsvd"))

    def check_start(self, factors: Factors) -> None:
        """Raise IncompatibleError for a start with negative or infinite factors."""
        super().check_start(factors)
        least = min(factors.W.min(), factors.H.min())
        if least < 0:
            raise IncompatibleError(
                f"{self} needs factors >= 0, but a start has {least:g}. Clip it at 0, or leave out the start."
            )

    def start(self, ensemble: Ensemble, member: int, rank: int, rng: np.random.Generator) -> Factors:
        """Return factors whose product has the mean of the known values."""
        size = ensemble.member_mean(member)
        if self.init == "random":
            return random_start(ensemble, rank, size, rng)
        return nndsvd_start(ensemble, member, rank, 0.0, size)
