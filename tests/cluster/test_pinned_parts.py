"""Objects on workers: they keep their state, sums are made in a fixed tree, and lost ones are noticed."""

from __future__ import annotations

import os
import signal

import numpy as np
import pytest

from latentlink.cluster import Call, LostPartError, PinnedParts, SerialParts
from latentlink.errors import InputError, LatentLinkError

pytestmark = pytest.mark.slow


class Counter:
    """A number that grows, and numbers whose sum depends on its order."""

    def __init__(self, part):
        self.part, self.value = part, 0

    def grow(self, by):
        self.value += by
        return self.value

    def numbers(self, size):
        return np.random.default_rng(self.part).random(size) * 10.0 ** (self.part % 7), self.part

    def process(self):
        return os.getpid()

    def fail(self):
        raise InputError("This part has no data.")

    def kill(self, part):
        if self.part == part:
            os.kill(os.getpid(), signal.SIGKILL)
        return self.value


def halved(total):
    return total[0] / 2, total[1]


def test_objects_keep_their_state_and_are_on_all_workers(client):
    parts = PinnedParts(client, Counter, 5)
    assert parts.each("grow", 2) == [2] * 5
    assert parts.each("grow", 3) == [5] * 5
    assert len(set(parts.each("process"))) == 2
    parts.close()
    with pytest.raises(LostPartError):
        parts.each("grow", 1)


@pytest.mark.parametrize("number", [1, 2, 7])
@pytest.mark.parametrize("size", [3, 200_000])
def test_sums_have_the_bits_of_those_in_this_process(client, number, size):
    serial = SerialParts([Counter(part) for part in range(number)])
    parts = PinnedParts(client, Counter, number)
    calls = [Call("numbers", (size,)), Call("numbers", (size + 1,), halved), Call("numbers", (2,))]
    for (ours, total), (expected, same) in zip(parts.summed(calls), serial.summed(calls), strict=True):
        np.testing.assert_array_equal(ours, expected)
        assert total == same
    parts.close()


def test_large_arguments_arrive(client):
    parts = PinnedParts(client, Counter, 3)
    by = np.ones(300_000)
    assert all(np.array_equal(value, by) for value in parts.each("grow", by))
    parts.close()


def test_the_error_of_an_object_is_raised(client):
    parts = PinnedParts(client, Counter, 3)
    with pytest.raises(InputError, match="no data"):
        parts.each("fail")
    with pytest.raises(LatentLinkError, match="no data"):
        parts.summed([Call("fail", ())])
    parts.close()


# The last one: a new worker takes seconds to begin.


def test_a_killed_worker_is_noticed(client):
    parts = PinnedParts(client, Counter, 4)
    with pytest.raises(LostPartError):
        parts.each("kill", 1)
    again = PinnedParts(client, Counter, 4)
    assert again.each("grow", 1) == [1] * 4
    again.close()
