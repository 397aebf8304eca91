"""Bayesian logistic factorization of undirected networks: one factor and one bias for each node."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from latentlink.errors import IncompatibleError
from latentlink.factors import Factors
from latentlink.kernels import Mirror
from latentlink.network import Ensemble
from latentlink.solvers.links import component_signs, node_mirror, warn_of_self_loops, without_self_loops
from latentlink.solvers.samplers.bayesian_lmf import BayesianLMF
from latentlink.strategy import strategy
from latentlink.validation.numbers import check_number

__all__ = ["BayesianSymLMF"]


@strategy
class BayesianSymLMF(BayesianLMF):
    """Bayesian logistic factorization of an undirected network.

        P(x_ij = 1) = sigmoid( sum_c s_c U_ic U_jc + b_i + b_j + mu ),   s_c = 1 or -1,

        b_i ~ Normal(0, bias_scale^2),   U_ic ~ Normal(0, product_scale / sqrt(rank)),

    with draws as for `BayesianLMF`. A pair is one fact, and a node has one factor: given the others it is
    normal, so that nodes are drawn one after the other, each given those before it as they are drawn.
    Components of sign -1 link nodes that are unlike, as `SymLMF` has it. Self loops are left out of the fit,
    with a warning.

    Parameters
    ----------
    max_iter, burn_in, draws, tol, extrapolate, precision, bias_scale, product_scale, learned, \
    background_sample, background_seed
        As for `BayesianLMF`.
    repelling : float
        Fraction of components of sign -1, rounded down to whole components.

    Examples
    --------
    >>> from latentlink import Network
    >>> pairs = [("a", "b", 1), ("b", "c", 1), ("a", "c", 1), ("c", "d", 0), ("a", "d", 0)]
    >>> network = Network.from_edges(pairs, symmetric=True)
    >>> solved = BayesianSymLMF().solve(network, 1, 0)
    >>> bool(solved.score(1, 3)[0] < 0.5)
    True
    """

    repelling: float = 0.0

    needs_symmetric: ClassVar[bool] = True

    def check_settings(self) -> None:
        """Raise IncompatibleError for settings out of range."""
        super().check_settings()
        check_number(self, "repelling", 0)
        if self.repelling > 1:
            raise IncompatibleError(
                f"BayesianSymLMF has repelling={self.repelling!r}; expected a fraction from 0 to 1."
            )

    def prepared(self, ensemble: Ensemble) -> Ensemble:
        """Return the ensemble with the background listed and self loops hidden."""
        warn_of_self_loops(ensemble, "BayesianSymLMF", "BayesianLMF")
        return without_self_loops(super().prepared(ensemble))

    def start(self, ensemble: Ensemble, member: int, rank: int, rng: np.random.Generator) -> Factors:
        """Return one random factor for each node; biases are 0."""
        factors = super().start(ensemble, member, rank, rng)
        zeros = np.zeros(len(factors.W))
        signs = component_signs(rank, self.repelling)
        return replace(factors, H=(factors.W * signs).T, row_bias=zeros, col_bias=zeros)

    def mirror(self, rank: int, dtype: Any) -> Mirror | None:
        """Return how the column of a node is a copy of its row."""
        return node_mirror(component_signs(rank, self.repelling), dtype)
