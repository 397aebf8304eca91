"""The command line: help, exit codes, errors and notes."""

from __future__ import annotations

import io
import os
import re
import runpy
import subprocess
import sys
import warnings
from types import SimpleNamespace

import pytest
import typer

from latentlink import __version__, cli
from latentlink.cli.option_words import in_options
from latentlink.errors import DataWarning, InputError

COMMANDS = ("fit", "predict", "top", "explain", "evaluate", "report", "demo", "reproduce")


@pytest.fixture
def command(monkeypatch):
    """Return a function that replaces the whole application by a function."""

    def install(body):
        monkeypatch.setattr(cli, "app", lambda *args, **kwargs: body())

    return install


def raising(error):
    def body():
        raise error

    return body


def test_version(run):
    assert run("--version").out == f"latentlink {__version__}\n"


def test_python_runs_the_package(monkeypatch, capsys):
    monkeypatch.delitem(sys.modules, "latentlink.__main__", raising=False)
    monkeypatch.setattr(sys, "argv", ["__main__.py", "--version"])
    with pytest.raises(SystemExit) as exit:
        runpy.run_module("latentlink", run_name="__main__")
    assert exit.value.code == 0
    assert capsys.readouterr().out == f"latentlink {__version__}\n"


def test_python_runs_the_experiments(monkeypatch, capsys, tmp_path):
    monkeypatch.delitem(sys.modules, "latentlink.experiments.__main__", raising=False)
    monkeypatch.setattr(sys, "argv", ["__main__.py", "dog", "--report", "--out", str(tmp_path)])
    with pytest.raises(SystemExit) as exit:
        runpy.run_module("latentlink.experiments", run_name="__main__")
    assert exit.value.code == 1
    assert "There are no results of dog in" in capsys.readouterr().err


@pytest.mark.parametrize("args", [(), ("--help",)])
def test_help_names_the_commands(args, run):
    shown = run(*args)
    assert shown.code == 0
    assert "Predict the missing links" in shown.out
    assert all(re.search(rf"\b{name} ", shown.out) for name in (*COMMANDS, "datasets"))


@pytest.mark.parametrize(
    "names", [*((name,) for name in COMMANDS), *(("datasets", each) for each in ("list", "fetch", "make"))]
)
def test_the_help_of_every_command_has_an_example(names, run):
    shown = run(*names, "--help")
    assert shown.code == 0
    assert re.search(r"Examples?\b", shown.out)
    assert re.search(rf"latentlink {' '.join(names)}", shown.out)
    assert "--json" in shown.out


@pytest.mark.slow
def test_the_help_of_fit_names_the_columns_of_its_links(finished, run):
    head = (finished / "run" / "links.csv").read_text().splitlines()[0]
    shown = run("fit", "--help").out
    assert all(name in shown for name in (*head.split(","), "low", "high"))


