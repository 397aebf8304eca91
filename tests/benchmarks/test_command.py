"""The command: what it refuses, and what it keeps."""

from __future__ import annotations

import json
import sys

import pytest
from benchmarks.__main__ import main


def run(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["benchmarks", *map(str, arguments)])
    main()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nonsense"], "there is no study 'nonsense'"),
        (["roofline", "--quick", "--keep"], "--quick is of tiny data"),
    ],
)
def test_what_makes_no_sense_is_refused(monkeypatch, capsys, arguments, message):
    with pytest.raises(SystemExit):
        run(monkeypatch, *arguments)
    assert message in capsys.readouterr().err


@pytest.mark.slow
def test_results_are_kept_with_their_circumstances(monkeypatch, capsys, tmp_path):
    folder = tmp_path / "kept"
    run(monkeypatch, "roofline", "report", "--quick", "--keep", "--folder", folder)
    kept = json.loads((folder / "roofline.json").read_text())
    assert {"study", "date", "code", "machine", "took_s", "rows"} == set(kept)
    assert "half sweep by sums" in capsys.readouterr().out
    assert f"*Measured {kept['date']} on" in folder.with_suffix(".md").read_text()
