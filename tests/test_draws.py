"""The draws of a seed, by value: a change of them changes results that were published with a seed.

Expected values are of this package and NumPy's stable streams; a change on purpose is named in the changelog.
"""

from __future__ import annotations

import zlib

import numpy as np
import pytest

from latentlink.network import Network, sample_negatives
from latentlink.network.pair_codes import distinct_numbers
from latentlink.network.transforms import degree_matched
from latentlink.random import rng_for
from latentlink.rank.speckle import draw_speckle
from latentlink.regime import BooleanFlip, Bootstrap, Poisson, UniformScale
from latentlink.splitting import holdout, kfold, repeated_holdouts


def digest(*arrays):
    """Return a checksum of whole numbers."""
    return zlib.crc32(np.concatenate([np.asarray(each, "<i8") for each in arrays]).tobytes())


def links(seed=0, size=40, share=0.2, **kind):
    """Return a network of random links with hubs."""
    rng = np.random.default_rng(seed)
    strength = rng.random(size) ** 2
    linked = rng.random((size, size)) < share * 4 * np.outer(strength, strength)
    linked = np.triu(linked, 1) if kind.get("symmetric") else linked & ~np.eye(size, dtype=bool)
    return Network(*np.nonzero(linked), shape=(size, size), **kind)


def values(shape=(9, 7), levels=3):
    """Return a network of all pairs with a few different values."""
    return Network.from_dense(np.arange(np.prod(shape)).reshape(shape) * 7 % 11 % levels * 1.0)


KINDS = {"bipartite": {}, "directed": {"square": True}, "undirected": {"symmetric": True}}
NEGATIVES = {
    ("bipartite", "uniform", 0.2): 2_839_927_756,
    ("bipartite", "uniform", 0.9): 2_233_073_617,
    ("bipartite", "degree-matched", 0.2): 2_343_290_287,
    ("bipartite", "degree-matched", 0.9): 172_761_986,
    ("directed", "uniform", 0.2): 496_758_255,
    ("directed", "uniform", 0.9): 258_724_061,
    ("directed", "degree-matched", 0.2): 3_316_534_017,
    ("directed", "degree-matched", 0.9): 1_206_441_274,
    ("undirected", "uniform", 0.2): 952_464_941,
    ("undirected", "uniform", 0.9): 1_924_294_673,
    ("undirected", "degree-matched", 0.2): 3_337_915_853,
    ("undirected", "degree-matched", 0.9): 1_702_437_148,
}
REJECTED = {
    "bipartite": 1_807_426_991,
    "directed": 4_125_159_530,
    "undirected": 3_126_780_182,
}
SPECKLES = {
    ("bipartite", 0.0): 386_401_516,
    ("bipartite", 0.5): 2_386_302_377,
    ("directed", 0.0): 386_401_516,
    ("directed", 0.5): 2_386_302_377,
    ("undirected", 0.0): 3_854_920_709,
    ("undirected", 0.5): 2_249_836_721,
}
SPLITS = {
    ("plain", 3): 3_485_152_823,
    ("plain", 11): 1_964_249_459,
    ("not stratified", 3): 2_044_139_977,
    ("not stratified", 11): 2_044_139_977,
    ("calibration", 3): 1_901_680_766,
    ("calibration", 11): 3_110_465_300,
    ("keep nodes", 3): 1_252_917_522,
    ("keep nodes", 11): 860_256_371,
}
OPTIONS = {
    "plain": {},
    "not stratified": {"stratify": False},
    "calibration": {"calibration": 0.2},
    "keep nodes": {"keep_nodes": True},
}
DISTINCT = {
    (50, 3): 879_815_192,
    (50, 25): 2_400_470_958,
    (50, 49): 2_278_230_800,
    (10**12, 40): 1_984_089_426,
    (401, 100): 830_939_180,
    (4001, 1000): 2_119_796_438,
}
PERTURBED = {
    "scale": 2_362_144_175,
    "counts": 2_849_260_640,
    "bootstrap": 3_440_514_580,
    "flips": 77_451_592,
}
PERTURBATIONS = {
    "scale": UniformScale(epsilon=0.1),
    "counts": Poisson(),
    "bootstrap": Bootstrap(),
    "flips": BooleanFlip(eps_pos=0.3, eps_neg=0.4),
}


@pytest.mark.parametrize(("kind", "how", "share"), NEGATIVES)
def test_negatives(kind, how, share):
    sampled = sample_negatives(links(share=share, **KINDS[kind]), 120, how=how, rng=3)
    assert digest(sampled.rows, sampled.cols) == NEGATIVES[kind, how, share]


@pytest.mark.parametrize("kind", KINDS)
def test_negatives_by_rejection(kind, monkeypatch):
    monkeypatch.setattr(degree_matched, "MAX_LISTED_PAIRS", 10)
    sampled = sample_negatives(links(share=0.9, **KINDS[kind]), 120, how="degree-matched", rng=3)
    assert digest(sampled.rows, sampled.cols) == REJECTED[kind]


@pytest.mark.parametrize(("kind", "background"), SPECKLES)
def test_speckles(kind, background):
    drawn = draw_speckle(links(background=background, **KINDS[kind]), 0.3, rng_for(1))
    assert digest(drawn.rows, drawn.cols) == SPECKLES[kind, background]


@pytest.mark.parametrize(("options", "levels"), SPLITS)
def test_holdouts(options, levels):
    split = holdout(values(levels=levels), 0.25, 5, **OPTIONS[options])
    parts = [split.test] if split.calibration is None else [split.test, split.calibration]
    assert digest(*(side for part in parts for side in (part.rows, part.cols))) == SPLITS[options, levels]


def test_holdouts_of_many_values():
    split = holdout(Network.from_dense(np.random.default_rng(0).random((20, 20))), 0.3, 1)
    assert digest(split.test.rows, split.test.cols) == 2_114_047_480


@pytest.mark.parametrize(("stratify", "expected"), [(True, 410_861_487), (False, 2_994_322_916)])
def test_folds(stratify, expected):
    tests = [split.test for split in kfold(values(), 4, rng=5, stratify=stratify)]
    assert digest(*(side for test in tests for side in (test.rows, test.cols))) == expected


def test_repeated_holdouts():
    tests = [split.test for split in repeated_holdouts(values(), 0.2, 3, rng=5)]
    assert digest(*(side for test in tests for side in (test.rows, test.cols))) == 3_087_933_403


@pytest.mark.parametrize(("below", "count"), DISTINCT)
def test_distinct_numbers(below, count):
    assert digest(distinct_numbers(below, count, np.random.default_rng(1))) == DISTINCT[below, count]


@pytest.mark.parametrize("name", PERTURBATIONS)
def test_perturbations(name):
    """Values and weights of the members, to six digits."""
    dense = np.where(np.random.default_rng(2).random((6, 5)) < 0.5, 1.0, 0.0)
    network = Network.from_dense(dense).hide([3, 4])
    ensemble = PERTURBATIONS[name].ensemble(network, [rng_for(1, member) for member in range(3)])
    numbers = []
    for each in (ensemble.values, ensemble.weights):
        members = each.T if each.ndim == 2 else np.broadcast_to(each, (3, len(each)))
        numbers.append(np.rint(1e6 * np.nan_to_num(members, nan=-1)).ravel())
    assert digest(*numbers) == PERTURBED[name]
