"""Parameters in a model file: those that `fit` refuses are refused by `load`, all valid ones are loaded."""

from __future__ import annotations

import json
from itertools import cycle

import numpy as np
import pytest
from tools.fuzz.model_kinds import save_models
from tools.fuzz.model_mutations import NEVER_VALID, replaced, reseal, settings_leaves

from latentlink import LinkPredictor, WNMFk, load
from latentlink.errors import IncompatibleError, InputError
from latentlink.rank import (
    Agreement,
    Bisect,
    Doubling,
    Every,
    LStatistic,
    RankSearch,
    Selection,
    SilhouetteCutoff,
)
from latentlink.regime import (
    Align,
    AsIs,
    Bootstrap,
    ByValue,
    KMeans,
    Otsu,
    Perturb,
    Search,
    Threshold,
    boolean,
    real,
)
from latentlink.solvers import LMF, RNMF, WNMF, Solver
from tests.helpers.fitted import SMALL, planted

KINDS = [
    "biased", "boolean", "head", "logistic", "named", "paper_head", "plain", "predictor", "stack",
    "undirected", "weighted",
]  # fmt: skip


@pytest.fixture(scope="session")
def saved_models(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    save_models(folder)
    return folder


def meta_of(folder):
    return json.loads((folder / "meta.json").read_bytes())


@pytest.fixture
def load_with(saved_models, tmp_path):
    """Return a function that loads a model with other parameters, given as JSON."""

    def loaded(kind, path, value):
        source, copy = saved_models / kind, tmp_path / "copy"
        copy.mkdir(exist_ok=True)
        (copy / "arrays.npz").write_bytes((source / "arrays.npz").read_bytes())
        meta = meta_of(source)
        reseal(copy, meta | {"tree": replaced(meta["tree"], path, value)})
        return load(copy)

    return loaded


def param(*names):
    """Return the location of a parameter of the outer estimator, or of one inside of it."""
    path = ()
    for name in names:
        path += ("dict", "params", "dict", name)
    return path


# ---------------------------------------------------------------- what must raise


@pytest.mark.parametrize("kind", KINDS)
def test_values_that_no_parameter_has_raise_wherever_they_are(saved_models, load_with, kind):
    """Of every estimator, of every settings object in it, and of every fitted estimator inside of it."""
    leaves = list(settings_leaves(meta_of(saved_models / kind)["tree"]))
    assert len(leaves) >= 7
    for path, value in zip(leaves, cycle(NEVER_VALID), strict=False):  # all with all: `tools.fuzz.models`
        with pytest.raises(InputError, match=r"\.$"):
            load_with(kind, path, value)


WRONG = {
    "n_perturbs": ["x", None, 0, -3, 2.5, True, [3], 10**12],
    "ranks": ["x", 0, 2.5, True, [], [1, "2"], [0], [1.5], {"range": [0, 3, 1]}, {"tuple": [1, None]}],
    "random_state": ["x", -1, 0.5, True, [1], {"tuple": [1]}, {"range": [0, 3, 1]}],
    "n_jobs": ["x", 0, 1.5, True, [1]],
    "solver": ["WNMF", 3, {"settings": "Otsu", "params": {"bins": 256}}],
    "regime": ["real", {"settings": "AsIs", "params": {}}],
    "selection": [1.0, {"settings": "KMeans", "params": {}}],
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name in WRONG for value in WRONG[name]])
def test_wrong_parameters_of_a_factorizer_raise(load_with, name, value):
    with pytest.raises(InputError, match="expected"):
        load_with("weighted", param(name), value)
    with pytest.raises(InputError, match="expected"):
        load_with("predictor", param("estimator", name), value)
    # None is the default number of members of a stack.
    if name in {"ranks", "n_perturbs", "n_jobs", "random_state"} and (name, value) != ("n_perturbs", None):
        with pytest.raises(InputError, match="expected"):
            load_with("stack", param(name), value)


