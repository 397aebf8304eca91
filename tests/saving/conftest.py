"""Fixtures of the tests of saving."""

import pytest

from latentlink.saving import save_tree
from tests.saving.damage import TREE


@pytest.fixture
def saved(tmp_path):
    """A saved folder."""
    save_tree(tmp_path / "saved", "model", TREE)
    return tmp_path / "saved"