def test_help_imports_nothing_heavy():
    code = (
        "import sys, latentlink.cli; print(sorted({'numba', 'numpy', 'scipy', 'sklearn'} & set(sys.modules)))"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert loaded.stdout.strip() == "[]"


@pytest.mark.slow
def test_a_shell_completes_commands():
    environment = {
        **os.environ,
        "_LATENTLINK_COMPLETE": "complete_bash",
        "COMP_WORDS": "latentlink ev",
        "COMP_CWORD": "1",
    }
    code = "from latentlink.cli import main; main([])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False
    )
    assert done.stdout.split() == ["evaluate"]


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("dmeo",), "No such command 'dmeo'"),
        (("fit", "x.csv"), "Missing option '--out'"),
        (("fit", "x.csv", "--out", "r", "--membres", "3"), "No such option: --membres"),
        (("fit", "x.csv", "--out", "r", "--method", "nmf"), "Invalid value for '--method'"),
        (("fit", "x.csv", "--out", "r", "--members", "0"), "Invalid value for '--members'"),
        (("fit", "x.csv", "--out", "r", "--ranks", "5:2"), "no file x.csv"),
        (("top",), "Missing argument 'RUN'"),
        (("demo", "--rank", "0"), "Invalid value for '--rank'"),
        (("datasets", "fetch", "nothing"), "name is 'nothing'"),
        (("datasets", "make", "usair"), "usair is a published data set; expected a generated one. Fetch it"),
        (("datasets", "fetch", "dog"), "dog is a generated data set; expected a published one. Make it"),
        (("reproduce", "cat"), "no experiment 'cat'; expected one of dog, swimmer, gaussian, ppi"),
        (("report", "nowhere"), "There is no finished run in nowhere"),
        (("predict", "nowhere", "pairs.csv"), "There is no folder nowhere"),
    ],
)
def test_errors_of_the_user_are_one_line_and_exit_with_1(args, sentence, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shown = run(*args)
    assert shown.code == 1
    assert re.sub(r"\s+", " ", shown.err).startswith("Error: ")
    assert sentence in shown.err
    assert shown.err.count("\n") == 1
    assert not shown.out
    assert not list(tmp_path.iterdir())


def test_an_error_is_one_line_without_a_traceback(command, run):
    command(raising(InputError("The matrix has [bold] in row 3;\nexpected \x1b[31m numbers.")))
    shown = run()
    assert shown.code == 1
    assert shown.err == "Error: The matrix has [bold] in row 3; expected \\x1b[31m numbers.\n"


def test_an_internal_error_names_its_log(command, run):
    command(raising(ZeroDivisionError("by nothing")))
    shown = run("top", "run")
    assert shown.code == 2
    assert shown.err.startswith("Error: Internal error, ZeroDivisionError: by nothing.")
    path = re.search(r"the log is in (.*)\.$", shown.err.strip())[1]
    with open(path) as file:
        log = file.read()
    os.unlink(path)
    assert log.startswith("latentlink top run\n")
    assert "Traceback" in log
    assert "'numpy'" in log


@pytest.mark.parametrize(("name", "again"), [("fit", True), ("reproduce", True), ("top", False)])
@pytest.mark.parametrize("how", [raising(KeyboardInterrupt()), raising(typer.Abort()), lambda: 130])
def test_ctrl_c_says_whether_the_command_continues(name, again, how, command, run):
    command(how)
    shown = run(name)
    assert shown.code == 130
    assert shown.err.startswith("Note: Stopped.")
    assert ("The same command continues where it stopped." in shown.err) == again


def test_no_memory_has_advice(command, run):
    command(raising(MemoryError()))
    shown = run("fit")
    assert shown.code == 1
    assert "Give fewer --members" in shown.err


@pytest.mark.filterwarnings("always")
def test_a_warning_is_one_line_and_the_hook_is_restored(command, run):
    before = warnings.showwarning
    sentence = "3 rows (a, b, c) have no known entry: each gets the average of the other rows. " * 2
    command(lambda: warnings.warn(sentence, DataWarning, stacklevel=1))
    assert run().err == f"Note: {sentence.strip()}\n"
    assert warnings.showwarning is before


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("for example columns=('a', 'b', 'c').", "for example --source 'a' --target 'b' --value 'c'."),
        ("as links of one network: columns=(0, 2).", "as links of one network: --source 0 --target 2."),
        ("Give header=True, or header=False.", "Give --header, or --no-header."),
        ("Give delimiter= if it was not", "Give --delimiter if it was not"),
        ("for example relation='likes', or", "for example --relation 'likes', or"),
        ("in front: Network.from_dense(pandas.read_csv('x')). If", "in front, give --matrix. If"),
        (
            "expected two or three. Give row",
            "expected two or three. If it is a matrix, give --matrix; else row",
        ),
        ('give unstored="unknown".', "give --unstored unknown."),
        ("leave symmetric=False.", "give --directed or --bipartite."),
        ("leave symmetric=False and square=False.", "give --bipartite."),
        (
            "Binarize the network with binarize(network, at=...), or choose",
            "Binarize the values with --binarize, or choose",
        ),
        ('such as ",", or None (detect it).', 'such as ",", or no option (it is detected).'),
        ("raise n_perturbs", "raise --members"),
        (
            "Raise max_iter, or tol if that is close enough.",
            "Results may change a little with more sweeps, which the solver takes in Python (max_iter).",
        ),
        (
            "SymLMF(max_iter=100, precision='float32', start=Draw(2)) has one factor. Or choose LMF.",
            "The method symlmf has one factor. Or choose --method lmf.",
        ),
        ("or choose WNMFk or RNMFk.", "or choose --method wnmfk or --method rnmfk."),
        (
            "BNMF has device='cuda', but no. Install it, or set device=None to fit on the CPU, or "
            'device="auto" to do so.',
            "--device is cuda, but no. Install it, or leave --device out to fit on the CPU, or give "
            "--device auto to do so.",
        ),
    ],
)  # fmt: skip
def test_messages_speak_of_options(message, words):
    assert in_options(message) == words


