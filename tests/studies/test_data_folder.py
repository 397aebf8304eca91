"""One function finds the folder of data files, for studies, benchmarks and tests."""

from __future__ import annotations

from pathlib import Path

from tools.data_folder import data_folder


def test_the_variable_names_it(monkeypatch, tmp_path):
    monkeypatch.setenv("LATENTLINK_DATA", str(tmp_path))
    assert data_folder() == tmp_path


def test_else_it_is_beside_the_repository(monkeypatch):
    repository = Path(__file__).parents[2]
    for value in (None, ""):
        monkeypatch.delenv("LATENTLINK_DATA", raising=False)
        if value is not None:
            monkeypatch.setenv("LATENTLINK_DATA", value)
        assert data_folder() == repository.parent / "shared" / "data"
