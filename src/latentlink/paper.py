"""The methods with the settings of the paper, as presets of the estimators.

    paper.WNMFk(range(1, 9))                         # instead of latentlink.WNMFk(range(1, 9))
    paper.BNMFk(range(1, 9), threshold="kmeans")

A preset is an ordinary estimator: its settings can be read, and changed by ``set_params``. As in the paper,
the data are perturbed by uniform noise of 1.5 %, or by flips of 1.5 % of the ones and of the zeros; nothing
is held out of the members; each has one start, and none is set aside; the centre is the median, to which H is
fitted without a further polish; the ridge is fixed and small; Boolean factors are multiplied as a sum; and
the largest rank is chosen whose least silhouette is at least 0.8. The page "The paper's own mode" of the
documentation lists every difference from the defaults, its reason and its effect.

Where the paper is silent, presets follow its authors' implementation: silhouettes by the angle, 100 sweeps of
multiplicative updates (250 of BNMF), single precision. WNMF runs until it converges.
"""

from __future__ import annotations

from typing import Any

from latentlink import estimators, regime, solvers
from latentlink.errors import IncompatibleError
from latentlink.rank import SilhouetteCutoff

__all__ = [
    "LMF",
    "BNMFk",
    "NMFk",
    "RNMFk",
    "SymLMF",
    "WNMFk",
    "boolean",
    "logistic",
    "real",
]

EPSILON = 0.015
SMALL_RIDGE = 1e-6
_THRESHOLDS = {"kmeans": regime.KMeans, "otsu": regime.Otsu, "search": regime.Search}
_SWEEPS: dict[str, Any] = {
    "max_iter": 100,
    "tol": 0.0,
    "precision": "float32",
}  # a fixed number, as in the paper


def real() -> regime.Regime:
    """Return the real-valued regime of the paper.

    Examples
    --------
    >>> real().perturb, real().speckle, real().polish
    (UniformScale(), 0.0, False)
    """
    return regime.Regime(
        perturb=regime.UniformScale(epsilon=EPSILON),
        align=regime.CosineAlign(silhouettes="angle"),
        polish=False,
        starts=1,
        speckle=0.0,
        set_aside=False,
        score_range=None,
    )


def boolean(threshold: str | regime.Threshold = "kmeans") -> regime.Regime:
    """Return the Boolean regime of the paper.

    Parameters
    ----------
    threshold : {"kmeans", "otsu", "search"} or Threshold
        How factors are binarized.
    """
    return real().set_params(
        perturb=regime.BooleanFlip(eps_pos=EPSILON, eps_neg=EPSILON),
        threshold=_threshold(threshold),
        align=regime.HammingAlign(),
        product="sum",
    )


def NMFk(ranks: Any, *, threshold: str | regime.Threshold | None = None, **shared: Any) -> estimators.NMFk:
    """Return NMFk of the paper: multiplicative updates, with missing entries as zeros.

    Parameters
    ----------
    ranks : iterable of int or search by stability
        The ranks to visit. Nothing is held out of the members, so that None, a search by held-out error,
        raises in `fit`.
    threshold : {"kmeans", "otsu", "search"}, Threshold or None
        How factors are binarized; None leaves them real-valued.
    **shared
        Other parameters of the estimator: ``n_perturbs``, ``n_jobs``, ``random_state``.

    Examples
    --------
    >>> NMFk(range(1, 5)).solver.updates
    'multiplicative'
    """
    solver = solvers.NMF(updates="multiplicative", missing="zero", **_SWEEPS)
    return estimators.NMFk(ranks, **_slots(solver, threshold), **shared)


def WNMFk(ranks: Any, *, threshold: str | regime.Threshold | None = None, **shared: Any) -> estimators.WNMFk:
    """Return WNMFk of the paper: exact coordinate steps on the known entries, a ridge of 1e-6.

    The steps are repeated and extrapolated as in the default, which reaches the same loss in a tenth of the
    sweeps; ``set_params(solver__cycles=1, solver__extrapolate=False)`` has the plain ones.

    Parameters
    ----------
    ranks, threshold, **shared
        As for `NMFk`.
    """
    solver = solvers.WNMF.for_members().set_params(ridge=SMALL_RIDGE)
    return estimators.WNMFk(ranks, **_slots(solver, threshold), **shared)


