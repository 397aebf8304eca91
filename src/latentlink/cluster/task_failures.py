"""What is said when tasks of a cluster cannot be finished."""

from __future__ import annotations

from typing import NoReturn

from latentlink.errors import LatentLinkError

__all__ = ["connection_lost", "raise_task_failure", "unfinished", "without_workers"]

_STORED = "With a folder what was finished is stored, and the same fit continues from there."


def raise_task_failure(name: str, error: BaseException) -> NoReturn:
    """Raise the error of a task; a sentence in place of those of Dask and of the import of this package."""
    if type(error).__name__ == "KilledWorker":
        raise LatentLinkError(
            f"The task {name!r} ended every worker that it ran on, one after the other: {_brief(error)}. "
            f"Most likely they had too little memory. Give workers more, or lower ranks or n_perturbs. "
            f"{_STORED}"
        ) from error
    if isinstance(error, ModuleNotFoundError):
        raise LatentLinkError(
            f"The task {name!r} cannot run on the workers: {error}. Install latentlink and what it needs in "
            "their environment, in the same versions as here."
        ) from error
    raise error


def unfinished(name: str, attempts: int) -> LatentLinkError:
    """Return the error of a task all of whose attempts were lost or hung."""
    return LatentLinkError(
        f"The task {name!r} was sent {attempts} times, and each time its worker was lost or did not finish "
        f"it in time. Look at the logs of the workers. {_STORED}"
    )


def without_workers(seconds: float) -> LatentLinkError:
    """Return the error of a cluster that has no worker for too long."""
    return LatentLinkError(
        f"The Dask cluster has had no worker for {seconds:.0f} s; expected at least one. Start workers. "
        f"{_STORED}"
    )


def connection_lost() -> LatentLinkError:
    """Return the error of a scheduler that does not answer any more."""
    return LatentLinkError(f"The connection to the Dask scheduler was lost. Start it again. {_STORED}")


def _brief(error: BaseException) -> str:
    return " ".join(str(error).split())[:200]
