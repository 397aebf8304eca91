"""Bayesian probabilistic matrix factorization: draws from the posterior of factors, biases and noise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from latentlink.factors import Factors
from latentlink.network import Ensemble, Network
from latentlink.network.background import with_listed_diagonal
from latentlink.solvers.base import Solved
from latentlink.solvers.descent.blocks import Block
from latentlink.solvers.descent.convergence import Convergence
from latentlink.solvers.posterior.chain_sweeps import ChainSweeps
from latentlink.solvers.posterior.conditional import conditional_columns
from latentlink.solvers.posterior.gibbs_sweeps import ChainData, GibbsSweeps
from latentlink.solvers.posterior.noise_level import known_counts
from latentlink.solvers.posterior.pattern_features import pattern_features
from latentlink.solvers.samplers.sampler import Sampler
from latentlink.solvers.starts import signed_start
from latentlink.strategy import strategy
from latentlink.validation.choices import check_switch
from latentlink.validation.numbers import check_number

__all__ = ["BPMF"]

Array = NDArray[Any]

_MOST_FEATURES = 1000


@strategy
class BPMF(Sampler):
    """Bayesian probabilistic matrix factorization: members are draws from the posterior.

        x_ij ~ Normal(mu + b_i + c_j + sum_c W_ic H_cj,  noise^2 r_i s_j / w_ij),

        (W_i, b_i) ~ Normal(mean of rows + B' f_i, covariance of rows),   (H_j, c_j) likewise,

    where mu is the weighted mean of the known values, and means, covariances and the noise are unknown too:
    they have normal-Wishart priors and a gamma prior, wide in units of the data (Salakhutdinov and Mnih,
    2008). Weights are precisions, up to a common factor. Given the noise, an entry of weight 2 is the same as
    two equal entries of weight 1. Factors have either sign.

    The features f_i of a row say which of its entries are known (``pattern_features``): what a person rated
    says something about how. Their coefficients B are learned and shrunk, so that they vanish where holes are
    random. The factors r_i and s_j of the noise are learned too (``node_noise``), so that a person whose
    ratings follow no pattern counts less. With a background neither is used, in undirected networks no
    ``node_noise``.

    Each member of an ensemble is one chain of Gibbs sampling, and contributes several draws. Draws differ by
    what the data leave open: the mean of their scores is the prediction of least expected squared error, and
    their standard deviation says how much the model does not know. Unlisted zeros of a background are entries
    of that weight, summed by Gram matrices. An undirected pair is listed in both directions with half its
    weight, and the noise is that of its value around the mean of both scores.

    Parameters
    ----------
    max_iter, burn_in, draws, tol, extrapolate, precision
        As for `Sampler`: by default 160 sweeps of each chain, 50 of them burn-in, of which 12 draws are kept.
    pattern_features : int
        Features of the pattern of known entries, for the prior means of rows and columns; 0 for none.
    node_noise : bool
        Whether rows and columns differ in their noise; not in undirected networks, nor with a background.

    Examples
    --------
    >>> from latentlink import Network
    >>> network = Network.from_dense([[5.0, 3.0, 4.0], [4.0, 2.0, 3.0], [3.0, np.nan, 2.0]])
    >>> solved = BPMF().solve(network, 1, 0)
    >>> len(solved.draws), bool(0 < solved.score(2, 1)[0] < 2)
    (12, True)
    """

    pattern_features: int = 20
    node_noise: bool = False

    biased: ClassVar[bool] = True

    def check_settings(self) -> None:
        """Raise IncompatibleError for settings out of range."""
        super().check_settings()
        check_number(self, "pattern_features", 0, _MOST_FEATURES, whole=True)
        check_switch(self, "node_noise")

    def prepared(self, ensemble: Ensemble) -> Ensemble:
        """Return the ensemble with the diagonal of an undirected background listed."""
        return with_listed_diagonal(ensemble)

    def refit(self, data: Network | Ensemble, centre: Factors | Sequence[Factors]) -> Solved:
        """Return the conditional means of the columns, given the rows.

        The columns of the centre tell the prior, and its errors the noise.
        """
        ensemble, given = self._checked_centre(data, centre)
        begin = [self.adopt_start(ensemble, member, each) for member, each in enumerate(given)]
        fitted, losses = conditional_columns(ensemble, begin, begin, self.precision)
        records = (Convergence(1, np.repeat(loss, 2), True) for loss in losses)
        return Solved(tuple(fitted), tuple(records))

    def start(self, ensemble: Ensemble, member: int, rank: int, rng: np.random.Generator) -> Factors:
        """Return random factors, whose product has the spread of the values.

        From small factors a chain may stay where components explain nothing.
        """
        return signed_start(ensemble, rank, ensemble.member_std(member) or 1.0, rng)

    def chain_sweeps(
        self, block: Block, rows: Array, cols: Array, offsets: Array, rngs: Sequence[np.random.Generator]
    ) -> ChainSweeps:
        """Return draws of factors and biases, their priors and the noise."""
        ensemble, members = block.ensemble, block.members
        spreads = np.array([ensemble.member_std(member) for member in members])
        features = pattern_features(ensemble, list(members[: len(rngs)]), self.pattern_features)
        data = ChainData(spreads, *known_counts(ensemble, members), features, self.node_noise)
        return GibbsSweeps(block, rows, cols, offsets, data, rngs)
