"""The experiments by name."""

from __future__ import annotations

from latentlink.experiments.experiment import Experiment

__all__ = ["EXPERIMENTS"]

_TITLES = {
    "dog": "Dog: Boolean data of rank 4, 400 x 16",
    "swimmer": "Swimmer: Boolean data of rank 16, 1024 x 256",
    "gaussian": "Gaussian: 400 non-negative matrices of rank 2 to 6",
    "ppi": "Protein networks: held-out interactions",
}
EXPERIMENTS = {name: Experiment(name, title) for name, title in _TITLES.items()}
