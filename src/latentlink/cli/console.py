"""Output shared by all commands: console, errors, notes, progress, tables and JSON."""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TextIO

from rich.console import Console
from rich.text import Text

if TYPE_CHECKING:
    from rich.table import Table

    from latentlink.rank import Progress

__all__ = [
    "ConsoleReporter",
    "print_error",
    "print_json",
    "print_note",
    "printable",
    "progress_bar",
    "rows_of",
    "shown_name",
    "standard_output",
    "text_table",
    "warnings_as_notes",
]

_LONGEST_NAME = 40


def standard_output() -> Console:
    """Return the console on standard output, which detects the terminal's width and colours."""
    return Console(highlight=False)


def print_error(error: object) -> None:
    """Print the message of an error on one line in red on standard error, if that can be written."""
    with suppress(OSError):
        _print("Error: ", error, "red")


def print_note(sentence: object) -> None:
    """Print a note on one line on standard error."""
    _print("Note: ", sentence, "yellow")


def print_json(value: Any) -> None:
    """Print a value as JSON on standard output, without colours and wrapped lines; NaN is null."""
    text = json.dumps(_plain(value), indent=1, ensure_ascii=False, allow_nan=False)
    sys.stdout.write(text.encode("utf-8", "backslashreplace").decode() + "\n")


def rows_of(columns: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return columns of arrays as a list with a dict for each line, for JSON."""
    lines = zip(*(column.tolist() for column in columns.values()), strict=True)
    return [dict(zip(columns, line, strict=True)) for line in lines]


@contextmanager
def warnings_as_notes() -> Iterator[None]:
    """Print warnings as notes of one line on standard error, without file names and source lines."""
    from latentlink.cli.option_words import in_options

    def show(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        del category, filename, lineno, file, line
        print_note(in_options(str(message)))

    with warnings.catch_warnings():
        warnings.showwarning = show
        yield


@contextmanager
def progress_bar(console: Console, description: str) -> Iterator[Callable[[Progress], None]]:
    """Yield a callback that updates a progress bar, shown on a terminal only and removed at the end."""
    from rich.progress import BarColumn, SpinnerColumn, TaskProgressColumn, TextColumn
    from rich.progress import Progress as Bar

    from latentlink.progress.drawn_bar import time_left

    columns = (
        SpinnerColumn("line"),
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[left]}"),
    )
    with Bar(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(description, total=None, left="")

        def show(progress: Progress) -> None:
            best = "" if progress.rank is None else f", rank {progress.rank} so far"
            left = time_left(progress)
            bar.update(task, completed=progress.share, total=1.0, description=description + best, left=left)

        yield show


class ConsoleReporter:
    """Prints the lines of a run on standard output, and its progress on standard error.

    Parameters
    ----------
    console : Console
        For the lines.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._errors = Console(stderr=True, highlight=False)

    def say(self, label: str, text: str) -> None:
        """Print a line with its label in front."""
        line = Text.assemble((f"{label}: ", "bold"), printable(text))
        self._console.print(line, soft_wrap=True)

    @contextmanager
    def stage(self, description: str) -> Iterator[Callable[[Any], object]]:
        """Show the progress of a stage: a bar on a terminal, a line for each tenth in a log."""
        if self._errors.is_terminal:
            with progress_bar(self._errors, description) as callback:
                yield callback
            return
        from latentlink.progress import progress_bar as logged

        sys.stderr.write(f"{description}\n")
        yield logged(sys.stderr)


def text_table(title: str, columns: Mapping[str, Sequence[Any]], chosen: int | None = None) -> Table:
    """Return columns as a table for a terminal; text is shown as it is, without markup.

    Parameters
    ----------
    title : str
    columns : mapping of str to sequence
        Numbers are shown with four digits and aligned to the right; NaN is empty. Columns in which all is
        empty are left out.
    chosen : int, optional
        Index of the line to emphasize.
    """
    from rich import box
    from rich.table import Table

    table = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left", collapse_padding=True)
    columns = {name: column for name, column in columns.items() if any(map(_shows, column))}
    for name, column in columns.items():
        numbers = len(column) > 0 and not isinstance(column[0], str)
        heading = name.replace("_", "\n")  # its words are not broken where names are long: those are folded
        short = numbers or max(len(_cell(cell)) for cell in column) <= len(heading)
        table.add_column(heading, justify="right" if numbers else "left", overflow="fold", no_wrap=short)
    for index, line in enumerate(zip(*columns.values(), strict=True)):
        table.add_row(*map(_cell, line), style="bold green" if index == chosen else "")
    return table


def shown_name(name: object) -> str:
    r"""Return the name of a node in at most 40 characters that can be printed.

    Examples
    --------
    >>> shown_name("a" * 50)[-4:], shown_name("a" + chr(7))
    ('a...', 'a\\x07')
    """
    text = printable(str(name))
    return text if len(text) <= _LONGEST_NAME else f"{text[: _LONGEST_NAME - 3]}..."


def printable(text: str) -> str:
    """Return text in which what a terminal would obey instead of show is escaped."""
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in text
    )


def _shows(value: Any) -> bool:
    """Whether a cell shows anything."""
    return bool(_cell(value).plain)


def _cell(value: Any) -> Text:
    if isinstance(value, float):
        return Text("" if value != value else f"{value:.4g}")
    if isinstance(value, int) and not isinstance(value, bool):
        return Text(f"{value:,}")
    return Text(shown_name(value))


def _plain(value: Any) -> Any:
    """Return a value of plain types, for JSON."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, float) and (value != value or value in {float("inf"), float("-inf")}):
        return None
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def _print(kind: str, message: object, colour: str) -> None:
    """Print a message on one line of standard error, without interpreting brackets as markup."""
    text = printable(" ".join(str(message).split()))
    Console(stderr=True, highlight=False).print(
        Text.assemble((kind, f"bold {colour}"), (text, colour)), soft_wrap=True
    )
