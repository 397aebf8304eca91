"""Unlisted pairs that stand for non-links, in the fit of a model or in its calibration."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import IncompatibleError, InputError, warn_user
from latentlink.network import Network
from latentlink.network.lookup import positions_among
from latentlink.random import rng_for
from latentlink.scoring.pair_input import excluded_keys
from latentlink.scoring.untested_pairs import UntestedPairs
from latentlink.validation.wording import counted

__all__ = ["DrawnPairs", "calibration_of_links_alone", "were_sampled"]

Array = NDArray[Any]
Pairs = tuple[Array, Array, Array]

_NULLS = -8 % 2**32  # keeps these draws apart from those of other purposes
_DRAWN = "Unlisted pairs were drawn as non-links of the calibration, and some of them may be links"
# What follows for the columns of a table; for all others the last.
_MEANING = {
    "selected": (
        "Where links score higher than non-links, this makes evidence weaker than it is, so that the bound "
        "holds, conservatively. All untested pairs have about as many links as the drawn ones, so that next "
        "to nothing can be selected among them: give candidates of which more are links, or calibrate on "
        "known non-links."
    ),
    "probability": "A probability is that of a link against such a drawn pair, at the rate that is supposed.",
    "": "What is stated about non-links is stated about such drawn pairs.",
}


def _no_keys() -> NDArray[np.int64]:
    return np.zeros(0, np.int64)


@dataclass(frozen=True, eq=False)
class DrawnPairs:
    """Pairs that nobody tested, but that were taken for non-links.

    Attributes
    ----------
    fitted, nulls : arrays of int
        Keys of the pairs that were drawn for the fit and for the calibration, ascending; see
        `Network.pair_keys`.
    sampled : bool
        Whether non-links were sampled among calibration pairs that were given.
    left_out : (array, array)
        Rows and columns of pairs that were given for the calibration and were not fit for it.
    """

    fitted: NDArray[np.int64] = field(default_factory=_no_keys)
    nulls: NDArray[np.int64] = field(default_factory=_no_keys)
    sampled: bool = False
    left_out: tuple[Array, Array] = field(default_factory=lambda: (_no_keys(), _no_keys()))

    @property
    def nonlinks(self) -> bool:
        """Whether the non-links of the calibration were drawn, and are no known ones."""
        return self.sampled or len(self.nulls) > 0

    def given(self, network: Network, rows: Array, cols: Array) -> tuple[Array, Array]:
        """Return the calibration pairs that were given: all but those that were drawn."""
        given = positions_among(self.nulls, network.pair_keys(rows, cols)) < 0
        return rows[given], cols[given]

    def limits(self, network: Network, columns: dict[str, Array]) -> str:
        """Return what drawn pairs mean for a table, in sentences after a blank; nothing if there are none."""
        sentences = []
        if self.nonlinks:
            meaning = next(text for name, text in _MEANING.items() if name in columns or not name)
            sentences.append(f" {_DRAWN}. {meaning}")
        if len(self.fitted):
            keys = network.pair_keys(columns["row"], columns["column"])
            drawn = sum(int((positions_among(each, keys) >= 0).sum()) for each in (self.fitted, self.nulls))
            if drawn:
                sentences.append(
                    f" {drawn:,} of {counted(len(keys), 'pair')} {'was' if drawn == 1 else 'were'} drawn as "
                    "non-links in the fit or in the calibration: nothing is guaranteed for them, and scores "
                    "may be too low."
                )
        return "".join(sentences)


def were_sampled(known: Any) -> bool:
    """Return whether a network has non-links that `sample_negatives` drew, by its history.

    Examples
    --------
    >>> from latentlink.network import sample_negatives
    >>> links = Network.from_edges([("a", "b"), ("b", "c"), ("c", "d")], symmetric=True)
    >>> were_sampled(links), were_sampled(sample_negatives(links, rng=0).subset([0, 1]))
    (False, True)
    """
    return isinstance(known, Network) and any(step.name == "sample_negatives" for step in known.history)


def calibration_of_links_alone(
    network: Network, drawn: Iterable[Array], pairs: Pairs, seed: int
) -> tuple[Pairs, DrawnPairs]:
    """Return calibration pairs for a model of links alone, and what of them was drawn.

    Pairs that were drawn as non-links in the fit are left out, with a warning: the model was trained on them,
    and links among them score too low. If links alone are left, as many unlisted pairs are drawn beside them.

    Parameters
    ----------
    network : Network
        The links that the model was fitted to.
    drawn : (array, array)
        Rows and columns of the pairs that were drawn in the fit.
    pairs : (rows, cols, values)
        What was given for the calibration.
    seed : int
        Of the draws.
    """
    in_fit_rows, in_fit_cols = drawn
    pairs = _of_different_nodes(network, pairs)
    own = DrawnPairs(np.sort(network.pair_keys(in_fit_rows, in_fit_cols)))
    rows, cols, values = pairs
    used = positions_among(own.fitted, network.pair_keys(rows, cols)) >= 0
    if used.any():
        _warn_of_fitted(network, used, pairs)
        left_out = rows[used], cols[used]
        rows, cols, values = (each[~used] for each in pairs)
        own = DrawnPairs(own.fitted, left_out=left_out)
    if not (values == 1).all():
        return (rows, cols, values), own
    taken = excluded_keys(
        network, None, (network.rows, network.cols), (in_fit_rows, in_fit_cols), (rows, cols), own.left_out
    )
    unlisted = UntestedPairs(network, taken)
    if not len(unlisted):
        raise IncompatibleError(
            "There are no unlisted pairs left to be drawn as non-links of the calibration: all are links or "
            "were drawn in the fit. Calibrate on known non-links too, with value 0."
        )
    more_rows, more_cols = unlisted.sample(len(rows), rng_for(seed, _NULLS))
    nulls = np.sort(network.pair_keys(more_rows, more_cols))
    parts = ((rows, more_rows), (cols, more_cols), (values, np.zeros(len(more_rows))))
    rows, cols, values = (np.concatenate(part) for part in parts)
    return (rows, cols, values), DrawnPairs(own.fitted, nulls, left_out=own.left_out)


def _of_different_nodes(network: Network, pairs: Pairs) -> Pairs:
    """Return the pairs without self loops, with a warning, if links of nodes with themselves are listed.

    Where none is, such a pair is an error, which is raised with the other checks.
    """
    loops = pairs[0] == pairs[1]
    if not network.has_self_loops or not loops.any() or loops.all():
        return pairs
    one, several = "calibration pair joins a node with itself", "calibration pairs join nodes with themselves"
    warn_user(
        f"{counted(int(loops.sum()), one, several)}, which a model of links alone does not learn. They are "
        "left out."
    )
    rows, cols, values = (each[~loops] for each in pairs)
    return rows, cols, values


def _warn_of_fitted(network: Network, used: NDArray[np.bool_], pairs: Pairs) -> None:
    """Warn of calibration pairs that were drawn in the fit; raise InputError if all were."""
    rows, cols, values = pairs
    first = int(np.argmax(used))
    row, col = network.node_names(rows[first : first + 1], cols[first : first + 1])
    links = counted(int((values[used] == 1).sum()), "link")
    were = "was" if used.sum() == 1 else "were"
    found = (
        f"{int(used.sum()):,} of {counted(len(used), 'calibration pair')} ({links}) {were} drawn as "
        f"non-links in the fit, first ({row.item()!r}, {col.item()!r})"
    )
    remedy = (
        "List calibration pairs as hidden (weight 0) in the network that is fitted, as split.train of "
        "holdout has them: hidden pairs are never drawn."
    )
    if used.all():
        raise InputError(f"{found}; expected pairs that the model was not trained on. {remedy}")
    warn_user(f"{found}, so that the model was trained on them. They are left out. {remedy}")
