"""Make the picture of the README: ``python docs/picture.py`` writes ``docs/_static/overview.png``.

Half of the entries of the embedded data set ``dog`` are hidden. The left panel is the rank path of the search
on the other half; the right panel shows four images: their known pixels, the ensemble mean, and the truth.
"""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import numpy as np
from matplotlib import pyplot
from matplotlib.colors import ListedColormap

from latentlink import BNMFk, datasets
from latentlink.splitting import holdout

TARGET = Path(__file__).parent / "_static" / "overview.png"
IMAGES = ("sun+dog", "person+cloud", "sun+person+dog", "sun+person+dog+cloud")
HIDDEN = "#f0b37e"


def images(values: np.ndarray, columns: np.ndarray) -> list[np.ndarray]:
    """Return some columns of a pixels x images matrix as images."""
    side = int(np.sqrt(len(values)))
    return [values[:, column].reshape(side, side) for column in columns]


def main() -> None:
    """Fit, draw and save."""
    data = datasets.dog()
    network = data.network
    split = holdout(network, 0.5, rng=0)
    model = BNMFk(range(1, 9), random_state=0).fit(split.train)

    every = np.argwhere(np.ones(network.shape, bool))
    truth = np.asarray(data.truth.score(*every.T)).reshape(network.shape)
    predicted = model.predict_links(every, by="ensemble").reshape(network.shape)
    known = np.full(network.shape, np.nan)
    seen = split.train.known
    known[split.train.rows[seen], split.train.cols[seen]] = split.train.values[seen]

    figure, (left, right) = pyplot.subplots(
        1, 2, figsize=(10.5, 4.2), layout="constrained", width_ratios=[1, 1.15]
    )
    model.plot(left)
    right.axis("off")
    right.set_title("pixels of four images, half of them hidden (orange)")
    columns = network.col_indices(list(IMAGES))
    greys = ListedColormap(pyplot.get_cmap("Greys")(np.linspace(0, 1, 256))).with_extremes(bad=HIDDEN)
    titles = ("known half", "predicted", "true")
    for line, (title, matrix) in enumerate(zip(titles, (known, predicted, truth), strict=True)):
        for column, image in enumerate(images(matrix, columns)):
            axes = right.inset_axes((0.1 + 0.225 * column, 0.68 - 0.335 * line, 0.215, 0.315))
            axes.imshow(image, cmap=greys, vmin=0, vmax=1, interpolation="nearest")
            axes.set(xticks=[], yticks=[])
            if not column:
                axes.set_ylabel(title)
    figure.savefig(TARGET, dpi=110)


if __name__ == "__main__":
    main()
