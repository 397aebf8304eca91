"""What the paper states about the Swimmer data, beside what was found."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from latentlink.experiments.by_rank import at_rank
from latentlink.experiments.case_lines import Lines
from latentlink.experiments.claim import Claim, verdict
from latentlink.experiments.method_lines import MethodLines

__all__ = ["claims"]

TRUE_RANK = 16
_PLAIN = ("NMFk", "WNMFk", "BNMFk uniform")
_IMPROVING = ("NMFk kmeans", "WNMFk otsu", "WNMFk kmeans", "BNMFk kmeans")  # the paper's choice


def claims(lines: Lines) -> Iterator[Claim]:
    """Yield the paper's statements about ranks, errors and abstention."""
    paper, default = (MethodLines(lines, mode, TRUE_RANK) for mode in ("paper", "default"))
    yield from _rank_claims(paper, default)
    yield from _error_claims(paper, default)


def _chosen(of: MethodLines, *methods: str) -> str:
    """Return the ranks chosen by some methods, in words."""
    return "; ".join(
        f"{method}: " + ", ".join(str(int(rank)) for rank in np.unique(of.ranks(method)))
        for method in methods
    )


def _rank_claims(paper: MethodLines, default: MethodLines) -> Iterator[Claim]:
    boolean = ("BNMFk kmeans", "BNMFk otsu")
    stability = max(
        at_rank(line, "stability", rank)
        for method in (*boolean, "WNMFk")
        for line in paper.groups[method, paper.shares[0]]
        for rank in paper.visited(method)
        if rank > 1
    )
    reason = (
        "The file has 17 parts, four limbs in four positions and a torso, which a limb can carry. The least "
        f"silhouette of these methods is at most {stability:.2f} at any rank above 1, and 0.8 is needed."
    )
    yield Claim(
        "BNMFk with a threshold consistently identifies k = 16",
        _chosen(paper, *boolean),
        _chosen(default, *boolean),
        verdict(*(paper.exact(method) > 0.9 for method in boolean)),
        reason,
    )
    yield Claim(
        "so does WNMFk without a threshold",
        _chosen(paper, "WNMFk"),
        _chosen(default, "WNMFk"),
        verdict(paper.exact("WNMFk") > 0.9),
        reason,
    )
    near = set(paper.ranks("WNMFk kmeans")) <= {16.0, 17.0}
    yield Claim(
        "WNMFk kmeans predicts 16 and 17",
        _chosen(paper, "WNMFk kmeans"),
        _chosen(default, "WNMFk kmeans"),
        verdict(near),
    )
    yield Claim(
        "BNMFk uniform, without a threshold, always predicts 1",
        _chosen(paper, "BNMFk uniform"),
        _chosen(default, "BNMFk uniform"),
        verdict(bool(np.all(paper.ranks("BNMFk uniform") == 1))),
    )
    others = ("NMFk", "NMFk kmeans", "NMFk otsu", "WNMFk otsu")
    within = [float(np.mean((paper.ranks(method) >= 1) & (paper.ranks(method) <= 17))) for method in others]
    yield Claim(
        "the other methods predict ranks between 1 and 17",
        _chosen(paper, *others),
        _chosen(default, *others),
        verdict(*(share > 0.9 for share in within)),
    )

    def found(of: MethodLines) -> str:
        return ", ".join(f"{method} {of.exact(method):.0%}" for method in _PLAIN)

    yield Claim(
        "some methods without thresholds predict 16, since the non-negative and the Boolean rank are equal",
        found(paper),
        found(default),
        verdict(max(paper.exact(method) for method in _PLAIN) > 0),
        reason,
    )


