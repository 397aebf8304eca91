"""Rounding of computed amounts to whole numbers."""

from __future__ import annotations

from latentlink.uncertainty.rounding import least_whole, most_whole


def test_a_rounding_error_does_not_change_the_whole_number():
    assert 0.9 / (1 - 0.9) > 9
    assert least_whole(0.9 / (1 - 0.9)) == 9
    assert (1 - 0.9) * 10 < 1
    assert most_whole((1 - 0.9) * 10) == 1


def test_other_amounts_are_rounded_up_and_down():
    assert (least_whole(9.01), most_whole(9.99)) == (10, 9)


def test_rounding_errors_are_at_most_a_trillionth():
    for whole in (1, 7, 1000):
        assert (least_whole(whole * (1 + 0.9e-12)), least_whole(whole * (1 + 1.2e-12))) == (whole, whole + 1)
        assert (most_whole(whole * (1 - 0.9e-12)), most_whole(whole * (1 - 1.2e-12))) == (whole, whole - 1)
