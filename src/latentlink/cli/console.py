"""Output shared by all commands: console, errors, warnings and progress."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, TextIO

from rich.console import Console
from rich.text import Text

if TYPE_CHECKING:
    from latentlink.rank import Progress

__all__ = ["print_error", "progress_bar", "spinner", "standard_output", "warnings_as_notes"]


def standard_output() -> Console:
    """Return the console on standard output, which detects the terminal's width and colours."""
    return Console(highlight=False)


def print_error(error: Exception) -> None:
    """Print the message of an error on one line in red on standard error."""
    _print("Error: ", error, "red")


@contextmanager
def warnings_as_notes() -> Iterator[None]:
    """Print warnings as notes of one line on standard error, without file names and source lines."""

    def show(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        del category, filename, lineno, file, line
        _print("Note: ", message, "yellow")

    with warnings.catch_warnings():
        warnings.showwarning = show
        yield


def spinner(console: Console, description: str) -> AbstractContextManager[Any]:
    """Show a spinner with a description while the context is active, on a terminal only."""
    return console.status(description, spinner="line") if console.is_terminal else nullcontext()


@contextmanager
def progress_bar(console: Console, description: str) -> Iterator[Callable[[Progress], None]]:
    """Yield a callback that updates a progress bar, shown on a terminal only and removed at the end."""
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn
    from rich.progress import Progress as Bar

    from latentlink.progress.drawn_bar import time_left

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[left]}"),
    )
    with Bar(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(description, total=None, left="")

        def show(progress: Progress) -> None:
            best = "" if progress.rank is None else f", {progress.rank} so far"
            left = time_left(progress)
            bar.update(task, completed=progress.share, total=1.0, description=description + best, left=left)

        yield show


def _print(kind: str, message: object, colour: str) -> None:
    """Print a message on one line of standard error, without interpreting brackets as markup."""
    text = " ".join(str(message).split())
    Console(stderr=True, highlight=False).print(
        Text.assemble((kind, f"bold {colour}"), (text, colour)), soft_wrap=True
    )
