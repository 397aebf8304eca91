"""Where the tasks of a run are computed: in threads, on a Dask cluster, or by several processes."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from latentlink.cluster import Share
from latentlink.errors import InputError, LatentLinkError
from latentlink.parallel import worker_count

__all__ = ["Workplace", "parsed_share"]


@dataclass(frozen=True)
class Workplace:
    """Where the tasks of a run are computed; results do not depend on it.

    Attributes
    ----------
    dask : str or None
        A cluster: ``tcp://host:port``, ``local:4`` for that many worker processes, or a scheduler file.
    share : str or None
        Which of several processes this is, as ``2/8``.
    combine : bool
        Whether shares are combined.
    """

    dask: str | None = None
    share: str | None = None
    combine: bool = False

    def __post_init__(self) -> None:
        given = [name for name in ("dask", "share", "combine") if getattr(self, name)]
        if len(given) > 1:
            raise InputError(f"--{given[0]} and --{given[1]} are given; expected one of them at most.")
        if self.share is not None:
            parsed_share(self.share)

    @contextmanager
    def executor(self, jobs: int | None) -> Iterator[Executor | Any | None]:
        """Return a context with the executor of a fit; None for threads of this process."""
        if self.share is not None:
            with Share(*parsed_share(self.share), worker_count(-1 if jobs is None else jobs)) as share:
                yield share
        elif self.dask is not None:
            with _client(self.dask) as client:
                yield client
        else:
            yield None


def parsed_share(text: str) -> tuple[int, int]:
    """Return which of how many processes a text names.

    Examples
    --------
    >>> parsed_share("2/8")
    (2, 8)
    """
    number, _, count = text.partition("/")
    if not (number.isdecimal() and count.isdecimal() and text.isascii() and 1 <= int(number) <= int(count)):
        raise InputError(f"--share is {text!r}; expected which of how many processes this is, such as 2/8.")
    return int(number), int(count)


@contextmanager
def _client(address: str) -> Iterator[Any]:
    """Connect to a cluster, or start one on this machine."""
    if find_spec("distributed") is None:
        raise LatentLinkError('--dask needs Dask. Install it: python -m pip install "latentlink[dask]".')
    from distributed import Client, LocalCluster

    kind, _, number = address.partition(":")
    if kind == "local" and (number.isdecimal() or not number):
        workers = int(number) if number else worker_count(-1)
        with (
            LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=":0") as cluster,
            Client(cluster) as client,
        ):
            yield client
        return
    is_file = "://" not in address
    if is_file and not Path(address).is_file():
        raise InputError(
            f"--dask is {address!r}, and there is no such file; expected an address such as "
            "tcp://host:8786, local:4 for four processes on this machine, or the file of a scheduler."
        )
    try:
        client = Client(scheduler_file=address) if is_file else Client(address)
    except (OSError, ValueError) as error:
        raise InputError(f"There is no Dask scheduler at {address}: {str(error)[:200]}. Start it.") from error
    with client:
        yield client
