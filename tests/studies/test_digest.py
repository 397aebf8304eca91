"""The digest of a study changes with the code that its run reaches, and with nothing else."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from studies import nonnegative_rank, risk, ties
from studies.digest import code_digest, reached_definitions

STUDY = '''
"""A study."""
import math
from math import sqrt

from engine import Model, kernels
from shared_code import doubled

LIMIT: int = 2
NAMES = {"root": sqrt}


def helper(x):
    """Add the limit."""
    return NAMES["root"](x) + LIMIT


def run(seed: int) -> dict:
    """Run a case."""
    total: float = kernels.gram(doubled(seed))
    return {"result": helper(total), "score": Model(seed).score()}


def findings(lines):
    return ["some words"]


study = [findings, run, [LIMIT for seed in range(3)]]
'''
SHARED = """
def doubled(x):
    return 2 * x


def not_used(x):
    return 3 * x
"""
MODELS = '''
from engine.kernels import gram as product


class Base:
    """A base class."""

    size: int = 1

    def score(self):
        return product(self.size) + SCALE * self._offset()

    def _offset(self):
        return OFFSET

    def plot(self):
        return draw(self)


class Model(Base):
    def __init__(self, seed):
        self.seed = seed


SCALE = 3
OFFSET = 5
'''
KERNELS = """
def gram(x):
    return x * x


def draw(x):
    return x - 1
"""


@pytest.fixture
def digest_of(tmp_path):
    """Write a study and the package that it uses, with some lines replaced, and return the digest."""
    numbers = count()

    def digest(*replaced, study=STUDY, shared=SHARED, package=(("models", MODELS), ("kernels", KERNELS))):
        folder = tmp_path / str(next(numbers))
        engine = folder / "engine"
        engine.mkdir(parents=True)
        texts = {folder / "a_study.py": study, folder / "shared_code.py": shared}
        texts |= {engine / f"{name}.py": text for name, text in package}
        assert all(any(old in text for text in texts.values()) for old, _ in replaced)
        for path, text in texts.items():
            for old, new in replaced:
                text = text.replace(old, new)
            path.write_text(text)
        return code_digest(folder / "a_study.py", "run", engine)

    return digest


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("helper(total)", "helper(total) + 1"),
        ("+ LIMIT", "- LIMIT"),
        ("LIMIT: int = 2", "LIMIT: int = 3"),
        ("2 * x", "2 + x"),
        ("x * x", "x + x"),
        ("SCALE = 3", "SCALE = 4"),
        ("OFFSET = 5", "OFFSET = 6"),
        ("size: int = 1", "size: int = 2"),
        ("size: int = 1", "size = 1"),
        ("self.seed = seed", "self.seed = -seed"),
    ],
)
def test_constants_and_operators_that_are_reached_count(digest_of, old, new):
    assert digest_of() != digest_of((old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"""Add the limit."""', '"""Add."""'),
        ('"""Add the limit."""', ""),
        ('"""A base class."""', ""),
        ("LIMIT: int = 2", "LIMIT  =  2  # a comment"),
        ("total: float =", "total ="),
        ("seed: int) -> dict", "seed)"),
        ("size: int", "size: float"),
        ("from math import sqrt", "from numpy import sqrt"),
        ("import math", "import cmath"),
        ("some words", "other words"),
        ("3 * x", "4 * x"),
        ("draw(self)", "draw(self) + 1"),
        ("x - 1", "x - 2"),
    ],
)
def test_docstrings_comments_hints_imports_and_other_code_do_not(digest_of, old, new):
    assert digest_of() == digest_of((old, new))


def test_a_function_of_the_package_can_move_to_another_file(digest_of):
    gram, draw = KERNELS.split("\n\n\n")
    moved = [("models", MODELS), ("plots", draw), ("algebra/products", gram)]
    engine = [(name.replace("/", "_"), text) for name, text in moved]
    imports = ("from engine.kernels import gram", "from engine.algebra_products import gram")
    assert digest_of() == digest_of(imports, package=engine)


def test_a_function_of_a_study_can_move_to_another_file(digest_of):
    helper = STUDY[STUDY.index("LIMIT: int") : STUDY.index("def run")]
    study = STUDY.replace(helper, "from shared_code import helper, LIMIT\n")
    assert digest_of() == digest_of(study=study, shared=SHARED + "from math import sqrt\n" + helper)


def test_the_order_of_definitions_does_not_count(digest_of):
    base, rest = MODELS.index("class Base"), MODELS.index("SCALE = 3")
    turned = MODELS[:base] + MODELS[rest:] + MODELS[base:rest]
    methods = turned.replace("    def _offset(self):\n        return OFFSET\n\n", "").replace(
        "    def score", "    def _offset(self):\n        return OFFSET\n\n    def score"
    )
    engine = (("models", methods), ("kernels", KERNELS))
    assert methods != MODELS
    assert digest_of() == digest_of(package=engine)


def test_relative_imports_are_followed_and_other_libraries_are_not(digest_of):
    relative = ("from engine.kernels import gram", "from .kernels import gram")
    assert digest_of(relative) == digest_of()
    elsewhere = ("from engine.kernels import gram", "from numpy import gram")
    kernels = (("models", MODELS), ("kernels", KERNELS.replace("x * x", "x + x")))
    study = STUDY.replace("kernels.gram(doubled(seed))", "doubled(seed)")
    assert digest_of(study=study) != digest_of(study=study, package=kernels)
    assert digest_of(elsewhere, study=study) == digest_of(elsewhere, study=study, package=kernels)


def test_a_registration_counts_with_what_it_registers(digest_of):
    registered = MODELS + "\n\n@register(Base)\ndef rule(x):\n    return 1\n\n\nlist_of(Base, 7)\n"
    package = (("models", registered), ("kernels", KERNELS))
    assert digest_of() != digest_of(package=package)
    assert digest_of(package=package) != digest_of(("return 1", "return 2"), package=package)
    assert digest_of(package=package) != digest_of(("list_of(Base, 7)", "list_of(Base, 8)"), package=package)


def names_reached(module):
    return {name for name, _ in reached_definitions(Path(module.__file__), "run")}


def test_a_study_reaches_its_helpers_and_the_package_but_not_its_findings():
    reached = names_reached(risk)
    assert {"compare_abstention", "planted_split", "BNMFk", "LMF", "planted_boolean"} <= reached
    assert not reached & {"findings", "paired_gain", "Study", "risk", "swimmer"}


def test_an_imported_study_is_followed_by_its_attributes(digest_of):
    for imported in ("from studies import shared_code", "import shared_code"):
        study = STUDY.replace("from shared_code import doubled", imported)
        study = study.replace("doubled(seed)", "shared_code.doubled(seed)")
        assert digest_of(study=study) != digest_of(("2 * x", "2 + x"), study=study)
        assert digest_of(study=study) == digest_of(("3 * x", "4 * x"), study=study)


def test_functions_of_an_imported_module_are_reached():
    assert {"gaussian", "bumps", "WNMFk"} <= names_reached(nonnegative_rank)


def test_a_study_without_a_model_reaches_no_solver():
    reached = names_reached(ties)
    assert "RiskControl" in reached
    assert not reached & {"WNMFk", "Network", "Solver"}
