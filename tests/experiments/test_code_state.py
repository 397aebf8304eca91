"""Lines tell which state of the sources computed them."""

from __future__ import annotations

import re

from latentlink.experiments.code_state import code_of_lines, source_code


def test_the_state_changes_with_any_source_and_with_nothing_else(tmp_path):
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "a.py").write_text("x = 1\n")
    (tmp_path / "b.py").write_text("y = 2\n")
    first = source_code(tmp_path)
    (tmp_path / "notes.txt").write_text("no source")
    assert source_code(tmp_path) == first
    (tmp_path / "inner" / "a.py").write_text("x = 3\n")
    changed = source_code(tmp_path)
    (tmp_path / "inner" / "a.py").rename(tmp_path / "inner" / "c.py")
    assert len({first, changed, source_code(tmp_path)}) == 3
    assert re.fullmatch("[0-9a-f]{12}", source_code())


def test_several_states_are_counted():
    lines = [{"code": "aa"}, {"code": "aa"}, {"code": ""}, {"code": "bb"}]
    assert code_of_lines(lines) == "They are of 3 states of the sources: aa (2), not recorded (1), bb (1)."


def test_lines_of_earlier_versions_have_no_state():
    assert code_of_lines([{"version": "0.1.0"}]) == "The state of the sources was not recorded."
