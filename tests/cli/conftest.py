import pytest


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch):
    """Take away what a developer's shell may say about terminals."""
    for name in ("COLUMNS", "FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
