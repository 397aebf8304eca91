"""The data of whole fits, each with one seeded split."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from tools.data_folder import data_folder

from latentlink import Network, datasets
from latentlink.errors import InputError
from latentlink.splitting import Split, holdout, kfold
from studies.ratings import RATINGS, rated_folds

__all__ = ["ABSENT", "DATA_SETS", "split_of"]

ABSENT = "The file of these data is not in the data folder (LATENTLINK_DATA), so that nothing was measured."
SHARE = 0.2


def _published(name: str) -> Network | None:
    """Return a published data set if its file is at hand; nothing is downloaded."""
    folder = data_folder()
    try:
        return datasets.fetch(name, folder=folder if folder.is_dir() else None, download=False).network
    except InputError:
        return None


def _dog(quick: bool) -> Network:
    found = None if quick else _published("dog-original")
    return datasets.dog().network if found is None else found


def _gaussian(quick: bool) -> Network:
    return datasets.gaussian(30 if quick else 200, 4, 0, noise=0.05).network


def _swimmer(quick: bool) -> Network:
    found = None if quick else _published("swimmer-original")
    network = datasets.swimmer(pixels="splashed", seed=0).network if found is None else found
    drawn = np.random.default_rng(0).permutation(network.n_listed) < 5_000
    return network.subset(drawn) if quick else network


def _proteins(name: str) -> Callable[[bool], Network | None]:
    def load(quick: bool) -> Network | None:
        return _simulated(True) if quick else _published(f"proteins-{name}")

    return load


def _simulated(quick: bool) -> Network:
    nodes, links = (150, 600) if quick else (11_167, 224_165)
    return datasets.heavy_tailed(nodes, links, 0, non_links="degree-matched").network


def _ratings(quick: bool) -> Split | None:
    """Return the first of the five folds of the study of ratings; quick, generated ratings."""
    if quick:
        return next(kfold(_generated_ratings(), 5, 0))
    if RATINGS.exists():
        return rated_folds()[0]
    network = _published("movielens-100k")
    return None if network is None else next(kfold(network, 5, 0))


def _generated_ratings() -> Network:
    rng = np.random.default_rng(0)
    scores = 3 + rng.normal(size=(60, 2)) @ rng.normal(size=(2, 40)) + rng.normal(size=(60, 1)) / 2
    X = np.clip(np.round(scores), 1, 5)
    X[rng.random(X.shape) < 0.6] = np.nan
    return Network.from_dense(X)


DATA_SETS: dict[str, Callable[[bool], Network | Split | None]] = {
    "Dog": _dog,
    "Gaussian": _gaussian,
    "Swimmer": _swimmer,
    "proteins, metabolism": _proteins("disease-of-metabolism"),
    "proteins, neurodegenerative": _proteins("neurodegenerative-disease"),
    "MovieLens-100k": _ratings,
    "simulated": _simulated,
}


@cache
def split_of(name: str, quick: bool = False) -> Split | None:
    """Return the training and the test part of a data set, or None where its file is not at hand."""
    found = DATA_SETS[name](quick)
    return holdout(found, SHARE, 0) if isinstance(found, Network) else found
