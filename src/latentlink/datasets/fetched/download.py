"""Download of files by pooch, into a folder."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from latentlink.datasets.fetched.data_folders import DATA_VARIABLE
from latentlink.datasets.fetched.published_dataset import PublishedDataset
from latentlink.errors import InputError

__all__ = ["download", "missing_file"]

_SECONDS = 60
_LONGEST_REASON = 600


def download(published: PublishedDataset, folder: Path | None) -> Path:
    """Download the file of a data set into a folder, or raise InputError with what to do by hand."""
    try:
        import pooch
    except ImportError:
        reason = "It cannot be downloaded, because pooch is not installed (pip install pooch)"
        raise missing_file(published, folder, reason) from None
    file = published.download
    try:
        with _quiet(pooch.get_logger()):
            path = pooch.retrieve(
                file.url,
                known_hash=file.hash,
                fname=file.name,
                path=folder,
                downloader=pooch.HTTPDownloader(timeout=_SECONDS),
            )
    except (OSError, ValueError) as error:  # no network or permission; a hash that differs
        reason = f"The download failed: {' '.join(str(error).split())[:_LONGEST_REASON].rstrip('.')}"
        raise missing_file(published, folder, reason) from None
    return Path(path)


def missing_file(published: PublishedDataset, folder: Path | None, reason: str) -> InputError:
    """Return the error of a file that is neither found nor downloaded, which says what to put where.

    Parameters
    ----------
    published : PublishedDataset
    folder : Path or None
        A folder in which it would be found.
    reason : str
        Why it was not downloaded: a sentence without its full stop.
    """
    file = published.download
    names = " or ".join(file.name for file in published.files)
    target = "" if folder is None else f"{folder / file.name}, or as "
    return InputError(
        f"The data set {published.name!r} needs the file {names}, which was not found. {reason}. To do "
        f"without a download, get {file.url} by other means and save it as {target}{file.name} in a folder "
        f"that the environment variable {DATA_VARIABLE} names."
    )


@contextmanager
def _quiet(logger: logging.Logger) -> Iterator[None]:
    """Silence messages about downloads, which pooch writes to the standard error."""
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)
