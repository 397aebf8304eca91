"""The base class of solvers whose members are chains of Gibbs sampling."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import IncompatibleError
from latentlink.factors import Factors
from latentlink.kernels import fixed_mode
from latentlink.network import Ensemble
from latentlink.solvers.base import Solver
from latentlink.solvers.descent.blocks import Block, make_block, member_groups
from latentlink.solvers.descent.convergence import Convergence
from latentlink.solvers.descent.empty_lines import warn_of_empty_lines
from latentlink.solvers.descent.fit_blocks import Solved
from latentlink.solvers.descent.packing import pack, unpack
from latentlink.solvers.descent.sweeps import Sweeps
from latentlink.solvers.posterior.chain_records import Chain
from latentlink.solvers.posterior.chain_sweeps import ChainSweeps
from latentlink.solvers.posterior.monitored_pairs import monitored_pairs
from latentlink.strategy import strategy
from latentlink.validation.bounds import MOST_SWEEPS
from latentlink.validation.numbers import check_number

__all__ = ["Sampler"]

Array = NDArray[Any]

_MONITORED = 200  # pairs whose scores tell whether chains have mixed


@strategy
class Sampler(Solver):
    """A solver whose members are chains of Gibbs sampling, of which each contributes several draws.

    A subclass implements `start` and `chain_sweeps`, and `refit` if columns can be fitted given rows. Blocks
    of chains, draws, traces and records are handled here.

    Parameters
    ----------
    max_iter : int
        Sweeps of each chain: in each, all that is unknown is drawn once.
    burn_in : int
        Sweeps before the first draw, in which a chain forgets its start.
    draws : int
        Draws of each chain, at equal distances after the burn-in; the last sweep is one of them.
    tol, extrapolate
        0 and False: a chain does not converge to a point. See `latentlink.solvers.posterior.mixing`.
    precision : {"float64", "float32"}
        Precision of the sweeps. Draws are stored in single precision.

    Attributes
    ----------
    usual_rank : int
        Number of components unless a rank is given, of the class.
    """

    max_iter: int = 160
    burn_in: int = 50
    draws: int = 12
    tol: float = 0.0
    extrapolate: bool = False

    samples: ClassVar[bool] = True
    rotates: ClassVar[bool] = True
    usual_rank: ClassVar[int] = 8

    @classmethod
    def for_members(cls) -> Self:
        """Return the solver as it is: a chain that is cut short does not represent the posterior."""
        return cls()

    def check_settings(self) -> None:
        """Raise IncompatibleError for settings out of range."""
        super().check_settings()
        check_number(self, "burn_in", 0, MOST_SWEEPS, whole=True)
        check_number(self, "draws", 1, MOST_SWEEPS, whole=True)
        name = type(self).__name__
        if self.burn_in + self.draws > self.max_iter:
            raise IncompatibleError(
                f"{name} has burn_in={self.burn_in} and draws={self.draws} in max_iter={self.max_iter} "
                f"sweeps; expected at least {self.burn_in + self.draws} sweeps. Raise max_iter, or take "
                "fewer draws."
            )
        if self.tol or self.extrapolate:
            raise IncompatibleError(
                f"{name} has tol={self.tol!r} and extrapolate={self.extrapolate!r}; expected 0 and False: "
                "draws do not converge to a point. Set max_iter, the number of sweeps."
            )

    @abstractmethod
    def chain_sweeps(
        self,
        block: Block,
        rows: Array,
        cols: Array,
        offsets: Array,
        rngs: Sequence[np.random.Generator],
    ) -> ChainSweeps:
        """Return the sweeps of a block of chains, which replace the packed factors.

        Parameters
        ----------
        block, rows, cols, offsets
            As for `Solver.sweeps`.
        rngs : sequence of Generator
            The generators of the first lanes; the others repeat the last of these.
        """

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

    def sweeps(self, block: Block, rows: Array, cols: Array, offsets: Array) -> Sweeps:
        """Raise: chains have no sweeps of descent."""
        raise IncompatibleError(
            f"{type(self).__name__} samples by `solve`; it has no sweeps that minimise a loss."
        )

    def _run(
        self, block: Block, begin: Sequence[Factors], rngs: Sequence[np.random.Generator]
    ) -> tuple[list[Chain], list[Convergence]]:
        """Run the chains of a block."""
        symmetric = block.ensemble.network.symmetric
        rows, cols, offsets = pack(begin, block.width, self.biased, self.precision)
        used = [rngs[member] for member in block.members[: len(begin)]]
        sweeps = self.chain_sweeps(block, rows, cols, offsets, used)
        pairs = monitored_pairs(block.ensemble.network, _MONITORED)
        kept = set(np.linspace(self.max_iter - 1, self.burn_in - 1, self.draws, endpoint=False).astype(int))
        losses = [sweeps.begin_loss(offsets)]
        draws: list[list[Factors]] = [[] for _ in begin]
        noise, trace = [], []
        for sweep in range(self.max_iter):
            sweeps.sweep()
            if sweep >= self.burn_in:
                trace.append(np.vstack([sweeps.scores(pairs, symmetric), sweeps.monitored()]))
                sweeps.record()
            if sweep in kept:
                losses.append(sweeps.loss())
                noise.append(sweeps.noise_level())
                for lane, own in enumerate(draws):
                    own.append(_single(unpack(rows, cols, lane, self, float(offsets[lane]), symmetric)))
        history, levels, loss = np.array(trace), np.array(noise), np.array(losses)
        chains = [
            Chain(tuple(own), levels[:, n], history[:, :, n].copy(), sweeps.node_noise(n), loss[1:, n].copy())
            for n, own in enumerate(draws)
        ]
        return chains, [Convergence(self.max_iter, loss[:, n].copy(), True) for n in range(len(begin))]


def _single(factors: Factors) -> Factors:
    """Return a draw in single precision: its rounding is far below its spread."""
    parts = {name: getattr(factors, name) for name in ("W", "H", "row_bias", "col_bias")}
    single = {name: part.astype(np.float32) for name, part in parts.items() if part is not None}
    return replace(factors, **single)
