"""Evaluation of models beside baselines, over the same splits and the same pairs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from latentlink.errors import InputError
from latentlink.evaluation.baselines import standard_baselines
from latentlink.evaluation.contenders import checked_contenders, scores_of
from latentlink.evaluation.measure import Measurement, measured
from latentlink.evaluation.protocol import Protocol
from latentlink.evaluation.record import Evaluation
from latentlink.evaluation.tasks.all_tasks import checked_protocol, evaluation_tasks
from latentlink.evaluation.tasks.data_kind import kind_of
from latentlink.evaluation.tasks.task import Task
from latentlink.network import Network
from latentlink.splitting import Split
from latentlink.tables import Table
from latentlink.validation.wording import few

__all__ = ["evaluate"]


def evaluate(
    network: Network,
    models: Mapping[str, Any],
    *,
    repeats: int | Iterable[Split] = 5,
    test_size: float = 0.2,
    negatives: Sequence[str] | None = None,
    protocol: Protocol | None = None,
    random_state: Any = 0,
) -> Evaluation:
    """Measure models and standard baselines on held-out pairs of a network.

    What is held out follows from the network. Links and non-links: a stratified share of the listed pairs.
    Links alone: a share of the links, among non-links drawn from the pairs that are not listed. Values: a
    share of the entries, of which errors are measured. All models are fitted to the same training networks
    and score the same pairs; nothing is chosen by the test pairs but the best baseline.

    Parameters
    ----------
    network : Network
        Every pair listed once. An undirected network must be symmetric: a matrix that equals its transpose
        raises, since a split of its cells would test pairs that the training part holds.
    models : dict of str to model
        An estimator with ``fit(network)`` and ``predict_links(pairs)`` is cloned and fitted in every split;
        if ``predict_links`` takes ``return_std``, the UQ-weighted metrics are computed too. A function of
        ``(train, pairs)`` returns the scores. A dict or list has the scores of each task of
        `evaluation_tasks`. NaN is a pair without a score: it is ranked last and counted as ``unscored``.
    repeats : int or iterable of Split
        Number of random splits, or the splits themselves, such as ``kfold(network, 5)``.
    test_size : float
        Share held out in each random split.
    negatives : sequence of {"listed", "uniform", "degree", "hard", "all"}, optional
        Non-links to rank the test links among: held-out ones that are listed; drawn uniformly among unlisted
        pairs; drawn in proportion to degree; the most plausible partners of the same nodes; all unlisted
        pairs of some nodes. By default all that the data allow; listed ones are always used.
    protocol : Protocol, optional
        Lengths of lists, numbers of drawn pairs, new nodes, relevance and confidence level.
    random_state : int, Generator, RandomState or None
        Seed of splits and drawn pairs.

    Returns
    -------
    Evaluation

    Notes
    -----
    Most models of links alone need non-links: without a background, as many unlisted pairs as there are
    training links are drawn uniformly and listed as non-links of ``train``; none of them is tested. An
    estimator whose ``takes_links_alone`` is True, as that of `LinkStack`, is fitted to the training links
    themselves, as outside of an evaluation; test pairs are unlisted then, links like non-links. With a
    background the test pairs are unlisted in training, like all other pairs that are not links. Warnings of
    the class `DataWarning` that fits issue, of nodes without entries and of ranks, are not shown.

    Examples
    --------
    >>> from latentlink import WNMFk, datasets
    >>> network = datasets.planted_boolean(rows=30, columns=20, rank=2).network
    >>> result = evaluate(network, {"WNMFk": WNMFk((2,), n_perturbs=2, random_state=0)}, repeats=2)
    >>> result.best_baseline() in result.baselines, result.values("WNMFk").shape
    (True, (2,))
    """
    kind, settings = kind_of(network), checked_protocol(protocol)
    baselines = standard_baselines(kind)
    contenders = checked_contenders(models, baselines)
    tasks = evaluation_tasks(
        network,
        repeats=repeats,
        test_size=test_size,
        negatives=negatives,
        protocol=settings,
        random_state=random_state,
    )
    if not tasks:
        raise InputError("There are no splits to evaluate; expected at least one.")
    rows = [
        measurement
        for task in tasks
        for name, model in (contenders | baselines).items()
        for measurement in measured(name, task, scores_of(name, model, task), settings, kind)
    ]
    table = Table(
        {
            name: np.array(column)
            for name, column in zip(Measurement._fields, zip(*rows, strict=True), strict=True)
        }
    )
    shares = _test_shares(network, tasks)
    notes = _notes(contenders, tasks[0])
    return Evaluation(kind, table, tuple(contenders), tuple(baselines), shares, settings.level, notes)


def _notes(contenders: Mapping[str, Any], task: Task) -> tuple[str, ...]:
    """Return what the models were fitted to, where that is not the same for all."""
    alone = [name for name, model in contenders.items() if task.train_of(model) is not task.train]
    if not alone:
        return ()
    were, draw = ("was", "draws") if len(alone) == 1 else ("were", "draw")
    return (
        f"{few(alone)} {were} fitted to the training links alone, as outside of an evaluation, and {draw} "
        "non-links by itself. All others were fitted to the links and as many non-links, drawn once for all.",
    )


def _test_shares(network: Network, tasks: Sequence[Task]) -> dict[str, float]:
    """Return the mean share of the known entries that is not in the training parts, by what is held out."""
    shares: dict[str, list[float]] = {}
    for task in tasks:
        known = task.train.known
        kept = network.positions(task.train.rows[known], task.train.cols[known]) >= 0
        shares.setdefault(task.hidden, []).append(1 - int(kept.sum()) / network.n_known)
    return {hidden: float(np.mean(each)) for hidden, each in shares.items()}
