"""The three choices that make a rank search real-valued or Boolean."""

from __future__ import annotations

from dataclasses import field, replace

from latentlink.errors import IncompatibleError
from latentlink.factors import Factors
from latentlink.regime.align import Align, CosineAlign, HammingAlign
from latentlink.regime.cells import Cells
from latentlink.regime.perturb import BooleanFlip, Perturb, UniformScale
from latentlink.regime.polish import flip_polish
from latentlink.regime.threshold import Otsu, Threshold
from latentlink.strategy import Strategy, strategy
from latentlink.validation.choices import check_choice, check_switch
from latentlink.validation.numbers import check_number

__all__ = ["Regime", "boolean", "real"]


@strategy
class Regime(Strategy):
    """How members are made to differ, cut, and compared.

    Parameters
    ----------
    perturb : Perturb
        How each member's data are changed.
    threshold : Threshold or None
        How factors are cut into 0 and 1; None leaves them real.
    align : Align
        How members' components are matched, and what their centre is.
    polish : bool
        Whether the centre is fitted further, on the whole network, and cut factors are improved by flips on
        known cells, so that their Boolean product has fewer errors; the paper does neither. Flips are left
        out where a model has more than its factors (biases, a logistic link).
    product : {"boolean", "sum"}
        What cut factors say together: 1 where some component does, or the sum W H, as in the paper's
        experiments. A model with biases always takes the sum. Flips polish the Boolean product in either
        case: the factors are the same, whatever is then said of cells that several components cover.
    starts : int
        Random starts of each member, of which the best is kept by the member's own loss.
    speckle : float
        Share of the known entries that each member is not shown, so that it can be judged by them.

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

    @property
    def is_boolean(self) -> bool:
        """Whether factors are cut."""
        return self.threshold is not None

    def check(self) -> None:
        """Refuse what does not belong into a slot."""
        kinds = {"perturb": Perturb, "threshold": Threshold | None, "align": Align}
        for name, kind in kinds.items():
            if not isinstance(getattr(self, name), kind):
                wanted = getattr(kind, "__name__", "Threshold or None")
                raise IncompatibleError(
                    f"Regime has {name}={getattr(self, name)!r}; expected an object of type {wanted}."
                )
        if self.threshold is None and isinstance(self.align, HammingAlign):
            raise IncompatibleError(
                "Regime has align=HammingAlign(), which compares factors of 0 and 1, but threshold=None "
                "leaves them real. Give it a threshold such as Otsu(), or align=CosineAlign()."
            )
        check_switch(self, "polish")
        check_choice(self, "product", ("boolean", "sum"))
        check_number(self, "starts", 1, whole=True)
        check_number(self, "speckle", 0)
        if self.speckle > 0.5:
            raise IncompatibleError(
                f"Regime has speckle={self.speckle}; expected a share of 0.5 at the most."
            )

    def binarize(self, factors: Factors, cells: Cells) -> Factors:
        """Cut the factors on what is known, and polish them; real ones stay."""
        self.check()
        if self.threshold is None:
            return factors
        cut = self.threshold.cut(factors, cells)
        if self.polish and cut.boolean:
            cut = flip_polish(cut, cells)
        return replace(cut, boolean=cut.boolean and self.product == "boolean")


def real(epsilon: float = 0.015) -> Regime:
    """Scale values at random, leave factors real, compare them by angle.

    Parameters
    ----------
    epsilon : float
        How far values move.

    Examples
    --------
    >>> real().is_boolean
    False
    """
    return Regime(perturb=UniformScale(epsilon=epsilon))


def boolean(threshold: Threshold | None = None, *, polish: bool = True, product: str = "boolean") -> Regime:
    """Flip known entries, cut the factors, compare them by the cells in which they differ.

    Parameters
    ----------
    threshold : Threshold
        `Otsu`, `KMeans` or `Search`; Otsu if none is given.
    polish : bool
        Whether cut factors are improved by flips; the paper's own form has none.
    product : {"boolean", "sum"}
        What cut factors say together.

    Examples
    --------
    >>> boolean().is_boolean
    True
    """
    cut = Otsu() if threshold is None else threshold
    return Regime(perturb=BooleanFlip(), threshold=cut, align=HammingAlign(), polish=polish, product=product)
