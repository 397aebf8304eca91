"""The record of a data set: network, true rank and true factors."""

from __future__ import annotations

from dataclasses import dataclass

from latentlink.factors import Factors
from latentlink.network import Network

__all__ = ["Dataset"]


@dataclass(frozen=True, slots=True, eq=False)
class Dataset:
    """A data set with its true rank and factors, where they are known.

    Attributes
    ----------
    name : str
        Short name.
    description : str
        Description in one sentence.
    network : Network
        The data.
    rank : int or None
        True number of components; None if unknown.
    truth : Factors or None
        True factors; None if unknown.
    """

    name: str
    description: str
    network: Network
    rank: int | None = None
    truth: Factors | None = None

    def __repr__(self) -> str:
        known = "" if self.rank is None else f", rank {self.rank}"
        return f"Dataset {self.name}: {self.description}{known}"
