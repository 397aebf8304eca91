"""The record that every data set returns."""

from __future__ import annotations

from dataclasses import dataclass

from latentlink.factors import Factors
from latentlink.network import Network

__all__ = ["Dataset"]


@dataclass(frozen=True, slots=True, eq=False)
class Dataset:
    """Data to try a method on, and what is known of their making.

    Attributes
    ----------
    name : str
        What the data are called.
    description : str
        What they are, in a sentence.
    network : Network
        The data themselves.
    rank : int or None
        The number of latent patterns that they were made of; None where nobody knows.
    truth : Factors or None
        The patterns themselves; None where nobody knows.
    """

    name: str
    description: str
    network: Network
    rank: int | None = None
    truth: Factors | None = None

    def __repr__(self) -> str:
        known = "" if self.rank is None else f", rank {self.rank}"
        return f"Dataset {self.name}: {self.description}{known}"
