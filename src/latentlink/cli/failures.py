"""What ends a command: exit codes, and sentences instead of tracebacks."""

from __future__ import annotations

import errno
import os
import sys
import tempfile
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import typer

from latentlink.cli.console import print_error, print_note, warnings_as_notes
from latentlink.cli.option_words import in_options
from latentlink.errors import LatentLinkError

__all__ = ["DONE", "INTERNAL_ERROR", "NO_READER", "STOPPED", "USER_ERROR", "exit_code"]

DONE, USER_ERROR, INTERNAL_ERROR, STOPPED, NO_READER = 0, 1, 2, 130, 141
# What is wrong with a path or its place. A file that is missing may be one that the program should have.
_OF_PATHS = {
    getattr(errno, name)
    for name in (
        *("EACCES", "EPERM", "EROFS", "ENAMETOOLONG", "ENOTDIR", "EISDIR", "ELOOP", "ENXIO", "ENODEV"),
        *("ENOSPC", "EDQUOT", "EFBIG", "EIO", "ESTALE", "EMFILE", "ENFILE", "EBUSY", "ETXTBSY"),
    )
    if hasattr(errno, name)
}
_CONTINUED = ("fit", "reproduce", "demo")
# Typer has its own copy of click in some versions, so that the class is found by its subclass.
_UsageError: Any = next(cls for cls in typer.BadParameter.__mro__ if cls.__name__ == "ClickException")


def exit_code(command: Callable[[], Any], args: Sequence[str]) -> int:
    """Run a command, print what went wrong, and return the exit code.

    Parameters
    ----------
    command : callable
        May return an exit code.
    args : sequence of str
        The arguments, for messages.

    Returns
    -------
    int
        0 done, 1 an error of the user, 2 an error of the program, 130 stopped by Ctrl-C, 141 nobody reads the
        output any more: a shell reports the same of other tools, which end as silently.
    """
    try:
        code = _code(command, args)
        sys.stdout.flush()  # what cannot be written is known here, not after the end
    except BrokenPipeError:
        code = NO_READER
    except SystemExit as error:  # by rich or click, where a pipe is closed
        if not isinstance(error.__context__, BrokenPipeError):
            raise
        code = NO_READER
    except OSError as error:
        code = _unforeseen(error, args)
    else:
        return code
    _drop_output()
    return code


def _code(command: Callable[[], Any], args: Sequence[str]) -> int:
    """Run a command, print what went wrong, and return the exit code."""
    try:
        with warnings_as_notes():
            returned = command()
        code = returned if isinstance(returned, int) and not isinstance(returned, bool) else DONE
    except LatentLinkError as error:
        print_error(in_options(str(error)))
        return USER_ERROR
    except _UsageError as error:
        # Newer versions of Typer put the kind of the exception in front of what is wrong.
        message = error.format_message().replace("Value error, ", "", 1).rstrip(".")
        if not message:  # a group without a command, whose help was printed
            message = "No command was given"
        print_error(f"{message}. See {_help(error)}.")
        return USER_ERROR
    except (KeyboardInterrupt, typer.Abort):
        code = STOPPED
    except MemoryError:
        print_error("There is not enough memory. Give fewer --members, lower --ranks, or a part of the data.")
        return USER_ERROR
    except Exception as error:  # noqa: BLE001  (a command line shows no traceback)
        return _unforeseen(error, args)
    if code == STOPPED:
        again = " The same command continues where it stopped." if args and args[0] in _CONTINUED else ""
        print_note(f"Stopped.{again}")
    return code


def _unforeseen(error: Exception, args: Sequence[str]) -> int:
    """Print an error that no check foresaw, and return its exit code: paths may be refused anywhere."""
    if isinstance(error, BrokenPipeError):  # there is nobody to tell
        raise error
    if isinstance(error, OSError) and error.filename is not None and error.errno in _OF_PATHS:
        from latentlink.validation.wording import shown_path

        path = shown_path(os.fsdecode(error.filename))
        print_error(f"{path} cannot be used: {error.strerror}. Name another file or folder, or mend that.")
        return USER_ERROR
    if isinstance(error, OSError) and error.filename is None and error.errno in _OF_PATHS:
        _drop_output()
        print_error(f"The output cannot be written: {error.strerror}. Mend that, or send it elsewhere.")
        return USER_ERROR
    log = _logged(error, args)
    print_error(
        f"Internal error, {type(error).__name__}: {str(error)[:200]}. This is a fault of the program; "
        f"the log is in {log}."
    )
    return INTERNAL_ERROR


def _drop_output() -> None:
    """Send to nowhere what is left of the output, which Python would try to write at its end."""
    with suppress(OSError, ValueError):
        sys.stdout.flush()
        return
    with suppress(OSError, ValueError):  # no file of the system, as in a notebook
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _help(error: Any) -> str:
    """Return the command whose help tells more: that in which the error was found."""
    return f"{getattr(getattr(error, 'ctx', None), 'command_path', 'latentlink')} --help"


def _logged(error: BaseException, args: Sequence[str]) -> Path:
    """Write the traceback of an error to a file, and return its path."""
    handle, path = tempfile.mkstemp(prefix="latentlink-", suffix=".log")
    with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
        from latentlink.cli.results.run_record import versions

        file.write(f"latentlink {' '.join(args)}\n{versions()}\n\n")
        file.write("".join(traceback.format_exception(error)))
    return Path(path)
