"""What the paper states about the Gaussian data, beside what was found."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from latentlink.experiments.case_lines import Lines
from latentlink.experiments.claim import Claim, verdict
from latentlink.experiments.claims.gaussian_uncertainty import uncertainty_claims
from latentlink.experiments.method_lines import MethodLines

__all__ = ["claims"]

Matrices = dict[int, MethodLines]  # the lines of a mode by the true rank
_SWEEPS = (
    "The paper's multiplicative steps take thousands of sweeps to converge on exact data, and 100 do not "
    "suffice: members differ by where they stopped, so that the right rank looks unstable."
)


def claims(lines: Lines) -> Iterator[Claim]:
    """Yield the paper's statements about ranks, errors and uncertainty."""
    ranks = sorted({int(line["rank"]) for line in lines})
    paper, default = (
        {
            rank: MethodLines([line for line in lines if line["rank"] == str(rank)], mode, rank)
            for rank in ranks
        }
        for mode in ("paper", "default")
    )
    yield from _rank_claims(paper, default)
    yield from _error_claims(paper, default)
    yield from uncertainty_claims(paper, default)


def _shares(matrices: Matrices) -> list[float]:
    return next(iter(matrices.values())).shares


def _exact(matrices: Matrices, method: str, *shares: float) -> float:
    return float(np.mean([of.exact(method, *shares) for of in matrices.values()]))


def _over_ranks(matrices: Matrices, value: Callable[[MethodLines], float]) -> float:
    """Return the mean over the true ranks."""
    return float(np.nanmean([value(of) for of in matrices.values()]))


def _rank_claims(paper: Matrices, default: Matrices) -> Iterator[Claim]:
    shares = _shares(paper)
    few, many = [s for s in shares if s <= 0.7], [s for s in shares if s > 0.7]

    def exact(of: Matrices, method: str) -> str:
        sparse = _over_ranks(of, lambda lines: lines.ranks(method, *many).mean() / lines.true_rank)
        return (
            f"exact in {_exact(of, method, *few):.1%} up to 0.7; beyond, chosen / true rank is {sparse:.2f}"
        )

    sparse = _over_ranks(paper, lambda of: of.ranks("WNMFk", *many).mean() / of.true_rank)
    yield Claim(
        "WNMFk predicts the correct rank until 0.7 hidden; then predictions skew toward k = 1",
        exact(paper, "WNMFk"),
        exact(default, "WNMFk"),
        verdict(_exact(paper, "WNMFk", *few) > 0.95, sparse < 0.9),
        _narrow(paper, few),
    )

    def early(of: Matrices) -> str:
        largest = of[max(of)]
        smallest = of[min(of)]
        half = [s for s in shares if s <= 0.5]
        return (
            f"exact up to 0.5: {smallest.exact('RNMFk', *half):.0%} at rank {min(of)}, "
            f"{largest.exact('RNMFk', *half):.0%} at rank {max(of)}; all shares: "
            f"{_exact(of, 'RNMFk'):.0%}, against "
            f"{_exact(of, 'WNMFk'):.0%} of WNMFk"
        )

    half = [s for s in shares if s <= 0.5]
    yield Claim(
        "RNMFk follows the same trend, but loses the rank earlier at higher true ranks (at k = 6 after 0.5)",
        early(paper),
        early(default),
        verdict(
            _exact(paper, "RNMFk", *half) > 0.9,
            _exact(paper, "RNMFk") < _exact(paper, "WNMFk"),
            paper[max(paper)].exact("RNMFk") < paper[min(paper)].exact("RNMFk"),
        ),
        _SWEEPS,
    )


def _narrow(paper: Matrices, shares: list[float]) -> str:
    """Return how often WNMFk finds the largest true rank in the narrowest and the widest matrices."""
    lines = [line for share in shares for line in paper[max(paper)].groups["WNMFk", share]]
    widths = sorted({int(line["columns"]) for line in lines})
    if len(widths) < 2:
        return ""

    def exact(columns: int) -> float:
        return float(
            np.mean(
                [int(each["chosen_rank"]) == max(paper) for each in lines if int(each["columns"]) == columns]
            )
        )

    return (
        f"At rank {max(paper)} it depends on the number of columns: exact in {exact(widths[0]):.0%} with "
        f"{widths[0]}, in {exact(widths[-1]):.0%} with {widths[-1]}."
    )


def _error_claims(paper: Matrices, default: Matrices) -> Iterator[Claim]:
    shares = [share for share in _shares(paper) if share in {0.1, 0.5}]

    def least(of: Matrices, method: str) -> float:
        return float(np.mean([of[k].best_rank(method, share) == k for k in of for share in shares]))

    for method in ("WNMFk", "RNMFk"):
        yield Claim(
            f"the RMSE of {method} is least at the correct rank and rises beyond (0.1 and 0.5 hidden)",
            f"least at the true rank in {least(paper, method):.0%} of ranks and shares",
            f"{least(default, method):.0%}",
            verdict(least(paper, method) > 0.8),
            "" if method == "WNMFk" else _SWEEPS,
        )

    def rise(of: Matrices, method: str, *among: float) -> float:
        """Return the largest over the least mean error at the true rank and above, the median."""
        curves = [
            lines.curve(method, "rmse", share)[rank - 1 :] for rank, lines in of.items() for share in among
        ]
        return float(np.median([np.nanmax(curve) / np.nanmin(curve) for curve in curves]))

    def rises(of: Matrices) -> str:
        return ", ".join(f"{rise(of, 'WNMFk', share):.1f} at {share:g} hidden" for share in shares)

    yield Claim(
        "with 0.5 hidden this is less pronounced (median ratio of the largest to the least error of WNMFk "
        "from the true rank on)",
        rises(paper),
        rises(default),
        verdict(rise(paper, "WNMFk", shares[-1]) < rise(paper, "WNMFk", shares[0])),
    )
    yield Claim(
        "RNMFk has flatter curves of RMSE over ranks than WNMFk (the same ratio over both shares)",
        f"WNMFk {rise(paper, 'WNMFk', *shares):.1f}, RNMFk {rise(paper, 'RNMFk', *shares):.1f}",
        f"WNMFk {rise(default, 'WNMFk', *shares):.1f}, RNMFk {rise(default, 'RNMFk', *shares):.1f}",
        verdict(rise(paper, "RNMFk", *shares) < rise(paper, "WNMFk", *shares)),
    )
