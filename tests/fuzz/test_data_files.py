"""A fixed tenth of the fuzzing of data files; ``make fuzz`` runs all of it."""

import numpy as np
import pytest
from tools.fuzz.child import Child
from tools.fuzz.data_files import FINE, check_files, format_of, judged
from tools.fuzz.hostile import HOSTILE_FILES
from tools.fuzz.valid_files import VALID_FILES

from latentlink.network import Network

# An .h5ad file takes half a second, the start of the process that reads it.
NAMES = [pytest.param(name, marks=[pytest.mark.slow] * (name == "h5ad")) for name in VALID_FILES]


@pytest.mark.parametrize("name", NAMES)
def test_valid_files_are_read_as_the_oracles_read_them(tmp_path, name):
    for number in range(3 if name == "h5ad" else 10):
        suffix, content, options = VALID_FILES[name](np.random.default_rng([1, number]))
        path = tmp_path / f"file{suffix}"
        path.write_bytes(content)
        assert judged(str(path), options) == ("read", "")


@pytest.mark.slow
def test_a_tenth_of_the_mutated_files_is_read_as_it_is_or_raises():
    tenth = [number for number in range(2500) if number // len(VALID_FILES) % 10 == 0]
    tenth = [number for number in tenth if format_of(number) != "h5ad" or number < 600]
    outcomes = list(check_files(tenth, seed=0))
    assert [outcome for outcome in outcomes if outcome[1] not in FINE] == []
    assert {outcome[1] for outcome in outcomes} == set(FINE)


QUICK = [
    "falling indptr", "index far outside", "huge shape", "huge array", "null byte in Matrix Market",
    "huge Matrix Market", "many declared entries", "short values", "Parquet of small integers",
]  # fmt: skip


@pytest.mark.parametrize("name", QUICK)
def test_hostile_files_raise(tmp_path, name):
    suffix, content, options = HOSTILE_FILES[name]()
    path = tmp_path / f"file{suffix}"
    path.write_bytes(content)
    assert judged(str(path), options)[0] in FINE


def test_a_wrong_reading_is_noticed(tmp_path, monkeypatch):
    path = tmp_path / "links.csv"
    path.write_text("a,b,1\nc,d,2\n")
    for edges in ([("a", "b", 1)], [("a", "b", 1), ("c", "d", 3)], [("a", "b", 1), ("c", "e", 2)]):
        other = Network.from_file(path)
        network = Network.from_edges(edges)
        wrong = network.relisted(network.rows, network.cols, network.values, history=other.history)
        monkeypatch.setattr(Network, "from_file", lambda *_, answer=wrong, **__: answer)
        assert judged(str(path), {})[0] == "wrong"
        monkeypatch.undo()


def _raise():
    raise KeyError("x")


def _exit():
    import os

    os.abort()


def _allocate():
    return len(bytearray(2**31))


@pytest.mark.slow
def test_a_child_outlives_a_crash_and_limits_memory():
    with Child(_exit) as child:
        assert [child().kind, child().kind] == ["crashed", "crashed"]
    with Child(_raise) as child:
        outcome = child()
        assert (outcome.kind, outcome.value) == ("raised", "KeyError: 'x'")
    with Child(_allocate) as child:
        assert child().value.startswith("MemoryError")
