"""What goes wrong while a file is read, as errors with the file and the place: one module for all readers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from latentlink.errors import InputError
from latentlink.validation.wording import shown_path

__all__ = ["errors_naming", "is_of_system", "unreadable"]


@contextmanager
def errors_naming(path: Path) -> Iterator[None]:
    """Raise every error inside as an InputError with the path: of the data, the system and the memory."""
    try:
        yield
    except InputError as error:
        if str(path) in str(error):
            raise
        raise InputError(f"{path}: {error}") from None
    except MemoryError:
        raise InputError(
            f"{path}: the contents take more memory than there is. Read a part of the file, or give a lower "
            "max_bytes= to be told so before."
        ) from None
    except OSError as error:
        raise unreadable(path, error) from None


def is_of_system(error: BaseException) -> bool:
    """Whether the system could not read, rather than a library that found damaged data."""
    return isinstance(error, OSError) and error.errno is not None


def unreadable(path: Path, error: BaseException, place: str = "") -> InputError:
    """Return the error for a file that the system could not read, from a ``place`` such as "line 7" on."""
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    there = f" from {place} on" if place else ""
    return InputError(
        f"{shown_path(path)} cannot be read{there}: {reason}. Check the disk or the connection to it, or "
        "read a copy of the file in another place."
    )
