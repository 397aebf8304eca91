"""The swimmer data: images of a torso and four limbs, each limb in one of four positions."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from latentlink.datasets.dataset import Dataset
from latentlink.factors import Factors
from latentlink.network import Network, binarize
from latentlink.random import rng_for
from latentlink.validation.choices import checked_choice, checked_switch
from latentlink.validation.numbers import checked_count

__all__ = ["binarized_by_otsu", "swimmer"]

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

# Mean counts of the commonly used file, in which counts off and on the figure have these means and variances.
_WATER, _FIGURE = 1.0, 11.0

Image = NDArray[np.bool_]


def swimmer(
    *, torso: bool = True, pixels: Literal["clean", "splashed", "counts"] = "clean", seed: int = 0
) -> Dataset:
    """Return the swimmer data: 256 images of a torso and four limbs in four positions each.

    A figure has 32 x 32 pixels and is the Boolean "or" of the torso and its four limbs. A limb is a straight
    line of five pixels from its joint, at an angle of 0, 45, 90 or 135 degrees to the body. Limbs share no
    pixels with each other or with the torso.

    There are 17 parts, but the Boolean rank is 16: every figure has every limb in some position, so that the
    components of limbs can include the torso. In the true factors all 16 include it. The four components of
    one limb would suffice, so that Boolean factors of rank 16 are not unique.

    All entries are known. The shape, the order of pixels (column-major) and the order of figures are those
    of the commonly used file. Pixels that are 0 in all figures stay, as in that file.

    Counts are independent Poisson numbers with the mean of the commonly used file,

        mean[i, j] = 11 if pixel i belongs to figure j, else 1,

    from 0 to about 25. Low counts on the figure are parts under water, high counts elsewhere are splashes.
    Otsu's threshold of all counts, about 6.5, turns about 8 % of the pixels of a figure into 0 and one in ten
    thousand others into 1.

    Parameters
    ----------
    torso : bool
        Include the torso. Without it the 16 positions of limbs are the only parts, and each is one component.
    pixels : {"clean", "splashed", "counts"}
        Values of the pixels: 0 and 1 without noise, counts binarized by Otsu's threshold (the data of the
        paper), or the counts themselves.
    seed : int
        Each seed gives other counts; clean pixels do not depend on it.

    Returns
    -------
    Dataset
        A network of 1024 pixels, named such as ``r10c15``, by 256 figures, named by the positions of left and
        right leg, left and right arm, such as ``L0R3l1r2``. The factors of the clean figures are its
        ``truth``.

    References
    ----------
    Donoho and Stodden (2003), When does non-negative matrix factorization give a correct decomposition into
    parts? Section 4.1 of the paper uses splashed pixels. The images here are generated, not copied: the file
    itself is ``fetch("swimmer-original")``.

    Examples
    --------
    >>> from latentlink import datasets
    >>> data = datasets.swimmer()
    >>> data.network
    Network: 1,024 x 256, 9,216 links, 252,928 non-links, nothing else
    >>> data.rank
    16
    >>> datasets.swimmer(pixels="counts").network
    Network: 1,024 x 256, 262,144 values from 0 to 26, nothing else
    """
    checked_choice(pixels, ("clean", "splashed", "counts"), "pixels")
    rng = rng_for(checked_count(seed, "seed", 0))
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
    if pixels != "clean":
        network = network.with_values(rng.poisson(np.where(network.values == 1, _FIGURE, _WATER)))
        description += f", as Poisson counts, seed {seed}"
    if pixels == "splashed":
        network = binarized_by_otsu(network)
        description += ", binarized by Otsu's threshold"
    return Dataset("swimmer", description, network, truth.rank, truth)


def binarized_by_otsu(network: Network) -> Network:
    """Return a network of 0 and 1: values above Otsu's threshold of all values become 1."""
    from latentlink.regime.threshold import Otsu  # compiles kernels

    return binarize(network, at=Otsu().at(network.values))


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
