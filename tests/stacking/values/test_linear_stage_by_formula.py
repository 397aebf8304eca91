"""The fit of the last stage of values, written out: design, units of shrinkage, penalties, left-out folds."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.stacking.values import LinearStage
from latentlink.stacking.values.bounded_ridge import BoundedRidge, capped_weights

PENALTIES = [1.0, 10.0, 100.0, 1000.0, 10_000.0, 100_000.0]


def tables_of(seed, levels, folds, noise, entries=60):
    """Columns of hidden entries, and values near the mean of two predictions, by as much as the noise."""
    rng = np.random.default_rng(seed)
    tables, values, weights = [], [], []
    for _ in range(folds):
        value = rng.normal(2, 1, entries)
        predictions = (
            value + noise * rng.normal(size=(levels, entries)) * np.linspace(1, 0.5, levels)[:, None]
        )
        corrections = 0.3 * rng.normal(size=(2, entries))
        counts = rng.uniform(1, [[3.0], [4.0]], (2, entries))
        tables.append(np.vstack([predictions, corrections, counts]))
        values.append(value + 0.4 * corrections[0] + 0.1 * (counts[0] - 2))
        weights.append(rng.choice([1.0, 3.0], entries))
    return tables, values, weights


class Plain:
    """The same fit, column by column."""

    def __init__(self, tables, values, weights, levels):
        self.levels, self.values, self.tables = levels, values, tables
        self.centres = np.hstack(tables)[-2:].mean(axis=1)
        errors = np.concatenate(values) - np.hstack(tables)[:levels].mean(axis=0)
        sizes = np.cumsum([len(value) for value in values])[:-1]
        self.weights = np.split(capped_weights(errors, np.concatenate(weights)), sizes)
        self.designs = [self.design(table) for table in tables]

    def design(self, table):
        l_i, l_j = table[-2] - self.centres[0], table[-1] - self.centres[1]
        columns = [np.ones(len(l_i)), l_i, l_j, l_i * l_j]
        for number, part in enumerate(table[:-2]):
            d = part - table[0] if 0 < number < self.levels else part
            columns += [d, d * l_i, d * l_j]
        return np.array(columns)

    def plain(self):
        """Coefficients of each prediction alone, and of the mean of several."""
        aims = np.zeros((self.levels, len(self.designs[0])))
        for number in range(1, self.levels):
            aims[number, 4 + 3 * number] = 1
        return [*aims, aims.mean(axis=0)] if self.levels > 1 else list(aims)

    def solve(self, folds, aim, penalty):
        X = np.hstack([self.designs[fold] for fold in folds])
        w = np.concatenate([self.weights[fold] for fold in folds])
        y = np.concatenate([self.values[fold] - self.tables[fold][0] for fold in folds])
        mean = X @ w / w.sum()
        units = np.maximum((X - mean[:, None]) ** 2 @ w / w.sum(), 1e-12 * (X**2 @ w) / w.sum())
        units[1:4] = np.maximum(units[1:4], 1)
        for at in range(4, len(units), 3):
            units[at + 1 : at + 3] = np.maximum(units[at + 1 : at + 3], units[at])
        units[0] = 0
        unit = np.eye(len(units))[4::3]
        bounds = [*unit[1:], unit[0] - unit[1 : self.levels].sum(axis=0), unit[0], -unit[0]]
        limits = [0.0] * (len(unit) - 1) + [-1.0, -0.25, -0.25]
        Z = np.vstack([X, y])
        ridge = BoundedRidge(units, np.array(bounds), np.array(limits))
        return ridge.solve((Z * w) @ Z.T, aim, penalty)

    def error(self, coefficients, fold):
        left = self.values[fold] - self.tables[fold][0] - coefficients @ self.designs[fold]
        return float(self.weights[fold] @ left**2)

    def chosen(self, folds):
        best = (np.inf, None, None)
        for aim in self.plain():
            for penalty in PENALTIES:
                error = 0.0
                for fold in folds:
                    others = [other for other in folds if other != fold] or folds
                    error += self.error(self.solve(others, aim, penalty), fold)
                if error < best[0] * (1 - 1e-9):
                    best = error, aim, penalty
        return self.solve(folds, *best[1:]), best[2]


@pytest.mark.parametrize("levels", [1, 2, 3])
@pytest.mark.parametrize("folds", [1, 2, 3])
@pytest.mark.parametrize("noise", [0.05, 0.6])
def test_the_fit_is_its_formula(levels, folds, noise):
    tables, values, weights = tables_of(0, levels, folds, noise)
    assert_fit_is_plain(tables, values, weights, levels)


def drawn(signal, aim, seed):
    """Few noisy values near the first prediction, the second or their mean, and near a correction."""
    rng = np.random.default_rng(seed)
    tables, values = [], []
    for _ in range(3):
        first, second, correction, useless = rng.normal(size=(4, 30))
        values.append([first, second, (first + second) / 2][aim] + rng.normal(size=30) + signal * correction)
        tables.append(np.vstack([first, second, correction, useless, rng.uniform(1, 4, (2, 30))]))
    return tables, values, [np.ones(30)] * 3


@pytest.mark.parametrize(
    ("penalty", "given"),
    [(1.0, (3.0, 0, 0)), (10.0, (3.0, 2, 5)), (100.0, (0.3, 1, 3)), (np.inf, (0.0, 0, 0))],
)
def test_the_penalty_follows_from_what_columns_say(penalty, given):
    assert assert_fit_is_plain(*drawn(*given), 2).penalty == penalty


def assert_fit_is_plain(tables, values, weights, levels):
    """Compare a fit with the plain one, and return it."""
    stage = LinearStage.fit(tables, values, weights, levels)
    plain, folds = Plain(tables, values, weights, levels), range(len(tables))
    joined = np.hstack(tables)[levels:]
    np.testing.assert_array_equal(stage.centres, plain.centres)
    np.testing.assert_array_equal(stage.ranges, np.column_stack([joined.min(axis=1), joined.max(axis=1)]))

    def left(fold, coefficients):
        parts = coefficients[4:].reshape(-1, 3), coefficients[:4]
        fitted = LinearStage(levels, *parts, stage.centres, stage.ranges, stage.means, 1.0, (0.0, 0.0))
        return values[fold] - fitted.value(list(tables[fold]))

    found = [
        left(fold, plain.chosen([other for other in folds if other != fold] or [0])[0]) for fold in folds
    ]
    learned = sum(plain.weights[fold] @ found[fold] ** 2 for fold in folds)
    alone = [sum(plain.error(aim, fold) for fold in folds) for aim in plain.plain()]
    if learned <= min(alone):
        coefficients, penalty = plain.chosen(list(folds))
    else:
        coefficients, penalty = plain.plain()[int(np.argmin(alone))], np.inf
        found = [left(fold, coefficients) for fold in folds]
    assert stage.penalty == penalty
    np.testing.assert_allclose(stage.of_counts, coefficients[:4], rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(stage.weights.ravel(), coefficients[4:], rtol=1e-5, atol=1e-7)
    w = np.concatenate(weights)
    first = np.concatenate(values) - np.hstack(tables)[0]
    for error, errors in zip(stage.errors, (first, np.concatenate(found)), strict=True):
        assert error == pytest.approx(np.sqrt(w @ errors**2 / w.sum()), rel=1e-5)
    return stage


@pytest.mark.parametrize("levels", [1, 2, 3])
def test_a_stage_that_is_worse_than_a_plain_prediction_is_that_prediction(levels):
    for seed in range(30):
        tables, values, weights = tables_of(seed, levels, 3, 0.3, entries=12)
        values = [table[levels - 1] + 1e-3 * np.cos(np.arange(12)) for table in tables]
        for table in tables:
            table[levels : levels + 2] = np.random.default_rng(seed).standard_t(1, size=(2, 12))
        stage = LinearStage.fit(tables, values, weights, levels)
        if stage.penalty == np.inf:
            break
    assert stage.penalty == np.inf
    w = np.concatenate(weights)
    np.testing.assert_allclose(stage.value(list(tables[1])), tables[1][levels - 1], rtol=1e-12)
    left = np.concatenate(values) - np.hstack(tables)[levels - 1]
    assert stage.errors[1] == pytest.approx(np.sqrt(w @ left**2 / w.sum()))
