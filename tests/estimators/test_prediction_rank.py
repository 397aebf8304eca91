"""A rank for prediction, scores within their scale, time limits, and one count of progress."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse

from latentlink import LinkStack, LogisticHead, Network, NMFk, RankedFactorizer, RNMFk, WNMFk, load
from latentlink.errors import DataWarning, InputError, LatentLinkError, RankWarning
from latentlink.rank import BestPrediction
from latentlink.regime import real
from latentlink.solvers import LMF, NMF, RNMF, WNMF

pytestmark = pytest.mark.filterwarnings("ignore::latentlink.errors.RankWarning", "ignore:Nothing is known of")


def planted(rank, shape=(40, 30), hidden=0.2, noise=0.0, seed=0):
    """Non-negative data of a known rank, some of them hidden."""
    rng = np.random.default_rng(seed)
    W, H = rng.gamma(0.5, 1, (shape[0], rank)), rng.gamma(0.5, 1, (rank, shape[1]))
    X = W @ H * (1 + noise * rng.uniform(-1, 1, shape))
    return Network.from_dense(X).hide(rng.random(X.size) < hidden)


def ratings(seed=0, users=80, items=60):
    """Ratings from 1 to 5, where few users rate most items and most users rate few, and their test part."""
    rng = np.random.default_rng(seed)
    score = 3 + rng.normal(0, 0.6, (users, 1)) + rng.normal(0, 0.6, (1, items))
    score = score + rng.gamma(0.5, 1, (users, 3)) @ rng.gamma(0.5, 1, (3, items)) - 0.75
    values = np.clip(np.rint(score + rng.normal(0, 0.7, (users, items))), 1, 5)
    share = np.clip(rng.pareto(1.2, (users, 1)) * 0.1 * rng.uniform(0.3, 2, (1, items)), 0.05, 0.95)
    known = rng.random((users, items)) < share
    rows, cols = np.nonzero(known)
    return Network(rows, cols, values[known], shape=(users, items)), values, known


def prolific_users(seed, users=120, items=80, prolific=4):
    """Ratings where a few users with tastes of their own rate most items, and the others few."""
    rng = np.random.default_rng(seed)
    score = 3 + rng.normal(0, 0.5, (users, 1)) + rng.normal(0, 0.5, (1, items))
    score[:prolific] += rng.normal(0, 1.5, (prolific, items))
    values = np.clip(np.rint(score + rng.normal(0, 0.7, (users, items))), 1, 5)
    known = rng.random((users, items)) < np.where(np.arange(users) < prolific, 0.8, 0.15)[:, None]
    return Network(*np.nonzero(known), values[known], shape=(users, items)), known


def friends(seed=0, size=40):
    """A network with two groups, links and non-links listed."""
    rng = np.random.default_rng(seed)
    group = np.arange(size) < size // 2
    X = (rng.random((size, size)) < np.where(group[:, None] == group, 0.6, 0.1)).astype(float)
    return Network.from_dense(np.triu(X, 1) + np.triu(X, 1).T, symmetric=True)


# -------------------------------------------------------------------- rank


@pytest.mark.slow
@pytest.mark.parametrize("rank", [1, 3, 5])
@pytest.mark.parametrize("noise", [0.0, 0.1])
def test_planted_ranks_are_exact_for_components_and_for_prediction(rank, noise):
    network = planted(rank, noise=noise, seed=rank)
    for selection in (None, BestPrediction()):
        model = WNMFk(selection=selection, n_perturbs=8, random_state=0).fit(network)
        assert model.rank_ == rank, model.choice_


def test_a_rank_for_prediction_is_answered_by_the_ensemble(tmp_path):
    network, _, _ = ratings()
    solver = WNMF(ridge=0.5, max_iter=30)
    model = WNMFk((1, 2, 4), solver=solver, selection=BestPrediction(), n_perturbs=4, random_state=0)
    pairs = [(0, 1), (3, 7), (20, 30)]
    model.fit(network)
    np.testing.assert_array_equal(model.predict_links(pairs), model.predict_links(pairs, by="ensemble"))
    plain = WNMFk((model.rank_,), solver=solver, n_perturbs=4, random_state=0).fit(network)
    np.testing.assert_array_equal(plain.predict_links(pairs), model.predict_links(pairs, by="model"))
    model.save(tmp_path / "model")
    loaded = load(tmp_path / "model")
    np.testing.assert_array_equal(loaded.predict_links(pairs), model.predict_links(pairs))
    assert [record.ensemble_error for record in loaded.path_] == [
        record.ensemble_error for record in model.path_
    ]


def test_another_rule_does_not_change_the_answers_of_a_fitted_model():
    model = WNMFk(
        (2,), solver=WNMF(ridge=0.5, max_iter=30), selection=BestPrediction(), n_perturbs=4, random_state=0
    ).fit(ratings()[0])
    before = model.predict_links([(0, 1), (3, 7)])
    np.testing.assert_array_equal(model.set_params(selection=None).predict_links([(0, 1), (3, 7)]), before)


def test_the_path_has_both_errors():
    model = WNMFk((1, 2), solver=WNMF(ridge=0.1), n_perturbs=4, random_state=0).fit(planted(2))
    table = model.path_.to_dict()
    assert np.isfinite(table["ensemble_error"]).all()
    assert np.isfinite(table["held_out_error"]).all()
    errors = model.path_[2].held_out_ensemble
    assert errors.shape == (4,)
    assert model.path_[2].ensemble_error == pytest.approx(np.sqrt(np.nanmean(errors)))


# -------------------------------------------------------------------- scale


def test_scores_of_ratings_stay_within_their_scale():
    network, _, known = ratings()
    model = RNMFk((2,), n_perturbs=4, random_state=0).fit(network)
    pairs = np.argwhere(~known)
    score, spread = model.predict_links(pairs, return_std=True)
    assert model.factors_.bounds == (1.0, 5.0)
    assert score.min() >= 1
    assert score.max() <= 5
    free = [replace(member, bounds=None).score(*pairs.T) for member in model.members_]
    np.testing.assert_allclose(spread, np.std(free, axis=0), atol=1e-6)  # beyond the end they still differ
    np.testing.assert_allclose(score, np.mean(np.clip(free, 1, 5), axis=0), atol=1e-6)
    for member in (model.factors_, *model.members_):
        assert 1 <= member.score(*pairs.T).min() <= member.score(*pairs.T).max() <= 5
    assert model.top_links(5)["score"].max() <= 5
    assert model.fold_in(network.to_dense()[:2]).predict_links([(0, 1), (1, 2)]).max() <= 5


def test_the_range_of_scores_can_be_given_or_left_out():
    network, _, known = ratings()
    pairs = np.argwhere(~known)
    settings = {"solver": RNMF(ridge=0.01, max_iter=50), "n_perturbs": 2, "random_state": 0}
    free, half = (
        RNMFk((4,), regime=real().set_params(score_range=each), **settings).fit(network)
        for each in (None, (1.5, 4.5))
    )
    scores = free.predict_links(pairs, by="model")
    assert scores.max() > 5
    clipped = half.predict_links(pairs, by="model")
    np.testing.assert_allclose(clipped, np.clip(scores, 1.5, 4.5), rtol=0, atol=3e-10)
    assert 1.5 < clipped.min() < clipped.max() < 4.5
    assert free.path_[4].relative_error == half.path_[4].relative_error  # the fit is the same


@pytest.mark.parametrize("sparse", [False, True])
def test_scores_of_links_and_non_links_are_between_0_and_1(sparse):
    rng = np.random.default_rng(0)
    dense = (rng.random((20, 3)) @ rng.random((3, 15)) + rng.normal(0, 0.2, (20, 15)) > 0.8).astype(float)
    data = scipy.sparse.csr_array(dense) if sparse else dense
    settings = {"solver": NMF(max_iter=50), "n_perturbs": 2, "random_state": 0}
    pairs = np.argwhere(dense >= 0)
    free = NMFk((4,), regime=real(score_range=None), **settings).fit(data).predict_links(pairs)
    assert free.max() > 1
    clipped = NMFk((4,), **settings).fit(data).predict_links(pairs)
    np.testing.assert_allclose(clipped, np.clip(free, 0, 1), rtol=0, atol=1e-10)
    assert 0 <= clipped.min() <= clipped.max() <= 1
    np.testing.assert_array_equal(np.argsort(clipped, kind="stable"), np.argsort(free, kind="stable"))


def test_pairs_beyond_the_scale_are_ranked_by_how_far_they_are():
    network, _, _ = ratings()
    settings = {"solver": RNMF(ridge=0.01, max_iter=50), "n_perturbs": 2, "random_state": 0}
    free = RNMFk((4,), regime=real(score_range=None), **settings).fit(network)
    bounded = RNMFk((4,), **settings).fit(network)
    best, free_best = (model.top_links(5, by="model") for model in (bounded, free))
    np.testing.assert_allclose(best["score"], 5.0, rtol=0, atol=4e-10)
    assert (best["score"] < 5).all()
    np.testing.assert_array_equal(best["row"], free_best["row"])
    np.testing.assert_array_equal(best["column"], free_best["column"])


def test_a_penalty_that_grows_with_the_known_entries_holds_members_to_the_scale():
    """With the same penalty for all, prolific users get components of their own, and their scores fly off."""
    excess = {"auto": [], None: []}
    for counts, each in excess.items():
        for seed in range(4):
            network, known = prolific_users(seed)
            model = RNMFk(
                (4,),
                solver=RNMF(ridge=1.0, ridge_counts=counts, max_iter=100),
                regime=real(score_range=None),
                n_perturbs=4,
                random_state=0,
            ).fit(network)
            unknown = np.argwhere(~known).T
            each.append(max(member.score(*unknown).max() for member in model.members_) - 5)
    assert np.mean(excess["auto"]) < 0.75 * np.mean(excess[None])


@pytest.mark.parametrize("wrong", [(1.0,), (2, 1), "1-5", 3, (-np.inf, np.inf), (0, np.nan)])
def test_a_wrong_range_of_scores_raises(wrong):
    with pytest.raises(ValueError, match=r"expected .auto., None, or the least and the greatest score"):
        RNMFk((1,), regime=real().set_params(score_range=wrong)).fit([[1.0, 2.0], [2.0, 3.0]])


@pytest.mark.parametrize("wrong", ["mean", (1.0,), (0, 1), 3.0])
def test_wrong_counts_of_a_ridge_raise(wrong):
    with pytest.raises(
        ValueError, match=r"RNMF has ridge_counts=.*; expected .auto., None, or two numbers > 0"
    ):
        RNMFk((1,), solver=RNMF(ridge_counts=wrong)).fit([[1.0, 2.0], [2.0, 3.0]])


# -------------------------------------------------------------------- time and progress


def test_out_of_time_the_best_rank_so_far_is_fitted_and_said():
    model = WNMFk(n_perturbs=4, random_state=0).fit(planted(2), time_limit=1e-6)
    assert model.complete_ is False
    assert len(model.path_) == 1
    passed = "; it took longer than the 1e-06 s that it had, since one rank is always finished"
    assert model.choice_.reason.endswith(f"; the search ended at its time limit, after rank 1{passed}")
    single = WNMFk((1,), n_perturbs=4, random_state=0).fit(planted(2), time_limit=1e-6)
    assert single.complete_
    assert single.choice_.reason.endswith(passed)
    within = WNMFk((1, 2), n_perturbs=4, random_state=0).fit(planted(2), time_limit=1e6)
    assert within.complete_
    assert "limit" not in within.choice_.reason


@pytest.mark.slow
@pytest.mark.parametrize("estimator", [LinkStack, LogisticHead], ids=lambda each: each.__name__)
def test_the_progress_of_several_models_is_one_count_with_their_names(estimator):
    reports = []
    if estimator is LinkStack:
        model = LinkStack((1, 2), n_perturbs=4, random_state=0)
    else:
        model = LogisticHead(WNMFk((1, 2), n_perturbs=4, random_state=0))
    model.fit(friends(), callback=reports.append)
    names = list(dict.fromkeys(report.model for report in reports))
    expected = {
        LinkStack: [
            "graph features",
            "SymLMF (1 of 3)",
            "WNMF (2 of 3)",
            "BayesianSymLMF (3 of 3)",
            "inner folds",
            "last stage",
        ],
        LogisticHead: ["WNMF", "LMF", "inner folds"],
    }
    assert names == expected[estimator]
    done, shares = [report.done for report in reports], [report.share for report in reports]
    assert done == sorted(done)
    assert shares == sorted(shares)
    assert [report.finished for report in reports] == [False] * (len(reports) - 1) + [True]
    assert reports[-1].done == reports[-1].total


@pytest.mark.slow
def test_a_time_limit_is_shared_by_several_models():
    late = r"The fit took [0-9.]+ s, longer than its time limit of 1e-06 s: the limit ends searches of ranks"
    with pytest.warns(DataWarning, match=late):
        model = LinkStack((1, 2), n_perturbs=2, random_state=0).fit(friends(), time_limit=1e-6)
    assert not model.complete_
    assert [each.path_.ranks for each in model.models_] == [(1,), (1,), (4,)]
    with pytest.raises(InputError, match="time_limit is 0; expected a number > 0"):
        LinkStack().fit(friends(), time_limit=0)


@pytest.mark.slow
def test_a_cancelled_fit_of_several_models_raises_and_fits_no_more(tmp_path):
    reports = []

    def cancel_once(report):
        reports.append(report)
        return len(reports) != 12

    stack = LinkStack((1, 2), n_perturbs=2, random_state=0)
    with pytest.raises(LatentLinkError, match="cancelled before all of its models were fitted"):
        stack.fit(friends(), callback=cancel_once, folder=tmp_path)
    assert len({report.model for report in reports}) < 4
    assert not hasattr(stack, "models_")
    assert stack.fit(friends(), folder=tmp_path).complete_


@pytest.mark.slow
@pytest.mark.parametrize("stage", ["inner folds", "last stage"])
def test_a_stack_is_cancelled_while_its_scores_are_combined(stage, tmp_path):
    stack = LinkStack((1,), n_perturbs=2, random_state=0)
    with pytest.raises(LatentLinkError, match="after its models were fitted, before their scores"):
        stack.fit(friends(), callback=lambda report: report.model != stage, folder=tmp_path)
    assert not hasattr(stack, "models_")


@pytest.mark.slow
def test_cross_calibration_has_one_count_over_its_folds_and_can_be_cancelled():
    model = RankedFactorizer((1,), solver=LMF(ridge=1.0, max_iter=20), n_perturbs=2, random_state=0)
    model.fit(friends())
    reports = []
    crossed = model.cross_calibrate(3, callback=reports.append)
    assert list(dict.fromkeys(each.model for each in reports)) == [f"fold {k} of 3" for k in (1, 2, 3)]
    assert [each.finished for each in reports] == [False] * (len(reports) - 1) + [True]
    assert len(crossed) == model.network_.n_known
    with pytest.raises(LatentLinkError, match="cancelled"):
        model.cross_calibrate(3, callback=lambda report: False)


def test_a_given_rank_warns_of_its_stability_only_where_components_are_shown():
    network = planted(2, noise=0.5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = WNMFk((6,), solver=WNMF(ridge=0.1), n_perturbs=4, random_state=0).fit(network)
        model.predict_links([(0, 1)])
        model.top_links(3)
    assert model.choice_.status == "unstable"
    with pytest.warns(RankWarning, match="Rank 6 is not stable: .* do not interpret its components"):
        model.explain((0, 1))
