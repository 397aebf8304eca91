"""Records of Gibbs sampling: the draws of one chain, and the convergence of all chains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from latentlink.factors import Factors
from latentlink.solvers.posterior.mixing import effective_sizes, split_r_hats
from latentlink.validation.wording import counted

__all__ = ["LARGEST_R_HAT", "LEAST_EFFECTIVE_SIZE", "Chain", "Posterior", "chains_apart"]

Array = NDArray[Any]

LARGEST_R_HAT = 1.1  # of nine in ten scores; above it chains have not mixed
# Of nine in ten scores: S independent draws tell a spread to 1 / sqrt(2 S) of it, which is a tenth.
LEAST_EFFECTIVE_SIZE = 50
_APART = 4.0  # deviations of a single draw
_OF_NORMAL = 1.4826  # deviation of a normal variable, of its median absolute deviation


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
    node_noise : two arrays, shapes (rows,) and (columns,), or None
        Relative standard deviations of the noise of rows and columns, where these differ.
    losses : array, shape (draws,)
        Loss of each draw.
    """

    draws: tuple[Factors, ...]
    noise: Array
    trace: Array
    node_noise: tuple[Array, Array] | None = None
    losses: Array = field(default_factory=lambda: np.zeros(0))

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
    row_noise, col_noise : arrays, shapes (rows,) and (columns,)
        Relative standard deviations of the noise of rows and of columns; empty where all are 1.
    r_hat_of_all : float
        R-hat as `r_hat`, with the chains that were set aside; NaN if none were.
    """

    chains: int
    noise: Array
    r_hats: Array
    effective_sizes: Array
    row_noise: Array = field(default_factory=lambda: np.zeros(0))
    col_noise: Array = field(default_factory=lambda: np.zeros(0))
    r_hat_of_all: float = float("nan")

    @classmethod
    def of(cls, chains: Sequence[Chain], aside: Sequence[Chain] = ()) -> Posterior:
        """Summarise some chains, without those that were set aside but for their R-hat."""
        traces = np.stack([chain.trace for chain in chains])
        noise = np.concatenate([chain.noise for chain in chains])
        differing = [chain.node_noise for chain in chains if chain.node_noise is not None]
        sides = [np.sqrt(np.mean(np.square(side), axis=0)) for side in zip(*differing, strict=True)]
        found = cls(len(chains), noise, split_r_hats(traces), effective_sizes(traces), *sides)
        return replace(found, r_hat_of_all=cls.of([*chains, *aside]).r_hat) if aside else found

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
        """Standard deviation of an entry of weight 1 around the score, of an average row and column."""
        return float(self.noise_of(np.array([-1]), np.array([-1]))[0])

    def noise_of(self, rows: Array, cols: Array, symmetric: bool = False) -> Array:
        """Return the standard deviation of each pair's value of weight 1 around its score.

        An index of -1 is a node that is not known, which has the noise of all nodes on average.
        """
        level = float(np.sqrt(np.mean(self.noise**2)))
        if not len(self.row_noise):
            return np.full(len(rows), level)
        # The last one is that of -1.
        r, c = (np.append(side**2, np.mean(side**2)) for side in (self.row_noise, self.col_noise))
        variances = (r[rows] * c[cols] + r[cols] * c[rows]) / 2 if symmetric else r[rows] * c[cols]
        return level * np.sqrt(variances)

    @property
    def is_mixed(self) -> bool:
        """Whether the chains have mixed, as far as they tell; not if they are too short to tell."""
        return self.r_hat <= LARGEST_R_HAT

    @property
    def is_long(self) -> bool:
        """Whether the sweeps are worth enough independent draws."""
        return self.effective_size >= LEAST_EFFECTIVE_SIZE

    def summary(self) -> str:
        """Return the convergence in words, with its numbers."""
        aside = "" if np.isnan(self.r_hat_of_all) else f" ({self.r_hat_of_all:.2f} with chains set aside)"
        return (
            f"{counted(len(self.noise), 'draw')} of {counted(self.chains, 'chain')}, of nine in ten scores "
            f"R-hat at most {self.r_hat:.2f}{aside} and effective sample size at least "
            f"{self.effective_size:.0f}"
        )


def chains_apart(chains: Sequence[Chain], negligible: float) -> tuple[int, ...]:
    """Return chains that stay in a mode of much larger loss, at most the upper half of them.

    The mean loss of their draws is above twice the lower quartile of all chains, and above the median draw of
    the lower half by more than four deviations of a single draw of these, by their median absolute deviation.
    So a chain is judged by all of its draws, and one that has mixed is kept even if its draws depend on each
    other completely. A loss of at most ``negligible`` is none.
    """
    means = [float(np.mean(chain.losses)) for chain in chains]
    order = np.argsort(means, kind="stable")
    half = (len(order) + 1) // 2
    losses = np.concatenate([chains[p].losses for p in order[:half]])
    centre = float(np.median(losses))
    deviation = _OF_NORMAL * float(np.median(np.abs(losses - centre)))
    bound = max(negligible, 2 * means[order[len(order) // 4]], centre + _APART * deviation)
    return tuple(sorted(int(p) for p in order[half:] if not means[p] <= bound))
