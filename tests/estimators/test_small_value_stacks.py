"""ValueStack on small tables of several kinds: never clearly worse than its best part."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import datasets

from latentlink import BayesianFactorizer, ValueStack
from latentlink.solvers import BPMF

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:The chains at rank"),
    pytest.mark.filterwarnings("ignore:Nothing is known of"),
]

SEEDS = range(2)


def published(load):
    def table(rng):
        X = load().data
        return X[rng.permutation(len(X))[:150], :20]

    return table


def planted(shape, rank, noise):
    def table(rng):
        X = rng.normal(size=(shape[0], rank)) @ rng.normal(size=(rank, shape[1]))
        return X + 0.5 * noise(rng, shape)

    return table


def lognormal(rng):
    return np.exp(rng.normal(size=(90, 2)) @ rng.normal(size=(2, 14)) + 0.3 * rng.normal(size=(90, 14)))


TABLES = {
    "cancer": published(datasets.load_breast_cancer),
    "wine": published(datasets.load_wine),
    "diabetes": published(datasets.load_diabetes),
    "iris": published(datasets.load_iris),
    "low rank": planted((80, 15), 3, lambda rng, shape: rng.normal(size=shape)),
    "heavy-tailed": planted((100, 12), 2, lambda rng, shape: rng.standard_t(2, size=shape)),
    "few rows": planted((25, 10), 2, lambda rng, shape: rng.normal(size=shape)),
    "lognormal": lognormal,
}


def errors(kind, seed):
    """Return the errors of the stack and of its parts on a third of a table that was hidden."""
    rng = np.random.default_rng(seed)
    X = TABLES[kind](rng)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    hidden = rng.random(X.shape) < 1 / 3
    pairs = np.argwhere(hidden)
    short = {"max_iter": 60, "burn_in": 20, "draws": 6}
    models = [
        BayesianFactorizer((min(rank, X.shape[1]),), solver=BPMF(node_noise=noise, **short), n_perturbs=2)
        for rank, noise in ((8, True), (16, False))
    ]
    stack = ValueStack(models=models, random_state=seed).fit(np.where(hidden, np.nan, X))
    parts = [model.predict_links(pairs) for model in stack.models_]
    if stack.kernels_ is not None:
        parts.append(stack.kernels_.at(*pairs.T))
    parts = [stack.units_.scores(each, pairs[:, 1]) for each in parts]
    return [np.sqrt(np.mean((each - X[hidden]) ** 2)) for each in (stack.predict_links(pairs), *parts)]


@pytest.mark.parametrize("kind", TABLES)
def test_a_stack_is_at_most_a_few_per_cent_worse_than_its_best_part(kind):
    found = [errors(kind, seed) for seed in SEEDS]
    ratios = [stack / min(parts) for stack, *parts in found]
    assert max(ratios) < 1.1
    assert np.mean(ratios) < 1.05
