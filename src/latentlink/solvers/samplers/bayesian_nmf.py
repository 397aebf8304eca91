"""Bayesian non-negative matrix factorization: draws from the posterior of parts and noise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from latentlink.factors import Factors
from latentlink.network import Ensemble, Network
from latentlink.network.background import with_listed_diagonal
from latentlink.solvers.base import Solved, Solver
from latentlink.solvers.descent.blocks import Block
from latentlink.solvers.posterior.chain_sweeps import ChainSweeps
from latentlink.solvers.posterior.noise_level import NoiseLevel, known_counts
from latentlink.solvers.posterior.nonnegative_sweeps import NonnegativeSweeps
from latentlink.solvers.samplers.sampler import Sampler
from latentlink.solvers.starts import random_start
from latentlink.solvers.wnmf import WNMF
from latentlink.strategy import strategy

__all__ = ["BayesianNMF"]

Array = NDArray[Any]


@strategy
class BayesianNMF(Sampler):
    """Bayesian non-negative matrix factorization: members are draws of parts from the posterior.

        x_ij ~ Normal( sum_c W_ic H_cj,  noise^2 / w_ij ),

        W_ic ~ Exponential(a_c),   H_cj ~ Exponential(b_c),

    where the rates a_c and b_c and the noise are unknown too, with gamma priors wide in units of the data
    (Schmidt, Winther and Hansen 2009). Factors are not negative, so that components are parts, which are not
    rotated: they are matched one by one over draws. Given all else an entry of a factor is normal, truncated
    at 0. Weights are precisions; unlisted zeros of a background are entries of that weight, summed by Gram
    matrices. An undirected pair is listed in both directions with half its weight, and the noise is that of
    its value around the mean of both scores.

    Parameters
    ----------
    max_iter, burn_in, draws, tol, extrapolate, precision
        As for `Sampler`.

    Examples
    --------
    >>> from latentlink import Network
    >>> network = Network.from_dense([[5.0, 3.0, 4.0], [4.0, 2.0, 3.0], [3.0, np.nan, 2.0]])
    >>> solved = BayesianNMF().solve(network, 1, 0)
    >>> len(solved.draws), bool(solved.members[0].W.min() >= 0)
    (12, True)
    """

    needs_nonnegative: ClassVar[bool] = True
    rotates: ClassVar[bool] = False

    def prepared(self, ensemble: Ensemble) -> Ensemble:
        """Return the ensemble with the diagonal of an undirected background listed."""
        return with_listed_diagonal(ensemble)

    def start(self, ensemble: Ensemble, member: int, rank: int, rng: np.random.Generator) -> Factors:
        """Return random factors, whose product has the mean of the values."""
        return random_start(ensemble, rank, ensemble.member_mean(member), rng)

    def chain_sweeps(
        self, block: Block, rows: Array, cols: Array, offsets: Array, rngs: Sequence[np.random.Generator]
    ) -> ChainSweeps:
        """Return draws of factors, their scales and the noise."""
        del offsets
        ensemble, members = block.ensemble, block.members
        means = np.array([ensemble.member_mean(member) for member in members])
        sizes = np.hypot(means, [ensemble.member_std(member) for member in members])
        sizes = np.where(sizes > 0, sizes, 1.0)
        level = NoiseLevel(sizes, *known_counts(ensemble, members))
        return NonnegativeSweeps(block, (rows, cols), rngs, level, np.sqrt(sizes / rows.shape[1]))

    def refit(self, data: Network | Ensemble, centre: Factors | Sequence[Factors]) -> Solved:
        """Return the columns of least squared error, given the rows."""
        return self._least_squares().refit(data, centre)

    def for_new_rows(self, network: Network) -> tuple[Solver, int]:
        """Return least squares for new rows: their factors are fitted, not drawn."""
        return self._least_squares().for_new_rows(network)

    def _least_squares(self) -> WNMF:
        return WNMF(ridge=0.0, precision=self.precision)
