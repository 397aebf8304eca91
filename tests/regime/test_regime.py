"""Three slots and two presets: any mix works, and scikit-learn's tools find their way in."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import ParameterGrid

from latentlink.datasets import dog
from latentlink.errors import IncompatibleError
from latentlink.factors import Factors
from latentlink.network import Ensemble, Network
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
    _, seen = planted((60, 40), 4, 0.35, 0.05, 0)
    hidden = np.random.default_rng(1).random(seen.size) < 0.5
    network = Network.from_dense(seen.astype(float)).hide(hidden)
    return network, WNMF(ridge=0.5).solve(network, 4, 0).members[0]


# -------------------------------------------------------------------- presets and parameters


def test_the_presets_are_what_the_paper_has():
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


def test_parameters_can_be_set_through_the_slots():
    regime = real().set_params(perturb__epsilon=0.03, align__centres="mean", polish=False)
    assert regime.perturb.epsilon == 0.03
    assert regime.align.centres == "mean"
    cut = boolean().set_params(threshold__bins=64, perturb__eps_pos=0.1, align__counts="missed")
    assert (cut.threshold.bins, cut.perturb.eps_pos, cut.align.counts) == (64, 0.1, "missed")
    assert cut.set_params(threshold=KMeans()).get_params()["threshold"] is cut.threshold
    assert boolean().get_params()["threshold__bins"] == 256
    assert real().perturb.epsilon == 0.015  # one regime's settings are not another's
    grid = ParameterGrid({"perturb__epsilon": [0.01, 0.02]})
    assert [real().set_params(**each).perturb.epsilon for each in grid] == [0.01, 0.02]


@every_preset
def test_clones_are_equal_and_apart(regime):
    twin = clone(regime)
    assert str(twin) == str(regime)
    assert twin.perturb is not regime.perturb
    assert twin.align is not regime.align
    plain = [
        {
            name: value
            for name, value in each.get_params().items()
            if "__" in name or name in {"polish", "product"}
        }
        for each in (twin, regime)
    ]
    assert plain[0] == plain[1]


@every_preset
def test_a_regime_is_shown_in_a_few_words(regime):
    assert len(" ".join(repr(regime).split())) < 130


# -------------------------------------------------------------------- cutting


def test_a_real_regime_leaves_the_factors(case):
    network, factors = case
    assert real().binarize(factors, Cells.of(Ensemble.of(network))) is factors


@pytest.mark.parametrize("threshold", [Otsu(), KMeans(), Search()], ids=str)
@pytest.mark.parametrize("polish", [True, False])
def test_the_product_is_boolean_or_the_sum(case, threshold, polish):
    network, factors = case
    cells = Cells.of(Ensemble.of(network))
    either, total = (
        boolean(threshold, polish=polish, product=product).binarize(factors, cells)
        for product in ("boolean", "sum")
    )
    np.testing.assert_array_equal(either.W, total.W)  # the same factors, polished alike
    np.testing.assert_array_equal(either.H, total.H)
    assert either.boolean
    assert not total.boolean
    np.testing.assert_array_equal(all_scores(either), either.W @ either.H > 0)
    np.testing.assert_array_equal(all_scores(total), total.W @ total.H)
    assert all_scores(total).max() > 1  # components overlap here
    if polish:
        rough = boolean(threshold, polish=False).binarize(factors, cells)
        assert dense_error(network, either) < dense_error(network, rough)


@pytest.mark.parametrize("product", ["boolean", "sum"])
def test_with_biases_it_is_always_the_sum(product):
    network = dog().network.hide(np.arange(0, 6000, 7))
    factors = RNMF(max_iter=2000).solve(network, 4, 0).members[0]
    for threshold in (Otsu(), KMeans(), Search()):
        cells = Cells.of(Ensemble.of(network))
        cut = boolean(threshold, product=product).binarize(factors, cells)
        assert not cut.boolean
        plain = threshold.cut(factors, cells)  # flips know nothing of biases and are left out
        np.testing.assert_array_equal(cut.W, plain.W)
        np.testing.assert_array_equal(cut.H, plain.H)
        assert np.isin(cut.W, (0, 1)).all()
        assert np.isin(cut.H, (0, 1)).all()
        np.testing.assert_array_equal(cut.row_bias, factors.row_bias)
        np.testing.assert_array_equal(cut.col_bias, factors.col_bias)
        assert cut.offset == factors.offset
        expected = cut.W @ cut.H + cut.row_bias[:, None] + cut.col_bias + cut.offset
        np.testing.assert_allclose(all_scores(cut), expected)


def test_defect_6_real_valued_noise_erases_no_ones():
    """The reference implementation asked whether a perturbed value == 1: every one was lost."""
    network = dog().network
    regime = Regime(perturb=UniformScale(epsilon=0.1), threshold=KMeans(), align=HammingAlign())
    ensemble = regime.perturb.ensemble(network, member_rngs(0, 4, 4))
    assert not np.isin(ensemble.values[network.values == 1], 1).any()
    solved = BNMF(ridge=1.0).solve(ensemble, 4, member_rngs(1, 4, 4))
    for member, cells in enumerate(Cells.each(ensemble)):
        cut = regime.binarize(solved.members[member], cells)
        assert np.mean((all_scores(cut) > 0.5).ravel() != (network.values > 0.5)) < 0.05


def test_any_mix_of_slots_goes_through(case):
    network, _ = case
    counted = Network.from_dense(np.random.default_rng(0).poisson(3.0, (20, 15)).astype(float))
    mixes = [
        (Regime(perturb=Poisson()), counted),
        (Regime(perturb=BooleanFlip()), network),
        (Regime(threshold=KMeans(), align=HammingAlign(counts="extra")), network),
        (Regime(threshold=Search(), align=CosineAlign(centres="mean")), network),
    ]
    for regime, data in mixes:
        ensemble = regime.perturb.ensemble(data, member_rngs(0, 3, 3))
        members = WNMF(ridge=0.1).solve(ensemble, 3, 0).members
        cut = [
            regime.binarize(each, cells) for each, cells in zip(members, Cells.each(ensemble), strict=True)
        ]
        aligned = regime.align.align(cut)
        for before, after in zip(cut, aligned.members, strict=True):
            np.testing.assert_allclose(all_scores(after), all_scores(before), rtol=1e-9, atol=1e-12)


# -------------------------------------------------------------------- refusals


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
        ({"starts": 0}, "Regime has starts=0; expected a whole number >= 1"),
        ({"speckle": -0.1}, r"Regime has speckle=-0\.1; expected a number >= 0"),
        ({"speckle": 0.6}, r"Regime has speckle=0\.6; expected a share of 0\.5 at the most"),
    ],
)
def test_what_does_not_belong_into_a_slot_is_refused(changes, message):
    cells = Cells.of(Ensemble.of(Network.from_dense(np.eye(2))))
    with pytest.raises(IncompatibleError, match=message):
        Regime(**changes).binarize(Factors(np.eye(2), np.eye(2)), cells)
