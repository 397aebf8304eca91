"""Rules of the house that no other tool checks."""

from __future__ import annotations

import importlib
import inspect
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import latentlink
from latentlink import kernels
from latentlink.kernels import reference

ROOT = Path(__file__).parents[1]
PACKAGE = Path(latentlink.__file__).parent
SOURCES = sorted(PACKAGE.rglob("*.py"))
# Not loops over numbers: how kernels are chosen and how their memory is made.
NO_KERNELS = {"aligned", "lane_counts", "mode"}


def run(code, **environment):
    """Run code in a fresh interpreter and return what it prints."""
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment = inherited | {"PYTHONPATH": str(PACKAGE.parent)} | environment
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_source_is_long(path):
    assert len(path.read_text().splitlines()) <= 400


def test_the_version_is_one():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == latentlink.__version__


def test_importing_imports_nothing_heavy():
    code = """
import sys
import latentlink
print(sorted({"numba", "sklearn", "scipy", "numpy", "pandas"} & set(sys.modules)))
latentlink.Network
print(sorted({"numba", "sklearn"} & set(sys.modules)))
"""
    assert run(code).split("\n")[:2] == ["[]", "[]"]


def test_every_public_name_is_there():
    for name in latentlink.__all__:
        assert getattr(latentlink, name) is not None
        assert name in dir(latentlink)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = latentlink.nonsense


@pytest.mark.parametrize(
    "name", [".".join(["latentlink", *path.relative_to(PACKAGE).with_suffix("").parts]) for path in SOURCES]
)
def test_every_name_a_module_gives_out_is_in_it(name):
    module = importlib.import_module(name.removesuffix(".__init__"))
    for public in getattr(module, "__all__", ()):
        assert hasattr(module, public), public


@pytest.mark.parametrize("name", sorted(set(kernels.__all__) - NO_KERNELS))
def test_every_kernel_has_a_twin(name):
    ours = getattr(kernels, name)
    if inspect.isclass(ours):  # a record
        return
    twin = getattr(reference, name)
    assert list(inspect.signature(ours).parameters) == list(inspect.signature(twin).parameters)
    assert inspect.getdoc(ours).split("\n")[0] == inspect.getdoc(twin).split("\n")[0]


def test_every_compiled_kernel_is_called_by_one_with_a_twin():
    compiled = {
        name
        for path in (PACKAGE / "kernels").glob("*.py")
        for name in re.findall(r"^def compiled_(\w+)\(", path.read_text(), re.MULTILINE)
    }
    assert compiled
    assert compiled <= set(reference.__all__)


def test_every_kernel_goes_through_the_one_decorator():
    for path in (PACKAGE / "kernels").glob("*.py"):
        if path.name != "compile.py":
            text = path.read_text()
            assert not re.search(r"\bn?jit\b|prange|parallel=|fastmath=", text), path.name


TINY_FIT = """
from latentlink import Network
from latentlink.solvers import WNMF
network = Network.from_edges([(0, 0, 1.0), (0, 1, 2.0), (1, 0, 2.0)], shape=(2, 2))
print(WNMF().solve(network, 1, 0).members[0].score(1, 1).round(2)[0])
"""


def test_an_installation_that_cannot_be_written_works(tmp_path):
    """Neither beside the package nor in the user's folder can anything be cached.

    Tests may run as root, for whom permission bits mean nothing, so numba is told that it finds no place:
    its cache raises exactly this error where no folder can be written.
    """
    shutil.copytree(PACKAGE, tmp_path / "latentlink", ignore=shutil.ignore_patterns("__pycache__"))
    for path in [*tmp_path.rglob("*"), tmp_path]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    unwritable = """
import numba.core.caching as caching
for locator in caching.CacheImpl._locator_classes:
    locator.from_function = classmethod(lambda cls, function, file: None)
"""
    try:
        printed = run(
            unwritable + TINY_FIT,
            PYTHONPATH=str(tmp_path), HOME=str(tmp_path / "nobody"), PYTHONDONTWRITEBYTECODE="1",
        )  # fmt: skip
        assert printed.strip() == "4.0"
        assert not list(tmp_path.rglob("__pycache__"))
    finally:
        for path in [tmp_path, *tmp_path.rglob("*")]:
            path.chmod(0o755 if path.is_dir() else 0o644)


@pytest.mark.parametrize("form", ["plain", "reference"])
def test_a_fresh_interpreter_runs_every_form(form):
    assert run(TINY_FIT, LATENTLINK_KERNELS=form).strip() == "4.0"


def test_nothing_is_printed():
    for path in SOURCES:
        if "cli" not in path.parts:
            assert not re.search(r"^\s*print\(", path.read_text(), re.MULTILINE), path
