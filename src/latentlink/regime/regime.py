"""The regime of a rank search, real-valued or Boolean: perturbation, threshold and alignment."""

from __future__ import annotations

from dataclasses import field, replace
from typing import Any

import numpy as np

from latentlink.errors import IncompatibleError
from latentlink.factors import Factors
from latentlink.network import Network
from latentlink.network.value_range import bounded_range
from latentlink.regime.align import Align, CosineAlign, HammingAlign
from latentlink.regime.cells import Cells
from latentlink.regime.perturb import AsIs, BooleanFlip, Perturb, UniformScale
from latentlink.regime.polish import flip_polish
from latentlink.regime.rotation import RotationAlign
from latentlink.regime.threshold import Otsu, Threshold
from latentlink.strategy import Strategy, strategy
from latentlink.validation.bounds import MOST_STARTS
from latentlink.validation.choices import check_choice, check_switch, is_base
from latentlink.validation.numbers import check_number, is_range

__all__ = ["Regime", "boolean", "posterior", "real"]

_LARGEST = float(np.finfo(np.float32).max)


@strategy
class Regime(Strategy):
    """How the members of an ensemble are perturbed, binarized and aligned.

    Parameters
    ----------
    perturb : Perturb, default=UniformScale()
        Random perturbation of the data of each member.
    threshold : Threshold or None, default=None
        Binarizes the factors (Boolean regime); None leaves them real-valued.
    align : Align, default=CosineAlign()
        Matches the components of the members, and defines their centre.
    polish : bool, default=True
        In the real regime, whether the fit of the central model continues from the centre with all factors
        free. In the Boolean regime, whether binarized factors are improved by flips that lower the errors of
        their Boolean product on known cells (`flip_polish`), and the members at the chosen rank are Gibbs
        samples (`gibbs_sample`); models with biases or a logistic link are left out. The paper does none of
        this.
    product : {"boolean", "sum"}, default="boolean"
        Score of a binarized model: 1 if at least one component covers the pair, or the sum W H, as in the
        experiments of the paper. A model with biases always takes the sum. Flips minimise the errors of the
        Boolean product in either case, so that the factors are the same.
    starts : int, default=2
        Number of random starts of each member; the one of smallest loss is continued.
    speckle : float, default=0.1
        Share of the known entries held out of each member, which gives the held-out error; at most 0.5.
    set_aside : bool, default=True
        Whether members whose loss is far above the best are left out of centre, stability and errors: they
        ended in poor local minima. The paper keeps all.
    score_range : "auto", (float, float) or None, default="auto"
        Range to which scores are clipped, member by member. "auto" is the range of the known values where
        these are bounded by their scale, such as ratings or links and non-links
        (`latentlink.network.value_range`), at one end as counts or at both, but for binarized models without
        biases: those are 0 and 1, and with ``product="sum"`` the sums are wanted. One end of a pair may be
        infinite. None is no range. A fit is the same with any of them.

    Examples
    --------
    >>> regime = Regime().set_params(perturb__epsilon=0.03)
    >>> regime.perturb
    UniformScale(epsilon=0.03)
    """

    perturb: Perturb = field(default_factory=UniformScale)
    threshold: Threshold | None = None
    align: Align = field(default_factory=CosineAlign)
    polish: bool = True
    product: str = "boolean"
    starts: int = 2
    speckle: float = 0.1
    set_aside: bool = True
    score_range: str | tuple[float, float] | None = "auto"

    @property
    def is_boolean(self) -> bool:
        """Whether factors are binarized."""
        return self.threshold is not None

    @property
    def silhouette_distance(self) -> str:
        """Distance of components in silhouettes: that of the alignment, or Hamming for binarized factors."""
        return "hamming" if self.is_boolean else getattr(self.align, "silhouettes", "cosine")

    def check(self) -> None:
        """Raise IncompatibleError for parameters of a wrong type or out of range."""
        types = {"perturb": Perturb, "threshold": Threshold | None, "align": Align}
        for name, expected in types.items():
            if not isinstance(getattr(self, name), expected) or is_base(type(getattr(self, name))):
                type_name = getattr(expected, "__name__", "Threshold or None")
                raise IncompatibleError(
                    f"Regime has {name}={getattr(self, name)!r}; expected an object of type {type_name}."
                )
        if self.threshold is None and isinstance(self.align, HammingAlign):
            raise IncompatibleError(
                "Regime has align=HammingAlign(), which compares factors of 0 and 1, but threshold=None "
                "leaves them real. Set a threshold such as Otsu(), or align=CosineAlign()."
            )
        for part in (self.perturb, self.align, self.threshold):
            if part is not None:
                part.check_settings()
        check_switch(self, "polish")
        check_switch(self, "set_aside")
        check_choice(self, "product", ("boolean", "sum"))
        check_number(self, "starts", 1, MOST_STARTS, whole=True)
        check_number(self, "speckle", 0)
        if self.speckle > 0.5:
            raise IncompatibleError(f"Regime has speckle={self.speckle}; expected a share of at most 0.5.")
        self._check_score_range()

    def _check_score_range(self) -> None:
        ends: Any = self.score_range
        if ends is None or (isinstance(ends, str) and ends == "auto"):
            return
        if not is_range(ends):
            raise IncompatibleError(
                f'Regime has score_range={ends!r}; expected "auto", None, or the least and the greatest '
                'score, such as (1, 5), or (0, float("inf")) for one end alone.'
            )

    def bounds(self, network: Network, biased: bool = False) -> tuple[float, float] | None:
        """Return the range to which the scores of models of a network are clipped; None for no range."""
        if isinstance(self.score_range, str):
            return None if self.is_boolean and not biased else bounded_range(network)
        return None if self.score_range is None else (float(self.score_range[0]), float(self.score_range[1]))

    def binarize(self, factors: Factors, cells: Cells) -> Factors:
        """Binarize and polish the factors in the Boolean regime; return them as they are in the real one."""
        self.check()
        if self.threshold is None:
            return factors
        binarized = self.threshold.binarize(_finite(factors), cells)
        if self.polish and binarized.boolean:
            binarized = flip_polish(binarized, cells)
        return replace(binarized, boolean=binarized.boolean and self.product == "boolean")


