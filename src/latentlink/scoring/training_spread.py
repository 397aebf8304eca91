"""The mean spread of the training entries, computed when it is first needed and then kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from latentlink.network import Network
from latentlink.scoring.scorer import Scorer
from latentlink.uncertainty import spread_threshold

__all__ = ["TrainingSpread"]


@dataclass(eq=False)
class TrainingSpread:
    """The mean spread over the entries that a model was fitted to.

    It takes a pass over all training entries and all members, so one object is shared by an estimator and
    everything that is calibrated with it.

    Attributes
    ----------
    scorer : Scorer
    network : Network
        The training network.
    """

    scorer: Scorer
    network: Network
    _mean: float | None = None

    @classmethod
    def kept(cls, owner: object, scorer: Scorer, network: Network) -> Self:
        """Return the spread that an estimator has kept, or a new one if it was fitted again since."""
        stored: Self | None = owner.__dict__.get("_training_spread")
        return stored if stored is not None and stored.scorer.model is scorer.model else cls(scorer, network)

    @property
    def mean(self) -> float:
        """The mean, tau in the paper's rule of abstention; of columns that differ in unit, in these units."""
        if self._mean is None:
            units = self.scorer.units(self.network.cols[self.network.known])
            self._mean = spread_threshold(self.scorer.training_spread(self.network) / units)
        return self._mean
