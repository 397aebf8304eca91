"""Bayesian probabilistic matrix factorization: draws from the posterior of factors, biases and noise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import IncompatibleError
from latentlink.factors import Factors
from latentlink.kernels import fixed_mode
from latentlink.network import Ensemble, Network
from latentlink.network.background import with_listed_diagonal
from latentlink.solvers.base import Solver
from latentlink.solvers.descent.blocks import Block, make_block, member_groups
from latentlink.solvers.descent.convergence import Convergence
from latentlink.solvers.descent.empty_lines import warn_of_empty_lines
from latentlink.solvers.descent.fit_blocks import Solved
from latentlink.solvers.descent.packing import pack, unpack
from latentlink.solvers.descent.sweeps import Sweeps
from latentlink.solvers.posterior.chain_records import Chain
from latentlink.solvers.posterior.conditional import conditional_columns
from latentlink.solvers.posterior.gibbs_sweeps import ChainData, GibbsSweeps, monitored_pairs
from latentlink.solvers.posterior.pattern_features import pattern_features
from latentlink.solvers.starts import signed_start
from latentlink.strategy import strategy
from latentlink.validation.bounds import MOST_SWEEPS
from latentlink.validation.choices import check_switch
from latentlink.validation.numbers import check_number

__all__ = ["BPMF"]

Array = NDArray[Any]

_MOST_FEATURES = 1000
_MONITORED = 200  # pairs whose scores tell whether chains have mixed


@strategy
class BPMF(Solver):
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
    ratings follow no pattern counts less. With a background neither is used.

    Each member of an ensemble is one chain of Gibbs sampling, and contributes several draws. Draws differ by
    what the data leave open: the mean of their scores is the prediction of least expected squared error, and
    their standard deviation says how much the model does not know. Unlisted zeros of a background are entries
    of that weight, summed by Gram matrices. An undirected pair is listed in both directions with half its
    weight.

    Parameters
    ----------
    max_iter : int
        Sweeps of each chain: in each, all factors, biases, their priors and the noise are drawn once.
    burn_in : int
        Sweeps before the first draw, in which a chain forgets its start.
    draws : int
        Draws of each chain, at equal distances after the burn-in; the last sweep is one of them.
    pattern_features : int
        Features of the pattern of known entries, for the prior means of rows and columns; 0 for none.
    node_noise : bool
        Whether rows and columns differ in their noise.
    tol, extrapolate
        0 and False: a chain does not converge to a point. See `latentlink.solvers.posterior.mixing`.
    precision : {"float64", "float32"}
        Precision of the sweeps. Draws are stored in single precision.

    Examples
    --------
    >>> from latentlink import Network
    >>> network = Network.from_dense([[5.0, 3.0, 4.0], [4.0, 2.0, 3.0], [3.0, np.nan, 2.0]])
    >>> solved = BPMF().solve(network, 1, 0)
    >>> len(solved.draws), bool(0 < solved.score(2, 1)[0] < 2)
    (12, True)
    """

    max_iter: int = 160
    burn_in: int = 50
    draws: int = 12
    pattern_features: int = 20
    node_noise: bool = False
    tol: float = 0.0
    extrapolate: bool = False

    biased: ClassVar[bool] = True
    samples: ClassVar[bool] = True

    @classmethod
    def for_members(cls) -> Self:
        """Return the solver as it is: a chain that is cut short does not represent the posterior."""
        return cls()

    def check_settings(self) -> None:
        """Raise IncompatibleError for settings out of range."""
        super().check_settings()
        check_number(self, "burn_in", 0, MOST_SWEEPS, whole=True)
        check_number(self, "draws", 1, MOST_SWEEPS, whole=True)
        check_number(self, "pattern_features", 0, _MOST_FEATURES, whole=True)
        check_switch(self, "node_noise")
        if self.burn_in + self.draws > self.max_iter:
            raise IncompatibleError(
                f"BPMF has burn_in={self.burn_in} and draws={self.draws} in max_iter={self.max_iter} sweeps; "
                f"expected at least {self.burn_in + self.draws} sweeps. Raise max_iter, or take fewer draws."
            )
        if self.tol or self.extrapolate:
            raise IncompatibleError(
                f"BPMF has tol={self.tol!r} and extrapolate={self.extrapolate!r}; expected 0 and False: "
                "draws do not converge to a point. Set max_iter, the number of sweeps."
            )

    def prepared(self, ensemble: Ensemble) -> Ensemble:
        """Return the ensemble with the diagonal of an undirected background listed."""
        return with_listed_diagonal(ensemble)

    def _solved(
        self,
        ensemble: Ensemble,
        begin: Callable[[int], Factors],
        rngs: Sequence[np.random.Generator],
        rank: int,
    ) -> Solved:
        """Run a chain for every member, from its start."""
        del rank
        warn_of_empty_lines(ensemble)
        chains: list[Chain] = []
        records: list[Convergence] = []
        with fixed_mode():
            for group in member_groups(ensemble.n_members, self.precision):
                block = make_block(ensemble, group, self.precision)
                own = self._run(block, [begin(member) for member in group], rngs)
                chains += own[0]
                records += own[1]
        return Solved(tuple(chain.draws[-1] for chain in chains), tuple(records), tuple(chains))

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

    def sweeps(self, block: Block, rows: Array, cols: Array, offsets: Array) -> Sweeps:
        """Raise: chains have no sweeps of descent."""
        raise IncompatibleError("BPMF samples by `solve`; it has no sweeps that minimise a loss.")

    def _run(
        self, block: Block, begin: Sequence[Factors], rngs: Sequence[np.random.Generator]
    ) -> tuple[list[Chain], list[Convergence]]:
        """Run the chains of a block."""
        ensemble, symmetric = block.ensemble, block.ensemble.network.symmetric
        rows, cols, offsets = pack(begin, block.width, True, self.precision)
        spreads = np.array([ensemble.member_std(member) for member in block.members])
        used = [rngs[member] for member in block.members[: len(begin)]]
        counts, weights = np.array([_known(ensemble, member) for member in block.members]).T
        features = pattern_features(ensemble, list(block.members[: len(begin)]), self.pattern_features)
        data = ChainData(spreads, counts, weights, features, self.node_noise)
        sweeps = GibbsSweeps(block, rows, cols, offsets, data, used)
        pairs = monitored_pairs(ensemble.network, _MONITORED)
        kept = set(np.linspace(self.max_iter - 1, self.burn_in - 1, self.draws, endpoint=False).astype(int))
        losses = [np.array([ensemble.member_squares(m, offsets[n]) for n, m in enumerate(block.members)])]
        draws: list[list[Factors]] = [[] for _ in begin]
        noise, trace = [], []
        for sweep in range(self.max_iter):
            losses.append(sweeps.sweep())
            deviation = 1 / np.sqrt(sweeps.tau)
            if sweep >= self.burn_in:
                trace.append(np.vstack([sweeps.scores(pairs, symmetric), np.log(deviation)]))
                sweeps.record()
            if sweep in kept:
                noise.append(deviation)
                for lane, own in enumerate(draws):
                    own.append(_single(unpack(rows, cols, lane, self, float(offsets[lane]), symmetric)))
        history, levels, loss = np.array(trace), np.array(noise), np.array(losses)
        chains = [
            Chain(tuple(own), levels[:, n], history[:, :, n].copy(), sweeps.node_noise(n))
            for n, own in enumerate(draws)
        ]
        return chains, [Convergence(self.max_iter, loss[:, n].copy(), True) for n in range(len(begin))]


def _single(factors: Factors) -> Factors:
    """Return a draw in single precision: its rounding is far below its spread."""
    parts = {name: getattr(factors, name).astype(np.float32) for name in ("W", "H", "row_bias", "col_bias")}
    return replace(factors, **parts)


def _known(ensemble: Ensemble, member: int) -> tuple[float, float]:
    """Return the number of known entries of a member and their total weight, unlisted zeros included."""
    network = ensemble.network
    weights = ensemble.member_entries(member)[1]
    unlisted = network.n_pairs - network.n_listed if network.background else 0
    return float(np.count_nonzero(weights) + unlisted), float(weights.sum() + network.background * unlisted)
