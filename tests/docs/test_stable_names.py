"""Every name that is listed as stable is there, and is public."""

import ast
import re
from importlib import import_module

import pytest

import latentlink
from tests.docs.pages import DOCS, blocks, text

PAGE = DOCS / "stable-names.md"
IMPORTS = [
    (node.module, alias.name)
    for block in blocks(PAGE)
    for node in ast.parse(block).body
    if isinstance(node, ast.ImportFrom)
    for alias in node.names
]
METHODS = re.findall(r"^\| `(\w+)\.(\w+)`", text(PAGE), re.MULTILINE)
ATTRIBUTES = [
    attribute
    for line in re.findall(r"^\| (`\w+_`.*?) \|", text(PAGE), re.MULTILINE)
    for attribute in re.findall(r"`(\w+)`", line)
]


def test_names_are_listed():
    assert len(IMPORTS) >= 30
    assert len(METHODS) >= 14
    assert len(ATTRIBUTES) >= 7


@pytest.mark.parametrize(("module", "name"), IMPORTS)
def test_every_import_is_public(module, name):
    found = import_module(module)
    assert name in found.__all__
    assert getattr(found, name) is not None


@pytest.mark.parametrize(("owner", "name"), METHODS)
def test_every_method_is_there(owner, name):
    assert callable(getattr(getattr(latentlink, owner), name))


def test_all_factorizers_have_the_methods_of_wnmfk():
    for owner, name in METHODS:
        if owner == "WNMFk":
            for other in ("NMFk", "RNMFk", "BNMFk", "RankedFactorizer"):
                assert callable(getattr(getattr(latentlink, other), name)), (other, name)
            if name not in {"transform", "fold_in", "plot"}:
                for other in ("LogisticHead", "LinkStack"):
                    assert callable(getattr(getattr(latentlink, other), name)), (other, name)


def test_every_attribute_is_learned():
    model = latentlink.WNMFk((1, 2), n_perturbs=2, random_state=0)
    assert not any(hasattr(model, name) for name in ATTRIBUTES)
    model.fit(latentlink.datasets.gaussian(rank=2, columns=10, rows=8).network)
    assert all(hasattr(model, name) for name in ATTRIBUTES)
