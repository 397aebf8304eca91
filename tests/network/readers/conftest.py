"""Fixture for tests of files."""

import pytest


@pytest.fixture
def file(tmp_path):
    """Function that writes content to a file and returns its path."""

    def write(content, name="links.csv"):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write
