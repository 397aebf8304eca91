"""Options of a command in groups: one class for each panel of the help."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from latentlink.cli.commands.option_groups import grouped

Name = Annotated[str, typer.Option(help="A name.", rich_help_panel="Names")]


@dataclass(frozen=True, kw_only=True)
class Names:
    """Two options."""

    first: Name
    second: Name = "b"


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Another one."""

    size: Annotated[int, typer.Option(min=1)] = 3


def called(*args):
    """Return what a command with two groups received."""
    received = []

    def command(
        file: Annotated[str, typer.Argument()], names: Names, sizes: Sizes, loud: bool = False
    ) -> None:
        """Do it."""
        received.append((file, names, sizes, loud))

    app = typer.Typer()
    app.command()(grouped(command))
    result = CliRunner().invoke(app, args)
    return result, received


def test_a_command_receives_its_groups():
    result, received = called("x.csv", "--first", "a", "--size", "5", "--loud")
    assert result.exit_code == 0
    assert received == [("x.csv", Names(first="a", second="b"), Sizes(size=5), True)]


@pytest.mark.parametrize(
    ("args", "sentence"), [(("x.csv",), "--first"), (("x.csv", "--first", "a", "--size", "0"), "--size")]
)
def test_options_of_a_group_are_required_and_checked(args, sentence):
    result, received = called(*args)
    assert result.exit_code != 0
    assert sentence in result.output
    assert not received


def test_the_help_shows_the_options_of_all_groups():
    shown = called("--help")[0].output
    assert "Do it." in shown
    assert "Names" in shown
    assert all(option in shown for option in ("--first", "--second", "--size", "--loud"))


def test_an_option_in_two_groups_raises():
    def command(one: Sizes, other: Sizes) -> None: ...

    with pytest.raises(TypeError, match="size"):
        grouped(command)


def words(text):
    return " ".join(re.sub("[│╭╮╰╯─]", " ", text).split())


@pytest.mark.parametrize("command", ["fit", "evaluate"])
def test_the_help_says_what_each_method_is(command, run):
    shown = words(run(command, "--help").out)
    for name, meaning in (
        ("nmfk", "non-negative"),
        ("wnmfk", "weighted"),
        ("rnmfk", "ratings"),
        ("bnmfk", "Boolean"),
        ("lmf", "logistic"),
        ("symlmf", "undirected"),
        ("stack", "graph"),
    ):
        assert re.search(rf"\b{name}: [^;.]*{meaning}", shown)


@pytest.mark.parametrize("command", ["fit", "evaluate", "predict", "top", "demo", "reproduce"])
def test_the_help_speaks_of_no_types_of_python(command, run):
    lines = run(command, "--help").out.splitlines()
    options = [line for line in lines if "--" in line and "--help" not in line]  # Typer's own is not ours
    assert len(options) > 1
    assert not re.findall(r"<(?:bool|int range|float|str|list)\b", "\n".join(options))
