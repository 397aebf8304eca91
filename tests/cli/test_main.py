"""The command line."""

from __future__ import annotations

import runpy
import subprocess
import sys
import warnings

import pytest

from latentlink import __version__, cli
from latentlink.errors import DataWarning, InputError


def run(*args):
    with pytest.raises(SystemExit) as exit:
        cli.main(args)
    return exit.value.code


@pytest.fixture
def command(monkeypatch):
    """Return a function that replaces the whole application by a function."""

    def install(body):
        monkeypatch.setattr(cli, "app", lambda *args, **kwargs: body())

    return install


def test_version(capsys):
    assert run("--version") == 0
    assert capsys.readouterr().out == f"latentlink {__version__}\n"


def test_python_runs_the_package(monkeypatch, capsys):
    monkeypatch.delitem(sys.modules, "latentlink.__main__", raising=False)
    monkeypatch.setattr(sys, "argv", ["__main__.py", "--version"])
    with pytest.raises(SystemExit) as exit:
        runpy.run_module("latentlink", run_name="__main__")
    assert exit.value.code == 0
    assert capsys.readouterr().out == f"latentlink {__version__}\n"


@pytest.mark.parametrize("args", [(), ("--help",)])
def test_help_names_the_commands(args, capsys):
    assert run(*args) == 0
    shown = capsys.readouterr().out
    assert "Predict the missing links" in shown
    assert "demo" in shown


@pytest.mark.slow
def test_help_imports_nothing_heavy():
    code = (
        "import sys, latentlink.cli; print(sorted({'numba', 'numpy', 'scipy', 'sklearn'} & set(sys.modules)))"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert loaded.stdout.strip() == "[]"


def test_an_unknown_command_exits_with_2(capsys):
    assert run("dmeo") == 2
    assert "dmeo" in capsys.readouterr().err


def test_an_error_is_one_line_without_a_traceback(command, capsys):
    def fail():
        raise InputError("The matrix has [bold] in row 3;\nexpected numbers.")

    command(fail)
    assert run() == 2
    shown = capsys.readouterr()
    assert shown.err == "Error: The matrix has [bold] in row 3; expected numbers.\n"
    assert not shown.out


def test_an_error_of_another_kind_is_not_caught(command):
    def fail():
        raise ZeroDivisionError

    command(fail)
    with pytest.raises(ZeroDivisionError):
        cli.main([])


@pytest.mark.filterwarnings("always")
def test_a_warning_is_one_line_and_the_hook_is_restored(command, capsys):
    before = warnings.showwarning
    sentence = "3 rows (a, b, c) have no known entry: each gets the average of the other rows. " * 2
    command(lambda: warnings.warn(sentence, DataWarning, stacklevel=1))
    cli.main([])
    assert capsys.readouterr().err == f"Note: {sentence.strip()}\n"
    assert warnings.showwarning is before
