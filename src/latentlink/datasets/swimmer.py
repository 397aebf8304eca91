"""The swimmer data: images of a torso and four limbs, each limb in one of four positions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from latentlink.datasets.dataset import Dataset
from latentlink.factors import Factors
from latentlink.network import Network
from latentlink.validation.choices import checked_switch

__all__ = ["swimmer"]

_SIZE = 32
_LENGTH = 5
_POSITIONS = 4
_TOP, _BOTTOM, _LEFT, _MIDDLE, _RIGHT = 10, 21, 14, 15, 16
# Each limb: row and column of its joint, its direction along the body, and its side.
_LIMBS = {
    "left leg": (_BOTTOM, _LEFT, 1, -1),
    "right leg": (_BOTTOM, _RIGHT, 1, 1),
    "left arm": (_TOP, _LEFT, -1, -1),
    "right arm": (_TOP, _RIGHT, -1, 1),
}

Image = NDArray[np.bool_]


def swimmer(*, torso: bool = True) -> Dataset:
    """Return the swimmer data: 256 Boolean images of a torso and four limbs in four positions each.

    A figure has 32 x 32 pixels and is the Boolean "or" of the torso and its four limbs. A limb is a straight
    line of five pixels from its joint, at an angle of 0, 45, 90 or 135 degrees to the body. Limbs share no
    pixels with each other or with the torso.

    There are 17 parts, but the Boolean rank is 16: every figure has every limb in some position, so that the
    components of limbs can include the torso. In the true factors all 16 include it. The four components of
    one limb would suffice, so that Boolean factors of rank 16 are not unique.

    All entries are known, without noise. The shape, the order of pixels (column-major) and the order of
    figures are those of the commonly used file. Pixels that are 0 in all figures stay, as in that file.

    Parameters
    ----------
    torso : bool
        Include the torso. Without it the 16 positions of limbs are the only parts, and each is one component.

    Returns
    -------
    Dataset
        A network of 1024 pixels, named such as ``r10c15``, by 256 figures, named by the positions of left and
        right leg, left and right arm, such as ``L0R3l1r2``.

    References
    ----------
    Donoho and Stodden (2003), When does non-negative matrix factorization give a correct decomposition into
    parts? Section 4.1 of the paper uses a noisy version. The images here are generated, not copied.

    Examples
    --------
    >>> from latentlink import datasets
    >>> data = datasets.swimmer()
    >>> data.network
    Network: 1,024 x 256, 9,216 links, 252,928 non-links, nothing else
    >>> data.rank
    16
    """
    body = _torso() if checked_switch(torso, "torso") else np.zeros((_SIZE, _SIZE), bool)
    images = [body | _limb(limb, position) for limb in _LIMBS for position in range(_POSITIONS)]
    W = np.column_stack([image.ravel(order="F") for image in images]).astype(np.float64)
    # The position of each limb in each figure; the last limb changes fastest.
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
    parts = "a torso and four limbs" if torso else "four limbs without a torso"
    description = f"256 figures of 32 x 32 pixels, {parts} in four positions each"
    return Dataset("swimmer", description, network, truth.rank, truth)


def _torso() -> Image:
    """Return the image of the torso: a vertical line with shoulders and hips."""
    image = np.zeros((_SIZE, _SIZE), bool)
    image[_TOP : _BOTTOM + 1, _MIDDLE] = True
    image[[_TOP, _BOTTOM], _LEFT : _RIGHT + 1] = True
    return image


def _limb(name: str, position: int) -> Image:
    """Return the image of a limb, in position p turned by 45 p degrees from the axis of the body."""
    row, col, along, side = _LIMBS[name]
    down, right = ((along, 0), (along, side), (0, side), (-along, side))[position]
    steps = np.arange(1, _LENGTH + 1)
    image = np.zeros((_SIZE, _SIZE), bool)
    image[row + down * steps, col + right * steps] = True
    return image
