"""Figures that swim: a torso and four limbs, each in one of four positions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from latentlink.datasets.dataset import Dataset
from latentlink.errors import InputError
from latentlink.factors import Factors
from latentlink.network import Network

__all__ = ["swimmer"]

_SIZE = 32
_LENGTH = 5
_POSITIONS = 4
_TOP, _BOTTOM, _LEFT, _MIDDLE, _RIGHT = 10, 21, 14, 15, 16
# Each limb: the joint that it hangs on, which way it points along the body, and to which side it opens.
_LIMBS = {
    "left leg": (_BOTTOM, _LEFT, 1, -1),
    "right leg": (_BOTTOM, _RIGHT, 1, 1),
    "left arm": (_TOP, _LEFT, -1, -1),
    "right arm": (_TOP, _RIGHT, -1, 1),
}

Image = NDArray[np.bool_]


def swimmer(*, torso: bool = True) -> Dataset:
    """Make the swimmer: 256 Boolean figures of a torso and four limbs, each limb in one of four positions.

    A figure has 32 x 32 pixels and is the Boolean "or" of the torso and its four limbs. A limb is a straight
    line of five pixels from its joint: along the body, away from it aslant, at a right angle, or aslant
    beyond that. Limbs touch neither each other nor the torso's pixels.

    There are 17 parts, yet 16 components suffice, and no fewer do: every figure has some position of every
    limb, so that a limb carries the torso along. In the truth all 16 carry it; four of one limb would do, so
    that Boolean factors of rank 16 are not unique.

    Everything is known, and nothing is noisy. The shape and the order of pixels (column after column of the
    image) and of figures are those of the file that is commonly used, as are the pixels that no figure has:
    they stay, as rows of zeros.

    Parameters
    ----------
    torso : bool
        Whether the torso is drawn. Without it the 16 limbs are the only parts, and each component is one.

    Returns
    -------
    Dataset
        A network of 1024 pixels, named such as ``r10c15``, by 256 figures, named by the positions of left and
        right leg, left and right arm, such as ``L0R3l1r2``.

    References
    ----------
    Donoho and Stodden (2003), When does non-negative matrix factorization give a correct decomposition into
    parts? Section 4.1 of the paper uses a noisy version. The figures are drawn here by a rule of our own.

    Examples
    --------
    >>> from latentlink import datasets
    >>> data = datasets.swimmer()
    >>> data.network
    Network: 1,024 x 256, 9,216 links, 252,928 non-links, nothing else
    >>> data.rank
    16
    """
    if not isinstance(torso, bool | np.bool_):
        raise InputError(f"torso is {torso!r}; expected True or False.")
    body = _torso() if torso else np.zeros((_SIZE, _SIZE), bool)
    images = [body | _limb(limb, position) for limb in _LIMBS for position in range(_POSITIONS)]
    W = np.column_stack([image.ravel(order="F") for image in images]).astype(np.float64)
    # The position of each limb in each figure: the last limb moves first.
    figures = np.indices((_POSITIONS,) * len(_LIMBS)).reshape(len(_LIMBS), -1)
    H = (figures[:, None] == np.arange(_POSITIONS)[:, None]).reshape(len(images), -1).astype(np.float64)
    truth = Factors(W, H, boolean=True)
    rows, cols = (index.ravel() for index in np.indices(truth.shape))
    network = Network(
        rows,
        cols,
        truth.score(rows, cols),
        shape=truth.shape,
        row_names=[f"r{row:02d}c{col:02d}" for col in range(_SIZE) for row in range(_SIZE)],
        col_names=["L{}R{}l{}r{}".format(*figure) for figure in figures.T],
    )
    what = "a torso and four limbs" if torso else "four limbs without a torso"
    description = f"256 figures of 32 x 32 pixels, {what} in four positions each"
    return Dataset("swimmer", description, network, truth.rank, truth)


def _torso() -> Image:
    """Draw the torso: a line down the middle, with shoulders and hips."""
    image = np.zeros((_SIZE, _SIZE), bool)
    image[_TOP : _BOTTOM + 1, _MIDDLE] = True
    image[[_TOP, _BOTTOM], _LEFT : _RIGHT + 1] = True
    return image


def _limb(name: str, position: int) -> Image:
    """Draw a limb: position 0 points along the body, and each further one turns it by 45 degrees."""
    row, col, along, side = _LIMBS[name]
    down, right = ((along, 0), (along, side), (0, side), (-along, side))[position]
    steps = np.arange(1, _LENGTH + 1)
    image = np.zeros((_SIZE, _SIZE), bool)
    image[row + down * steps, col + right * steps] = True
    return image
