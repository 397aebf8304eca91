"""Regimes, real-valued or Boolean: how ensemble members are perturbed, thresholded and aligned."""

from latentlink.regime.align import Align, Aligned, CosineAlign, HammingAlign
from latentlink.regime.cells import Cells
from latentlink.regime.perturb import AsIs, BooleanFlip, Bootstrap, Perturb, Poisson, UniformScale
from latentlink.regime.polish import flip_polish
from latentlink.regime.regime import Regime, boolean, posterior, real
from latentlink.regime.rotation import RotationAlign
from latentlink.regime.threshold import ByValue, KMeans, Otsu, Search, Threshold

__all__ = [
    "Align",
    "Aligned",
    "AsIs",
    "BooleanFlip",
    "Bootstrap",
    "ByValue",
    "Cells",
    "CosineAlign",
    "HammingAlign",
    "KMeans",
    "Otsu",
    "Perturb",
    "Poisson",
    "Regime",
    "RotationAlign",
    "Search",
    "Threshold",
    "UniformScale",
    "boolean",
    "flip_polish",
    "posterior",
    "real",
]
