"""Rules that choose a rank, on hand-made paths."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from latentlink import WNMFk
from latentlink.errors import IncompatibleError, InputError
from latentlink.factors import Factors
from latentlink.rank.selection import Agreement, HeldOut, LStatistic, SilhouetteCutoff
from tests.rank.paths import ascending_path, path_of, record

CLEAR = ascending_path([1.0, 0.95, 0.93, 0.2, 0.1], [1.0, 0.5, 0.1, 0.1, 0.12])


@pytest.mark.parametrize("rule", [SilhouetteCutoff(), HeldOut(), Agreement()], ids=repr)
def test_a_clear_case_is_agreed(rule):
    choice = rule.choose(CLEAR)
    assert (choice.rank, choice.status, choice.runners_up) == (3, "agreed", ())
    assert any(digit in choice.reason for digit in "0123456789")


def test_the_cutoff_chooses_the_largest_stable_rank_and_names_the_next():
    choice = SilhouetteCutoff().choose(CLEAR)
    assert choice.reason == "largest rank with a least silhouette >= 0.8 (0.93); the next, 4, has 0.20"


def test_the_reason_names_no_next_rank_after_the_last():
    assert "next" not in SilhouetteCutoff().choose(ascending_path([1.0, 0.9], [1.0, 0.5])).reason


def test_held_out_chooses_the_smallest_rank_within_one_standard_error():
    """The median decreases a little from rank 2 to 3, but the error increases in half of the members."""
    near = path_of(
        record(1, 1.0, [1.0, 1.0, 1.0, 1.0]),
        record(2, 0.9, [0.10, 0.12, 0.09, 0.11]),
        record(3, 0.9, [0.11, 0.10, 0.10, 0.09]),
    )
    assert near[3].held_out_error < near[2].held_out_error
    choice = HeldOut().choose(near)
    assert choice.rank == 2
    assert choice.reason == (
        "held-out error 0.324, within one standard error of the least (0.316 at rank 3); the next smaller, "
        "1, has 1"
    )
    clear = path_of(
        near[1], near[2], record(3, 0.9, near[2].held_out - 0.01)
    )  # here it decreases in all members
    assert HeldOut().choose(clear).rank == 3


def test_errors_that_differ_are_told_apart():
    near = path_of(record(1, 1.0, [0.8, 0.8]), record(2, 0.9, [0.7997, 0.7997]))
    reason = HeldOut().choose(near).reason
    assert reason.startswith(
        "held-out error 0.8943, the least of all ranks visited; the next smaller, 1, has 0.8944"
    )


def test_a_single_member_has_no_standard_error():
    alone = path_of(record(1, 1.0, [0.3]), record(2, 1.0, [0.2]), record(3, 1.0, [0.2]))
    assert HeldOut().choose(alone).rank == 2


def test_the_description_length_of_a_boolean_path_is_in_the_reason():
    records = [
        record(rank, 0.9, [abs(rank - 2) + 0.1] * 4, bits=100 + 10 * abs(rank - 3)) for rank in (1, 2, 3)
    ]
    choice = HeldOut().choose(path_of(*records))
    assert choice.rank == 2
    assert choice.reason.endswith("; the description is shortest at rank 3 (100 bits, against 110 here)")
    assert choice.runners_up == (3,)
    agreed = SilhouetteCutoff().choose(path_of(*records))
    assert agreed.rank == 3
    assert agreed.reason.endswith("; the description is shortest at rank 3 (100 bits)")
    assert agreed.runners_up == (2,)


@pytest.mark.parametrize(
    ("rule", "name"),
    [
        (SilhouetteCutoff(threshold=-2), "threshold"),
        (HeldOut(threshold="high"), "threshold"),
        (Agreement(tolerance=0.5), "tolerance"),
        (LStatistic(level=0), "level"),
    ],
    ids=repr,
)
def test_parameters_out_of_range_raise(rule, name):
    with pytest.raises(IncompatibleError, match=f"{type(rule).__name__} has {name}="):
        rule.choose(CLEAR)


@pytest.mark.parametrize("rule", [SilhouetteCutoff, LStatistic, HeldOut, Agreement])
def test_rules_say_whether_they_choose_by_stability(rule):
    assert rule().by_stability == (rule in {SilhouetteCutoff, LStatistic})


def two_sided(rank, rows, cols):
    return replace(record(rank), stability_rows=np.full(rank, rows), stability_cols=np.full(rank, cols))


@pytest.mark.parametrize(("of", "expected"), [("W", 4), ("H", 3), ("WH", 2)])
def test_silhouettes_of_either_side_or_of_both_count(of, expected):
    path = path_of(two_sided(2, 0.9, 0.85), two_sided(3, 0.5, 0.8), two_sided(4, 0.8, 0.7))
    choice = SilhouetteCutoff(of=of).choose(path)
    assert choice.rank == expected
    assert f"({min(0.9 if of == 'W' else 1, path[expected].least_silhouette(of)):.2f})" in choice.reason


@pytest.mark.parametrize("rule", [LStatistic(of="H"), Agreement(of="H"), HeldOut(of="H")])
def test_every_rule_counts_the_silhouettes_that_it_is_given(rule):
    path = path_of(two_sided(2, 0.9, 0.1), two_sided(3, 0.9, 0.2))
    assert rule.stable_rank(path) is None
    assert rule.choose(path).status == "unstable"


def test_a_side_other_than_w_and_h_raises():
    with pytest.raises(IncompatibleError, match="has of='both'; expected one of 'W', 'H', 'WH'"):
        SilhouetteCutoff(of="both").choose(CLEAR)


def test_the_status_is_disputed_if_stability_and_held_out_error_disagree():
    disputed = ascending_path([1.0, 0.3, 0.2, 0.1], [1.0, 0.5, 0.1, 0.05])
    choice = HeldOut().choose(disputed)
    assert (choice.rank, choice.status, choice.runners_up) == (4, "disputed", (1,))
    assert SilhouetteCutoff().choose(disputed).runners_up == (4,)


def test_agreement_exceeds_the_held_out_rank_only_if_stable_and_close():
    weak = ascending_path([1.0, 0.9, 0.9, 0.1], [1.0, 0.1, 0.105, 0.2])
    assert (HeldOut().choose(weak).rank, Agreement().choose(weak).rank) == (2, 3)
    assert "the held-out error alone chooses 2" in Agreement().choose(weak).reason
    assert (
        Agreement().choose(ascending_path([1.0, 0.9, 0.7, 0.1], [1.0, 0.1, 0.105, 0.2])).rank == 2
    )  # unstable
    far = ascending_path([1.0, 0.9, 0.9, 0.1], [1.0, 0.1, 0.13, 0.2])
    assert Agreement().choose(far).rank == 2
    assert Agreement(tolerance=2.0).choose(far).rank == 3
    # A smaller stable rank is never chosen: it predicts worse.
    assert Agreement().choose(ascending_path([1.0, 0.9, 0.1], [1.0, 0.104, 0.1])).rank == 3
    with pytest.raises(IncompatibleError, match="tolerance"):
        Agreement(tolerance=0.5).choose(CLEAR)


def test_a_larger_stable_rank_needs_full_components_and_a_shorter_description():
    near = [record(1, 1.0, [1.0] * 4), record(2, 0.9, [0.1] * 4), record(3, 0.9, [0.104] * 4)]
    assert Agreement().choose(path_of(*near)).rank == 3
    W = np.ones((4, 3))
    W[:, 1] = 0
    empty = replace(near[2], model=Factors(W, np.ones((3, 5))))
    assert Agreement().choose(path_of(*near[:2], empty)).rank == 2
    longer, shorter = (
        [replace(one, description_length=bits) for one, bits in zip(near, lengths, strict=True)]
        for lengths in ((90.0, 50.0, 60.0), (90.0, 60.0, 50.0))
    )
    assert Agreement().choose(path_of(*longer)).rank == 2
    assert Agreement().choose(path_of(*shorter)).rank == 3


def test_a_member_that_fails_completely_does_not_decide():
    """One huge squared error must not dominate the comparison of ranks."""
    clear = ascending_path([1.0, 0.9, 0.9], [1.0, 0.5, 0.1])
    errors = clear[2].held_out.copy()
    errors[0] = 1e9
    assert HeldOut().choose(path_of(clear[1], replace(clear[2], held_out=errors), clear[3])).rank == 3


def test_without_a_stable_rank_the_status_is_unstable():
    unstable = ascending_path([0.5, 0.7, 0.1], [1.0, 0.5, 0.1])
    choice = SilhouetteCutoff().choose(unstable)
    assert (choice.rank, choice.status) == (2, "unstable")
    assert choice.reason == (
        "no rank has a least silhouette >= 0.8; rank 2 is nearest with 0.70; no clear number of components: "
        "no rank is both stable and near the least held-out error"
    )
    assert HeldOut().choose(unstable).status == "unstable"
    assert LStatistic().choose(unstable).status == "unstable"


def test_members_set_aside_do_not_count():
    clear = ascending_path([1.0, 0.9], [1.0, 0.1])
    errors = clear[2].held_out.copy()
    errors[0] = np.nan
    assert HeldOut().choose(path_of(clear[1], replace(clear[2], held_out=errors, set_aside=(0,)))).rank == 2


def test_to_dict_has_one_value_per_rank():
    table = CLEAR.to_dict()
    assert table["rank"] == [1, 2, 3, 4, 5] == list(CLEAR.ranks)
    assert {len(column) for column in table.values()} == {5} == {len(CLEAR)}
    with pytest.raises(InputError, match="Rank 9 was not visited; the ranks visited are 1, 2, 3, 4, 5"):
        CLEAR[9]


def test_the_status_is_unconfirmed_without_stability_or_held_out_errors():
    single = [replace(one, stability_rows=np.full(one.rank, np.nan)) for one in CLEAR]
    assert Agreement().choose(path_of(*single)).status == "unconfirmed"
    assert Agreement().choose(path_of(*single)).rank == 3
    assert "one member alone has no stability" in SilhouetteCutoff().choose(path_of(*single)).reason
    no_holdout = [replace(one, held_out=np.full(8, np.nan), relative_error=1 / one.rank) for one in CLEAR]
    for rule in (SilhouetteCutoff(), HeldOut(), Agreement(), LStatistic()):
        choice = rule.choose(path_of(*no_holdout))
        assert choice.status == "unconfirmed"
        assert choice.rank <= 3  # the error on training data is not used
        assert 5 not in choice.runners_up
    neither = [replace(one, held_out=np.full(8, np.nan)) for one in single]
    assert Agreement().choose(path_of(*neither)).rank == 1


def test_the_only_rank_visited_is_chosen_and_its_numbers_are_the_reason():
    choice = Agreement().choose(path_of(CLEAR[3]))
    assert choice.reason.startswith("rank 3 is the only one visited; its least silhouette is 0.93; its held")
    assert choice.status == "agreed"
    assert Agreement().choose(path_of(CLEAR[5])).status == "unstable"


def test_ranks_with_empty_components_are_passed_over():
    """A model of rank 4 with three non-empty components is one of rank 3, whatever its error."""
    W = np.ones((4, 4))
    W[:, 2] = 0
    empty = replace(CLEAR[4], model=Factors(W, np.ones((4, 20))), held_out=CLEAR[3].held_out / 4)
    choice = HeldOut().choose(path_of(CLEAR[2], CLEAR[3], empty))
    assert choice.rank == 3
    assert ", the least of all ranks visited without empty components" in choice.reason
    all_empty = replace(CLEAR[1], model=Factors(np.zeros((4, 1)), np.ones((1, 20))))
    assert HeldOut().choose(path_of(all_empty, empty)).rank == 4


def test_if_all_ranks_have_empty_components_the_smallest_within_one_standard_error_is_chosen():
    def empty(rank, errors):
        return replace(record(rank, 0.0, errors), model=Factors(np.zeros((4, rank)), np.zeros((rank, 5))))

    near = path_of(
        empty(1, [0.10, 0.12, 0.09, 0.11]),
        empty(2, [0.11, 0.10, 0.10, 0.11]),
        empty(3, [0.1, 0.11, 0.10, 0.09]),
    )
    assert HeldOut().choose(near).rank == 1


def test_thresholds_above_one_raise():
    with pytest.raises(IncompatibleError, match="threshold=2; expected at most 1"):
        SilhouetteCutoff(2).choose(CLEAR)


@pytest.mark.parametrize("threshold", [0.5, 0.7])
def test_every_rule_uses_its_own_threshold(threshold):
    """Rank 3 has a silhouette of 0.6 and the same error as rank 2."""
    between = ascending_path([1.0, 0.9, 0.6], [1.0, 0.1, 0.1])
    rank = 3 if threshold == 0.5 else 2
    assert SilhouetteCutoff(threshold).choose(between).rank == rank
    assert Agreement(threshold=threshold).choose(between).rank == rank
    nothing = ascending_path([1.0, 0.9, 0.6], [np.nan] * 3)
    for rule in (HeldOut, Agreement):
        assert rule(threshold=threshold).choose(nothing).rank == rank
        assert rule(threshold=0.95).choose(nothing).rank == 1
    lower = ascending_path(
        [1.0, 0.9, 0.6], [1.0, 0.9, 0.1], [np.linspace(error, error + 0.1, 20) for error in (2, 1, 0)]
    )
    assert LStatistic(threshold=threshold).choose(lower).rank == rank


def test_thresholds_at_the_ends_of_their_range_are_valid():
    for rule in (SilhouetteCutoff, HeldOut, Agreement, LStatistic):
        for threshold in (-1, 1):
            assert rule(threshold=threshold).choose(CLEAR).rank in CLEAR.ranks
        for threshold in (-1.01, 1.01):
            with pytest.raises(IncompatibleError, match=f"{rule.__name__} has threshold="):
                rule(threshold=threshold).choose(CLEAR)
    assert Agreement(tolerance=1).choose(CLEAR).rank == 3


def test_agreement_with_no_larger_rank_has_the_reason_of_the_held_out_error():
    """Also where the chosen rank itself is stable and has the least error."""
    choice, alone = (rule.choose(CLEAR) for rule in (Agreement(), HeldOut()))
    assert (choice.rank, choice.reason) == (alone.rank, alone.reason)
    assert "squared held-out error within" not in choice.reason


def test_limits_belong_to_what_is_stable_near_and_short():
    """A silhouette at the threshold, an error at the tolerance and an equal description are enough."""
    limit = path_of(
        record(1, 1.0, [1.0] * 4, bits=90.0),
        record(2, 0.8, [0.25] * 4, bits=50.0),
        record(3, 0.8, [1.0] * 4, bits=50.0),
    )
    assert SilhouetteCutoff(0.8).choose(limit).rank == 3
    assert Agreement(tolerance=4.0).choose(limit).rank == 3
    assert Agreement(tolerance=3.99).choose(limit).rank == 2
    assert LStatistic(threshold=0.8).choose(limit).rank == 1
    only = path_of(record(1, 0.1, [9.0] * 4), record(2, 0.8, [0.25] * 4), record(9, 0.1, [9.0] * 4))
    for threshold, clear in ((0.8, True), (0.81, False)):
        reason = HeldOut(threshold=threshold).choose(only).reason
        assert ("no clear number of components" not in reason) is clear


@pytest.mark.parametrize("rule", [SilhouetteCutoff(), HeldOut(), Agreement(), LStatistic()], ids=repr)
def test_of_one_rank_nothing_is_compared(rule):
    for stability, status in ((0.93, "agreed"), (0.1, "unstable")):
        choice = rule.choose(path_of(record(3, stability, [0.25] * 4, bits=70.0)))
        assert choice.reason == (
            f"rank 3 is the only one visited; its least silhouette is {stability:.2f}; "
            "its held-out error is 0.5"
        )
        assert (choice.rank, choice.status, choice.runners_up) == (3, status, ())


def test_two_ranks_are_compared():
    two = path_of(record(1, 0.9, [1.0] * 4, bits=80.0), record(2, 0.1, [0.25] * 4, bits=70.0))
    assert SilhouetteCutoff().choose(two).reason == (
        "largest rank with a least silhouette >= 0.8 (0.90); the next, 2, has 0.10; the description is "
        "shortest at rank 2 (70 bits, against 80 here)"
    )
    assert HeldOut().choose(two).reason == (
        "held-out error 0.5, the least of all ranks visited; the next smaller, 1, has 1; the description is "
        "shortest at rank 2 (70 bits)"
    )
    unstable = path_of(record(1, 0.2, [1.0] * 4), record(2, 0.1, [0.25] * 4))
    assert HeldOut().choose(unstable).reason.endswith("both stable and near the least held-out error")


def test_criteria_that_differ_by_one_agree():
    choice = HeldOut().choose(ascending_path([1.0, 0.9, 0.9, 0.1], [1.0, 0.1, 0.2, 0.3]))
    assert (choice.rank, choice.status, choice.runners_up) == (2, "agreed", (3,))


@pytest.mark.parametrize("unit", [1.0, 1e-9])
@pytest.mark.parametrize(
    ("errors", "rank"),
    [
        ([0.11, 0.09], 1),  # the mean difference is 0, below its standard error
        ([0.12, 0.12], 2),
        ([0.13, 0.101], 2),  # of relative differences 0.13 and 0.005: mean 0.068, standard error 0.063
        ([0.13, 0.0999], 1),
        ([0.16, 0.1, 0.1, 0.1], 1),
        ([0.13, 0.13, 0.13, 0.08], 2),
        ([0.2, 0.2, 0.2, 0.03], 1),
    ],
)
def test_a_rank_is_clearly_worse_beyond_one_paired_standard_error(errors, rank, unit):
    """In any unit of the errors; relative differences (a - b) / (a + b) are compared."""
    least = np.full(len(errors), 0.1)
    differences = (np.array(errors) - least) / (np.array(errors) + least)
    worse = differences.mean() > differences.std(ddof=1) / np.sqrt(len(errors))
    assert worse == (rank == 2)
    path = path_of(record(1, 0.9, np.array(errors) * unit), record(2, 0.9, least * unit))
    best = 2 if np.median(errors) > 0.1 else 1
    assert HeldOut().choose(path).rank == (rank if best == 2 else 1)


def erratic(error_of_the_last):
    """Rank 1 is within one standard error of rank 4 in squared errors of four members, which differ a lot."""
    return path_of(
        record(1, 1.0, [0.4, 2.0, 0.1, 1.6]),
        record(2, 0.9, [9.0, 2.5, 1.5, 1.2]),
        record(4, 0.1, [2.0, error_of_the_last, 0.7, error_of_the_last]),
    )


@pytest.mark.parametrize("rule", [HeldOut(), Agreement()], ids=repr)
def test_a_rank_that_too_few_members_cannot_tell_from_a_much_better_one_is_not_agreed(rule):
    path = erratic(0.01)
    errors = [path[rank].held_out_error for rank in (1, 4)]
    assert (errors[0] - errors[1]) / errors[0] > 0.1
    choice = rule.choose(path)
    assert (choice.rank, choice.status) == (1, "disputed")
    assert 4 in choice.runners_up
    assert (
        "; the members are too few, or differ too much, to tell it from rank 4, whose held-out error is much "
        f"smaller ({errors[1]:.3g}, against {errors[0]:.3g} here): raise n_perturbs"
    ) in choice.reason


def test_a_rank_with_nearly_the_least_error_is_agreed():
    path = erratic(0.9)
    errors = [path[rank].held_out_error for rank in (1, 4)]
    assert 0 < (errors[0] - errors[1]) / errors[0] < 0.1
    assert (HeldOut().choose(path).rank, HeldOut().choose(path).status) == (1, "agreed")


@pytest.mark.slow
def test_four_members_do_not_agree_on_rank_one_of_an_exact_product_of_rank_three():
    """Their held-out errors at rank 1 are twice those at the best rank, but within one standard error."""
    rng = np.random.default_rng(0)
    X = rng.gamma(0.5, size=(20, 3)) @ rng.gamma(0.5, size=(3, 12))
    choice = WNMFk(n_perturbs=4, random_state=0).fit(X).choice_
    assert choice.rank == 3 or choice.status != "agreed"
    choice = WNMFk(random_state=0).fit(X).choice_
    assert (choice.rank, choice.status) == (3, "agreed")