def test_an_unknown_command_or_choice_names_the_help_there_is(run):
    assert run("nope").err == "Error: No such command 'nope'. See latentlink --help.\n"
    shown = run("fit", "x.csv", "--out", "run", "--method", "foo").err
    assert shown.startswith("Error: Invalid value for '--method': 'foo' is not one of")
    assert shown.endswith("See latentlink fit --help.\n")


def test_a_group_without_a_command_says_so_below_its_help(run):
    result = run("datasets")
    assert result.code == 1
    assert "List, fetch and make data sets" in result.out
    assert result.err == "Error: No command was given. See latentlink datasets --help.\n"


def test_too_few_pairs_for_non_links_are_told_and_name_the_option_that_asks(run, tmp_path):
    (tmp_path / "two.csv").write_text("a,b\nb,c\n")
    args = ("fit", tmp_path / "two.csv", "--out", tmp_path / "run", "--method", "wnmfk")
    shown = run(*args)
    assert shown.code == 1
    assert (
        "The data have 2 links and 1 other pair of the same nodes; expected links and non-links" in shown.err
    )
    assert "Give a smaller --negatives." in run(*args, "--negatives", "1").err


def test_standard_input_is_not_named_by_a_temporary_file(run, tmp_path, monkeypatch):
    content = SimpleNamespace(buffer=io.BytesIO(b"a,b,1\na,b,0\nb,c,1\n"), isatty=lambda: False)
    monkeypatch.setattr(sys, "stdin", content)
    shown = run("fit", "-", "--out", tmp_path / "run", "--symmetric")
    assert shown.code == 1
    assert "Error: Standard input: The pair" in shown.err
    assert "standard-input" not in shown.err


def test_the_help_says_which_archives_are_read(run):
    assert "npz (sparse" in " ".join(run("fit", "--help").out.replace("│", " ").split())


# ---------------------------------------------------------------- output that cannot be written

needs_devices = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no such device")


def ended(command):
    """Return code and standard error of a command of a shell, in which ``latentlink`` is this one."""
    words = f'latentlink() {{ {sys.executable} -m latentlink "$@"; }}; set -o pipefail; {command}'
    return subprocess.run(["bash", "-c", words], capture_output=True, text=True, timeout=120)


@needs_devices
@pytest.mark.parametrize("arguments", ["datasets list", "datasets list --json", "--help", "top {run} -n 3"])
def test_a_full_disk_behind_the_output_is_no_fault_of_the_program(arguments, finished):
    given = arguments.format(run=finished / "run")
    done = ended(f"latentlink {given} > /dev/full")
    assert done.returncode == 1
    assert done.stderr.startswith("Error: The output cannot be written: No space left on device. Mend that,")
    assert len(done.stderr.splitlines()) == 1


@needs_devices
def test_errors_that_cannot_be_written_do_not_change_the_exit_code():
    assert ended("latentlink top nowhere 2> /dev/full").returncode == 1
    assert ended("latentlink nothing 2> /dev/full").returncode == 1
    code = "from latentlink import cli; cli.app = lambda *args, **kwargs: 1 / 0; cli.main(['x'])"
    assert ended(f'{sys.executable} -c "{code}" 2> /dev/full').returncode == 2


@needs_devices
def test_a_closed_pipe_ends_a_command_silently(finished, tmp_path):
    fit = f"latentlink fit {finished / 'links.csv'} --out {tmp_path / 'run'} --method wnmfk --ranks 2"
    for command in (f"{fit} --members 2", f"latentlink top {finished / 'run'} -n 3000 --json"):
        done = ended(f"{command} 2> {tmp_path / 'errors'} | true")
        assert done.returncode == 141
        shown = (tmp_path / "errors").read_text()
        assert not set(shown.split()) & {"Error:", "Traceback", "Exception", "ignored"}
    assert not (tmp_path / "run" / ".lock").exists()