def _finite(factors: Factors) -> Factors:
    """Return the factors of a member that diverged with large numbers for infinities, and 0 for no number.

    Thresholds compare values. A factorization without a ridge may overflow where next to nothing of a row is
    known; the member is judged by its held-out errors, like any other.
    """
    W, H = (
        side if np.isfinite(side).all() else np.nan_to_num(side, nan=0.0, posinf=_LARGEST, neginf=-_LARGEST)
        for side in (factors.W, factors.H)
    )
    return factors if W is factors.W and H is factors.H else replace(factors, W=W, H=H)


def real(epsilon: float = 0.015, *, score_range: str | tuple[float, float] | None = "auto") -> Regime:
    """Return the real-valued regime: random scaling of values, alignment by cosine.

    Parameters
    ----------
    epsilon : float, default=0.015
        Largest relative change of a value.
    score_range : "auto", (float, float) or None, default="auto"
        Range to which scores are clipped, see `Regime`.

    Examples
    --------
    >>> real().is_boolean
    False
    """
    return Regime(perturb=UniformScale(epsilon=epsilon), score_range=score_range)


def boolean(threshold: Threshold | None = None, *, polish: bool = True, product: str = "boolean") -> Regime:
    """Return the Boolean regime: flips of known entries, binarized factors, alignment by Hamming distance.

    Parameters
    ----------
    threshold : Threshold or None, default=None
        `Otsu`, `KMeans` or `Search`; None means ``Otsu()``.
    polish : bool, default=True
        Whether binarized factors are improved by flips (`flip_polish`); the paper has none.
    product : {"boolean", "sum"}, default="boolean"
        Score of a binarized model, see `Regime`.

    Examples
    --------
    >>> boolean().is_boolean
    True
    """
    chosen = Otsu() if threshold is None else threshold
    return Regime(
        perturb=BooleanFlip(), threshold=chosen, align=HammingAlign(), polish=polish, product=product
    )


def posterior(*, parts: bool = False, score_range: str | tuple[float, float] | None = "auto") -> Regime:
    """Return the regime of draws from a posterior: data as they are, alignment by rotation.

    A search over several ranks compares them by entries that are held out of each chain. The members at the
    chosen rank are drawn anew, given all known entries. A single rank needs no comparison: nothing is held
    out.

    Parameters
    ----------
    parts : bool, default=False
        Whether components are parts, as those of `latentlink.solvers.BayesianNMF`: they are then matched one
        by one.
    score_range : "auto", (float, float) or None, default="auto"
        Range to which scores are clipped, see `Regime`.

    Examples
    --------
    >>> posterior().perturb
    AsIs()
    """
    align = CosineAlign(centres="mean") if parts else RotationAlign()
    return Regime(perturb=AsIs(), align=align, starts=1, score_range=score_range)
