"""Operations and bytes of half sweeps, and the limits of the machine."""

from __future__ import annotations

import pytest
from benchmarks.growth import exponent
from benchmarks.processor_limits import multiply_adds, triad
from benchmarks.roofline import HalfSweep, measure


def test_operations_and_bytes_of_a_half_sweep_by_entries():
    half = HalfSweep(entries=10, rows=4, cols=5, rank=2, cycles=1, members=3, itemsize=4)
    assert not half.by_sums
    assert half.operations == 3 * (10 * (6 + 3 + 12) + 4 * 12)
    assert half.least_bytes == 10 * (4 + 4 + 12) + 8 * 4 + (2 * 4 + 5) * 24
    assert half.bytes_with_gathers == half.least_bytes + 5 * 24


def test_operations_of_a_half_sweep_by_sums():
    half = HalfSweep(entries=100, rows=4, cols=5, rank=2, cycles=3, members=1, itemsize=8)
    assert half.by_sums
    assert half.operations == 100 * (12 + 8) + 4 * 3 * 2 * 10


@pytest.mark.parametrize("threads", [1, 2])
def test_limits_run_on_any_number_of_threads(threads):
    job, moved = triad(threads, 1)
    job()
    assert moved == 24 * 2**17
    for size, (chains, operations) in multiply_adds("float64", threads, 10).items():
        chains()
        assert operations == 2 * 12 * size / 8 * 10 * threads


@pytest.mark.slow
def test_every_half_sweep_is_compared_with_its_bound():
    rows = measure(quick=True)
    shares = [row["share"] for row in rows if "share" in row]
    assert len(shares) == 7
    assert all(share > 0 for share in shares)


def test_the_exponent_of_halved_times_is_minus_one():
    assert exponent([1, 2, 4], [8.0, 4.0, 2.0]) == pytest.approx(-1)
