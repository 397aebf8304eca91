"""Non-links that are drawn for a method which needs them, or because the user asks for some."""

from __future__ import annotations

from latentlink.cli.running.run_settings import FitSettings
from latentlink.errors import InputError
from latentlink.network import Network, sample_negatives
from latentlink.validation.wording import counted

__all__ = ["with_negatives"]


def with_negatives(network: Network, method: str, settings: FitSettings) -> tuple[Network, str]:
    """Return the network with drawn non-links if there are to be any, and a clause that says so.

    Parameters
    ----------
    network : Network
    method : str
        A stack draws its own when it is fitted, and a factorization of links alone needs some.
    settings : FitSettings
    """
    links_alone = network.is_binary and bool(network.values[network.known].all()) and not network.background
    ratio = settings.negatives
    if ratio is None and method == "stack" and links_alone:
        return network, ", and as many unlisted pairs are drawn as non-links (some may be links)"
    if ratio is None and not links_alone:
        return network, ""
    if not network.is_binary:
        raise InputError("--negatives is given, but the values are not 0 and 1, which have no non-links.")
    drawn = sample_negatives(network, ratio=1.0 if ratio is None else ratio, rng=settings.seed)
    count = drawn.n_known - network.n_known
    return drawn, f", with {counted(count, 'non-link')} drawn among the unlisted pairs (--negatives)"
