"""Non-negative matrix factorization with equal weights of known entries."""

from __future__ import annotations

from typing import Any, ClassVar

from numpy.typing import NDArray
from sklearn.base import clone

from latentlink.network import Ensemble
from latentlink.network.background import with_zeros_for_unknown
from latentlink.network.network import Network
from latentlink.solvers.base import Solver
from latentlink.solvers.descent.blocks import Block
from latentlink.solvers.descent.completed_sweeps import Completed
from latentlink.solvers.descent.coordinate_sweeps import Descent
from latentlink.solvers.descent.multiplicative_sweeps import Multiplied
from latentlink.solvers.descent.packing import plain_coordinates
from latentlink.solvers.descent.sweeps import Sweeps
from latentlink.solvers.nonnegative import NonNegative
from latentlink.solvers.wnmf import WNMF
from latentlink.strategy import strategy
from latentlink.validation.bounds import MOST_CYCLES
from latentlink.validation.choices import check_choice
from latentlink.validation.numbers import check_number

__all__ = ["NMF"]


@strategy
class NMF(NonNegative):
    """Non-negative matrix factorization under the Frobenius norm.

        minimise  sum over known  (x_ij - sum_c W_ic H_cj)^2   over W, H >= 0.

    Hidden and unknown entries have zero weight, unless ``missing="zero"``; unlisted entries are zeros with
    the weight of the background. On a fully known matrix this is the ordinary NMF of equation 1 of the paper.

    Parameters
    ----------
    max_iter, tol, precision, extrapolate
        As for `Solver`.
    init : {"random", "nndsvd"}
        Start: uniform numbers scaled to the data, or the positive parts of singular vectors.
    updates : {"descent", "multiplicative"}
        Exact coordinate descent (HALS), or the multiplicative updates of Lee and Seung, as in the paper,
        which need several times as many sweeps.
    missing : {"ignore", "zero"}
        Whether unknown entries have zero weight, or count as known zeros, as in the paper's baseline: they
        are predicted worse for it.
    cycles : int
        How often the coordinates of a row are updated before the next row. Gathering a row costs as much as
        updating it, and three cycles need less than half the sweeps of one.

    Examples
    --------
    >>> from latentlink import Network
    >>> network = Network.from_dense([[1.0, 2.0], [2.0, 4.0]])
    >>> model = NMF().solve(network, 1, 0).members[0]
    >>> model.score([0, 1], [1, 1]).round(3)
    array([2., 4.])
    """

    updates: str = "descent"
    missing: str = "ignore"
    cycles: int = 3

    needs_nonnegative: ClassVar[bool] = True
    needs_unit_weights: ClassVar[bool] = True

    def check_settings(self) -> None:
        """Raise IncompatibleError for settings out of range."""
        super().check_settings()
        check_choice(self, "updates", ("descent", "multiplicative"))
        check_choice(self, "missing", ("ignore", "zero"))
        check_number(self, "cycles", 1, MOST_CYCLES, whole=True)

    @property
    def on_devices(self) -> bool:  # type: ignore[override]
        """Whether updates run on devices: coordinate descent does."""
        return self.updates == "descent"

    @property
    def unknown_is_zero(self) -> bool:  # type: ignore[override]
        """Whether unknown entries count as zeros."""
        return self.missing == "zero"

    def prepared(self, ensemble: Ensemble) -> Ensemble:
        """Return the ensemble that is fitted, with unknown entries as zeros if they count as such."""
        return with_zeros_for_unknown(ensemble) if self.unknown_is_zero else ensemble

    @property
    def penalties(self) -> tuple[float, float]:
        """The penalties of W and of H, which are 0."""
        return 0.0, 0.0

    def for_new_rows(self, network: Network) -> tuple[Solver, int]:
        """Return WNMF without a ridge, which has the same loss and takes entries of any weight."""
        if self.unknown_is_zero:
            return super().for_new_rows(network)
        return WNMF(ridge=0.0).until_converged(), max(1, network.shape[0])

    def for_refit(self) -> Solver:
        """Return the solver with exact coordinate descent: a multiplicative step cannot leave a 0."""
        return clone(self).set_params(updates="descent")

    def sweeps(self, block: Block, rows: NDArray[Any], cols: NDArray[Any], offsets: NDArray[Any]) -> Sweeps:
        """Return descent by Gram matrices on a fully known matrix, by entries otherwise."""
        del offsets
        coordinates = plain_coordinates(rows.shape[1], block.width, self.precision)
        if self.updates == "multiplicative":
            return Multiplied(block, rows, cols, coordinates, coordinates)
        if block.all_known:
            return Completed(block, rows, cols, coordinates, coordinates)
        return Descent(block, rows, cols, coordinates, coordinates, cycles=self.cycles)
