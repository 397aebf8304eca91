"""What is refused before any work: a method that the data do not suit, and options that would do nothing."""

from __future__ import annotations

from typing import Any

from latentlink.cli.running.run_settings import FitSettings
from latentlink.errors import InputError
from latentlink.estimators import LinkModel, LogisticHead, RankedFactorizer
from latentlink.network import Network
from latentlink.network.transforms.symmetry import as_symmetric
from latentlink.rank.find_rank import check_ranks
from latentlink.solvers.needs import check_needs
from latentlink.stacking.requirements import raise_if_not_links

__all__ = ["check_fit", "raise_if_unused"]

_DECISIONS = ("risk", "base_rate", "fdr")


def check_fit(model: LinkModel, network: Network) -> None:
    """Raise what the fit would raise of data and ranks that do not go together."""
    base: Any = model
    if isinstance(model, LogisticHead):
        raise_if_not_links(model, network)
        base = model.estimator
    if isinstance(base, RankedFactorizer):
        solver = base.used_solver()
        check_needs(solver, as_symmetric(network) if solver.needs_symmetric else network)
    check_ranks(getattr(base, "ranks", None), network.shape)


def raise_if_unused(settings: FitSettings, network: Network) -> None:
    """Raise InputError for options of results that these data have not."""
    given = [name for name in _DECISIONS if getattr(settings, name) != getattr(FitSettings, name)]
    if settings.level is not None and network.is_binary:
        raise InputError(
            "--level is the coverage of intervals of values, but the data are links, which have "
            "probabilities and decisions instead; leave it out, or give --risk or --fdr."
        )
    given += [] if settings.level is None else ["level"]
    if not given:
        return
    options = " and ".join(f"--{name.replace('_', '-')}" for name in given)
    if settings.calibration == "none":
        raise InputError(
            f"{options} would do nothing, since --calibration none asks for no probabilities, decisions and "
            "intervals; leave one of them out."
        )
    if not network.is_binary:
        if given == ["level"]:
            return
        raise InputError(
            f"{options} would do nothing: decisions are for links, zeros and ones, but the data are other "
            "values, which have intervals. Leave it out, give --level, or make links of the values with "
            "--binarize."
        )
