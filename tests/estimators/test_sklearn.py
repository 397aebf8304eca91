"""The checks of scikit-learn for estimators."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.utils.estimator_checks import estimator_checks_generator, parametrize_with_checks

from latentlink import (
    BayesianFactorizer,
    BNMFk,
    LinkPredictor,
    LinkStack,
    LogisticHead,
    NMFk,
    RankedFactorizer,
    RNMFk,
    WNMFk,
)
from latentlink.errors import IncompatibleError
from latentlink.solvers import BNMF, BPMF, LMF, NMF, RNMF, WNMF, SymLMF

CHEAP = {"ranks": (1,), "n_perturbs": 2}

# Checks that fit real numbers in a rectangular array.
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


# Checks of parameters, which suit every estimator.
SETTINGS = (
    "check_do_not_raise_errors_in_init_or_set_param",
    "check_estimator_cloneable",
    "check_estimator_repr",
    "check_estimator_tags_renamed",
    "check_estimators_unfitted",
    "check_fit1d",
    "check_get_params_invariance",
    "check_mixin_order",
    "check_no_attributes_set_in_init",
    "check_parameters_default_constructible",
    "check_set_params",
    "check_valid_tag_types",
)


def checks_of(*estimators, names):
    """Return estimators with their checks of some names, as parameters of a test."""
    return [
        pytest.param(estimator, check, id=f"{type(estimator).__name__}-{name_of(check)}")
        for each in estimators
        for estimator, check in estimator_checks_generator(each)
        if name_of(check) in names
    ]


def name_of(check):
    return getattr(check, "func", check).__name__


@parametrize_with_checks(
    [
        WNMFk(solver=WNMF(max_iter=10, ridge=0.1), **CHEAP),
        RNMFk(solver=RNMF(max_iter=10, ridge=0.1), **CHEAP),
        BayesianFactorizer(solver=BPMF(max_iter=40, burn_in=10, draws=3), **CHEAP),
    ]
)
def test_all_checks_pass(estimator, check):
    check(estimator)


@pytest.mark.parametrize(
    ("estimator", "check"),
    [
        # NMFk differs from WNMFk by its solver alone.
        *checks_of(
            NMFk(solver=NMF(max_iter=10), **CHEAP),
            names={*SETTINGS, "check_estimators_pickle", "check_fit_idempotent", "check_transformer_general"},
        ),
        *checks_of(LogisticHead(), LinkStack(), LinkPredictor(), names=SETTINGS),
    ],
)
def test_checks_of_parameters_pass(estimator, check):
    check(estimator)


# ---------------------------------------------------------------- solvers of zeros and ones


@parametrize_with_checks(
    [
        BNMFk(solver=BNMF(max_iter=10, ridge=0.1), **CHEAP),
        RankedFactorizer(solver=LMF(max_iter=10, ridge=1.0), **CHEAP),
        RankedFactorizer(solver=SymLMF(max_iter=10, ridge=1.0), **CHEAP),
    ]
)
def test_checks_fail_only_where_the_data_are_not_binary_or_not_symmetric(estimator, check):
    """Not marked as expected failures: pytest would format the traceback of each, which takes longer."""
    name = name_of(check)
    unsuitable = name in FITTING or (
        name == "check_positive_only_tag_during_fit" and not estimator.solver.needs_nonnegative
    )
    if unsuitable:
        with pytest.raises((IncompatibleError, AssertionError)):
            check(estimator)
    else:
        check(estimator)


class Binarized:
    """Binarize the data of the checks at their median before the estimator reads them."""

    def fit(self, X, y=None, **settings):
        X = as_floats(X)
        dense = X.toarray() if sparse.issparse(X) else X
        self._median = np.nanmedian(dense) if is_floats(dense) else 0.0
        return super().fit(self.binarized(X), y, **settings)

    def binarized(self, X):
        X = as_floats(X)
        if sparse.issparse(X):
            return (max(self._median, 0) < X).astype(float)
        return np.where(np.isnan(X), X, self._median < X) if is_floats(X) else X

    def transform(self, X, **settings):
        return super().transform(self.binarized(X) if hasattr(self, "_median") else X, **settings)

    def score(self, X, y=None):
        return super().score(self.binarized(X), y)


def as_floats(X):
    """Return numbers as floats; frames, whose names matter, and invalid data as they are."""
    if sparse.issparse(X) or hasattr(X, "columns"):
        return X
    try:
        array = np.asarray(X)
        return array if array.dtype.kind == "c" else array.astype(float)
    except (TypeError, ValueError):
        return X


def is_floats(X):
    return isinstance(X, np.ndarray) and X.dtype.kind == "f" and X.size > 0


class BinarizedBNMFk(Binarized, BNMFk):
    pass


class BinarizedFactorizer(Binarized, RankedFactorizer):
    pass


@pytest.mark.slow
@pytest.mark.parametrize(
    ("estimator", "check"),
    checks_of(
        BinarizedBNMFk(solver=BNMF(max_iter=10, ridge=0.1), **CHEAP),
        BinarizedFactorizer(solver=LMF(max_iter=10, ridge=1.0), **CHEAP),
        names=FITTING,
    ),
)
@pytest.mark.filterwarnings("ignore:Every pair is known")
def test_the_failed_checks_pass_on_zeros_and_ones(estimator, check):
    check(estimator)
