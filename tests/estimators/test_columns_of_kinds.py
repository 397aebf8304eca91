"""ValueStack on tables whose columns are of different kinds: links and non-links beside real numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from latentlink import BayesianFactorizer, ValueStack, load
from latentlink.cli.results.explanation import total_sentence
from latentlink.solvers import BPMF

pytestmark = [
    pytest.mark.filterwarnings("ignore:The chains at rank"),
    pytest.mark.filterwarnings("ignore:Nothing is known of"),
]

SHORT = BPMF(max_iter=60, burn_in=20, draws=6)


@pytest.fixture(scope="module", params=[1.0, 500.0], ids=["one unit", "units"])
def fitted(request):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 1)) @ rng.normal(size=(1, 6)) + 0.1 * rng.normal(size=(120, 6))
    X[:, 0] = X[:, 0] > 0
    X[:, 1] *= request.param
    hidden = rng.random(X.shape) < 0.25
    models = [BayesianFactorizer((2,), solver=SHORT, n_perturbs=2)]
    return ValueStack(models=models, random_state=0).fit(np.where(hidden, np.nan, X)), X, hidden


def test_scores_of_every_column_stay_within_its_range(fitted):
    """Of a column of 0 and 1 beside real numbers they had been from -.13 to 1.06."""
    model, X, _ = fitted
    i, j = (each.ravel() for each in np.indices(X.shape))
    scores = model.factors_.score(i, j)
    free = replace(model.factors_, columns=replace(model.factors_.columns, ranges=None)).score(i, j)
    assert free[j == 0].max() > 1
    assert free[j == 0].min() < 0
    np.testing.assert_allclose(scores[j == 0], np.clip(free[j == 0], 0, 1), atol=1e-9)
    np.testing.assert_array_equal(np.argsort(scores[j == 0]), np.argsort(free[j == 0]))
    np.testing.assert_array_equal(scores[j > 0], free[j > 0])
    np.testing.assert_allclose(model.factors_.block(5, 9, 0), scores.reshape(X.shape)[5:9], rtol=1e-6)
    for member in model.members_[:3]:
        assert member.score(i, j)[j == 0].max() <= 1
    assert "(0 to 1)" in model.kind_.sentence
    assert model.factors_.bounds is None


def test_new_rows_and_loaded_models_too(fitted, tmp_path):
    model, X, hidden = fitted
    pairs = np.argwhere(np.ones((20, 1)))
    new = model.fold_in(np.where(hidden[:20], np.nan, X[:20])).predict_links(pairs)
    assert new.min() >= 0
    assert new.max() <= 1
    model.save(tmp_path / "model")
    loaded = load(tmp_path / "model")
    np.testing.assert_array_equal(loaded.predict_links(pairs), model.predict_links(pairs))
    assert loaded.kind_ == model.kind_


def test_explanations_say_that_the_score_is_kept_within_the_range_of_its_column(fitted):
    model, _, _ = fitted
    said = total_sentence(model.factors_, np.array([1.5, -0.3]), 1.0)
    assert said.endswith("scores are clipped to the range of the column, which makes the score 1.")
    assert total_sentence(model.factors_, np.array([0.5]), 0.5).endswith("the score.")