@pytest.mark.parametrize(
    ("kind", "path", "value", "sentence"),
    [
        ("weighted", param("n_perturbs"), "x", "n_perturbs='x'; expected a whole number from 1 to 100,000"),
        ("weighted", param("ranks"), "x", "'x' among them; expected whole numbers >= 1"),
        ("weighted", param("random_state"), "x", "random_state is 'x'; expected a whole number >= 0"),
        ("weighted", ("dict", "fitted", "dict", "seed"), -1, "-1 as its seed; expected a whole number >= 0"),
        ("head", param("form"), "other", "form='other'; expected one of 'learned', 'paper'"),
        ("head", param("estimator"), 5, "estimator=5; expected an object of type RankedFactorizer"),
        ("head", param("lmf"), "LMF", "lmf='LMF'; expected an object of type RankedFactorizer"),
        ("stack", param("models"), 5, "models=5; expected factorizers"),
        ("stack", param("models"), [5], r"models=\[5\]; expected factorizers"),
        ("predictor", param("estimator"), 5, "estimator=5; expected an object of type LinkModel"),
        ("predictor", param("shape"), {"tuple": [9]}, "two integers: rows and columns"),
        ("predictor", param("shape"), {"tuple": [9, "7"]}, "two integers: rows and columns"),
        ("predictor", param("shape"), {"tuple": [0, 7]}, "at least one row and one column"),
        ("predictor", param("symmetric"), 1, "symmetric=1; expected True or False"),
        ("predictor", param("background"), "x", "background weight is 'x'"),
        ("predictor", param("background"), -1, "background weight is -1"),
        ("predictor", param("row_names"), 5, "row_names=5; expected a sequence of names"),
        ("predictor", param("row_names"), "abc", "row_names='abc'; expected a sequence of names"),
        ("predictor", param("col_names"), ["a", "b"], "names of one side only"),
    ],
)  # fmt: skip
def test_the_sentence_of_a_wrong_parameter(load_with, kind, path, value, sentence):
    with pytest.raises(InputError, match=sentence):
        load_with(kind, path, value)


@pytest.mark.parametrize(
    "name", ["RankSearch", "Selection", "Solver", "Threshold", "Align", "Perturb", "ByValue"]
)
def test_settings_classes_that_are_only_bases_raise(load_with, name):
    """They have nothing that a fit could call."""
    node = {"settings": name, "params": {}}
    for parameter in ("ranks", "solver", "regime", "selection"):
        with pytest.raises(InputError, match=name):
            load_with("weighted", param(parameter), node)


@pytest.mark.parametrize(
    "params",
    [
        {"ranks": RankSearch()}, {"solver": Solver()}, {"selection": Selection()},
        {"regime": boolean(Threshold())}, {"regime": real().set_params(align=Align())},
        {"regime": real().set_params(perturb=Perturb())}, {"regime": boolean(ByValue())},
    ],
    ids=repr,
)  # fmt: skip
def test_a_fit_refuses_them_too(params):
    with pytest.raises(IncompatibleError, match="expected"):
        WNMFk(**(SMALL | params)).fit(planted())


def test_a_model_whose_parameters_no_fit_accepts_is_not_saved(tmp_path):
    model = WNMFk(solver=WNMF(ridge=0.05), **SMALL).fit(planted())
    for wrong in ({"n_perturbs": "x"}, {"ranks": "x"}, {"random_state": "x"}, {"solver__cycles": 0}):
        changed = load_copy(model, tmp_path).set_params(**wrong)
        with pytest.raises(IncompatibleError, match="expected"):
            changed.save(tmp_path / "wrong")
        assert not (tmp_path / "wrong").exists()


# ---------------------------------------------------------------- what must be loaded


def load_copy(model, folder, **params):
    """Return a fitted model with other parameters after it was saved and loaded."""
    model.set_params(**params).save(folder / "copy", overwrite=True)
    return load(folder / "copy")


