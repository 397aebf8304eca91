"""New rows of a ValueStack: predicted by all of its parts, by names or whole, after saving, in any number."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from latentlink import BayesianFactorizer, Network, RNMFk, ValueStack, load
from latentlink.errors import InputError
from latentlink.solvers import BPMF

pytestmark = [
    pytest.mark.filterwarnings("ignore:The chains at rank"),
    pytest.mark.filterwarnings("ignore:X does not have valid feature names"),
]

SHORT = BPMF(max_iter=60, burn_in=20, draws=6)
BAYESIAN = BayesianFactorizer((2,), solver=SHORT, n_perturbs=2)
MODELS = (BAYESIAN, RNMFk((2,), n_perturbs=4))
COLUMNS = 8


def curve(rows, seed):
    """Return rows of a table whose columns are curved functions of each other."""
    rng = np.random.default_rng(seed)
    t = rng.uniform(0, 2 * np.pi, rows)
    return np.cos(t[:, None] + np.linspace(0, 3, COLUMNS)) ** 3 + 0.05 * rng.normal(size=(rows, COLUMNS))


def with_holes(X, seed, share=0.25):
    """Return a table with holes, and where they are."""
    hidden = np.random.default_rng(seed).random(X.shape) < share
    return np.where(hidden, np.nan, X), hidden


def fitted_table(seed, models=MODELS):
    X, hidden = with_holes(curve(120, seed), seed + 100)
    names = [f"c{j}" for j in range(COLUMNS)]
    listed = np.argwhere(~hidden)
    network = Network(
        *listed.T, X[~hidden], shape=X.shape, row_names=[f"r{i}" for i in range(len(X))], col_names=names
    )
    return ValueStack(models=list(models), random_state=seed).fit(network), hidden


@pytest.fixture(scope="module")
def tabled():
    return fitted_table(0)


@pytest.fixture(scope="module")
def rated():
    """Ratings from 1 to 5, of more columns than a table for regressions has."""
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(60, 2)) @ rng.normal(size=(2, 300)) + 0.7 * rng.normal(size=300)
    X = np.clip(np.rint(3 + scores + 0.5 * rng.normal(size=(60, 300))), 1, 5)
    X = np.where(rng.random(X.shape) < 0.3, X, np.nan)
    return ValueStack(models=MODELS, random_state=0).fit(X), X


def rmse(rows, X, hidden):
    return np.sqrt(np.mean((rows.predict_links(np.argwhere(hidden)) - X[hidden]) ** 2))


def rmse_of_first(model, shown, X, hidden):
    """Return the error of the first model, which was fitted to standardized values."""
    assert model.units_.shared
    centre, scale = model.units_.centres[0], model.units_.scales[0]
    rows = model.models_[0].fold_in(Network.from_dense((shown - centre) / scale))
    return scale * rmse(rows, (X - centre) / scale, hidden)


# -------------------------------------------------------------------- predictions


def test_fitted_rows_get_about_the_scores_of_the_fit_for_their_holes(tabled, rated):
    for model, X in ((tabled[0], tabled[0].network_.to_dense()), rated):
        if model is tabled[0]:
            X = np.where(tabled[1], np.nan, X)
        holes = np.argwhere(np.isnan(X))
        again = model.fold_in(X).predict_links(holes)
        fit = model.predict_links(holes)
        assert np.sqrt(np.mean((again - fit) ** 2)) < 0.05 * fit.std()


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_curved_tables_are_predicted_better_than_by_the_first_model(seed):
    model, _ = fitted_table(seed, [BAYESIAN])
    X = curve(80, seed + 1000)
    shown, hidden = with_holes(X, seed + 2000)
    first, whole = rmse_of_first(model, shown, X, hidden), rmse(model.fold_in(shown), X, hidden)
    assert whole < 0.6 * first
    # As well as rows of the fit, on average.
    assert whole < 1.3 * model.stage_.errors[1]


def test_every_part_of_the_stack_counts(rated):
    """The score is that of the last stage, given plain computations of all columns for the new rows."""
    model, X = rated
    units = model.units_
    shown = X[:3].copy()
    shown[0, :40] = np.nan
    rows = model.fold_in(shown)
    shown = (shown - units.centres) / units.scales
    known = ~np.isnan(shown)
    i, j = (each.ravel() for each in np.indices(shown.shape))
    folded = [each.fold_in(shown) for each in model.models_]
    unclipped = [
        np.mean([replace(each, bounds=None).score(i, j) for each in one.members], axis=0) for one in folded
    ]
    residual = np.where(known, shown - np.mean(unclipped, axis=0).reshape(shown.shape), 0.0)
    of_columns, of_rows = model.factors_.columns.neighbours
    S = of_columns.similarity.toarray()
    by_columns = residual @ S / (4 + known @ np.abs(S))
    R = of_rows.residuals.toarray().T  # of the fitted rows
    there = R != 0
    near = np.zeros((3, len(R)))
    for new in range(3):
        for old in range(len(R)):
            both = known[new] & there[old]
            a, b = residual[new, both], R[old, both]
            common = both.sum() / (both.sum() + 50)
            near[new, old] = common * (a @ b) / np.sqrt((a @ a) * (b @ b)) if both.any() else 0.0
    by_rows = near @ R / (4 + np.abs(near) @ there)
    # Fewer known entries than any fitted row has count as the least number of those.
    of_rows = known.sum(axis=1).clip((~np.isnan(X)).sum(axis=1).min())
    counts = np.log1p(of_rows), np.log1p((~np.isnan(X)).sum(axis=0))
    scores = [replace(each.factors, bounds=None).score(i, j) for each in folded]
    columns = [*scores, by_columns.ravel(), by_rows.ravel(), counts[0][i], counts[1][j]]
    expected = np.clip(units.scores(model.stage_.value(columns), j), 1, 5)
    np.testing.assert_allclose(rows.factors.score(i, j), expected, atol=1e-6)


def test_rows_do_not_depend_on_each_other(tabled):
    model, _ = tabled
    shown, hidden = with_holes(curve(3, 7), 8)
    pairs = np.argwhere(hidden)
    together = model.fold_in(shown).predict_links(pairs)
    alone = [model.fold_in(shown[i]).predict_links([(0, j)])[0] for i, j in pairs]
    np.testing.assert_allclose(together, alone, rtol=1e-4, atol=1e-5)


# -------------------------------------------------------------------- little is known


def test_a_row_of_which_nothing_is_known_has_the_column_means(tabled, rated):
    for model, X in ((tabled[0], np.where(tabled[1], np.nan, tabled[0].network_.to_dense())), rated):
        m = X.shape[1]
        with pytest.warns(UserWarning, match="Nothing is known of 1 new row"):
            rows = model.fold_in(np.full((1, m), np.nan))
        score, spread = rows.predict_links([(0, j) for j in range(m)], return_std=True)
        assert np.isfinite(spread).all()
        means = np.nanmean(X, axis=0)
        assert np.sqrt(np.mean((score - means) ** 2)) < 0.2 * np.nanstd(X)


def test_a_single_known_value_moves_the_scores_within_the_range(tabled, rated):
    for model, low, high in ((tabled[0], -1.3, 1.3), (rated[0], 1, 5)):
        m = model.network_.shape[1]
        pairs = [(0, j) for j in range(1, m)]
        scores = [model.fold_in({0 if m > 8 else "c0": value}).predict_links(pairs) for value in (low, high)]
        assert np.isfinite(scores).all()
        assert np.min(scores) >= low - 1e-9
        assert np.max(scores) <= high + 1e-9
        assert not np.allclose(*scores)


# -------------------------------------------------------------------- questions, forms and files


def test_scores_spread_and_tables(tabled):
    model, _ = tabled
    shown, hidden = with_holes(curve(3, 5), 6)
    rows = model.fold_in(dict(zip("abc", shown, strict=True)))
    known = f"{np.sum(~hidden)} known entries"
    rows_and_columns = "3 new rows ('a', 'b', 'c') x 8 columns"
    assert repr(rows) == f"NewRows: {rows_and_columns}, {known}, without components, 12 members"
    assert rows.W.shape == (3, 0)
    i, j = np.nonzero(hidden)
    pairs = [("abc"[a], f"c{b}") for a, b in zip(i, j, strict=True)]
    score, spread = rows.predict_links(pairs, return_std=True)
    each = np.array([member.score(i, j) for member in rows.members])
    np.testing.assert_allclose(score, each.mean(axis=0), rtol=1e-6)
    np.testing.assert_allclose(spread, each.std(axis=0), rtol=1e-4, atol=1e-8)
    assert spread.min() > 0
    best = rows.top_links(100)
    assert {*zip(best["row"], best["column"], strict=True)} == {*pairs}
    expected = dict(zip(pairs, score, strict=True))
    for row, column, value in zip(best["row"], best["column"], best["score"], strict=True):
        assert value == pytest.approx(expected[row, column], abs=1e-5)
    assert (np.diff(best["score"]) <= 0).all()
    first = rows.recommend("b", 2)
    assert set(first["column"]) <= {column for row, column in pairs if row == "b"}


def test_names_and_whole_rows_mean_the_same(tabled):
    model, _ = tabled
    row = with_holes(curve(1, 3), 4)[0][0]
    known = {f"c{j}": value for j, value in enumerate(row) if not np.isnan(value)}
    pairs = [(0, j) for j in range(COLUMNS)]
    expected = model.fold_in(row).predict_links(pairs, return_std=True)
    for form in (known, list(known.items()), [known], row[None], np.nan_to_num(row)[None]):
        mask = ~np.isnan(row)[None] if form is not known and np.shape(form) == (1, COLUMNS) else None
        rows = model.fold_in(form, mask=mask)
        np.testing.assert_array_equal(rows.predict_links(pairs, return_std=True), expected)
    with pytest.raises(InputError, match="other"):
        model.fold_in({"other": 1.0})
    with pytest.raises(InputError, match="expected 8"):
        model.fold_in([1.0, 2.0])


def test_saved_and_loaded_stacks_fold_in_the_same_bits(tabled, rated, tmp_path):
    for name, (model, _) in {"table": tabled, "ratings": rated}.items():
        model.save(tmp_path / name)
        n, m = 4, model.network_.shape[1]
        shown = with_holes(np.clip(2 + curve(n, 1)[:, np.arange(m) % COLUMNS], 1, 5), 2)[0]
        pairs = [(i, j) for i in range(n) for j in range(m)]
        for one, other in zip(
            model.fold_in(shown).predict_links(pairs, return_std=True),
            load(tmp_path / name).fold_in(shown).predict_links(pairs, return_std=True),
            strict=True,
        ):
            np.testing.assert_array_equal(one, other)


@pytest.mark.slow
def test_new_nodes_of_undirected_networks():
    rng = np.random.default_rng(0)
    a = rng.normal(size=60)
    X = np.outer(a, a) + 0.1 * rng.normal(size=(60, 60))
    i, j = np.triu_indices(40, 1)
    there = rng.random(len(i)) < 0.6
    network = Network(i[there], j[there], X[i, j][there], shape=(40, 40), symmetric=True)
    model = ValueStack(models=[BAYESIAN], random_state=0).fit(network)
    shown, hidden = with_holes(X[40:, :40], 1, 0.5)
    rows = model.fold_in(Network.from_dense(shown))
    assert rmse(rows, X[40:, :40], hidden) < 0.35
    assert rmse(rows, X[40:, :40], hidden) < 1.1 * rmse_of_first(model, shown, X[40:, :40], hidden)
    assert len(rows.top_links(5)) == 5
