"""Parameters: nested ones, defaults of None, cloning, searching."""

from __future__ import annotations

import inspect
import pickle
import re

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from latentlink import (
    BayesianFactorizer,
    BNMFk,
    LinkPredictor,
    NMFk,
    RankedFactorizer,
    RNMFk,
    WNMFk,
    solvers,
)
from latentlink.errors import IncompatibleError
from latentlink.rank import Agreement, SilhouetteCutoff
from latentlink.regime import AsIs, BooleanFlip, KMeans, UniformScale, boolean
from latentlink.solvers import BNMF, LMF, NMF, RNMF, WNMF, SymLMF
from tests.helpers.fitted import SMALL, planted


@pytest.mark.parametrize(
    ("estimator", "solver", "perturb"),
    [
        (NMFk(), NMF, UniformScale),
        (WNMFk(), WNMF, UniformScale),
        (RNMFk(), RNMF, UniformScale),
        (BNMFk(), BNMF, BooleanFlip),
        (RankedFactorizer(), WNMF, UniformScale),
        (RankedFactorizer(solver=LMF()), LMF, AsIs),
        (RankedFactorizer(solver=SymLMF()), SymLMF, AsIs),
        (WNMFk(regime=boolean(KMeans())), WNMF, BooleanFlip),
    ],
    ids=str,
)
def test_none_means_the_default_of_the_method(estimator, solver, perturb):
    assert type(estimator.used_solver()) is solver
    assert type(estimator.used_regime().perturb) is perturb
    assert type(estimator.used_selection()) is Agreement


def test_boolean_is_the_default_of_bnmfk_alone():
    assert BNMFk().used_regime().is_boolean
    assert isinstance(BNMFk().used_regime().threshold, KMeans)
    assert not WNMFk().used_regime().is_boolean


def test_parameters_of_defaults_are_listed_though_no_default_is_stored():
    model = WNMFk()
    deep = model.get_params(deep=True)
    assert deep["solver"] is None
    assert deep["regime__perturb__epsilon"] == 0.015
    assert {"solver__ridge", "selection__threshold", "regime__starts"} <= deep.keys()
    assert model.solver is None
    assert model.regime is None
    assert set(model.get_params(deep=False)) == {
        "ranks", "solver", "regime", "selection", "n_perturbs", "n_jobs", "random_state"
    }  # fmt: skip


def test_setting_a_nested_parameter_makes_the_default():
    model = WNMFk().set_params(regime__perturb__epsilon=0.03, solver__ridge=1.0)
    assert model.regime.perturb.epsilon == 0.03
    assert isinstance(model.solver, WNMF)
    assert model.solver.ridge == 1.0
    assert model.selection is None


def test_a_default_follows_the_solver_that_is_set_with_it():
    model = RankedFactorizer().set_params(regime__starts=1, solver=LMF())
    assert isinstance(model.regime.perturb, AsIs)
    assert model.regime.starts == 1


@pytest.mark.parametrize("estimator", [NMFk(), WNMFk(), RNMFk(), BNMFk(), RankedFactorizer()], ids=str)
def test_the_default_solver_has_the_settings_of_members(estimator):
    solver = estimator.used_solver()
    assert repr(solver) == repr(type(solver).for_members())
    assert solver.precision == "float32"
    assert solver.tol == 1e-4
    # A given solver is used as it is.
    assert type(estimator)(solver=type(solver)()).used_solver().precision == "float64"


def test_the_model_has_double_precision_whatever_its_members_have():
    model = WNMFk(**SMALL).fit(planted())
    assert model.W_.dtype == model.H_.dtype == np.float64
    assert model.members_[0].W.dtype == np.float32


def test_an_unknown_nested_name_raises_and_changes_nothing():
    model = WNMFk()
    with pytest.raises(ValueError, match="Invalid parameter 'nonsense'"):
        model.set_params(solver__nonsense=1)
    with pytest.raises(ValueError, match="Invalid parameter 'nonsense'"):
        model.set_params(nonsense=1)
    assert model.solver is None


def test_setting_a_nested_parameter_changes_the_object_that_was_given():
    solver = WNMF()
    model = WNMFk(solver=solver).set_params(solver__ridge=2.0)
    assert model.solver is solver
    assert solver.ridge == 2.0


def test_two_estimators_do_not_share_a_default():
    one, other = WNMFk().set_params(solver__ridge=1.0), WNMFk()
    assert other.solver is None
    assert one.solver is not WNMFk().set_params(solver__ridge=1.0).solver


@pytest.mark.parametrize(
    "model",
    [
        WNMFk(range(1, 4), solver=WNMF(ridge=0.5), n_perturbs=5),
        BNMFk((2, 3), selection=SilhouetteCutoff(threshold=0.7)),
        LinkPredictor(RankedFactorizer(solver=SymLMF()), shape=(4, 4), symmetric=True),
    ],
    ids=str,
)
def test_clones_and_pickles_keep_the_parameters(model):
    assert repr(clone(model)) == repr(model)
    assert repr(pickle.loads(pickle.dumps(model))) == repr(model)


def test_the_settings_as_used_do_not_change_with_the_parameters():
    model = WNMFk(solver=WNMF(ridge=0.05), **SMALL).fit(planted())
    before = model.transform(planted())
    model.set_params(solver__ridge=100.0, regime__speckle=0.3)
    np.testing.assert_array_equal(model.transform(planted()), before)
    assert model.solver_.ridge == 0.05
    assert model.regime_.speckle == 0.1


@pytest.mark.slow
def test_a_grid_search_reaches_nested_parameters():
    grid = {"regime__perturb__epsilon": [0.05], "solver__ridge": [0.001, 100.0]}
    search = GridSearchCV(WNMFk((2,), n_perturbs=2, random_state=0), grid, cv=2).fit(planted())
    assert search.best_params_["solver__ridge"] == 0.001
    assert search.best_score_ > 0.9
    assert search.best_estimator_.regime_.perturb.epsilon == 0.05


def test_a_factorizer_is_a_step_of_a_pipeline():
    pipeline = make_pipeline(FunctionTransformer(np.abs), WNMFk(solver=WNMF(ridge=0.05), **SMALL))
    assert pipeline.fit_transform(-planted()).shape == (12, 2)


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"solver": 3}, "WNMFk has solver=3; expected an object of type Solver"),
        ({"solver": WNMF}, r"Call it: WNMF\(\)"),
        ({"regime": WNMF()}, "expected an object of type Regime"),
        ({"selection": "best"}, "expected an object of type Selection"),
        ({"n_perturbs": 0}, "n_perturbs=0; expected a whole number from 1 to 100,000"),
        ({"n_perturbs": 2.5}, "n_perturbs=2.5"),
        ({"n_perturbs": True}, "n_perturbs=True"),
        ({"random_state": -1}, "random_state is -1"),
        ({"random_state": "seven"}, "random_state is 'seven'"),
    ],
)
def test_invalid_parameters_raise_at_fit(params, sentence):
    with pytest.raises(IncompatibleError, match=sentence):
        WNMFk(**(SMALL | params)).fit(planted())


@pytest.mark.parametrize("method", [NMFk, WNMFk, RNMFk, BNMFk, BayesianFactorizer, RankedFactorizer])
def test_the_documented_default_solver_is_the_real_one(method):
    defaults = re.findall(r"None(?:``)? is\s+``((\w+)\(.*?\))``", inspect.getdoc(method))
    documented = [eval(call, vars(solvers)) for call, name in defaults if name in solvers.__all__]
    assert [repr(solver) for solver in documented] == [repr(method().used_solver())]
