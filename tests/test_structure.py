"""Rules of the source tree and of the tests that no other tool checks."""

from __future__ import annotations

import ast
import csv
import importlib
import inspect
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest

import latentlink
from latentlink import kernels
from latentlink.kernels import reference

ROOT = Path(__file__).parents[1]
PACKAGE = Path(latentlink.__file__).parent
SOURCES = sorted(PACKAGE.rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
SCRIPTS = sorted(
    path
    for folder in ("benchmarks", "examples", "studies", "tools")
    for path in (ROOT / folder).rglob("*.py")
)
# They compute nothing: how kernels are chosen and how their memory is allocated.
NO_KERNELS = {"aligned", "fixed_mode", "lane_counts", "mode"}
KERNELS = sorted(
    name for name in set(kernels.__all__) - NO_KERNELS if not inspect.isclass(getattr(kernels, name))
)
KERNEL_SOURCES = sorted((PACKAGE / "kernels").rglob("*.py"))


def relative(path):
    return str(path.relative_to(ROOT))


def module_name(path):
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


def run(code, **environment):
    """Run code in a new interpreter and return its output."""
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment = inherited | {"PYTHONPATH": str(PACKAGE.parent)} | environment
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


# ---------------------------------------------------------------- files, folders and names


def test_no_file_is_longer_than_400_lines():
    lengths = {relative(path): len(path.read_text().splitlines()) for path in SOURCES + TESTS + SCRIPTS}
    assert {path: length for path, length in lengths.items() if length > 400} == {}


def test_no_folder_has_more_than_14_modules():
    counts = Counter(relative(path.parent) for path in SOURCES if path.name != "__init__.py")
    assert {folder: count for folder, count in counts.items() if count > 14} == {}


def test_no_module_name_occurs_twice():
    counts = Counter(path.stem for path in SOURCES if path.stem not in {"__init__", "__main__"})
    assert {name: count for name, count in counts.items() if count > 1} == {}


def test_estimators_have_at_most_three_classes_of_our_own():
    ours = [cls.__name__ for cls in latentlink.WNMFk.__mro__ if cls.__module__.startswith("latentlink")]
    assert len(ours) <= 3, ours


DIALECT = re.compile(
    r"\b(ke(?:eps?|pt) silent|ha(?:s|ve|d) no say|st(?:ands?|ood) still|promise[sd]?|asked by turns|"
    r"strangers?|own clock|teller|is told|are told|who is beside)\b",
    re.IGNORECASE,
)
PROSE = [
    path for pattern in ("*.md", "*.toml", "Makefile", "docs/*.md") for path in sorted(ROOT.glob(pattern))
]


def test_text_uses_the_vocabulary_of_the_field():
    others = [path for path in TESTS if path != Path(__file__)]  # this file lists the words
    phrases = {
        relative(path): [match[0] for match in DIALECT.finditer(" ".join(path.read_text().split()))]
        for path in (*SOURCES, *others, *SCRIPTS, *PROSE)
    }
    assert {path: matches for path, matches in phrases.items() if matches} == {}


def test_the_version_is_that_of_the_project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == latentlink.__version__


def test_every_public_name_is_there():
    for name in latentlink.__all__:
        assert getattr(latentlink, name) is not None
        assert name in dir(latentlink)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = latentlink.nonsense


@pytest.mark.parametrize("path", SOURCES, ids=module_name)
def test_every_exported_name_is_defined(path):
    module = importlib.import_module(module_name(path))
    assert [name for name in getattr(module, "__all__", ()) if not hasattr(module, name)] == []


def test_nothing_is_printed():
    printing = [
        relative(path)
        for path in SOURCES
        if "cli" not in path.parts and re.search(r"^\s*print\(", path.read_text(), re.MULTILINE)
    ]
    assert printing == []


# ---------------------------------------------------------------- tests


def defined_functions(tree):
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def called(node):
    """Return the functions that are called inside a node, such as ``pytest.raises``."""
    return {ast.unparse(call.func) for call in ast.walk(node) if isinstance(call, ast.Call)}


def helpers_called(node):
    """Return the names of called functions and of methods of the same class; other objects are no helpers."""
    return {name.removeprefix("self.") for name in called(node)}


def asserts_itself(function):
    """Return whether a function has an assertion: assert, pytest.raises or warns, or a call of assert_..."""
    last = {name.rpartition(".")[2] for name in called(function)}
    return (
        any(isinstance(node, ast.Assert) for node in ast.walk(function))
        or not last.isdisjoint({"raises", "warns"})
        or any(name.startswith("assert_") for name in last)
    )


def asserting_names(functions):
    """Return the names of functions with an assertion, directly or in a function that they call."""
    asserting = {function.name for function in functions if asserts_itself(function)}
    while True:
        more = {
            function.name
            for function in functions
            if function.name not in asserting and not helpers_called(function).isdisjoint(asserting)
        }
        if not more:
            return asserting
        asserting |= more


def is_checked_by_sklearn(function):
    """Whether scikit-learn's own checks, which raise, are handed to the test as parameters."""
    decorators = " ".join(ast.unparse(decorator) for decorator in function.decorator_list)
    return "parametrize_with_checks" in decorators or "checks_of(" in decorators


def without_assertions(trees):
    """Return the names of test functions that assert nothing, for each module."""
    functions = {name: defined_functions(tree) for name, tree in trees.items()}
    asserting = asserting_names(
        [
            function
            for each in functions.values()
            for function in each
            if not function.name.startswith("test_")
        ]
    )
    without = {
        name: [
            function.name
            for function in each
            if function.name.startswith("test_")
            and not asserts_itself(function)
            and helpers_called(function).isdisjoint(asserting)
            and not is_checked_by_sklearn(function)
        ]
        for name, each in functions.items()
    }
    return {name: names for name, names in without.items() if names}


@pytest.mark.slow
def test_every_test_asserts_something():
    assert without_assertions({relative(path): ast.parse(path.read_text()) for path in TESTS}) == {}


@pytest.mark.parametrize(
    ("body", "asserts"),
    [
        ("assert x", True),
        ("with pytest.raises(ValueError): f()", True),
        ("with pytest.warns(UserWarning): f()", True),
        ("np.testing.assert_array_equal(x, y)", True),
        ("check(x)", True),
        ("indirectly(x)", True),
        ("f(x)", False),
        ("model.check(x)", False),
        ("pass", False),
    ],
)
def test_tests_without_assertions_are_recognized(body, asserts):
    helpers = "def check(x):\n    assert x\ndef indirectly(x):\n    check(x)\n"
    tree = ast.parse(f"{helpers}def test_it():\n    {body}\n")
    assert without_assertions({"module": tree}) == ({} if asserts else {"module": ["test_it"]})


def is_private(name):
    """Return whether a name has one leading underscore; protocols such as ``_repr_html_`` are public."""
    return name.startswith("_") and not name.endswith("_")


def private_names(tree):
    """Return the private names of the package that a module imports, reads as attributes or patches."""
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    ours, private = set(), []
    for node in imports:
        origin = f"{node.module or ''}." if isinstance(node, ast.ImportFrom) else ""
        for alias in node.names:
            if f"{origin}{alias.name}".partition(".")[0] == "latentlink":
                ours.add(alias.asname or alias.name.partition(".")[0])
                private += [part for part in f"{origin}{alias.name}".split(".") if is_private(part)]
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and is_private(node.attr) and root_name(node.value) in ours:
            private.append(ast.unparse(node))
        if isinstance(node, ast.Call) and len(node.args) > 1 and root_name(node.args[0]) in ours:
            private += [ast.unparse(node)] if is_private(str(getattr(node.args[1], "value", ""))) else []
        if isinstance(node, ast.Constant) and re.fullmatch(
            r"latentlink(\.\w+)*\._\w*[^\W_]", str(node.value)
        ):
            private.append(node.value)
    return private


def root_name(node):
    """Return the first name of a dotted expression, or None."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return getattr(node, "id", None)


@pytest.mark.slow
def test_tests_use_no_private_names():
    private = {relative(path): private_names(ast.parse(path.read_text())) for path in TESTS}
    assert {path: names for path, names in private.items() if names} == {}


@pytest.mark.parametrize(
    "code",
    [
        "from latentlink.rank.engine import _task",
        "from latentlink import _hidden",
        "import latentlink._hidden",
        "from latentlink.rank import engine\nengine._task()",
        "import latentlink.rank.engine\nlatentlink.rank.engine._task()",
        "import latentlink.rank as r\nr.engine._task()",
        "from latentlink import WNMFk\nWNMFk._fit",
        "from latentlink.rank import engine\nmonkeypatch.setattr(engine, '_task', None)",
        "monkeypatch.setattr('latentlink.rank.engine._task', None)",
    ],
)
def test_private_names_are_recognized(code):
    assert private_names(ast.parse(code))


@pytest.mark.parametrize(
    "code",
    [
        "from latentlink import WNMFk\nWNMFk().fit(X)._repr_html_()",
        "from latentlink.rank import engine\nengine.__name__",
        "from other import _x",
        "import latentlink\nother._x",
    ],
)
def test_public_names_are_not_taken_for_private_ones(code):
    assert private_names(ast.parse(code)) == []


# ---------------------------------------------------------------- imports and installation


@pytest.mark.slow
def test_importing_imports_nothing_heavy():
    code = """
import sys
import latentlink
print(sorted({"numba", "sklearn", "scipy", "numpy", "pandas"} & set(sys.modules)))
latentlink.Network
print(sorted({"numba", "sklearn"} & set(sys.modules)))
"""
    assert run(code).split("\n")[:2] == ["[]", "[]"]


TINY_FIT = """
from latentlink import Network
from latentlink.solvers import WNMF
network = Network.from_edges([(0, 0, 1.0), (0, 1, 2.0), (1, 0, 2.0)], shape=(2, 2))
print(WNMF().solve(network, 1, 0).members[0].score(1, 1).round(2)[0])
"""


@pytest.mark.slow
def test_an_installation_that_cannot_be_written_works(tmp_path):
    """Run a fit where neither the folder of the package nor that of the user can be written.

    Tests may run as root, for whom permission bits mean nothing, so that numba finds no folder for its cache
    because its locators are patched: its cache raises exactly this error where no folder can be written.
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


@pytest.mark.slow
@pytest.mark.parametrize("form", ["plain", "reference"])
def test_a_new_interpreter_runs_every_form_of_the_kernels(form):
    assert run(TINY_FIT, LATENTLINK_KERNELS=form).strip() == "4.0"


# ---------------------------------------------------------------- kernels


@pytest.mark.parametrize("name", KERNELS)
def test_every_kernel_has_a_twin(name):
    ours, twin = getattr(kernels, name), getattr(reference, name)
    assert list(inspect.signature(ours).parameters) == list(inspect.signature(twin).parameters)
    assert inspect.getdoc(ours).split("\n")[0] == inspect.getdoc(twin).split("\n")[0]


def test_every_compiled_kernel_is_called_by_one_with_a_twin():
    compiled = {
        name
        for path in KERNEL_SOURCES
        for name in re.findall(r"^def compiled_(\w+)\(", path.read_text(), re.MULTILINE)
    }
    assert compiled
    other_forms = {"summed_rows"}  # of masked_rows, whose twin it equals (tests/kernels/test_summed_rows.py)
    assert compiled - other_forms <= set(reference.__all__)


def test_every_kernel_goes_through_the_one_decorator():
    elsewhere = [
        relative(path)
        for path in KERNEL_SOURCES
        if path.name != "compile.py" and re.search(r"\bn?jit\b|prange|parallel=|fastmath=", path.read_text())
    ]
    assert elsewhere == []


def test_listed_mutants_are_of_code_that_is_there():
    with (ROOT / "tools" / "equivalent_mutants.csv").open(newline="") as file:
        listed = [(each["path"], each["code"]) for each in csv.DictReader(file)]
    texts = {path: (PACKAGE / path).read_text() for path, _ in listed if (PACKAGE / path).exists()}
    assert [(path, code) for path, code in listed if code not in texts.get(path, "")] == []
