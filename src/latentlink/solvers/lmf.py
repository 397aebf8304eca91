"""Logistic matrix factorization."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from latentlink.factors import Factors
from latentlink.network import Ensemble
from latentlink.network.network import Network
from latentlink.solvers.base import Solver
from latentlink.solvers.descent.blocks import Block
from latentlink.solvers.descent.coordinate_sweeps import Descent
from latentlink.solvers.descent.packing import biased_coordinates
from latentlink.solvers.descent.sweeps import Sweeps
from latentlink.solvers.links import MOST_SAMPLED, logit_of_links, with_listed_non_links
from latentlink.solvers.starts import signed_start
from latentlink.strategy import strategy
from latentlink.validation.bounds import MOST_CYCLES, MOST_ITERATIONS
from latentlink.validation.choices import check_switch
from latentlink.validation.numbers import check_number

__all__ = ["LMF"]


@strategy
class LMF(Solver):
    """Logistic matrix factorization: probabilities of links from factors and biases.

        minimise  - sum over listed  w_ij [ x_ij log p_ij + (1 - x_ij) log(1 - p_ij) ]
                  + ridge / 2 (|W|^2 + |H|^2 + |b|^2 + |c|^2),

        p_ij = sigmoid(sum_c W_ic H_cj + b_i + c_j + mu),

    where mu is the logit of the fraction of links (section 3.2 of the paper has mu = 0: ``centred=False``).
    Each row is updated by coordinate descent on a quadratic upper bound of its loss, so the loss never rises
    and there is no step length to choose. The logistic loss cannot be summed by Gram matrices: unlisted pairs
    of a background are listed, all of them if they are few, otherwise a weighted sample.

    Parameters
    ----------
    max_iter, tol, precision, extrapolate
        As for `Solver`.
    ridge : float or "auto"
        Penalty of factors and biases. "auto" is chosen by a rank search; a solver on its own takes 1.
    centred : bool
        Whether mu is the logit of the fraction of links, so that the penalty shrinks predictions to that
        fraction; else mu is 0, and they shrink to one half.
    cycles : int
        How often the coordinates of a row are updated before the next row.
    background_sample : int or None
        Number of unlisted pairs to sample if there are more than that. None is ten times the known links
        or the rows or columns, whichever are most, from 10,000 to 1,000,000.
    background_seed : int
        Seed of the sample.

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
    background_sample: int | None = None
    background_seed: int = 0

    needs_binary: ClassVar[bool] = True
    biased: ClassVar[bool] = True
    logistic: ClassVar[bool] = True
    on_devices: ClassVar[bool] = True
    plain_ridge: ClassVar[float] = 1.0
    ridge_grid: ClassVar[tuple[float, ...]] = (0.3, 1.0, 2.0, 4.0)

    def check_settings(self) -> None:
        """Raise IncompatibleError for settings out of range."""
        super().check_settings()
        check_number(self, "cycles", 1, MOST_CYCLES, whole=True)
        check_switch(self, "centred")
        if self.background_sample is not None:
            check_number(self, "background_sample", 1, MOST_ITERATIONS, whole=True)
        check_number(self, "background_seed", 0, whole=True)

    def prepared(self, ensemble: Ensemble) -> Ensemble:
        """Return the ensemble with the pairs of the background listed, or a weighted sample of them."""
        return with_listed_non_links(ensemble, self.background_sample, self.background_seed)

    def for_new_rows(self, network: Network) -> tuple[Solver, int]:
        """Return LMF for the transposed problem, and a batch small enough to list all unlisted pairs."""
        shared = LMF().get_params().keys() & self.get_params().keys()
        solver = LMF(**{name: getattr(self, name) for name in shared})
        row, col = self.penalties
        solver = solver.with_penalties(col, row).until_converged()
        if not network.background:
            return solver, max(1, network.shape[0])
        columns = network.shape[1]
        sample = max(self.background_sample or MOST_SAMPLED, 3 * columns)
        # Two more rows are added to every batch of new rows.
        return solver.set_params(background_sample=sample), sample // columns - 2

    def offset(self, ensemble: Ensemble, member: int) -> float:
        """Return the logit of the fraction of links, or 0 without centring."""
        return logit_of_links(ensemble, member) if self.centred else 0.0

    def start(self, ensemble: Ensemble, member: int, rank: int, rng: np.random.Generator) -> Factors:
        """Return random factors whose product has a standard deviation of half a logit; biases are 0."""
        return signed_start(ensemble, rank, 0.5, rng)

    def sweeps(self, block: Block, rows: NDArray[Any], cols: NDArray[Any], offsets: NDArray[Any]) -> Sweeps:
        """Return coordinate descent of factors and biases on the quadratic bound."""
        ridge = (self.ridge_of(block), self.ridge_of(block))
        row_coordinates = biased_coordinates(rows, True, ridge, -np.inf, offsets)
        col_coordinates = biased_coordinates(cols, False, ridge, -np.inf, offsets)
        return Descent(block, rows, cols, row_coordinates, col_coordinates, logistic=True, cycles=self.cycles)
