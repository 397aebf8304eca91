"""Warnings of chains that do not represent the posterior: not mixed, too short, or set aside."""

from __future__ import annotations

from collections.abc import Iterator

from sklearn.exceptions import ConvergenceWarning

from latentlink.errors import warn_user
from latentlink.rank.results import RankRecord
from latentlink.solvers import Posterior, Solver
from latentlink.solvers.posterior.chain_records import LARGEST_R_HAT, LEAST_EFFECTIVE_SIZE
from latentlink.validation.wording import counted

__all__ = ["warn_of_chains"]


def warn_of_chains(solver: Solver, record: RankRecord) -> None:
    """Warn if the chains of the chosen rank have not mixed or are short, and if some were set aside."""
    chains = record.posterior
    if chains is None:
        return
    if record.set_aside:
        _warn_of_chains_set_aside(record, chains)
    for sentence in _what_is_wrong(solver, chains):
        warn_user(f"The chains at rank {record.rank} {sentence}", ConvergenceWarning)


def _warn_of_chains_set_aside(record: RankRecord, chains: Posterior) -> None:
    all_of_them = chains.chains + len(record.set_aside)
    were = "was" if len(record.set_aside) == 1 else "were"
    warn_user(
        f"The chains at rank {record.rank} are not all in one mode: {len(record.set_aside)} of "
        f"{counted(all_of_them, 'chain')} {were} set aside, whose draws have far larger losses than others "
        f"(R-hat {chains.r_hat_of_all:.2f} with all, {chains.r_hat:.2f} without). Scores are means over the "
        "others. If more than a few are, raise max_iter and burn_in.",
        ConvergenceWarning,
    )


def _what_is_wrong(solver: Solver, chains: Posterior) -> Iterator[str]:
    """Yield what is wrong with chains and what to do, after their name."""
    if len(chains.noise) == 1:
        yield (
            "left a single draw, so that every spread is 0 and says nothing: intervals have the noise alone. "
            "Raise draws, or n_perturbs, the number of chains."
        )
    if not chains.is_mixed:
        settings = solver.get_params()
        yield (
            f"have not mixed after {settings['max_iter']} sweeps, {settings['burn_in']} of them burn-in: "
            f"{chains.summary()}; expected an R-hat of at most {LARGEST_R_HAT:g}. Scores and spreads are "
            "less exact than they look. Raise max_iter and burn_in."
        )
    elif not chains.is_long:
        yield (
            f"are short: {chains.summary()}; expected an effective sample size of at least "
            f"{LEAST_EFFECTIVE_SIZE}, which tells a spread to a tenth of it. Raise max_iter and draws, or "
            "n_perturbs, the number of chains."
        )
