"""Regimes: the two presets, mixed regimes, and parameters as in scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import ParameterGrid

from latentlink.datasets import dog
from latentlink.errors import IncompatibleError
from latentlink.factors import Factors
from latentlink.network import Ensemble, Network
from latentlink.network.value_range import bounded_range
from latentlink.random import member_rngs
from latentlink.regime import (
    BooleanFlip,
    Cells,
    CosineAlign,
    HammingAlign,
    KMeans,
    Otsu,
    Poisson,
    Regime,
    Search,
    UniformScale,
    boolean,
    real,
)
from latentlink.solvers import BNMF, RNMF, WNMF
from tests.helpers.oracle import all_scores
from tests.regime.dense import dense_error, planted

PRESETS = [real(), boolean(), boolean(KMeans()), boolean(Search(), polish=False), boolean(product="sum")]
every_preset = pytest.mark.parametrize("regime", PRESETS, ids=str)


@pytest.fixture(scope="module")
def case():
    """Overlapping Boolean components, half the cells hidden, and real factors of them."""
    _, observed = planted((60, 40), 4, 0.35, 0.05, 0)
    hidden = np.random.default_rng(1).random(observed.size) < 0.5
    network = Network.from_dense(observed.astype(float)).hide(hidden)
    return network, WNMF(ridge=0.5).solve(network, 4, 0).members[0]


# -------------------------------------------------------------------- presets and parameters


def test_the_presets_have_the_settings_of_the_paper():
    assert isinstance(real().perturb, UniformScale)
    assert real().perturb.epsilon == 0.015
    assert real(epsilon=0.1).perturb.epsilon == 0.1
    assert real().threshold is None
    assert isinstance(real().align, CosineAlign)
    assert not real().is_boolean
    preset = boolean()
    assert isinstance(preset.perturb, BooleanFlip)
    assert (preset.perturb.eps_pos, preset.perturb.eps_neg) == (None, 0.015)  # as many zeros as ones
    assert isinstance(preset.threshold, Otsu)
    assert isinstance(preset.align, HammingAlign)
    assert preset.polish
    assert preset.product == "boolean"
    assert preset.is_boolean
    assert not boolean(polish=False).polish
    search = Search()
    assert boolean(search).threshold is search


def test_nested_parameters_can_be_set():
    regime = real().set_params(perturb__epsilon=0.03, align__centres="mean", polish=False)
    assert regime.perturb.epsilon == 0.03
    assert regime.align.centres == "mean"
    regime = boolean().set_params(threshold__bins=64, perturb__eps_pos=0.1, align__counts="missed")
    assert (regime.threshold.bins, regime.perturb.eps_pos, regime.align.counts) == (64, 0.1, "missed")
    assert regime.set_params(threshold=KMeans()).get_params()["threshold"] is regime.threshold
    assert boolean().get_params()["threshold__bins"] == 256
    assert real().perturb.epsilon == 0.015  # regimes share no settings
    grid = ParameterGrid({"perturb__epsilon": [0.01, 0.02]})
    assert [real().set_params(**params).perturb.epsilon for params in grid] == [0.01, 0.02]


@every_preset
def test_clones_are_equal_and_independent(regime):
    twin = clone(regime)
    assert str(twin) == str(regime)
    assert twin.perturb is not regime.perturb
    assert twin.align is not regime.align
    plain = [
        {
            name: value
            for name, value in one.get_params().items()
            if "__" in name or name in {"polish", "product"}
        }
        for one in (twin, regime)
    ]
    assert plain[0] == plain[1]


@every_preset
def test_the_repr_is_short(regime):
    assert len(" ".join(repr(regime).split())) < 130


# -------------------------------------------------------------------- binarization


def test_a_real_regime_returns_the_factors_as_they_are(case):
    network, factors = case
    assert real().binarize(factors, Cells.of(Ensemble.of(network))) is factors


@pytest.mark.parametrize("threshold", [Otsu(), KMeans(), Search()], ids=str)
@pytest.mark.parametrize("polish", [True, False])
def test_the_product_is_boolean_or_the_sum(case, threshold, polish):
    network, factors = case
    cells = Cells.of(Ensemble.of(network))
    boolean_model, sum_model = (
        boolean(threshold, polish=polish, product=product).binarize(factors, cells)
        for product in ("boolean", "sum")
    )
    np.testing.assert_array_equal(boolean_model.W, sum_model.W)  # the factors are the same
    np.testing.assert_array_equal(boolean_model.H, sum_model.H)
    assert boolean_model.boolean
    assert not sum_model.boolean
    np.testing.assert_array_equal(all_scores(boolean_model), boolean_model.W @ boolean_model.H > 0)
    np.testing.assert_array_equal(all_scores(sum_model), sum_model.W @ sum_model.H)
    assert all_scores(sum_model).max() > 1  # components overlap here
    if polish:
        unpolished = boolean(threshold, polish=False).binarize(factors, cells)
        assert dense_error(network, boolean_model) < dense_error(network, unpolished)


@pytest.mark.parametrize("product", ["boolean", "sum"])
def test_the_product_of_a_model_with_biases_is_the_sum(product):
    network = dog().network.hide(np.arange(0, 6000, 7))
    factors = RNMF(max_iter=2000).solve(network, 4, 0).members[0]
    for threshold in (Otsu(), KMeans(), Search()):
        cells = Cells.of(Ensemble.of(network))
        binarized = boolean(threshold, product=product).binarize(factors, cells)
        assert not binarized.boolean
        unpolished = threshold.binarize(factors, cells)  # models with biases are not flipped
        np.testing.assert_array_equal(binarized.W, unpolished.W)
        np.testing.assert_array_equal(binarized.H, unpolished.H)
        assert np.isin(binarized.W, (0, 1)).all()
        assert np.isin(binarized.H, (0, 1)).all()
        np.testing.assert_array_equal(binarized.row_bias, factors.row_bias)
        np.testing.assert_array_equal(binarized.col_bias, factors.col_bias)
        assert binarized.offset == factors.offset
        products = binarized.W @ binarized.H
        expected = products + binarized.row_bias[:, None] + binarized.col_bias + binarized.offset
        np.testing.assert_allclose(all_scores(binarized), expected)


def test_defect_6_real_valued_noise_keeps_the_ones():
    """The reference implementation tested whether a perturbed value == 1, which no perturbed one is."""
    network = dog().network
    regime = Regime(perturb=UniformScale(epsilon=0.1), threshold=KMeans(), align=HammingAlign())
    ensemble = regime.perturb.ensemble(network, member_rngs(0, 4, 4))
    assert not np.isin(ensemble.values[network.values == 1], 1).any()
    solved = BNMF(ridge=1.0).solve(ensemble, 4, member_rngs(1, 4, 4))
    for member, cells in enumerate(Cells.each(ensemble)):
        binarized = regime.binarize(solved.members[member], cells)
        assert np.mean((all_scores(binarized) > 0.5).ravel() != (network.values > 0.5)) < 0.05


def test_mixed_regimes_keep_the_scores_of_members_in_the_alignment(case):
    network, _ = case
    counts = Network.from_dense(np.random.default_rng(0).poisson(3.0, (20, 15)).astype(float))
    mixes = [
        (Regime(perturb=Poisson()), counts),
        (Regime(perturb=BooleanFlip()), network),
        (Regime(threshold=KMeans(), align=HammingAlign(counts="extra")), network),
        (Regime(threshold=Search(), align=CosineAlign(centres="mean")), network),
    ]
    for regime, data in mixes:
        ensemble = regime.perturb.ensemble(data, member_rngs(0, 3, 3))
        members = WNMF(ridge=0.1).solve(ensemble, 3, 0).members
        binarized = [
            regime.binarize(member, cells)
            for member, cells in zip(members, Cells.each(ensemble), strict=True)
        ]
        aligned = regime.align.align(binarized)
        for before, after in zip(binarized, aligned.members, strict=True):
            np.testing.assert_allclose(all_scores(after), all_scores(before), rtol=1e-9, atol=1e-12)


# -------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"product": "xor"}, "Regime has product='xor'; expected one of 'boolean', 'sum'"),
        (
            {"threshold": KMeans},
            "Regime has threshold=.*KMeans.*expected an object of type Threshold or None",
        ),
        ({"threshold": 0.5}, r"Regime has threshold=0\.5; expected"),
        ({"perturb": None}, "Regime has perturb=None; expected an object of type Perturb"),
        ({"align": "cosine"}, "Regime has align='cosine'; expected an object of type Align"),
        ({"polish": "yes"}, "Regime has polish='yes'; expected True or False"),
        ({"align": HammingAlign()}, r"HammingAlign.*threshold=None leaves them real.*Otsu.*CosineAlign"),
        ({"starts": 0}, "Regime has starts=0; expected a whole number from 1 to 1,000"),
        ({"starts": 1.5}, r"Regime has starts=1\.5; expected a whole number from 1 to 1,000"),
        ({"score_range": "all"}, "Regime has score_range='all'; expected \"auto\", None, or the least"),
        ({"score_range": (1, 1)}, r"Regime has score_range=\(1, 1\); expected"),
        ({"score_range": (2, 1)}, r"Regime has score_range=\(2, 1\); expected"),
        ({"score_range": (1, 2, 3)}, r"Regime has score_range=\(1, 2, 3\); expected"),
        ({"speckle": -0.1}, r"Regime has speckle=-0\.1; expected a number >= 0"),
        ({"speckle": 0.6}, r"Regime has speckle=0\.6; expected a share of at most 0\.5"),
    ],
)
def test_invalid_parameters_raise(changes, message):
    cells = Cells.of(Ensemble.of(Network.from_dense(np.eye(2))))
    with pytest.raises(IncompatibleError, match=message):
        Regime(**changes).binarize(Factors(np.eye(2), np.eye(2)), cells)


@pytest.mark.parametrize(
    "changes",
    [{"speckle": 0.5}, {"speckle": 0}, {"starts": 1}, {"score_range": (-1, 2)}, {"score_range": (0, np.inf)}],
    ids=str,
)
def test_parameters_at_the_ends_of_their_range_are_valid(changes):
    assert Regime(**changes).check() is None  # nothing is raised


def test_the_range_of_scores_is_that_of_the_regime_or_of_the_data():
    network = Network.from_dense([[1.0, 2.0, 5.0], [4.0, 3.0, 1.0]])
    assert real(score_range=None).bounds(network) is None
    assert real(score_range=(1, 5)).bounds(network) == (1.0, 5.0)
    assert real(score_range=(-np.inf, 5)).bounds(network) == (-np.inf, 5.0)
    assert real().bounds(network) == bounded_range(network)


def test_binarized_models_are_clipped_if_they_have_biases_or_a_range_is_named():
    network = Network.from_dense([[0.0, 1.0], [1.0, 0.0]])
    assert real().bounds(network) == boolean().bounds(network, biased=True) == (0.0, 1.0)
    for product in ("boolean", "sum"):
        regime = boolean(product=product)
        assert regime.bounds(network) is None
        assert regime.set_params(score_range=(0, 1)).bounds(network) == (0.0, 1.0)


@pytest.mark.parametrize("threshold", [KMeans(), Otsu(), Search()], ids=str)
def test_a_member_that_overflowed_is_binarized_by_its_other_values(threshold):
    """Of Dog with seven tenths hidden, fitted without a ridge, a factor held an infinity: Otsu raised."""
    network = Network.from_dense(np.array([[1.0, 1, 0], [1, 1, 0], [0, 0, 1]]))
    W, H = np.array([[np.inf, 0.1], [2, 0], [np.nan, 3]], np.float32), np.array([[1.0, 1, 0], [0, 0, 1]])
    cells = Cells.of(Ensemble(network, network.values[:, None], network.weights))
    binarized = boolean(threshold, polish=False).binarize(Factors(W, H.astype(np.float32)), cells)
    assert np.isin(binarized.W, (0, 1)).all()
    assert binarized.W[0, 0] == 1
    np.testing.assert_array_equal(binarized.W[:, 1], [0, 0, 1])
    np.testing.assert_array_equal(binarized.H, H)
    assert np.isposinf(W[0, 0])
