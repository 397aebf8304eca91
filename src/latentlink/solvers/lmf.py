"""Logistic matrix factorization."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from latentlink.factors import Factors
from latentlink.network import Ensemble
from latentlink.network.background import with_listed_background
from latentlink.network.network import Network
from latentlink.solvers.base import Solver
from latentlink.solvers.descent.blocks import Block
from latentlink.solvers.descent.coordinate_sweeps import Descent
from latentlink.solvers.descent.packing import biased_coordinates
from latentlink.solvers.descent.sweeps import Sweeps
from latentlink.solvers.starts import signed_start
from latentlink.strategy import strategy
from latentlink.validation.choices import check_switch
from latentlink.validation.numbers import check_number

__all__ = ["LMF"]


@strategy
class LMF(Solver):
    """Logistic matrix factorization: the probability of a link from factors and biases.

        minimise  - sum over listed  w_ij [ x_ij log p_ij + (1 - x_ij) log(1 - p_ij) ]
                  + ridge / 2 (|W|^2 + |H|^2 + |b|^2 + |c|^2),

        p_ij = sigmoid(sum_c W_ic H_cj + b_i + c_j + mu),

    where mu is the logit of the share of links (section 3.2 of the paper has mu = 0: ``centred=False``). Each
    row is improved by coordinate descent on a parabola that bounds its loss, so the loss never rises and
    there is no step length to choose. The logistic loss has no Gram matrices: unlisted pairs of a background
    are listed, all of them while they are few, else a sample that stands for them.

    Parameters
    ----------
    max_iter : int
        Sweeps at the most.
    tol : float
        Stop when a sweep lowers the loss by less than this share of it.
    precision : {"float64", "float32"}
        Arithmetic of the factors.
    ridge : float or "auto"
        Penalty of factors and biases; "auto" leaves it to a rank search, a solver on its own takes 1.
    centred : bool
        Whether biases are pulled to the share of links rather than to one half.
    cycles : int
        How often a row's coordinates are gone through before the next row.
    background_sample : int
        Number of unlisted pairs that stand for a background of more than that many.
    background_seed : int
        Seed of their draw.

    Examples
    --------
    >>> from latentlink import Network
    >>> network = Network.from_dense([[1, 1, 0], [1, np.nan, 0], [0, 0, 1]])
    >>> model = LMF(ridge=0.1).solve(network, 1, 0).members[0]
    >>> bool(model.score(1, 1)[0] > 0.5)
    True
    """

    ridge: float | str = "auto"
    centred: bool = True
    cycles: int = 2
    background_sample: int = 1_000_000
    background_seed: int = 0

    needs_binary: ClassVar[bool] = True
    biased: ClassVar[bool] = True
    logistic: ClassVar[bool] = True
    plain_ridge: ClassVar[float] = 1.0
    ridge_grid: ClassVar[tuple[float, ...]] = (0.3, 1.0, 2.0, 4.0)

    def check_settings(self) -> None:
        """Refuse settings that make no sense."""
        super().check_settings()
        check_number(self, "cycles", 1, whole=True)
        check_switch(self, "centred")
        check_number(self, "background_sample", 1, whole=True)
        check_number(self, "background_seed", 0, whole=True)

    def prepared(self, ensemble: Ensemble) -> Ensemble:
        """List the background, or a sample that stands for it."""
        return with_listed_background(ensemble, self.background_sample, self.background_seed)

    def for_new_rows(self, network: Network) -> tuple[Solver, int]:
        """Return LMF for the transposed problem, for few enough rows to list all their unlisted pairs."""
        shared = LMF().get_params().keys() & self.get_params().keys()
        solver = self._transposed(LMF(**{name: getattr(self, name) for name in shared}))
        if not network.background:
            return solver, max(1, network.shape[0])
        columns = network.shape[1]
        sample = max(self.background_sample, 3 * columns)
        # Folding adds two rows to every batch.
        return solver.set_params(background_sample=sample), sample // columns - 2

    def offset(self, ensemble: Ensemble, member: int) -> float:
        """Return the logit of the share of links, or 0."""
        if not self.centred:
            return 0.0
        # A share of 0 or 1 has no logit: one entry more on either side keeps it finite.
        count = np.count_nonzero(ensemble.member_entries(member)[1])
        share = (ensemble.member_mean(member) * count + 0.5) / (count + 1)
        return float(np.log(share / (1 - share)))

    def start(self, ensemble: Ensemble, member: int, rank: int, rng: np.random.Generator) -> Factors:
        """Begin with biases of 0 and factors whose product spreads by half a logit."""
        return signed_start(ensemble, rank, 0.5, rng)

    def sweeps(self, block: Block, rows: NDArray[Any], cols: NDArray[Any], offsets: NDArray[Any]) -> Sweeps:
        """Improve factors and biases on the bounding parabola."""
        ridge = (self.ridge_of(block), self.ridge_of(block))
        on_rows = biased_coordinates(rows, True, ridge, -np.inf, offsets)
        on_cols = biased_coordinates(cols, False, ridge, -np.inf, offsets)
        return Descent(block, rows, cols, on_rows, on_cols, logistic=True, cycles=self.cycles)
