"""What the paper states about the uncertainty of Gaussian matrices, beside what was found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from latentlink.experiments.claim import Claim, verdict
from latentlink.experiments.method_lines import MethodLines
from latentlink.metrics import nsmr

__all__ = ["uncertainty_claims"]

Matrices = dict[int, MethodLines]  # the lines of a mode by the true rank
Array = NDArray[np.float64]
METHODS = ("WNMFk", "RNMFk")
# The paper names the relative error in one place and the error in others.
KINDS = {"correlation": "absolute error", "relative_correlation": "relative error"}
HIGH = 0.5  # a correlation from which we call it high
_SMALL_VALUES = (
    "The error of an entry is divided by its value here, and many values of these matrices are near 0: there "
    "the relative error is large, and the spread small."
)


@dataclass(frozen=True)
class _Found:
    """Uncertainty of one mode: means over true ranks by share of hidden entries."""

    matrices: Matrices

    @property
    def shares(self) -> list[float]:
        return next(iter(self.matrices.values())).shares

    def at_true_rank(self, method: str, name: str) -> Array:
        """Return a measure at the true rank by share, the mean over true ranks."""
        return np.array(
            [
                np.nanmean([of.mean(method, name, share) for of in self.matrices.values()])
                for share in self.shares
            ]
        )

    def peaks(self, method: str, name: str) -> float:
        """Return for which fraction of the true ranks a measure is largest at the true rank."""
        return float(
            np.mean(
                [
                    of.visited(method)[int(np.nanargmax(of.curve(method, name, self.shares[0])))] == rank
                    for rank, of in self.matrices.items()
                ]
            )
        )

    def nsmr(self, name: str) -> Array:
        """Return SMR of WNMFk weighted by a correlation, by share."""
        return np.asarray(nsmr(self.at_true_rank("WNMFk", "smr"), self.at_true_rank("WNMFk", name)))


def uncertainty_claims(paper: Matrices, default: Matrices) -> Iterator[Claim]:
    """Yield the paper's statements about correlations of uncertainty and error, SMR and NSMR."""
    for name in KINDS:
        yield from _correlation_claims(_Found(paper), _Found(default), name)
    yield from _ratio_claims(_Found(paper), _Found(default))


def _text(values: Array) -> str:
    return " ".join(f"{value:.2f}" for value in values)


def _correlation_claims(paper: _Found, default: _Found, name: str) -> Iterator[Claim]:
    shares = np.array(paper.shares)
    kind, reason = KINDS[name], _SMALL_VALUES if name == "relative_correlation" else ""

    def courses(of: _Found) -> str:
        return "; ".join(f"{method} {_text(of.at_true_rank(method, name))}" for method in METHODS)

    found = {method: paper.at_true_rank(method, name) for method in METHODS}
    yield Claim(
        f"the correlation of uncertainty and {kind} is high (at the true rank, by share in ascending order)",
        courses(paper),
        courses(default),
        verdict(*(found[method][0] > HIGH for method in METHODS)),
        reason,
    )
    few, wnmfk = shares <= 0.7, found["WNMFk"]
    yield Claim(
        f"it remains high until 0.7 or 0.8 hidden and declines beyond ({kind}, WNMFk)",
        _text(wnmfk),
        _text(default.at_true_rank("WNMFk", name)),
        verdict(bool(wnmfk[few].min() > HIGH), wnmfk[-1] < wnmfk[few].min()),
        reason,
    )

    def peaks(of: _Found) -> str:
        cells = ", ".join(f"{of.peaks(method, name):.0%} ({method})" for method in METHODS)
        return f"peak at the true rank for {cells} of the true ranks"

    yield Claim(
        f"it is lower before the true rank and peaks there, most of all for WNMFk and small test sets "
        f"({kind}, {shares[0]:g} hidden)",
        peaks(paper),
        peaks(default),
        verdict(paper.peaks("WNMFk", name) > 0.5, paper.peaks("WNMFk", name) > paper.peaks("RNMFk", name)),
        reason,
    )
    if 3 in paper.matrices:
        yield _third_rank_claim(paper, default, name)
    yield Claim(
        f"it is reduced at the largest test set ({kind}, {shares[0]:g} to {shares[-1]:g} hidden)",
        _ends(paper, name),
        _ends(default, name),
        verdict(*(found[method][-1] < found[method][0] for method in METHODS)),
    )


def _ends(of: _Found, name: str) -> str:
    courses = {method: of.at_true_rank(method, name) for method in METHODS}
    return ", ".join(f"{method} {each[0]:.2f} -> {each[-1]:.2f}" for method, each in courses.items())


def _third_rank_claim(paper: _Found, default: _Found, name: str) -> Claim:
    """Return the statement about bars of rank 3 where 3 is the true rank."""

    def curve(of: _Found) -> Array:
        return of.matrices[3].curve("WNMFk", name, of.shares[0])

    others = np.delete(curve(paper), paper.matrices[3].visited("WNMFk").index(3))
    at_three = paper.matrices[3].mean("WNMFk", name, paper.shares[0])
    return Claim(
        f"at true rank 3 it is notably higher at rank 3 than at other ranks ({KINDS[name]}, WNMFk, "
        f"{paper.shares[0]:g} hidden, by rank in ascending order)",
        _text(curve(paper)),
        _text(curve(default)),
        verdict(at_three > np.nanmax(others) + 0.05),
    )


def _ratio_claims(paper: _Found, default: _Found) -> Iterator[Claim]:
    shares = np.array(paper.shares)
    found = paper.at_true_rank("WNMFk", "smr")
    middle = int(np.argmin(np.abs(shares - 0.5)))
    yield Claim(
        "the ratio of standard deviation to mean of the uncertainty (SMR, of WNMFk, by share in ascending "
        "order) falls until about 0.5 and then stabilizes",
        _text(found),
        _text(default.at_true_rank("WNMFk", "smr")),
        verdict(
            found[0] > found[middle],
            abs(found[-1] - found[middle]) < 0.5 * abs(found[0] - found[middle]),
        ),
    )
    few, many = shares <= 0.7, shares > 0.8
    for name, kind in KINDS.items():
        weighted = paper.nsmr(name)
        declines = [bool(weighted[few].min() > weighted[many].max())] if many.any() else []
        yield Claim(
            f"weighted by the correlation with the {kind} (NSMR) it stays higher until about 0.7 and "
            "declines beyond 0.8",
            _text(weighted),
            _text(default.nsmr(name)),
            verdict(*declines),
        )