@pytest.mark.parametrize(
    ("given", "loaded"),
    [
        (None, None), (3, 3), (np.int64(3), 3), ((1, 2), (1, 2)), ([1, 2], [1, 2]), ({2, 1}, [1, 2]),
        (range(1, 4), range(1, 4)), ((np.int32(2),), (2,)), (range(5, 0, -1), range(5, 0, -1)),
    ],
    ids=repr,
)  # fmt: skip
def test_all_kinds_of_ranks_are_loaded(tmp_path, given, loaded):
    model = WNMFk(solver=WNMF(ridge=0.05), **SMALL).fit(planted())
    assert load_copy(model, tmp_path, ranks=given).ranks == loaded


def test_ranks_that_are_an_array_or_a_search_are_loaded(tmp_path):
    model = WNMFk(solver=WNMF(ridge=0.05), **SMALL).fit(planted())
    np.testing.assert_array_equal(load_copy(model, tmp_path, ranks=np.array([1, 2])).ranks, [1, 2])
    for search in (Bisect(1, 5), Doubling(gain=0.1), Every(ranks=(1, 2)), Every(ranks=range(1, 3))):
        assert repr(load_copy(model, tmp_path, ranks=search).ranks) == repr(search)


@pytest.mark.parametrize(
    ("given", "loaded"),
    [
        (None, None), (0, 0), (7, 7), (2**40, 2**40), (10**30, 10**30), (np.int64(3), 3), (np.uint8(3), 3),
        (np.random.default_rng(0), None), (np.random.RandomState(0), None),
    ],
    ids=lambda given: type(given).__name__,
)  # fmt: skip
def test_all_kinds_of_random_states_are_loaded(tmp_path, given, loaded):
    model = WNMFk(solver=WNMF(ridge=0.05), **SMALL).fit(planted())
    assert load_copy(model, tmp_path, random_state=given).random_state == loaded


@pytest.mark.parametrize(
    "params",
    [
        {"n_jobs": -1}, {"n_jobs": np.int64(2)}, {"n_perturbs": np.int32(5)}, {"solver": None},
        {"solver": RNMF(ridge_counts=(3, 4.5))}, {"regime": boolean()},
        {"solver": LMF(background_seed=2**40)},
        {"regime": boolean(Otsu())}, {"regime": boolean(Search())}, {"regime": boolean(KMeans())},
        {"regime": real(score_range=(0, 5))}, {"regime": real().set_params(perturb=Bootstrap())},
        {"regime": real().set_params(perturb=AsIs(), speckle=0)}, {"selection": Agreement(tolerance=2)},
        {"selection": SilhouetteCutoff(0.9, of="WH")}, {"selection": LStatistic(level=0.01)},
    ],
    ids=repr,
)  # fmt: skip
def test_valid_parameters_are_loaded(tmp_path, params):
    model = WNMFk(solver=WNMF(ridge=0.05), **SMALL).fit(planted())
    loaded = load_copy(model, tmp_path, **params)
    for name, value in params.items():
        assert repr(getattr(loaded, name)) == repr(value.item() if isinstance(value, np.generic) else value)


@pytest.mark.parametrize(
    "names", [list("abc"), tuple("abc"), np.array(list("abc")), np.array(list("abc"), object)], ids=type
)
def test_names_of_a_predictor_are_loaded(tmp_path, names):
    pairs = [(i, j) for i in "abc" for j in "abc"]
    model = LinkPredictor(
        WNMFk((1,), solver=WNMF(ridge=0.05), n_perturbs=2, random_state=0), row_names=names, col_names=names
    ).fit(pairs, np.arange(1.0, 10.0))
    loaded = load_copy(model, tmp_path)
    assert list(loaded.row_names) == list("abc")
    np.testing.assert_array_equal(loaded.predict(pairs), model.predict(pairs))
