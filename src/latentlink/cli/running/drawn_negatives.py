"""Non-links that are drawn for a method which needs them, or because the user asks for some."""

from __future__ import annotations

from latentlink.cli.running.run_settings import FitSettings
from latentlink.errors import InputError
from latentlink.network import Network, sample_negatives
from latentlink.solvers.needs import FEWEST_LINKS, n_unlisted
from latentlink.stacking.drawn_non_links import is_links_alone
from latentlink.validation.wording import counted

__all__ = ["with_negatives"]

_LEAST = 2  # unlisted pairs: one to be drawn, and one to be ranked


def with_negatives(network: Network, method: str, settings: FitSettings) -> tuple[Network, str]:
    """Return the network with drawn non-links if there are to be any, and a clause that says so.

    Parameters
    ----------
    network : Network
    method : str
        A stack draws its own when it is fitted, and a factorization of links alone needs some.
    settings : FitSettings
    """
    links_alone = network.is_binary and is_links_alone(network)
    ratio = settings.negatives
    if ratio is None and not links_alone:
        return network, ""
    if not network.is_binary:
        raise InputError(
            "--negatives is given, but the values are not links and non-links (1 and 0); leave it out."
        )
    links, unlisted = int(network.values[network.known].sum()), n_unlisted(network)
    if ratio is None and method == "stack":
        many = "as many" if links <= unlisted else f"all {unlisted:,}"
        return network, f", and {many} unlisted pairs are drawn as non-links (some may be links)"
    if ratio is not None:
        drawn = sample_negatives(network, ratio=ratio, rng=settings.seed)
    else:
        drawn = sample_negatives(network, _default_count(links, unlisted), rng=settings.seed)
    count = drawn.n_known - network.n_known
    few = "" if ratio is not None or links <= unlisted else f"{unlisted:,} "
    return drawn, f", with {counted(count, 'non-link')} drawn among the {few}unlisted pairs (--negatives)"


def _default_count(links: int, unlisted: int) -> int:
    """Return as many non-links as links; where pairs are fewer, half of them, to rank the others."""
    if unlisted < _LEAST and links < FEWEST_LINKS:
        raise InputError(
            f"The data have {counted(links, 'link')} and {counted(unlisted, 'other pair')} of the same nodes;"
            f" expected links and non-links, {FEWEST_LINKS} or more of each. List more of them."
        )
    if unlisted < _LEAST:
        raise InputError(
            f"All pairs but {unlisted:,} are links, so that no non-links can be drawn; expected links and "
            "non-links. List non-links with the value 0."
        )
    return links if links <= unlisted else unlisted // 2