def _error_claims(paper: MethodLines, default: MethodLines) -> Iterator[Claim]:
    share = paper.shares[0]

    def best(of: MethodLines) -> str:
        return ", ".join(f"{method} {of.best_rank(method, share)}" for method in _IMPROVING)

    yield Claim(
        "the RMSE of NMFk kmeans, WNMFk otsu, WNMFk kmeans and BNMFk kmeans falls up to about rank 16 and "
        "rises beyond (rank of the least RMSE)",
        best(paper),
        best(default),
        verdict(*(14 <= paper.best_rank(method, share) <= 18 for method in _IMPROVING)),
    )

    def boolean_best(of: MethodLines) -> str:
        return f"least at {of.best_rank('BNMFk kmeans', share)}"

    yield Claim(
        "the RMSE of BNMFk kmeans falls up to rank 18",
        boolean_best(paper),
        boolean_best(default),
        verdict(paper.best_rank("BNMFk kmeans", share) == 18),
    )

    yield _plain_claim(paper, default, share)

    def gains(of: MethodLines) -> str:
        return ", ".join(f"{method} {of.gain(method, share):+.3f}" for method in (*_PLAIN, "BNMFk kmeans"))

    yield Claim(
        "abstaining improves the RMSE clearly, also without thresholds, less for BNMFk uniform (change "
        "at rank 16)",
        gains(paper),
        gains(default),
        verdict(
            *(paper.gain(method, share) < 0 for method in ("NMFk", "WNMFk")),
            paper.gain("BNMFk uniform", share) > max(paper.gain(m, share) for m in ("NMFk", "WNMFk")),
        ),
    )

    def steadiness(of: MethodLines, name: str) -> float:
        """Return the largest over the least error of ranks 8 and above, the median over methods."""
        ratios = []
        for method in of.methods:
            curve = of.curve(method, name, share)[[rank >= 8 for rank in of.visited(method)]]
            ratios.append(np.nanmax(curve) / max(np.nanmin(curve), 1e-3))
        return float(np.median(ratios))

    def steady(of: MethodLines) -> str:
        return f"{steadiness(of, 'rmse_answered'):.1f} with abstaining, {steadiness(of, 'rmse'):.1f} without"

    yield Claim(
        "with abstaining the RMSE remains stable across ranks (largest over least from rank 8 on, median "
        "over methods)",
        steady(paper),
        steady(default),
        verdict(steadiness(paper, "rmse_answered") < 1.5),
    )

    def rates(of: MethodLines) -> str:
        return ", ".join(
            f"{method} {of.mean(method, 'abstained', share):.2f}"
            for method in ("NMFk", "WNMFk", "BNMFk kmeans")
        )

    boolean = paper.mean("BNMFk kmeans", "abstained", share)
    yield Claim(
        "NMFk and WNMFk without thresholds abstain more often (at rank 16)",
        rates(paper),
        rates(default),
        verdict(*(paper.mean(method, "abstained", share) > boolean for method in ("NMFk", "WNMFk"))),
    )


def _plain_claim(paper: MethodLines, default: MethodLines, share: float) -> Claim:
    """Return the statement about errors without thresholds."""

    def compared(of: MethodLines) -> str:
        plain = ", ".join(f"{method} {of.mean(method, 'rmse', share):.3f}" for method in _PLAIN)
        binary = ", ".join(f"{method} {of.mean(method, 'rmse', share):.3f}" for method in _IMPROVING)
        return f"{plain}; with thresholds {binary}"

    highest = np.max([paper.curve(method, "rmse", share) for method in _IMPROVING], axis=0)

    def higher(method: str) -> float:
        """Return at which fraction of the ranks above 1 its error is above all with thresholds."""
        above_one = np.array(paper.visited(method)) > 1
        return float(np.mean((paper.curve(method, "rmse", share) > highest)[above_one]))

    fractions = ", ".join(f"{method} {higher(method):.0%}" for method in _PLAIN)
    return Claim(
        "methods without thresholds have a higher RMSE at all ranks (RMSE at rank 16)",
        f"{compared(paper)}. Higher than all of these at this fraction of the ranks above 1: {fractions}",
        compared(default),
        verdict(*(higher(method) > 0.9 for method in _PLAIN)),
        "H is fitted to the known entries only; the reference implementation regresses on the matrix "
        "with zeros for the hidden ones, which pulls real-valued predictions to 0.",
    )
