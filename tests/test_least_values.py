"""The least valid value of every number that settings take is valid, and the next smaller one raises."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.errors import IncompatibleError
from latentlink.factors import Factors
from latentlink.network import Ensemble, Network
from latentlink.rank import Agreement, Bisect, Doubling, LStatistic, SilhouetteCutoff
from latentlink.regime import (
    BooleanFlip,
    Cells,
    CosineAlign,
    HammingAlign,
    Otsu,
    RotationAlign,
    Search,
    UniformScale,
    real,
)
from latentlink.solvers import BNMF, BPMF, KLNMF, LMF, NMF, RNMF, WNMF, SymLMF
from latentlink.uncertainty import ConformalIntervals, LowRank, RiskControl, RowColumn
from tests.rank.paths import path_of, record

NETWORK = Network.from_dense(np.eye(4) + np.eye(4)[::-1], symmetric=True)
PATH = path_of(record(1), record(2))
TINY = 5e-324


def use(settings):
    """Use a settings object, which checks its parameters."""
    match settings:
        case BNMF() | BPMF() | KLNMF() | LMF() | NMF() | RNMF() | WNMF():
            settings.check_settings()
        case Otsu():
            settings.at(np.array([0.0, 0.2, 1.0]))
        case Search():
            settings.binarize(Factors(np.ones((4, 1)), np.ones((1, 4))), Cells.of(Ensemble.of(NETWORK)))
        case UniformScale() | BooleanFlip():
            settings.check(NETWORK)
        case Agreement() | LStatistic() | SilhouetteCutoff():
            settings.choose(PATH)
        case ConformalIntervals() | RiskControl():
            settings.calibrate(np.linspace(0, 1, 60), np.zeros(60))
        case RowColumn() | LowRank():
            settings.check_settings()
        case _:
            settings.check()


CASES = [
    *((solver, "max_iter", 1, 0) for solver in (NMF, KLNMF, WNMF, BNMF, RNMF, LMF, SymLMF)),
    *((solver, "tol", 0.0, -TINY) for solver in (NMF, KLNMF, WNMF, BNMF, RNMF, LMF, SymLMF)),
    *((solver, "cycles", 1, 0) for solver in (NMF, KLNMF, WNMF, RNMF, LMF, SymLMF)),
    *((solver, "ridge", 0.0, -TINY) for solver in (WNMF, BNMF, RNMF, LMF, SymLMF)),
    *((RNMF, name, 0.0, -TINY) for name in ("ridge_cols", "ridge_row_bias", "ridge_col_bias")),
    (RNMF, "rate", TINY, 0.0),
    (RNMF, "ridge_counts", (TINY, TINY), (1.0, 0.0)),
    (BNMF, "ridge_cols", 0.0, -TINY),
    (BNMF, "lower", TINY, 0.0),
    (BNMF, "upper", 1.0, 0.99),
    (LMF, "background_sample", 1, 0),
    (LMF, "background_seed", 0, -1),
    (SymLMF, "repelling", 0.0, -TINY),
    (BPMF, "burn_in", 0, -1),
    (BPMF, "draws", 1, 0),
    (BPMF, "max_iter", 62, 61),
    (UniformScale, "epsilon", 0.0, -TINY),
    (BooleanFlip, "eps_neg", 0.0, -TINY),
    (BooleanFlip, "eps_pos", 0.0, -TINY),
    (Otsu, "bins", 2, 1),
    (Search, "max_rounds", 1, 0),
    (Bisect, "low", 1, 0),
    (Bisect, "high", 1, 0),
    (Doubling, "gain", 0, -TINY),
    (SilhouetteCutoff, "threshold", -1.0, -1.01),
    (Agreement, "tolerance", 1.0, 0.99),
    (LStatistic, "level", TINY, 0.0),
    (ConformalIntervals, "floor", 0.0, -TINY),
    (RiskControl, "steps", 1, 0),
    (RiskControl, "start", 45, 44),
    (RowColumn, "ridge", 1e-3, 0.0),
    (LowRank, "ridge", 1e-3, 0.0),
    (LowRank, "ratio", 1e-3, 0.0),
    (LowRank, "rank", 1, 0),
    (LowRank, "seed", 0, -1),
]
LARGEST = [
    *((solver, "cycles", 1000, 1001) for solver in (NMF, KLNMF, WNMF, RNMF, LMF, SymLMF)),
    (SymLMF, "repelling", 1.0, 1.01),
    (BPMF, "burn_in", 148, 149),
    (BPMF, "draws", 110, 111),
    (Doubling, "gain", 1, 1.01),
    (UniformScale, "epsilon", 0.99, 1.0),
    (BooleanFlip, "eps_neg", 1.0, 1.01),
    (BooleanFlip, "eps_pos", 1.0, 1.01),
    (SilhouetteCutoff, "threshold", 1.0, 1.01),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("kind", "name", "valid", "invalid"),
    CASES + LARGEST,
    ids=lambda each: each.__name__ if isinstance(each, type) else str(each),
)
def test_the_last_valid_value_and_the_next(kind, name, valid, invalid):
    use(kind(**{name: valid}))
    with pytest.raises(IncompatibleError, match=f"{name}="):
        use(kind(**{name: invalid}))


@pytest.mark.parametrize("kind", [CosineAlign, HammingAlign, RotationAlign])
def test_one_round_of_alignment_is_the_least(kind):
    models = [Factors(np.eye(3)[:, :2], np.eye(3)[:2], boolean=kind is HammingAlign)] * 2
    kind(max_rounds=1).align(models)
    with pytest.raises(IncompatibleError, match="max_rounds=0"):
        kind(max_rounds=0).align(models)


def test_one_start_and_no_speckle_are_the_least():
    real().set_params(starts=1, speckle=0.0).check()
    for wrong in ({"starts": 0}, {"speckle": -TINY}):
        with pytest.raises(IncompatibleError):
            real().set_params(**wrong).check()


WHOLE = [
    *((solver, "max_iter") for solver in (NMF, KLNMF, WNMF, BNMF, RNMF, LMF, SymLMF)),
    *((solver, "cycles") for solver in (NMF, KLNMF, WNMF, RNMF, LMF, SymLMF)),
    *((solver, name) for solver in (LMF, SymLMF) for name in ("background_sample", "background_seed")),
    *((BPMF, name) for name in ("max_iter", "burn_in", "draws")),
    (Otsu, "bins"),
    (Search, "max_rounds"),
    (Bisect, "low"),
    (Bisect, "high"),
    (RiskControl, "steps"),
    (RiskControl, "start"),
    (LowRank, "rank"),
    (LowRank, "seed"),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("kind", "name"), WHOLE, ids=lambda each: each.__name__ if isinstance(each, type) else each
)
def test_whole_numbers_have_no_fraction(kind, name):
    with pytest.raises(IncompatibleError, match=rf"{name}=50\.5"):
        use(kind(**{name: 50.5}))


def test_starts_and_rounds_of_alignment_have_no_fraction():
    with pytest.raises(IncompatibleError, match=r"starts=1\.5"):
        real().set_params(starts=1.5).check()
    models = [Factors(np.eye(3)[:, :2], np.eye(3)[:2])] * 2
    with pytest.raises(IncompatibleError, match=r"max_rounds=1\.5"):
        CosineAlign(max_rounds=1.5).align(models)
