"""What all commands share: where they print, and how warnings, errors and waiting look."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, TextIO

from rich.console import Console
from rich.text import Text

if TYPE_CHECKING:
    from latentlink.rank import Progress

__all__ = ["complain", "notes", "progress_bar", "standard_output", "waiting"]


def standard_output() -> Console:
    """Return the console for results; it knows the terminal's width, and whether it may use colour."""
    return Console(highlight=False)


def complain(error: Exception) -> None:
    """Show an error as one sentence in red on standard error."""
    _say("Error: ", error, "red")


@contextmanager
def notes() -> Iterator[None]:
    """Show warnings as notes of one line on standard error, not as pieces of Python."""

    def show(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        del category, filename, lineno, file, line
        _say("Note: ", message, "yellow")

    with warnings.catch_warnings():
        warnings.showwarning = show
        yield


def waiting(console: Console, what: str) -> AbstractContextManager[Any]:
    """Say what is being waited for, on a terminal only, and take it back afterwards."""
    return console.status(what, spinner="line") if console.is_terminal else nullcontext()


@contextmanager
def progress_bar(console: Console, what: str) -> Iterator[Callable[[Progress], None]]:
    """Give a callback that shows how far a search has come: a bar, on a terminal only, gone at the end."""
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bar(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(what, total=None)

        def show(progress: Progress) -> None:
            best = "" if progress.rank is None else f", {progress.rank} so far"
            bar.update(task, completed=progress.done, total=progress.total, description=what + best)

        yield show


def _say(kind: str, message: object, colour: str) -> None:
    """Print on standard error; brackets in a message are brackets, not markup."""
    sentence = " ".join(str(message).split())
    Console(stderr=True, highlight=False).print(
        Text.assemble((kind, f"bold {colour}"), (sentence, colour)), soft_wrap=True
    )
