"""What the non-negative solvers without biases share."""

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
    """A solver whose factors are >= 0 and begin at random or at an NNDSVD."""

    init: str = "random"

    def check_settings(self) -> None:
        """Refuse settings that make no sense."""
        super().check_settings()
        check_choice(self, "init", ("random", "nndsvd"))

    def check_start(self, factors: Factors) -> None:
        """Refuse factors that this solver cannot go on from."""
        super().check_start(factors)
        least = min(factors.W.min(), factors.H.min())
        if least < 0:
            raise IncompatibleError(f"{self} needs factors >= 0, but a start has {least:g}.")

    def start(self, ensemble: Ensemble, member: int, rank: int, rng: np.random.Generator) -> Factors:
        """Begin with factors whose product has the mean of the known values."""
        size = ensemble.member_mean(member)
        if self.init == "random":
            return random_start(ensemble, rank, size, rng)
        return nndsvd_start(ensemble, member, rank, 0.0, size)
