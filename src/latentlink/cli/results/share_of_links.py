"""The share of links among the unknown pairs that decisions suppose where none is stated."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from latentlink.network import Network
from latentlink.scoring import Calibrated
from latentlink.validation.wording import percent

__all__ = ["SupposedShare", "supposed_share"]

_FILLED = (
    0.2  # share of known entries from which a table is a matrix with holes, as for the choice of a method
)


@dataclass(frozen=True)
class SupposedShare:
    """A share of links among unknown pairs, and where it is from.

    Attributes
    ----------
    share : float
    like_known : bool
        Whether it is that among the known pairs, which the unknown ones are like; else it is the share of
        all pairs that are listed links.
    why : str
        The reason, in words that follow the share.
    """

    share: float
    like_known: bool
    why: str

    @property
    def sentence(self) -> str:
        """What decisions suppose, and why."""
        share = percent(float(f"{self.share:.2g}"))
        return f"Decisions suppose that {share} of the unknown pairs are links, {self.why}"


def supposed_share(calibrated: Calibrated, data: Network) -> SupposedShare:
    """Return the share of links that unknown pairs are supposed to have.

    The holes of a matrix are supposed to have the share among its known entries: in a two-mode network with
    links and non-links, of which a fifth or more is known, if a random sample of unknown pairs shows no clear
    difference from the calibration pairs. Everywhere else it is the listed links as a share of all pairs,
    which is what one knows of a list without a model: links are listed more often than other pairs. An
    estimate from the scores of random unknown pairs is no better founded, see the decisions of the
    documentation.

    Parameters
    ----------
    calibrated : Calibrated
    data : Network
        The data as they were read: without drawn non-links, and with what is kept back from the fit.
    """
    links, known = int(np.count_nonzero(data.values[data.known] == 1)), int(np.count_nonzero(data.known))
    listed, why = links / data.n_pairs, "the share of all pairs that are listed links"
    is_matrix = not data.square and not data.background and known >= _FILLED * data.n_pairs
    if not is_matrix or links == known:
        return SupposedShare(listed, False, f"{why}, since links are listed more often than other pairs.")
    alike = calibrated.compared_with_untested()
    if np.isnan(alike.p_value) or alike.differ:
        return SupposedShare(listed, False, f"{why}. {alike.limits}")
    filled = percent(float(f"{known / data.n_pairs:.2g}"))
    like = f"as of the known ones: {filled} of all pairs are known, and the others may be like them."
    return SupposedShare(links / known, True, f"{like} {alike.limits}")
