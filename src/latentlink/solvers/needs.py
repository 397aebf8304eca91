"""Checks of the data against the needs that a solver declares, made once before any work."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import IncompatibleError
from latentlink.factors import Factors
from latentlink.network import Ensemble, Network
from latentlink.network.pair_codes import PairCodes
from latentlink.validation.numbers import is_number
from latentlink.validation.wording import shown_repr

if TYPE_CHECKING:
    from latentlink.solvers.base import Solver

__all__ = [
    "FEWEST_LINKS",
    "NO_OTHER_PAIRS",
    "WEIGHT_RANGE",
    "check_finite_start",
    "check_largest",
    "check_magnitude",
    "check_members",
    "check_needs",
    "check_part",
    "check_ridge",
    "check_values",
    "enough_for_stack",
    "is_penalty",
    "listed_factors",
    "n_unlisted",
    "ridges_of_members",
]

WEIGHT_RANGE = 1e10  # how far a weight may be from that of most known entries
# Links and non-links that a stack needs: with fewer, a held-out part often holds only one of both.
FEWEST_LINKS = 20
NO_OTHER_PAIRS = (
    "Nearly all pairs of the listed nodes are links: name the nodes that have none too, with nodes= or with "
    "row_names= and col_names="
)


def check_needs(solver: Solver, network: Network) -> None:
    """Raise IncompatibleError for a network that the solver cannot be fitted to."""
    _raise_if_repeated(solver, network)
    _raise_if_nothing_known(solver, network)
    if not solver.unknown_is_zero:
        _raise_if_one_value(solver, network)
    check_values(solver, network)
    if solver.needs_symmetric:
        _raise_if_not_symmetric(solver, network)
    if solver.needs_unit_weights:
        _raise_if_weighted(solver, network)


def check_values(solver: Solver, network: Network) -> None:
    """Raise IncompatibleError for known values that the solver cannot be fitted to, in new rows as well."""
    if solver.needs_nonnegative:
        _raise_if_negative(solver, network)
    if solver.needs_binary:
        _raise_if_not_binary(solver, network)


def check_part(solver: Solver, ensemble: Ensemble) -> None:
    """Raise IncompatibleError for some rows of a network, which may be empty, that do not fit a solver."""
    network = ensemble.network
    _raise_if_repeated(solver, network)
    check_values(solver, network)
    if solver.needs_unit_weights:
        _raise_if_weighted(solver, network)
    if network.n_known:
        check_magnitude(solver, ensemble)


def check_members(solver: Solver, ensemble: Ensemble) -> None:
    """Raise IncompatibleError for members whose values or weights the solver cannot be fitted to."""
    if ensemble.is_uniform:
        return
    for member in range(ensemble.n_members):
        values, weights = ensemble.member_entries(member)
        values, weights = values[weights > 0], weights[weights > 0]
        if not len(values):
            raise IncompatibleError(
                f"{solver} has nothing to learn from: no entry is known to member {member}. Hold fewer "
                "entries out."
            )
        if solver.logistic and not np.all((values == 0) | (values == 1)):
            raise IncompatibleError(
                f"{solver} needs values 0 and 1, but member {member} has others: the cross-entropy of a "
                "value above 1 has no minimum. Perturb by flips or weights instead of scaling."
            )
        if solver.needs_nonnegative and not solver.needs_binary and values.min() < 0:
            raise IncompatibleError(
                f"{solver} needs values >= 0, but member {member} has others (least: {values.min():g}). Clip "
                "them, or perturb by another rule."
            )
        if solver.needs_unit_weights and np.any(weights != 1):
            raise IncompatibleError(
                f"{solver} needs weights of 1, but member {member} has others. Choose WNMF."
            )


def check_ridge(solver: Solver) -> None:
    """Raise unless the ridge is "auto", a number >= 0, or a tuple of such numbers, one per member."""
    ridge: Any = getattr(solver, "ridge", "auto")
    if not (isinstance(ridge, str) and ridge == "auto") and not is_penalty(ridge):
        raise IncompatibleError(
            f'{type(solver).__name__} has ridge={shown_repr(ridge)}; expected a number >= 0, or "auto", '
            "which lets a rank search choose it."
        )


def ridges_of_members(solver: Solver) -> dict[str, tuple[Any, ...]]:
    """Return the penalties that are tuples, one number for each member, as in a search for the ridge."""
    params = solver.get_params(deep=False)
    ridges = {name: value for name, value in params.items() if name.startswith("ridge")}
    return {
        name: value
        for name, value in ridges.items()
        if isinstance(value, tuple) and name != "ridge_counts"  # two counts, of rows and of columns
    }


def is_penalty(value: Any) -> bool:
    """Return whether a value is a number >= 0, or a tuple of such numbers, one for each member."""
    each = value if isinstance(value, tuple) else (value,)
    return all(is_number(number, 0) for number in each)


def check_largest(solver: Solver, ensemble: Ensemble, member: int = 0) -> None:
    """Raise IncompatibleError for values of a member that are too large for the precision."""
    most = _largest(solver)
    values, weights = ensemble.member_entries(member)
    sizes = np.abs(values) * np.sqrt(weights)
    position = int(np.argmax(sizes)) if len(sizes) else 0
    if len(sizes) and not sizes[position] <= most:
        _raise_for_entry(solver, ensemble, position, values, weights, f"up to {most:.0e}", "Divide")


def _largest(solver: Solver) -> float:
    # A margin of four digits: squares are summed over many entries, and products of factors are squared.
    return 1e-4 * float(np.sqrt(np.finfo(solver.precision).max))


def check_magnitude(solver: Solver, ensemble: Ensemble) -> None:
    """Raise IncompatibleError for values, weights or penalties outside the range of the precision."""
    numbers = np.finfo(solver.precision)
    least = 1e4 * float(np.sqrt(numbers.tiny))
    for member in range(1 if ensemble.is_uniform else ensemble.n_members):
        check_largest(solver, ensemble, member)
        values, weights = ensemble.member_entries(member)
        sizes = np.abs(values) * np.sqrt(weights)
        position = int(np.argmax(sizes))
        if 0 < sizes[position] < least:
            _raise_for_entry(solver, ensemble, position, values, weights, f"from {least:.0e} up", "Multiply")
    _raise_if_weight_out_of_range(solver, ensemble.network)
    _raise_if_background_out_of_range(solver, ensemble.network)
    for name, value in solver.get_params().items():
        if not name.startswith("ridge"):
            continue
        for ridge in value if isinstance(value, tuple) else (value,):
            if isinstance(ridge, (int, float)) and ridge > 1e-8 * float(numbers.max):
                raise IncompatibleError(
                    f"{solver} has {name}={ridge:g}, which exceeds the range of {solver.precision}. Choose a "
                    "smaller one."
                )


def _entry(network: Network, position: int) -> str:
    """Return the value and the row and column of a listed entry, by name where there are names."""
    i, j = int(network.rows[position]), int(network.cols[position])
    row = repr(str(network.row_names[i])) if network.row_names is not None else i
    col = repr(str(network.col_names[j])) if network.col_names is not None else j
    return f"{network.values[position]:g} at ({row}, {col})"


def _raise_if_repeated(solver: Solver, network: Network) -> None:
    if not network.is_clean:
        position = int(np.argmax(network.repeated))
        raise IncompatibleError(
            f"{solver} needs each pair listed once, but {np.count_nonzero(network.repeated):,} are listed "
            f"again (first: {_entry(network, position)}). Clean the network with drop_duplicates and "
            "resolve_conflicts."
        )


def _raise_if_nothing_known(solver: Solver, network: Network) -> None:
    if network.n_known == 0 and network.background:
        raise IncompatibleError(
            f"{solver} has nothing to learn from: no listed entry is known, and all other pairs are zeros. "
            "List at least one known entry."
        )
    if network.n_listed == 0:
        raise IncompatibleError(
            f"{solver} has nothing to learn from: no entry of the {network.shape[0]:,} x "
            f"{network.shape[1]:,} matrix is known, since all are NaN, or left out by the mask or the list; "
            "expected at least one known value."
        )
    if network.n_known == 0:
        raise IncompatibleError(
            f"{solver} has nothing to learn from: none of the {network.n_listed:,} listed entries is known "
            "(all are hidden, weight 0). Give at least one entry a positive weight."
        )


def _raise_if_one_value(solver: Solver, network: Network) -> None:
    values = network.values[network.known]
    diagonal = network.shape[0] if network.symmetric and not network.has_self_loops else 0
    complete = network.n_known >= network.n_pairs - diagonal
    if complete and not (values[0] == 1 and _lists_links(network)):
        return  # a matrix may be constant
    if not network.background and values[0] != 0 and np.all(values == values[0]):
        known = "The only known value is" if len(values) == 1 else f"All {len(values):,} known values are"
        rest = "there is no other pair" if complete else "the rest is unknown"
        raise IncompatibleError(
            f"{known} {values[0]:g} and {rest}, so the prediction would be {values[0]:g} everywhere. "
            f"{NO_OTHER_PAIRS if complete else _ways_out(solver, network)}."
        )


def _ways_out(solver: Solver, network: Network) -> str:
    """Return what can be done with a network of one value, beside which there are unlisted pairs."""
    weight, weak = ("1", "") if solver.needs_unit_weights else ("0.1", "weak ")
    is_link = network.values[network.known][0] == 1
    first = (
        "For a list of links alone use LinkStack().fit(network), which draws non-links by itself. Three "
        "other ways:"
        if is_link and enough_for_stack(network.n_known, n_unlisted(network))
        else "There are three ways:"
    )
    return (
        f"{first} list some non-links with value 0; set a background weight "
        f"(network.with_background({weight})) so that unlisted pairs count as {weak}non-links; or sample "
        "some with sample_negatives"
    )


def enough_for_stack(links: int, unlisted: int) -> bool:
    """Whether `LinkStack` can learn from so many links and pairs that are not listed."""
    return min(links, unlisted) >= FEWEST_LINKS


def n_unlisted(network: Network) -> int:
    """Return the number of pairs that are not listed, without those of a node with itself."""
    codes = PairCodes(network.shape, network.symmetric, network.square)
    return codes.total - len(codes.of_listed(network.rows, network.cols))


def _lists_links(network: Network) -> bool:
    """Whether a network was read from a list of pairs, of which each link is in it, and not from a matrix."""
    reader = network.history[0].name if network.history else ""
    # Of files, texts and tables list pairs and name the nodes; matrices have no names.
    named = network.row_names is not None
    return reader in {"from_edges", "from_networkx"} or (reader == "from_file" and named)


def _raise_if_weight_out_of_range(solver: Solver, network: Network) -> None:
    """Raise for a known entry whose weight is out of proportion to that of the others."""
    known = np.flatnonzero(network.known)
    weights = network.weights[known]
    typical = float(np.median(weights)) if len(known) else 1.0
    outside = (weights > typical * WEIGHT_RANGE) | (weights < typical / WEIGHT_RANGE)
    if outside.any():
        position = int(np.argmax(outside))
        raise IncompatibleError(
            f"{solver} needs weights of similar size, but the known value {_entry(network, known[position])} "
            f"has the weight {weights[position]:g}, where the median is {typical:g}; expected from "
            f"{typical / WEIGHT_RANGE:.0e} to {typical * WEIGHT_RANGE:.0e}, since beyond that the others, or "
            "this one, vanish in the sums. Choose a weight nearer to the others, or 0 to hide the entry."
        )


def _raise_if_background_out_of_range(solver: Solver, network: Network) -> None:
    """Raise for a background whose weight is out of proportion to that of the known entries."""
    if not network.background:
        return
    mean = float(np.mean(network.weights[network.known]))
    if not mean / WEIGHT_RANGE <= network.background <= mean * WEIGHT_RANGE:
        raise IncompatibleError(
            f"The background weight is {network.background:g}, but known entries have a mean weight of "
            f"{mean:g}; expected from {mean / WEIGHT_RANGE:.0e} to {mean * WEIGHT_RANGE:.0e}, since "
            "beyond that one kind of entries vanishes in the sums of the other. Choose a weight nearer to "
            "those of the known entries, or 0 for unknown pairs."
        )


def _raise_if_negative(solver: Solver, network: Network) -> None:
    negative = network.known & (network.values < 0)
    if negative.any():
        position = int(np.argmax(negative))
        raise IncompatibleError(
            f"Negative values in data passed to {solver}, which needs values >= 0: "
            f"{np.count_nonzero(negative):,} known values are negative (first: {_entry(network, position)}). "
            "Shift or clip them, or choose RNMF, whose biases may have any sign."
        )


def _raise_if_not_binary(solver: Solver, network: Network) -> None:
    other = network.known & (network.values != 0) & (network.values != 1)
    if other.any():
        position = int(np.argmax(other))
        raise IncompatibleError(
            f"{solver} needs values 0 and 1, but {np.count_nonzero(other):,} known values are others "
            f"(first: {_entry(network, position)}). Binarize the network with binarize(network, at=...), or "
            "choose WNMF."
        )


def _raise_if_not_symmetric(solver: Solver, network: Network) -> None:
    if not network.symmetric:
        raise IncompatibleError(
            f"{solver} has one factor for each node and needs a symmetric network, but this one is "
            f"{network.shape[0]:,} x {network.shape[1]:,} with directions. Read it with symmetric=True if "
            "its pairs are unordered, or choose LMF."
        )


def _raise_if_weighted(solver: Solver, network: Network) -> None:
    other = network.known & (network.weights != 1)
    if other.any():
        position = int(np.argmax(other))
        raise IncompatibleError(
            f"{solver} needs weights of 1, but {np.count_nonzero(other):,} known entries have another weight "
            f"(first: weight {network.weights[position]:g}, value {_entry(network, position)}). Choose WNMF."
        )


def _raise_for_entry(
    solver: Solver,
    ensemble: Ensemble,
    position: int,
    values: NDArray[Any],
    weights: NDArray[Any],
    needed: str,
    remedy: str,
) -> None:
    network = ensemble.network
    weight = "" if weights[position] == 1 else f" with weight {weights[position]:g}"
    raise IncompatibleError(
        f"{solver} sums squares in {solver.precision} and needs largest values {needed}, but here the "
        f"largest is {values[position]:g}{weight}, at ({network.rows[position]}, {network.cols[position]}). "
        f"{remedy} all values by a common number."
    )


def check_finite_start(solver: Solver, factors: Factors) -> None:
    """Raise IncompatibleError for a start with NaN or infinite numbers."""
    for name in ("W", "H", "row_bias", "col_bias", "offset"):
        part = getattr(factors, name)
        if part is not None and not np.isfinite(part).all():
            raise IncompatibleError(
                f"{solver} needs a start of finite numbers, but its {name} has NaN or infinite ones. Leave "
                "it out to start at random."
            )


def listed_factors(given: Factors | Sequence[Factors]) -> list[Factors]:
    """Return one or more models as a list; raise unless all are Factors."""
    models = list(given) if isinstance(given, Sequence) else [given]
    for model in models:
        if not isinstance(model, Factors):
            raise IncompatibleError(
                f"Expected Factors, one for each member, but found an object of type {type(model).__name__}. "
                "Take them from Solved.members, or make them with Factors(W, H)."
            )
    return models
