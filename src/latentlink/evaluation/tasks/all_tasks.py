"""Tasks of an evaluation: splits, training networks, and the pairs to be scored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import IncompatibleError, InputError
from latentlink.evaluation.protocol import Protocol
from latentlink.evaluation.tasks.data_kind import kind_of, raise_if_cut_by_cells
from latentlink.evaluation.tasks.link_task import NEGATIVES, LinkSplit, link_task
from latentlink.evaluation.tasks.task import Setting, Task
from latentlink.evaluation.tasks.train_nodes import node_subsets
from latentlink.network import Network
from latentlink.random import rng_for
from latentlink.splitting import Split, holdout, node_holdout
from latentlink.validation.choices import checked_choice
from latentlink.validation.numbers import checked_count, checked_share, is_number
from latentlink.validation.seeds import seed_of
from latentlink.validation.wording import shortened

__all__ = ["checked_protocol", "evaluation_tasks"]

Mask = NDArray[np.bool_]


def evaluation_tasks(
    network: Network,
    *,
    repeats: int | Iterable[Split] = 5,
    test_size: float = 0.2,
    negatives: Sequence[str] | None = None,
    protocol: Protocol | None = None,
    random_state: Any = 0,
) -> list[Task]:
    """Return the tasks of `evaluate` with the same arguments, for scores that are computed elsewhere.

    Parameters
    ----------
    network, repeats, test_size, negatives, protocol, random_state
        As for `evaluate`.

    Returns
    -------
    list of Task
        Fit to ``task.train`` and score ``task.pairs``; `evaluate` takes the scores by ``task.number``.

    Examples
    --------
    >>> network = Network.from_edges([(0, 1, 4.0), (0, 2, 2.5), (1, 1, 3.0), (1, 2, 1.0)])
    >>> evaluation_tasks(network, repeats=2, test_size=0.25)
    [Task 0: 1 pair to score, pairs held out, Task 1: 1 pair to score, pairs held out]
    """
    kind = kind_of(network)
    raise_if_cut_by_cells(network)
    settings, seed = checked_protocol(protocol), seed_of(random_state)
    wanted = _checked_negatives(negatives, kind), negatives is None
    tasks: list[Task] = []
    for repeat, hidden, train, test in _splits(network, repeats, test_size, settings.new_nodes, seed):
        identity = len(tasks), repeat, hidden
        if kind == "values":
            tasks.append(_value_task(network, train, test, identity))
            continue
        rng = rng_for(seed, repeat, int(hidden == "nodes"), 1)
        split = LinkSplit.of(network, train, test, hidden == "nodes", rng)
        tasks.append(link_task(split, wanted, settings, rng, identity))
    return tasks


def checked_protocol(protocol: Protocol | None) -> Protocol:
    """Return the settings, by default those of `Protocol`, or raise IncompatibleError."""
    if protocol is None:
        return Protocol()
    if not isinstance(protocol, Protocol):
        raise IncompatibleError(
            f"protocol is {shortened(protocol)}; expected a Protocol object, such as Protocol(k=20), or None."
        )
    protocol.check()
    return protocol


def _checked_negatives(negatives: Sequence[str] | None, kind: str) -> tuple[str, ...]:
    """Return the kinds of non-links to test with; those that are listed always come first."""
    if kind == "values" and negatives is not None:
        raise InputError(
            "negatives was given, but the network lists values other than 0 and 1, which have no non-links; "
            "expected None. If every value is a link, binarize the network first."
        )
    always = ("listed",) if kind == "labelled" else ()
    if negatives is None:
        return (*always, *NEGATIVES[1:])
    given = (negatives,) if isinstance(negatives, str) else tuple(negatives)
    allowed = NEGATIVES if kind == "labelled" else NEGATIVES[1:]
    for each in given:
        checked_choice(each, allowed, "negatives")
    if not given and kind == "links":
        raise InputError(
            "negatives is empty, but no non-links are listed; expected at least one of "
            f"{', '.join(NEGATIVES[1:])}."
        )
    return (*always, *(each for each in dict.fromkeys(given) if each not in always))


def _splits(
    network: Network, repeats: int | Iterable[Split], test_size: float, new_nodes: float, seed: int
) -> Iterator[tuple[int, str, Mask, Mask]]:
    """Yield repeat, what is held out, and masks of the training and the test entries."""
    if is_number(repeats) or not isinstance(repeats, Iterable):
        count = checked_count(repeats, "repeats", meaning=", or splits in a list")
        checked_share(test_size, "test_size")
        splits: Iterable[Split] = (
            holdout(network, test_size, rng_for(seed, repeat, 0, 0)) for repeat in range(count)
        )
    else:
        splits = list(repeats)
        count = len(splits)
    for repeat, split in enumerate(splits):
        yield repeat, "pairs", *_masks(network, split, repeat)
    for repeat in range(count if new_nodes else 0):
        split = node_holdout(network, new_nodes, rng_for(seed, repeat, 1, 0))
        yield repeat, "nodes", *_masks(network, split, repeat)


def _masks(network: Network, split: Split, repeat: int) -> tuple[Mask, Mask]:
    """Return which listed entries of the network a split trains on and tests, or raise for an invalid one."""
    if not isinstance(split, Split):
        raise InputError(
            f"Split {repeat} is {shortened(split)}; expected a Split, as latentlink.splitting makes them."
        )
    masks = []
    for part, entries in ((split.train, split.train.known), (split.test, split.test.known)):
        if part.shape != network.shape:
            raise InputError(
                f"Split {repeat} is of a network of shape {part.shape}; expected {network.shape}, that of "
                "the network to be evaluated."
            )
        positions = network.positions(part.rows[entries], part.cols[entries])
        if (positions < 0).any():
            raise InputError(
                f"Split {repeat} has {int((positions < 0).sum()):,} pairs that the network does not list; "
                "expected a split of this network."
            )
        mask = np.zeros(network.n_listed, bool)
        mask[positions] = True
        masks.append(mask)
    train, test = masks
    _raise_if_both(network, train & test, repeat)
    if not test.any() or not train.any():
        raise InputError(f"Split {repeat} has no pairs to train or to test; expected at least one of each.")
    return train, test & network.known


def _raise_if_both(network: Network, both: Mask, repeat: int) -> None:
    if not both.any():
        return
    why = (
        " A symmetric network is split by pairs, not by cells: (i, j) and (j, i) belong to one part. Use "
        "holdout or kfold of latentlink.splitting on the network itself."
        if network.symmetric
        else ""
    )
    raise InputError(
        f"Split {repeat} has {int(both.sum()):,} pairs both in the training and in the test part; expected "
        f"none.{why}"
    )


def _value_task(network: Network, train: Mask, test: Mask, identity: tuple[int, int, str]) -> Task:
    """Return the task of a split of values: the lists of rows are the test entries of each row."""
    part = network.hide(~train)
    rows, cols = network.rows[test].astype(np.int64), network.cols[test].astype(np.int64)
    setting = Setting("listed", np.arange(len(rows)), rows)
    subsets = node_subsets(part, rows, cols, components=False)
    number, repeat, hidden = identity
    pairs = np.column_stack([rows, cols])
    return Task(number, repeat, hidden, part, pairs, network.values[test], (setting,), subsets)
