"""scikit-learn's own checks of what an estimator is."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.utils.estimator_checks import parametrize_with_checks

from latentlink import BNMFk, NMFk, RankedFactorizer, RNMFk, WNMFk
from latentlink.solvers import BNMF, LMF, NMF, RNMF, WNMF, SymLMF

SMALL = {"ranks": (1, 2), "n_perturbs": 2}

# scikit-learn fits these checks' data, which are real numbers in an oblong array.
FITTING = (
    "check_dict_unchanged",
    "check_dont_overwrite_parameters",
    "check_dtype_object",
    "check_estimator_sparse_array",
    "check_estimator_sparse_matrix",
    "check_estimator_sparse_tag",
    "check_estimators_dtypes",
    "check_estimators_fit_returns_self",
    "check_estimators_overwrite_params",
    "check_estimators_pickle",
    "check_f_contiguous_array_estimator",
    "check_fit2d_1feature",
    "check_fit2d_1sample",
    "check_fit2d_predict1d",
    "check_fit_check_is_fitted",
    "check_fit_idempotent",
    "check_fit_score_takes_y",
    "check_methods_sample_order_invariance",
    "check_methods_subset_invariance",
    "check_n_features_in",
    "check_n_features_in_after_fitting",
    "check_pipeline_consistency",
    "check_readonly_memmap_input",
    "check_transformer_data_not_an_array",
    "check_transformer_general",
    "check_transformer_preserve_dtypes",
)


def refused(estimator):
    """The checks whose data the method refuses, and why."""
    symmetric, binary = estimator.solver.needs_symmetric, estimator.solver.needs_binary
    reason = "the data are not symmetric" if symmetric else "the data are not 0 and 1"
    names = (
        FITTING if estimator.solver.needs_nonnegative else (*FITTING, "check_positive_only_tag_during_fit")
    )
    return dict.fromkeys(names, reason) if symmetric or binary else {}


@parametrize_with_checks(
    [
        NMFk(solver=NMF(max_iter=50), **SMALL),
        WNMFk(solver=WNMF(max_iter=50, ridge=0.01), **SMALL),
        RNMFk(solver=RNMF(max_iter=50, ridge=0.1), **SMALL),
    ]
)
def test_every_check_is_passed(estimator, check):
    check(estimator)


@parametrize_with_checks(
    [
        BNMFk(solver=BNMF(max_iter=50, ridge=0.01), **SMALL),
        RankedFactorizer(solver=LMF(max_iter=50, ridge=1.0), **SMALL),
        RankedFactorizer(solver=SymLMF(max_iter=50, ridge=1.0), **SMALL),
    ],
    expected_failed_checks=refused,
)
def test_checks_fail_only_where_the_data_are_refused(estimator, check):
    check(estimator)


class Cut:
    """Cut the checks' data at their median before anything else sees them; leave what is no data alone."""

    def fit(self, X, y=None, **settings):
        X = as_floats(X)
        dense = X.toarray() if sparse.issparse(X) else X
        self._at = np.nanmedian(dense) if is_floats(dense) else 0.0
        return super().fit(self.cut(X), y, **settings)

    def cut(self, X):
        X = as_floats(X)
        if sparse.issparse(X):
            return (max(self._at, 0) < X).astype(float)
        return np.where(np.isnan(X), X, self._at < X) if is_floats(X) else X

    def transform(self, X, **settings):
        return super().transform(self.cut(X) if hasattr(self, "_at") else X, **settings)

    def score(self, X, y=None):
        return super().score(self.cut(X), y)


def as_floats(X):
    """Numbers as floats; frames, whose names matter, and nonsense as they are."""
    if sparse.issparse(X) or hasattr(X, "columns"):
        return X
    try:
        found = np.asarray(X)
        return found if found.dtype.kind == "c" else found.astype(float)
    except (TypeError, ValueError):
        return X


def is_floats(X):
    return isinstance(X, np.ndarray) and X.dtype.kind == "f" and X.size > 0


class CutBNMFk(Cut, BNMFk):
    pass


class CutFactorizer(Cut, RankedFactorizer):
    pass


@parametrize_with_checks(
    [
        CutBNMFk(solver=BNMF(max_iter=50, ridge=0.01), **SMALL),
        CutFactorizer(solver=LMF(max_iter=50, ridge=1.0), **SMALL),
    ],
)
@pytest.mark.filterwarnings("ignore:Every pair is known")
def test_the_refused_checks_are_passed_on_zeros_and_ones(estimator, check):
    name = getattr(check, "func", check).__name__
    if name in FITTING:
        check(estimator)
