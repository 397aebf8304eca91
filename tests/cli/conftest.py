"""Fixtures of the tests of the command line."""

import pytest


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch):
    """Remove environment variables about terminals."""
    for name in ("COLUMNS", "FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
