"""The mean spread of the entries that a model was fitted to: found once a fit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from latentlink.errors import IncompatibleError
from latentlink.estimators.scoring import Scorer
from latentlink.network import Network
from latentlink.network.describe import counted
from latentlink.uncertainty import spread_threshold

__all__ = ["TrainingMean", "require_spread"]


@dataclass(eq=False)
class TrainingMean:
    """The mean spread of one fit, shared by the estimator and all that was calibrated with it.

    It takes a pass over all training entries and all members, so it is found when it is first asked for.

    Attributes
    ----------
    model : Factors, or anything else that scores pairs
        Whose fit it belongs to: a new fit has another model.
    value : float or None
        The mean, once it is known.
    """

    model: Any
    value: float | None = None

    def of(self, scorer: Scorer, network: Network) -> float:
        """Return the mean spread of the network's known entries."""
        if self.value is None:
            self.value = spread_threshold(scorer.training_spread(network))
        return self.value


def require_spread(scorer: Scorer, what: str, otherwise: str = "") -> None:
    """Refuse what is judged by the spread where members cannot differ.

    Examples
    --------
    >>> require_spread(Scorer(None, (None,), True), "assess")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    latentlink.errors.IncompatibleError: assess judges by the spread of an ensemble, but this one has 1 ...
    """
    if len(scorer.members) < 2:
        raise IncompatibleError(
            f"{what} judges by the spread of an ensemble, but this one has "
            f"{counted(len(scorer.members), 'member')}, and one alone has no spread. Fit with n_perturbs=2 "
            f"or more; 16 is the default.{otherwise}"
        )
