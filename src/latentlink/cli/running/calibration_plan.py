"""How a run is calibrated: by folds of all data, by a share that is kept back, or not at all."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from latentlink.errors import InputError
from latentlink.network import Network

__all__ = ["FOLDS", "SHARE", "CalibrationPlan", "planned_calibration"]

FOLDS = 5
SHARE = 0.1
_LEAST = 20  # known pairs below which nothing is calibrated
# Known pairs up to which all data are fitted and further models of folds are: each fold is another fit.
_MOST_BY_STACK, _MOST_BY_FACTORIZATION = 30_000, 1_000_000


@dataclass(frozen=True)
class CalibrationPlan:
    """How a run is calibrated.

    Attributes
    ----------
    how : {"cross", "split", "none"}
    sentence : str
        What is done and why, with the option that changes it.
    """

    how: str
    sentence: str


def planned_calibration(requested: str, network: Network, method: str) -> CalibrationPlan:
    """Return how a run of a method is calibrated.

    Parameters
    ----------
    requested : {"auto", "cross", "split", "none"}
    network : Network
        The data, with drawn non-links if there are any.
    method : str
    """
    values = network.values[network.known]
    links_alone = _is_links_alone(network)
    cross = CalibrationPlan(
        "cross", f"fitted to all data; calibrated by {FOLDS} further fits, each without a fifth of them"
    )
    why_not = _no_calibration(requested, network, method)
    if why_not:
        return CalibrationPlan("none", f"fitted to all data; not calibrated, {why_not}")
    if links_alone:
        if requested == "cross":
            raise InputError(
                "--calibration cross needs known non-links, but the file lists links alone; give "
                "--calibration split, which keeps some of them back."
            )
        return _split("folds of links alone have no non-links")
    if requested == "split":
        return _split("--calibration split asks for it")
    most = _MOST_BY_STACK if method == "stack" else _MOST_BY_FACTORIZATION
    if requested == "auto" and len(values) > most:
        return _split(f"{FOLDS} further fits to more than {most:,} pairs take long; else --calibration cross")
    return cross


def _is_links_alone(network: Network) -> bool:
    return network.is_binary and bool(np.all(network.values[network.known] == 1))


def _no_calibration(requested: str, network: Network, method: str) -> str:
    """Return why nothing is calibrated, as a clause; empty if something is."""
    known = int(np.count_nonzero(network.known))
    if requested == "none":
        return "as --calibration none asks for"
    if _is_links_alone(network) and (method != "stack" or network.background):
        return "since no non-link is listed"
    if network.background and not network.is_binary:
        return "since all other entries count as 0, and are not like those listed"
    return f"since only {known} entries are known" if known < _LEAST else ""


def _split(why: str) -> CalibrationPlan:
    return CalibrationPlan(
        "split",
        f"a tenth of what is known is kept back from the fit to calibrate it ({why})",
    )
