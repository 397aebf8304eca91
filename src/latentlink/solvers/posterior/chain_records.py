"""Records of Gibbs sampling: the draws of one chain, and the convergence of all chains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from latentlink.factors import Factors
from latentlink.solvers.posterior.mixing import effective_sizes, split_r_hats
from latentlink.validation.wording import counted

__all__ = ["LARGEST_R_HAT", "Chain", "Posterior"]

Array = NDArray[Any]

LARGEST_R_HAT = 1.1  # of nine in ten scores; above it chains have not mixed


@dataclass(frozen=True, eq=False)
class Chain:
    """The draws of one chain.

    Attributes
    ----------
    draws : tuple of Factors
        Models drawn after the burn-in, at equal distances.
    noise : array, shape (draws,)
        Standard deviation of an entry of weight 1 around the score, of each draw.
    trace : array, shape (sweeps, quantities)
        Scores of some pairs after every sweep since the burn-in; last, the logarithm of the noise.
    """

    draws: tuple[Factors, ...]
    noise: Array
    trace: Array

    def score(self, rows: ArrayLike, cols: ArrayLike) -> Array:
        """Return the mean score of each pair over the draws."""
        total: Array = sum(draw.score(rows, cols).astype(np.float64) for draw in self.draws)  # type: ignore[assignment]
        return total / len(self.draws)


@dataclass(frozen=True, eq=False)
class Posterior:
    """Noise and convergence of the chains of an ensemble.

    Attributes
    ----------
    chains : int
        Number of chains.
    noise : array, shape (draws,)
        Standard deviation of an entry of weight 1 around the score, of each draw of all chains.
    r_hats : array, shape (quantities,)
        Split R-hat of the scores of some pairs and, last, of the logarithm of the noise.
    effective_sizes : array, shape (quantities,)
        The number of independent draws that the sweeps of all chains after the burn-in are worth.
    """

    chains: int
    noise: Array
    r_hats: Array
    effective_sizes: Array

    @classmethod
    def of(cls, chains: Sequence[Chain]) -> Posterior:
        """Summarise some chains."""
        traces = np.stack([chain.trace for chain in chains])
        noise = np.concatenate([chain.noise for chain in chains])
        return cls(len(chains), noise, split_r_hats(traces), effective_sizes(traces))

    @property
    def r_hat(self) -> float:
        """Split R-hat that nine in ten scores do not exceed."""
        return float(np.quantile(self.r_hats[:-1], 0.9))

    @property
    def effective_size(self) -> float:
        """Effective number of draws that nine in ten scores have."""
        return float(np.quantile(self.effective_sizes[:-1], 0.1))

    @property
    def noise_level(self) -> float:
        """Standard deviation of an entry of weight 1 around the score: the root of the mean square."""
        return float(np.sqrt(np.mean(self.noise**2)))

    @property
    def is_mixed(self) -> bool:
        """Whether the chains have mixed, as far as they tell; not if they are too short to tell."""
        return self.r_hat <= LARGEST_R_HAT

    def summary(self) -> str:
        """Return the convergence in words, with its numbers."""
        return (
            f"{counted(len(self.noise), 'draw')} of {counted(self.chains, 'chain')}, of nine in ten scores "
            f"R-hat at most {self.r_hat:.2f} and effective sample size at least {self.effective_size:.0f}"
        )
