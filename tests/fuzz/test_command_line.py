"""A small fixed sample of the fuzzing of the command line; ``make fuzz`` runs more of it."""

import pytest
from tools.fuzz.command_line import FINE, check_command


@pytest.mark.slow
def test_mutated_files_give_a_run_or_a_sentence():
    outcomes = list(check_command(range(16), seed=0))
    assert [outcome for outcome in outcomes if outcome[1] not in FINE] == []
    assert {outcome[1] for outcome in outcomes} == set(FINE)
