"""Values with holes: ratings and a table predicted in five folds, beside other packages."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
from sklearn.datasets import load_digits

from latentlink import BayesianFactorizer, Network, RNMFk, ValueStack
from latentlink.experiments.case_lines import Lines, columns, grouped
from latentlink.splitting import Split, kfold
from studies.findings import Finding
from studies.ratings import rated_folds
from studies.study import Study

__all__ = ["holes"]

Array = Any

FOLDS = 5
# The largest mean RMSE over the folds that is to be reached.
MOST = {
    ("ratings", "BayesianFactorizer"): 0.893,
    ("ratings", "ValueStack"): 0.887,
    ("table", "ValueStack"): 1.85,
}
NAMES = {"ratings": "MovieLens-100k", "table": "digits, 1,797 x 64"}


@cache
def _folds(data: str) -> list[Split]:
    if data == "ratings":
        return rated_folds()
    return list(kfold(Network.from_dense(load_digits().data), FOLDS, 0))


def run(data: str, method: str, fold: int) -> dict[str, Any]:
    """Fit four fifths of the values, and predict the others; everything is chosen inside the four fifths."""
    split = _folds(data)[fold]
    begin = time.process_time()
    predicted = METHODS[data][method](split)
    seconds = time.process_time() - begin
    low, high = split.train.values.min(), split.train.values.max()
    errors = np.clip(predicted, low, high) - split.test.values
    known = split.train.known
    there = np.isin(split.test.rows, split.train.rows[known]) & np.isin(
        split.test.cols, split.train.cols[known]
    )
    return {
        "rmse": f"{np.sqrt(np.mean(errors**2)):.5f}",
        "mae": f"{np.mean(np.abs(errors)):.5f}",
        "rmse_of_known_nodes": f"{np.sqrt(np.mean(errors[there] ** 2)):.5f}",
        "seconds": f"{seconds:.1f}",
    }


def _ours(make: Callable[[], Any]) -> Callable[[Split], Array]:
    def predict(split: Split) -> Array:
        return make().fit(split.train).predict_links(np.column_stack([split.test.rows, split.test.cols]))

    return predict


def _means(split: Split) -> Array:
    """Predict the mean of the column, shrunk towards that of all columns, as ten values more would."""
    known = split.train.known
    cols, values = split.train.cols[known], split.train.values[known]
    count = np.bincount(cols, minlength=split.train.shape[1])
    total = np.bincount(cols, values, minlength=split.train.shape[1])
    return ((total + 10 * values.mean()) / (count + 10))[split.test.cols]


def _surprise(name: str) -> Callable[[Split], Array]:
    """Return a method of scikit-surprise with its own settings; KNN compares items."""

    def predict(split: Split) -> Array:
        import surprise

        train, known = split.train, split.train.known
        triples = zip(train.rows[known], train.cols[known], train.values[known], strict=True)
        scale = float(train.values.min()), float(train.values.max())
        reader = surprise.Reader(rating_scale=scale)
        dataset = surprise.Dataset(reader)
        listed = [(int(i), int(j), float(x), None) for i, j, x in triples]
        settings: dict[str, Any] = (
            {"random_state": 0}
            if name != "KNNBaseline"
            else {"sim_options": {"user_based": False}, "verbose": False}
        )
        model = getattr(surprise, name)(**settings).fit(dataset.construct_trainset(listed))
        pairs = zip(split.test.rows, split.test.cols, strict=True)
        return np.array([model.predict(int(i), int(j)).est for i, j in pairs])

    return predict


def _imputed(make: Callable[[], Any]) -> Callable[[Split], Array]:
    def predict(split: Split) -> Array:
        train, known = split.train, split.train.known
        X = np.full(train.shape, np.nan)
        X[train.rows[known], train.cols[known]] = train.values[known]
        return make().fit_transform(X)[split.test.rows, split.test.cols]

    return predict


def _iterative() -> Any:
    from sklearn.experimental import enable_iterative_imputer  # noqa: F401
    from sklearn.impute import IterativeImputer

    return IterativeImputer(random_state=0)


def _nearest() -> Any:
    from sklearn.impute import KNNImputer

    return KNNImputer(weights="distance")


METHODS: dict[str, dict[str, Callable[[Split], Array]]] = {
    "ratings": {
        "ValueStack": _ours(lambda: ValueStack(random_state=0)),
        "BayesianFactorizer": _ours(lambda: BayesianFactorizer(random_state=0)),
        "RNMFk, rank 20": _ours(lambda: RNMFk((20,), random_state=0)),
        "column means": _means,
        "Surprise SVDpp": _surprise("SVDpp"),
        "Surprise KNNBaseline": _surprise("KNNBaseline"),
    },
    "table": {
        "ValueStack": _ours(lambda: ValueStack(random_state=0)),
        "BayesianFactorizer": _ours(lambda: BayesianFactorizer(random_state=0)),
        "column means": _means,
        "KNNImputer": _imputed(_nearest),
        "IterativeImputer": _imputed(_iterative),
    },
}


def findings(lines: Lines) -> Iterator[Finding]:
    """Yield the errors of every method, ours against what is to be reached."""
    for (data, method), group in grouped(lines, "data", "method"):
        rmse, known, seconds = columns(group, "rmse", "rmse_of_known_nodes", "seconds").values()
        most = MOST.get((data, method))
        yield Finding(
            f"{NAMES[data]}, {method}: RMSE",
            f"{rmse.mean():.4f} over {len(group)} folds ({rmse.min():.4f} to {rmse.max():.4f}; where row and "
            f"column occur in training {known.mean():.4f}), {seconds.mean():.0f} CPU s a fold",
            "none, reported only" if most is None else f"at most {most}",
            None if most is None else bool(rmse.mean() <= most),
        )


holes = Study(
    "holes",
    [
        {"data": data, "method": method, "fold": fold}
        for data, methods in METHODS.items()
        for fold in range(FOLDS)
        for method in methods
    ],
    run,
    findings,
)
