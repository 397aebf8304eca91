"""Symmetric logistic matrix factorization: one factor and one bias for each node."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import IncompatibleError
from latentlink.factors import Factors
from latentlink.network import Ensemble
from latentlink.solvers.descent.blocks import Block
from latentlink.solvers.descent.coordinate_sweeps import MirroredDescent
from latentlink.solvers.descent.packing import biased_coordinates
from latentlink.solvers.descent.sweeps import Sweeps
from latentlink.solvers.links import component_signs, node_mirror, warn_of_self_loops, without_self_loops
from latentlink.solvers.lmf import LMF
from latentlink.strategy import strategy
from latentlink.validation.numbers import check_number

__all__ = ["SymLMF"]


@strategy
class SymLMF(LMF):
    """Symmetric logistic matrix factorization of an undirected network.

        p_ij = sigmoid( sum_c s_c U_ic U_jc + b_i + b_j + mu ),   s_c = 1 or -1,

    with the loss of `LMF` for each unordered pair and its penalty for each node, both counted once. Nodes
    that are alike in a component of sign -1 are linked less (as a lock links to keys, not to locks);
    ``repelling`` is the fraction of such components. The score of a self loop would be the square of a node's
    own factor: self loops are left out of the fit, with a warning.

    Parameters
    ----------
    max_iter, tol, precision, extrapolate, ridge, centred, cycles, background_sample, background_seed
        As for `LMF`, with nodes in place of rows and columns.
    repelling : float
        Fraction of components of sign -1, rounded down to whole components.

    Examples
    --------
    >>> from latentlink import Network
    >>> pairs = [("a", "b", 1), ("b", "c", 1), ("a", "c", 1), ("c", "d", 0), ("a", "d", 0)]
    >>> network = Network.from_edges(pairs, symmetric=True)
    >>> model = SymLMF(ridge=0.1).solve(network, 1, 0).members[0]
    >>> bool(model.score(1, 3)[0] < 0.5)
    True
    """

    repelling: float = 0.0

    needs_symmetric: ClassVar[bool] = True
    on_devices: ClassVar[bool] = False  # a node that was updated is used by the nodes after it

    def check_settings(self) -> None:
        """Raise IncompatibleError for settings out of range."""
        super().check_settings()
        check_number(self, "repelling", 0)
        if self.repelling > 1:
            raise IncompatibleError(
                f"SymLMF has repelling={self.repelling!r}; expected a fraction from 0 to 1."
            )

    def prepared(self, ensemble: Ensemble) -> Ensemble:
        """Return the ensemble with the background listed and self loops hidden."""
        warn_of_self_loops(ensemble, "SymLMF", "LMF")
        return without_self_loops(super().prepared(ensemble))

    def start(self, ensemble: Ensemble, member: int, rank: int, rng: np.random.Generator) -> Factors:
        """Return one random factor for each node; biases are 0."""
        factors = super().start(ensemble, member, rank, rng)
        zeros = np.zeros(len(factors.W))
        return replace(factors, H=(factors.W * self.signs(rank)).T, row_bias=zeros, col_bias=zeros)

    def adopt_start(self, ensemble: Ensemble, member: int, start: Factors) -> Factors:
        """Return a start with one factor per node, the mean of its two factors, repelling components last.

        In general the order of components and the scale of rows against columns are free; here they are not.
        """
        start = super().adopt_start(ensemble, member, start)
        W, V = start.W, start.H.T
        sizes = [np.linalg.norm(side, axis=0) for side in (W, V)]
        ratio = np.sqrt(np.divide(sizes[1], sizes[0], out=np.ones(start.rank), where=sizes[0] * sizes[1] > 0))
        along = np.einsum("ic,ic->c", W, V)
        attracts = self._attracting(along)
        order = np.argsort(~attracts, kind="stable")
        if np.any(np.where(attracts, along, -along) < 0):
            raise IncompatibleError(
                f"{self} has {np.count_nonzero(~attracts)} repelling components of {start.rank}, but this "
                f"start has {np.count_nonzero(along < 0)}. Change repelling to match the start."
            )
        U = ((W * ratio + np.where(attracts, V, -V) / ratio) / 2)[:, order]
        bias = np.zeros(len(U))
        if start.row_bias is not None and start.col_bias is not None:
            bias = (start.row_bias + start.col_bias) / 2
        return replace(start, W=U, H=(U * self.signs(start.rank)).T, row_bias=bias, col_bias=bias)

    def project(self, centre: Factors) -> Factors:
        """Return a central model with one factor per node: H is W with the signs, rescaled."""
        W, V = centre.W, centre.H.T
        attracts = self._attracting(np.einsum("ic,ic->c", W, V))
        sizes = [np.linalg.norm(side, axis=0) for side in (W, V)]
        scale = np.divide(sizes[1], sizes[0], out=np.zeros(centre.rank), where=sizes[0] > 0)
        return replace(centre, H=(W * np.where(attracts, scale, -scale)).T)

    def _attracting(self, along: NDArray[Any]) -> NDArray[np.bool_]:
        """Mark the attracting components, as many as ``repelling`` leaves: those whose W and H agree most."""
        signs = self.signs(len(along))
        attracts = np.empty(len(along), bool)
        attracts[np.argsort(-along, kind="stable")] = signs > 0
        return attracts

    def signs(self, rank: int) -> NDArray[Any]:
        """Return the sign of each component, repelling ones last."""
        return component_signs(rank, self.repelling)

    def sweeps(self, block: Block, rows: NDArray[Any], cols: NDArray[Any], offsets: NDArray[Any]) -> Sweeps:
        """Return sweeps that update every node once, its column being a copy of its row with the signs."""
        size = rows.shape[1]
        ridge = (self.ridge_of(block), self.ridge_of(block))
        row_coordinates = biased_coordinates(rows, True, ridge, -np.inf, offsets)
        col_coordinates = biased_coordinates(cols, False, ridge, -np.inf, offsets)
        mirror = node_mirror(self.signs(size - 2), rows.dtype)
        return MirroredDescent(
            block, rows, cols, row_coordinates, col_coordinates, True, self.cycles, mirror=mirror
        )