def RNMFk(ranks: Any, *, threshold: str | regime.Threshold | None = None, **shared: Any) -> estimators.RNMFk:
    """Return RNMFk of the paper: multiplicative steps of the factors, gradient steps of the biases.

    Parameters
    ----------
    ranks, threshold, **shared
        As for `NMFk`.
    """
    solver = solvers.RNMF(
        ridge=0.06, ridge_row_bias=0.02, ridge_col_bias=0.02, ridge_counts=None, updates="paper", **_SWEEPS
    )
    return estimators.RNMFk(ranks, **_slots(solver, threshold), **shared)


def BNMFk(
    ranks: Any, *, threshold: str | regime.Threshold | None = "kmeans", **shared: Any
) -> estimators.BNMFk:
    """Return BNMFk of the paper: multiplicative updates of the completed matrix, then a threshold.

    Parameters
    ----------
    ranks, **shared
        As for `NMFk`.
    threshold : {"kmeans", "otsu", "search"}, Threshold or None
        How factors are binarized; None is "uniform" in the paper: real-valued factors and uniform noise.
    """
    solver = solvers.BNMF(ridge=SMALL_RIDGE, updates="multiplicative", **{**_SWEEPS, "max_iter": 250})
    return estimators.BNMFk(ranks, **_slots(solver, threshold), **shared)


def LMF(rank: int, **shared: Any) -> estimators.RankedFactorizer:
    """Return logistic factorization of the paper at a given rank: without an offset, with a fixed ridge.

    The steps are those of `latentlink.solvers.LMF`, which reach the minimum that the paper's gradient steps
    approach. Members of the ensemble differ by their starts.

    Parameters
    ----------
    rank : int
        The paper takes those that the other methods choose.
    **shared
        As for `NMFk`.
    """
    return estimators.RankedFactorizer((rank,), solver=_logistic_solver(solvers.LMF), **_logistic(), **shared)


def SymLMF(rank: int, **shared: Any) -> estimators.RankedFactorizer:
    """Return symmetric logistic factorization at a given rank, the rival of the paper.

    Parameters
    ----------
    rank, **shared
        As for `LMF`.
    """
    return estimators.RankedFactorizer(
        (rank,), solver=_logistic_solver(solvers.SymLMF), **_logistic(), **shared
    )


def logistic(estimator: estimators.RankedFactorizer) -> estimators.LogisticHead:
    """Return the ensemble of a method with LMF as in the paper: WNMFk_lmf, BNMFk_lmf, RNMFk_lmf.

    Parameters
    ----------
    estimator : RankedFactorizer
        ``paper.WNMFk(...)``, ``paper.BNMFk(...)`` or ``paper.RNMFk(...)``.

    Examples
    --------
    >>> logistic(WNMFk((2, 3))).form
    'paper'
    """
    shared = {name: getattr(estimator, name) for name in ("n_perturbs", "n_jobs", "random_state")}
    return estimators.LogisticHead(estimator, form="paper", lmf=LMF(1, **shared))


def _slots(solver: solvers.Solver, threshold: str | regime.Threshold | None) -> dict[str, Any]:
    chosen = real() if threshold is None else boolean(threshold)
    return {"solver": solver, "regime": chosen, "selection": SilhouetteCutoff(0.8)}


def _logistic_solver(kind: type[solvers.Solver]) -> solvers.Solver:
    return kind.for_members().set_params(ridge=1.0, centred=False)


def _logistic() -> dict[str, Any]:
    return {"regime": real().set_params(perturb=regime.AsIs()), "selection": SilhouetteCutoff(0.8)}


def _threshold(threshold: str | regime.Threshold) -> regime.Threshold:
    if isinstance(threshold, regime.Threshold):
        return threshold
    if threshold not in _THRESHOLDS:
        raise IncompatibleError(
            f"The threshold is {threshold!r}; expected one of {', '.join(map(repr, _THRESHOLDS))}, a "
            "Threshold object, or None for real-valued factors."
        )
    return _THRESHOLDS[threshold]()
