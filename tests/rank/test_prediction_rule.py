"""A rank for prediction beside a rank for components, on hand-made paths."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from latentlink.rank.selection import Agreement, BestPrediction, SilhouetteCutoff
from tests.rank.paths import path_of, record


def two_questions(members, ensembles, stability):
    """A path whose members and whose ensembles have other errors."""
    difficulty = np.array([0.8, 1.0, 1.1, 1.3])
    return path_of(
        *(
            replace(record(rank, stable, difficulty * own**2), held_out_ensemble=difficulty * together**2)
            for rank, (own, together, stable) in enumerate(zip(members, ensembles, stability, strict=True), 1)
        )
    )


def test_the_rank_for_prediction_has_the_least_error_of_the_ensemble_and_both_are_named():
    both = two_questions([1.0, 0.9, 0.95, 1.0], [0.9, 0.8, 0.7, 0.75], [1.0, 0.9, 0.4, 0.3])
    components, prediction = Agreement().choose(both), BestPrediction().choose(both)
    assert (components.rank, prediction.rank) == (2, 3)
    assert components.runners_up == (3,)
    assert "; of the ranks visited 3 predicts best (held-out error of the ensemble" in components.reason
    assert components.reason.endswith("here): for predictions fit with selection=BestPrediction()")
    assert "no clear number" not in components.reason
    assert prediction.reason.startswith(
        "held-out error of the ensemble 0.717, the least of all ranks visited"
    )
    assert prediction.reason.endswith("; for components Agreement() prefers 2 of the ranks visited")
    assert 2 in prediction.runners_up


def test_of_equal_predictions_the_smallest_rank_is_chosen():
    difficulty = np.array([0.8, 1.0, 1.1, 1.3])
    wobble = np.array([1.01, 0.99, 1.01, 0.985])
    flat = path_of(
        replace(record(2), held_out_ensemble=difficulty),
        replace(record(4), held_out_ensemble=difficulty * wobble),
        replace(record(8), held_out_ensemble=difficulty * 1.1),
    )
    assert BestPrediction().choose(flat).rank == 2
    reason = BestPrediction().choose(flat).reason
    assert ", within one standard error or 0.2 % of the error at the smallest rank of the least (" in reason


def test_one_rank_for_both_questions_is_named_once():
    same = two_questions([1.0, 0.5, 0.6], [1.0, 0.4, 0.5], [1.0, 0.9, 0.3])
    for rule in (Agreement(), BestPrediction()):
        choice = rule.choose(same)
        assert (choice.rank, choice.status, choice.runners_up) == (2, "agreed", ())
        assert "predicts best" not in choice.reason
        assert "for components" not in choice.reason


def test_where_stability_and_error_never_meet_the_reason_says_so():
    never = two_questions([1.0, 0.9, 0.8, 0.7], [1.0, 0.9, 0.8, 0.6], [1.0, 0.5, 0.4, 0.3])
    choice = Agreement().choose(never)
    assert (choice.rank, choice.status) == (4, "disputed")
    assert choice.reason.endswith(
        "; no clear number of components: no rank is both stable and near the least held-out error, and this "
        "rank predicts best"
    )


def test_without_held_out_entries_the_rank_for_prediction_is_the_largest_stable_one():
    nothing = path_of(*(record(rank, 0.9 if rank < 3 else 0.2, [np.nan] * 4) for rank in (1, 2, 3)))
    choice = BestPrediction().choose(nothing)
    assert (choice.rank, choice.status) == (2, "unconfirmed")
    assert "(nothing could be held out)" in choice.reason


def test_a_threshold_or_tolerance_that_is_just_reached_counts():
    """Rank 3 is stable at exactly 0.8, and its squared error is exactly 4 times the least."""
    reached = path_of(
        record(1, 1.0, [4.0, 4.0, 4.0]), record(2, 0.9, [0.25, 0.25, 0.25]), record(3, 0.8, [1.0, 1.0, 1.0])
    )
    assert SilhouetteCutoff(0.8).choose(reached).rank == 3
    assert SilhouetteCutoff(0.81).choose(reached).rank == 2
    for threshold, tolerance, rank in [(0.8, 4.0, 3), (0.81, 4.0, 2), (0.8, 3.99, 2)]:
        assert Agreement(threshold=threshold, tolerance=tolerance).choose(reached).rank == rank


def test_differences_that_are_small_beside_the_error_at_the_smallest_rank_do_not_count():
    """The least error of noise-free data is that of the perturbations."""
    difficulty = np.array([0.8, 1.0, 1.1, 1.3])

    def ensembles(*errors):
        return path_of(
            *(
                replace(record(rank), held_out_ensemble=difficulty * error**2)
                for rank, error in enumerate(errors, 1)
            )
        )

    for scale in (0.1, 1.0, 10.0):
        assert BestPrediction().choose(ensembles(*(scale * np.array([1.0, 0.0069, 0.005])))).rank == 2
        assert BestPrediction().choose(ensembles(*(scale * np.array([1.0, 0.0071, 0.005])))).rank == 3


def test_a_rank_whose_stability_just_reaches_the_threshold_is_clear():
    just, below = (
        two_questions([1.0, 0.9, 0.5], [1.0, 0.9, 0.5], [1.0, 0.5, stability])
        for stability in (0.8, np.nextafter(0.8, 0))
    )
    assert "no clear number" not in Agreement().choose(just).reason
    assert "no clear number" in Agreement().choose(below).reason


def test_a_stable_rank_of_least_error_is_chosen_for_its_error():
    choice = Agreement().choose(two_questions([1.0, 0.5, 0.9], [1.0, 0.5, 0.9], [1.0, 0.95, 0.3]))
    assert choice.rank == 2
    assert choice.reason.startswith(
        "held-out error 0.512, the least of all ranks visited; the next smaller, 1"
    )


def test_one_rank_alone_has_no_other_question():
    only = two_questions([1.0], [0.9], [1.0])
    for rule in (Agreement(), BestPrediction()):
        choice = rule.choose(only)
        assert (choice.rank, choice.runners_up) == (1, ())
        assert "prefers" not in choice.reason
        assert "for predictions" not in choice.reason


def test_a_rank_that_is_just_stable_is_clear_if_it_is_near_the_least_error():
    errors = [[1.0] * 4, [0.52, 0.48, 0.5, 0.5], [0.5, 0.49, 0.51, 0.5], [0.5, 0.49, 0.5, 0.49]]
    for threshold, clear in ((0.8, True), (0.81, False)):
        path = path_of(
            *(record(rank, (1.0, 0.8, 0.3, 0.2)[rank - 1], errors[rank - 1]) for rank in (2, 3, 4))
        )
        reason = SilhouetteCutoff(threshold=threshold).choose(path).reason
        assert ("no clear number of components" in reason) == (not clear)


def test_of_two_ranks_the_one_that_predicts_best_is_named():
    choice = Agreement().choose(two_questions([0.5, 0.9], [1.0, 0.5], [1.0, 0.3]))
    assert (choice.rank, choice.runners_up) == (1, (2,))
    assert "; of the ranks visited 2 predicts best" in choice.reason


def test_the_rank_that_is_said_to_predict_best_has_the_least_error():
    wobble = np.array([1.01, 0.99, 1.01, 0.992])
    path = path_of(
        replace(record(1, 0.5, [1.0] * 4), held_out_ensemble=wobble),
        replace(record(2, 0.9, [0.5] * 4), held_out_ensemble=np.array([1.3, 1.31, 1.29, 1.3])),
        replace(record(4, 0.3, [0.9] * 4), held_out_ensemble=np.ones(4)),
    )
    choice = Agreement().choose(path)
    told = (
        "; of the ranks visited 4 predicts best (held-out error of the ensemble 1, against 1.14 here), and 1"
    )
    assert choice.rank == 2
    assert told in choice.reason


def test_the_chosen_rank_may_predict_best_where_a_smaller_one_does_as_well():
    wobble = np.array([1.01, 0.99, 1.01, 0.992])
    path = path_of(
        replace(record(1, 1.0, [1.0] * 4), held_out_ensemble=wobble),
        replace(record(2, 0.9, [0.5] * 4), held_out_ensemble=np.ones(4)),
    )
    told = "; of the ranks visited this one predicts best (held-out error of the ensemble 1), and 1 as well"
    assert told in Agreement().choose(path).reason


def test_a_smaller_rank_for_components_is_taken_within_two_standard_errors():
    difficulty = np.array([0.8, 1.0, 1.1, 1.3])
    wobble = np.array([-0.03, 0.01, 0.02, 0.04])  # mean .01, standard error .015

    def choice(gain, stability, last=0.5):
        return BestPrediction().choose(
            path_of(
                replace(record(1, 1.0, 4 * difficulty), held_out_ensemble=4 * difficulty),
                replace(record(2, stability, difficulty), held_out_ensemble=difficulty * (1 + gain + wobble)),
                replace(record(3, last, 1.2 * difficulty), held_out_ensemble=difficulty),
            )
        )

    assert choice(0.018, 0.9).rank == 2
    assert choice(0.021, 0.9).rank == 3
    assert choice(0.01, 0.7).rank == 3  # not stable
    taken = choice(0.01, 0.9)
    assert taken.reason.startswith(
        "held-out error of the ensemble 1.04, within two standard errors of the least (1.02 at rank 3), and "
        "stable (least silhouette 0.90); the held-out error alone chooses 3"
    )
    assert 3 in taken.runners_up
    assert "for components" not in taken.reason
