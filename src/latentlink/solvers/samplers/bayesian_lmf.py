"""Bayesian logistic matrix factorization: draws from the posterior of factors and biases of links."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from latentlink.factors import Factors
from latentlink.kernels import Mirror
from latentlink.network import Ensemble, Network
from latentlink.solvers.base import Solved
from latentlink.solvers.descent.blocks import Block
from latentlink.solvers.links import logit_of_links, with_listed_non_links
from latentlink.solvers.lmf import LMF
from latentlink.solvers.needs import listed_factors
from latentlink.solvers.posterior.chain_sweeps import ChainSweeps
from latentlink.solvers.posterior.logistic_sweeps import LogisticSweeps, logit_units
from latentlink.solvers.samplers.sampler import Sampler
from latentlink.solvers.starts import signed_start
from latentlink.strategy import strategy
from latentlink.validation.bounds import MOST_ITERATIONS
from latentlink.validation.choices import check_switch
from latentlink.validation.numbers import check_number

__all__ = ["BayesianLMF"]

Array = NDArray[Any]


@strategy
class BayesianLMF(Sampler):
    """Bayesian logistic matrix factorization: probabilities of links as means over draws.

        P(x_ij = 1) = sigmoid( sum_c W_ic H_cj + b_i + c_j + mu ),

        b_i, c_j ~ Normal(0, bias_scale^2),   W_ic, H_cj ~ Normal(0, product_scale / sqrt(rank)),

    where mu is the logit of the fraction of links, so that the sum over all components has the prior
    deviation ``product_scale``, in logits, at any rank. Each member of an ensemble is one chain of Gibbs
    sampling, and contributes several draws. Given Polya-Gamma variables, one for each pair, rows and columns
    are normal (`latentlink.kernels.posterior.augmentation`). The score of a pair is the mean over draws of
    its probability. A weight w counts as w equal pairs.

    The logistic likelihood cannot be summed by Gram matrices: unlisted pairs of a background are listed, all
    of them if they are few, otherwise a weighted sample. An undirected pair is listed in both directions with
    half its weight; `BayesianSymLMF` has one factor for each node instead.

    Parameters
    ----------
    max_iter, burn_in, draws, tol, extrapolate, precision
        As for `Sampler`, by default 200 sweeps of each chain, 60 of them burn-in.
    bias_scale, product_scale : float
        Prior standard deviations of biases and of the sum over all components, in logits.
    learned : bool
        Whether mean and covariance of rows and of columns are learned, by normal-Wishart priors whose units
        are these deviations. It predicted worse on networks of tested links; see `docs/decisions.md`.
    background_sample, background_seed
        As for `LMF`.

    Examples
    --------
    >>> from latentlink import Network
    >>> network = Network.from_dense([[1, 1, 0], [1, np.nan, 0], [0, 0, 1]])
    >>> solved = BayesianLMF().solve(network, 1, 0)
    >>> len(solved.draws), bool(solved.score(1, 1)[0] > 0.5)
    (12, True)
    """

    max_iter: int = 200
    burn_in: int = 60
    bias_scale: float = 1.0
    product_scale: float = 4.0
    learned: bool = False
    background_sample: int | None = None
    background_seed: int = 0

    needs_binary: ClassVar[bool] = True
    biased: ClassVar[bool] = True
    logistic: ClassVar[bool] = True
    usual_rank: ClassVar[int] = 6

    def check_settings(self) -> None:
        """Raise IncompatibleError for settings out of range."""
        super().check_settings()
        for name in ("bias_scale", "product_scale"):
            check_number(self, name, 0, above=True)
        check_switch(self, "learned")
        if self.background_sample is not None:
            check_number(self, "background_sample", 1, MOST_ITERATIONS, whole=True)
        check_number(self, "background_seed", 0, whole=True)

    def prepared(self, ensemble: Ensemble) -> Ensemble:
        """Return the ensemble with the pairs of the background listed, or a weighted sample of them."""
        return with_listed_non_links(ensemble, self.background_sample, self.background_seed)

    def offset(self, ensemble: Ensemble, member: int) -> float:
        """Return the logit of the fraction of links."""
        return logit_of_links(ensemble, member)

    def start(self, ensemble: Ensemble, member: int, rank: int, rng: np.random.Generator) -> Factors:
        """Return random factors whose product has a standard deviation of one logit."""
        del member
        return signed_start(ensemble, rank, 1.0, rng)

    def mirror(self, rank: int, dtype: Any) -> Mirror | None:
        """Return how the column of a node is a copy of its row; None with factors of either side."""
        del rank, dtype
        return None

    def chain_sweeps(
        self, block: Block, rows: Array, cols: Array, offsets: Array, rngs: Sequence[np.random.Generator]
    ) -> ChainSweeps:
        """Return draws of factors and biases, and of their priors if these are learned."""
        rank = rows.shape[1] - 2
        units = logit_units(rank, self.bias_scale, self.product_scale)
        mirror = self.mirror(rank, rows.dtype)
        return LogisticSweeps(block, (rows, cols), rngs, offsets, units, mirror, self.learned)

    def refit(self, data: Network | Ensemble, centre: Factors | Sequence[Factors]) -> Solved:
        """Return the most probable columns given the rows, under the prior that is not learned."""
        rank = listed_factors(centre)[0].rank
        return self.most_probable(rank).refit(data, centre)

    def most_probable(self, rank: int) -> LMF:
        """Return the solver of the most probable factors: LMF, with the inverse prior variance as its ridge.

        The prior of biases is that of the factors, of which LMF has one ridge.
        """
        variance = float(logit_units(rank, self.bias_scale, self.product_scale)[1]) ** 2
        return LMF(
            ridge=1 / variance,
            precision=self.precision,
            background_sample=self.background_sample,
            background_seed=self.background_seed,
        )
