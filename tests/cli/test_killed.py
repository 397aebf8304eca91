"""Runs that are killed by the operating system; ``python -m tools.kills`` kills more of them."""

from __future__ import annotations

import sys

import pytest
from tools.kills import killed_runs


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_a_killed_run_continues_with_the_same_bytes(tmp_path):
    killed = list(killed_runs(tmp_path, count=2, seed=1))
    assert [each.same for each in killed] == [True, True]
    assert not any(each.half_written for each in killed)
    assert not any(each.remains for each in killed)
