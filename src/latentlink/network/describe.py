"""Text representation of a network in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from latentlink.validation.wording import counted

if TYPE_CHECKING:
    from latentlink.network.network import Network

__all__ = ["describe"]


def describe(network: Network) -> str:
    """Return one line with shape, symmetry, counts of known entries, and the meaning of unlisted pairs."""
    n, m = network.shape
    parts = [f"{n:,} x {m:,}"]
    if network.symmetric:
        parts.append("symmetric")
    elif network.square:
        parts.append("directed")
    parts += _known(network)
    hidden = network.n_listed - network.n_known
    if hidden:
        parts.append(f"{hidden:,} hidden")
    surplus = int(np.count_nonzero(network.repeated))
    if surplus:
        parts.append(f"{surplus:,} listed again")
    parts.append(_rest(network, surplus))
    return "Network: " + ", ".join(parts)


def _known(network: Network) -> list[str]:
    values = network.values[network.known]
    if not len(values):
        return ["nothing known"]
    if network.is_binary:
        links = int(np.count_nonzero(values))
        return [counted(links, "link"), counted(len(values) - links, "non-link")]
    return [f"{counted(len(values), 'value')} from {values.min():g} to {values.max():g}"]


def _rest(network: Network, surplus: int) -> str:
    diagonal = network.shape[0] if network.symmetric and not network.has_self_loops else 0
    if network.n_listed - surplus == network.n_pairs - diagonal:
        return "nothing else"
    if network.background == 0:
        return "rest unknown"
    if network.background == 1:
        return "rest zero"
    return f"rest zero with weight {network.background:g}"
