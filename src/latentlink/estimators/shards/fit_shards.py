"""Fits of a network in blocks of rows, in this process or on the workers of a Dask cluster."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from latentlink.cluster import LostPartError, Parts, PinnedParts, SerialParts, is_dask_client
from latentlink.errors import IncompatibleError, LatentLinkError
from latentlink.estimators.shards.sharded_model import ShardedModel
from latentlink.estimators.shards.sharded_run import ShardedRun
from latentlink.network import Ensemble
from latentlink.network.shards import ShardedNetwork
from latentlink.parallel import one_blas_thread
from latentlink.random import member_rngs
from latentlink.solvers import Solver
from latentlink.solvers.shards.row_shard import RowShard
from latentlink.solvers.shards.solve_shards import check_solver, solve_shards
from latentlink.validation.numbers import checked_count
from latentlink.validation.seeds import seed_of

__all__ = ["fit_shards"]

_MOST_ATTEMPTS = 5


def fit_shards(
    network: ShardedNetwork,
    folder: str | Path,
    solver: Solver,
    rank: int,
    *,
    n_members: int = 1,
    random_state: Any = None,
    executor: Any = None,
) -> ShardedModel:
    """Factorize a network that is too large for one machine, of which each worker has some blocks of rows.

    Members have the same entries and differ by their starts. Their losses are those of ``solver.solve`` on
    the whole network, up to rounding, and do not depend on the number of workers.

    Parameters
    ----------
    network : ShardedNetwork
    folder : path
        Where the model is written, and sweeps under way once a minute: the same call continues from there.
        All workers have to see it. A lost worker is replaced by the others, from the last stored sweep.
    solver : WNMF, NMF, RNMF or LMF
        With ``updates="descent"`` and ``init="random"``.
    rank : int
    n_members : int, default=1
    random_state : int, Generator or None
        None draws a seed, or takes that of the folder.
    executor : dask.distributed.Client, optional
        Without one, all blocks are in the memory of this process.

    Returns
    -------
    ShardedModel
        With `predict_links`.

    Examples
    --------
    >>> import tempfile
    >>> import pyarrow
    >>> from pyarrow import parquet
    >>> from latentlink.solvers import RNMF
    >>> with tempfile.TemporaryDirectory() as top:
    ...     columns = {"user": ["ann", "ann", "bob"], "item": ["tea", "milk", "tea"], "value": [4, 2, 5]}
    ...     parquet.write_table(pyarrow.table(columns), f"{top}/ratings.parquet")
    ...     network = ShardedNetwork.from_parquet(top, f"{top}/blocks", n_blocks=2)
    ...     model = fit_shards(network, f"{top}/fit", RNMF(ridge=0.1), 1, random_state=0)
    ...     score = model.predict_links([("bob", "milk")])
    >>> bool(2 < score[0] < 4)
    True
    """
    if not isinstance(network, ShardedNetwork):
        raise IncompatibleError(
            f"fit_shards was given an object of type {type(network).__name__}; expected a ShardedNetwork. "
            "Make one with ShardedNetwork.from_parquet."
        )
    if executor is not None and not is_dask_client(executor):
        raise IncompatibleError(
            f"The executor is of type {type(executor).__name__}; expected a dask.distributed.Client, since "
            "shards stay on their workers, or None."
        )
    check_solver(solver)
    settings = {
        "solver": solver,
        "rank": checked_count(rank, "The rank"),
        "n_members": checked_count(n_members, "The number of members"),
    }
    run = ShardedRun.begin(folder, network, settings, None if random_state is None else seed_of(random_state))
    load = partial(_loaded, network, run.n_members)
    for _ in range(_MOST_ATTEMPTS):
        try:
            if not run.is_finished:
                _fit(network, run, load, executor)
        except LostPartError:
            continue
        return ShardedModel(folder, network)
    raise LatentLinkError(
        f"The fit in {run.folder} lost workers {_MOST_ATTEMPTS} times. Most likely they had too little "
        "memory: give them more, or divide the network into more blocks for more workers. The same call "
        "continues from the last stored sweep."
    )


def _loaded(network: ShardedNetwork, members: int, position: int) -> RowShard:
    """Return a shard of the network, in the process that holds it."""
    block, begin = network.block(position)
    return RowShard(Ensemble.of(block, members), begin)


def _fit(network: ShardedNetwork, run: ShardedRun, load: Any, executor: Any) -> None:
    """Fit and store all blocks of members that are not stored yet."""
    shards: Parts
    if executor is None:
        shards = SerialParts([load(position) for position in range(network.n_blocks)])
    else:
        shards = PinnedParts(executor, load, network.n_blocks)
    rngs = member_rngs(run.seed, run.rank, run.n_members)
    fits = solve_shards(
        shards,
        network.empty(),
        run.solver,
        run.rank,
        rngs,
        checkpoint_of=run.checkpoint,
        is_done=run.is_done,
    )
    try:
        with one_blas_thread():
            for solved in fits:
                shards.each("store", run.path(solved.group), len(solved.group))
                run.store(solved)
    finally:
        if isinstance(shards, PinnedParts):
            shards.close()
