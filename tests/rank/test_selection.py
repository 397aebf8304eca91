"""Rules that choose a rank, on paths made by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from latentlink.errors import IncompatibleError, InputError
from latentlink.factors import Factors
from latentlink.rank.results import RankPath, RankRecord
from latentlink.rank.selection import Agreement, HeldOut, LStatistic, SilhouetteCutoff
from tests.rank.paths import path_of, record


def path(stability, held_out, columns=None):
    """A path of ranks 1, 2, ... with these least silhouettes, held-out errors and column errors."""
    rng = np.random.default_rng(0)
    noise = rng.normal(0, 1e-3, 8)  # of the entries held out, the same at every rank
    own = np.array([1, -1] * 4) * 1e-4  # of the rank, no more than chance
    records = []
    for place, (stable, error) in enumerate(zip(stability, held_out, strict=True)):
        rank = place + 1
        model = Factors(np.ones((4, rank)), np.ones((rank, 20)))
        shape = np.full(20, error) if columns is None else columns[place]
        errors = error + noise + own * (-1) ** rank
        silhouette = np.linspace(stable, 1.0, rank)
        records.append(
            RankRecord(rank, model, (model,) * 8, silhouette, silhouette, error, shape, errors, (), 8)
        )
    return RankPath(tuple(records))


CLEAR = path([1.0, 0.95, 0.93, 0.2, 0.1], [1.0, 0.5, 0.1, 0.1, 0.12])


@pytest.mark.parametrize("rule", [SilhouetteCutoff(), HeldOut(), Agreement()], ids=repr)
def test_a_clear_case_is_agreed(rule):
    choice = rule.choose(CLEAR)
    assert (choice.rank, choice.status, choice.runners_up) == (3, "agreed", ())
    assert any(digit in choice.reason for digit in "0123456789")


def test_the_cutoff_takes_the_largest_stable_rank_and_names_the_next():
    choice = SilhouetteCutoff().choose(CLEAR)
    assert choice.reason == "largest rank with a least silhouette >= 0.8 (0.93); the next, 4, has 0.20"


def test_the_last_rank_has_no_next():
    assert "next" not in SilhouetteCutoff().choose(path([1.0, 0.9], [1.0, 0.5])).reason


def test_held_out_prefers_the_smaller_of_equals_and_names_both():
    """The median falls a little from rank 2 to 3, but half of the members say that it rises."""
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
    clear = path_of(near[1], near[2], record(3, 0.9, near[2].held_out - 0.01))  # here all members gain
    assert HeldOut().choose(clear).rank == 3


def test_a_single_member_has_no_standard_error():
    alone = path_of(record(1, 1.0, [0.3]), record(2, 1.0, [0.2]), record(3, 1.0, [0.2]))
    assert HeldOut().choose(alone).rank == 2


def test_the_description_length_of_a_boolean_path_is_a_second_opinion():
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
def test_rules_that_make_no_sense_are_refused(rule, name):
    with pytest.raises(IncompatibleError, match=f"{type(rule).__name__} has {name}="):
        rule.choose(CLEAR)


def test_only_rules_of_stability_have_a_threshold_to_search_by():
    assert SilhouetteCutoff(threshold=0.7).stability_threshold == 0.7
    assert LStatistic(threshold=0.6).stability_threshold == 0.6
    assert HeldOut().stability_threshold is None
    assert Agreement().stability_threshold is None


def test_stability_and_prediction_may_dispute():
    disputed = path([1.0, 0.3, 0.2, 0.1], [1.0, 0.5, 0.1, 0.05])
    choice = HeldOut().choose(disputed)
    assert (choice.rank, choice.status, choice.runners_up) == (4, "disputed", (1,))
    assert SilhouetteCutoff().choose(disputed).runners_up == (4,)


def test_agreement_goes_beyond_the_held_out_rank_only_where_stable_and_close():
    weak = path([1.0, 0.9, 0.9, 0.1], [1.0, 0.1, 0.105, 0.2])
    assert (HeldOut().choose(weak).rank, Agreement().choose(weak).rank) == (2, 3)
    assert "the held-out error alone says 2" in Agreement().choose(weak).reason
    assert Agreement().choose(path([1.0, 0.9, 0.7, 0.1], [1.0, 0.1, 0.105, 0.2])).rank == 2  # unstable
    far = path([1.0, 0.9, 0.9, 0.1], [1.0, 0.1, 0.13, 0.2])
    assert Agreement().choose(far).rank == 2
    assert Agreement(tolerance=2.0).choose(far).rank == 3
    # A stable rank below never wins: it would predict worse.
    assert Agreement().choose(path([1.0, 0.9, 0.1], [1.0, 0.104, 0.1])).rank == 3
    with pytest.raises(IncompatibleError, match="tolerance"):
        Agreement(tolerance=0.5).choose(CLEAR)


def test_a_larger_stable_rank_must_be_worth_its_components():
    near = [record(1, 1.0, [1.0] * 4), record(2, 0.9, [0.1] * 4), record(3, 0.9, [0.104] * 4)]
    assert Agreement().choose(path_of(*near)).rank == 3
    W = np.ones((4, 3))
    W[:, 1] = 0
    empty = replace(near[2], model=Factors(W, np.ones((3, 5))))
    assert Agreement().choose(path_of(*near[:2], empty)).rank == 2
    longer, shorter = (
        [replace(each, description_length=bits) for each, bits in zip(near, lengths, strict=True)]
        for lengths in ((90.0, 50.0, 60.0), (90.0, 60.0, 50.0))
    )
    assert Agreement().choose(path_of(*longer)).rank == 2
    assert Agreement().choose(path_of(*shorter)).rank == 3


def test_a_member_that_fails_altogether_does_not_decide():
    """One prediction in thousands can be anything; its square must not make all ranks look alike."""
    clear = path([1.0, 0.9, 0.9], [1.0, 0.5, 0.1])
    errors = clear[2].held_out.copy()
    errors[0] = 1e9
    records = (clear[1], RankRecord(**{**vars_of(clear[2]), "held_out": errors}), clear[3])
    assert HeldOut().choose(RankPath(records)).rank == 3


def test_nothing_stable_is_said_and_a_guess_named():
    unstable = path([0.5, 0.7, 0.1], [1.0, 0.5, 0.1])
    choice = SilhouetteCutoff().choose(unstable)
    assert (choice.rank, choice.status) == (2, "unstable")
    assert "no rank has a least silhouette of 0.8" in choice.reason
    assert HeldOut().choose(unstable).status == "unstable"
    assert LStatistic().choose(unstable).status == "unstable"


def test_members_set_aside_do_not_count():
    clear = path([1.0, 0.9], [1.0, 0.1])
    errors = clear[2].held_out.copy()
    errors[0] = np.nan
    records = (clear[1], RankRecord(**{**vars_of(clear[2]), "held_out": errors, "set_aside": (0,)}))
    assert HeldOut().choose(RankPath(records)).rank == 2


def vars_of(record):
    return {name: getattr(record, name) for name in record.__dataclass_fields__}


def test_l_statistics_stop_where_columns_no_longer_gain():
    rng = np.random.default_rng(1)
    columns = [rng.uniform(0.8, 1.0, 20), rng.uniform(0.4, 0.5, 20), rng.uniform(0.1, 0.2, 20)]
    columns.append(columns[2] - 1e-4)
    stable = path([1.0, 0.9, 0.9, 0.9], [1.0, 0.5, 0.1, 0.1], columns)
    choice = LStatistic().choose(stable)
    assert choice.rank == 3
    assert "p = " in choice.reason
    rising = path([1.0, 0.9], [1.0, 1.0], [columns[1], columns[0]])
    assert LStatistic().choose(rising).rank == 1
    assert "the first one stable" in LStatistic().choose(rising).reason


def test_a_path_is_a_table_and_knows_what_it_has():
    table = CLEAR.to_dict()
    assert table["rank"] == [1, 2, 3, 4, 5] == list(CLEAR.ranks)
    assert {len(column) for column in table.values()} == {5} == {len(CLEAR)}
    with pytest.raises(InputError, match="Rank 9 was not visited; visited were 1, 2, 3, 4, 5"):
        CLEAR[9]


def test_one_member_and_nothing_held_out_leave_a_choice_unconfirmed():
    alone = [replace(each, stability_rows=np.full(each.rank, np.nan)) for each in CLEAR]
    assert Agreement().choose(path_of(*alone)).status == "unconfirmed"
    assert Agreement().choose(path_of(*alone)).rank == 3
    assert "one member alone shows no stability" in SilhouetteCutoff().choose(path_of(*alone)).reason
    unseen = [replace(each, held_out=np.full(8, np.nan), relative_error=1 / each.rank) for each in CLEAR]
    for rule in (SilhouetteCutoff(), HeldOut(), Agreement(), LStatistic()):
        choice = rule.choose(path_of(*unseen))
        assert choice.status == "unconfirmed"
        assert choice.rank <= 3  # what a model says of its own training data has no say
        assert 5 not in choice.runners_up
    neither = [replace(each, held_out=np.full(8, np.nan)) for each in alone]
    assert Agreement().choose(path_of(*neither)).rank == 1


def test_the_only_rank_visited_is_chosen_with_what_is_known_of_it():
    choice = Agreement().choose(path_of(CLEAR[3]))
    assert choice.reason.startswith("rank 3 is the only one visited; its least silhouette is 0.93; its held")
    assert choice.status == "agreed"
    assert Agreement().choose(path_of(CLEAR[5])).status == "unstable"


def test_a_rank_with_an_empty_component_is_none():
    """A model of rank 4 with three components says what rank 3 says, whatever its error happens to be."""
    W = np.ones((4, 4))
    W[:, 2] = 0
    empty = replace(CLEAR[4], model=Factors(W, np.ones((4, 20))), held_out=CLEAR[3].held_out / 4)
    choice = HeldOut().choose(path_of(CLEAR[2], CLEAR[3], empty))
    assert choice.rank == 3
    assert "the least of all ranks visited whose components all hold something" in choice.reason
    all_empty = replace(CLEAR[1], model=Factors(np.zeros((4, 1)), np.ones((1, 20))))
    assert HeldOut().choose(path_of(all_empty, empty)).rank == 4


def test_where_all_ranks_have_empty_components_the_smallest_of_equals_is_taken():
    def empty(rank, errors):
        return replace(record(rank, 0.0, errors), model=Factors(np.zeros((4, rank)), np.zeros((rank, 5))))

    near = path_of(
        empty(1, [0.10, 0.12, 0.09, 0.11]),
        empty(2, [0.11, 0.10, 0.10, 0.11]),
        empty(3, [0.1, 0.11, 0.10, 0.09]),
    )
    assert HeldOut().choose(near).rank == 1


def test_agreed_means_that_no_two_opinions_are_further_apart_than_one():
    """Stability says 4, held-out errors say 2, and a rule in between says 3."""
    between = path(
        [1.0, 0.9, 0.9, 0.9], [1.0, 0.1, 0.2, 0.2], [np.full(20, error) for error in (5.0, 4.0, 1.0, 1.0)]
    )
    choice = LStatistic().choose(between)
    assert (choice.rank, choice.status, choice.runners_up) == (3, "disputed", (4, 2))


def test_columns_without_errors_do_not_decide():
    unknown = [replace(each, column_errors=np.full(20, np.nan)) for each in CLEAR]
    assert LStatistic().choose(path_of(*unknown)).rank == 1


def test_no_silhouette_exceeds_one():
    with pytest.raises(IncompatibleError, match="threshold=2; expected at most 1"):
        SilhouetteCutoff(2).choose(CLEAR)
