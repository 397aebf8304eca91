"""Explanations of scores: contributions add up, and name the leading nodes."""

from __future__ import annotations

import numpy as np
import pandas
import pytest

from latentlink import Network, WNMFk
from latentlink.errors import InputError
from latentlink.factors import Factors, sigmoid
from latentlink.scoring import Members, Scorer, explain_pair
from latentlink.scoring.explain import AVERAGING
from latentlink.solvers import WNMF
from tests.helpers.fitted import SMALL, every_pair


def test_contributions_add_up_to_the_score(any_model):
    f = any_model.factors_
    for pair in ((0, 1), (3, 2), (2, 7)):
        table = any_model.explain(pair, by="model")
        total = table["contribution"].sum()
        score = any_model.predict_links([pair], by="model")[0]
        if f.boolean:
            assert (total > 0) == (score > 0)
            assert set(table["contribution"]) <= {0.0, 1.0}
        else:
            linked = (
                sigmoid(np.array([total]))[0] if f.logistic else np.clip(total, *(f.bounds or (None, None)))
            )
            assert linked == pytest.approx(score)
        parts = [f"component {c}" for c in range(2)]
        parts += ["row bias", "column bias", "offset"] if any_model.solver_.biased else []
        assert sorted(table["part"]) == sorted(parts)


def test_contributions_of_an_ensemble_add_up_to_the_score_that_is_shown(any_model):
    """The mean of probabilities is not the probability of the mean logit: one part is the difference."""
    if any_model.factors_.boolean:
        return
    for pair in ((0, 1), (3, 2), (2, 7)):
        table = any_model.explain(pair, by="ensemble")
        score, total = any_model.predict_links([pair], by="ensemble")[0], table["contribution"].sum()
        averaging = table["part"] == AVERAGING
        assert averaging.sum() == any_model.factors_.logistic
        if any_model.factors_.logistic:
            assert np.log(score / (1 - score)) == pytest.approx(total)
            assert table["spread"][averaging] == 0
            assert AVERAGING not in any_model.explain(pair, by="model")["part"]
        elif any_model.factors_.bounds is None:
            assert score == pytest.approx(total)


def test_averaging_is_exact_where_probabilities_are_rounded_to_one():
    """Logits of 60 and 100: the mean of 1 - p, 4e-27, is lost in the mean of p."""
    members = Members(Factors(np.eye(1), np.eye(1) * logit, logistic=True) for logit in (60.0, 100.0))
    table = explain_pair(Network.from_dense(np.eye(1)), Scorer(members[0], members, True), 0, 0)
    assert table["part"].tolist() == ["component 0", AVERAGING]
    assert table["contribution"].sum() == pytest.approx(60 + np.log(2))


def test_the_largest_contributions_are_first_and_what_all_pairs_share_is_last(any_model):
    for pair in ((0, 1), (3, 2), (2, 7)):
        table = any_model.explain(pair)
        shared = np.isin(table["part"], ["offset", AVERAGING])
        assert (np.diff(shared.astype(int)) >= 0).all()
        assert not (table["part"] == "offset")[:-1].any()
        sizes = np.abs(table["contribution"][~shared])
        assert (np.diff(sizes) <= 0).all()


def test_parts_of_the_ensemble_are_means_over_members(biased):
    table = biased.explain((3, 4))
    parts = np.array(
        [[*(m.W[3] * m.H[:, 4]), m.row_bias[3], m.col_bias[4], m.offset] for m in biased.members_]
    )
    names = ["component 0", "component 1", "row bias", "column bias", "offset"]
    parts = parts[:, [names.index(part) for part in table["part"]]]
    np.testing.assert_allclose(table["contribution"], parts.mean(axis=0))
    np.testing.assert_allclose(table["spread"], parts.std(axis=0))
    assert table["contribution"].sum() == pytest.approx(biased.predict_links([(3, 4)])[0])
    np.testing.assert_allclose(biased.explain((3, 4), by="model")["spread"], table["spread"])


def test_an_explanation_names_the_leading_nodes():
    X = np.kron(np.eye(2), np.ones((4, 3))) + 0.01
    X[1] *= 3
    frame = pandas.DataFrame(X, index=[f"u{i}" for i in range(8)], columns=[f"v{j}" for j in range(6)])
    model = WNMFk(solver=WNMF(ridge=0.01), **SMALL).fit(frame)
    table = model.explain(("u0", "v0"))
    largest = np.argmax(table["contribution"])
    assert table["rows"][largest].startswith("u1, ")
    assert set(table["columns"][largest].split(", ")) == {"v0", "v1", "v2"}


def test_an_offset_of_some_members_is_a_part_of_the_ensemble():
    members = Members(Factors(np.ones((2, 1)), np.ones((1, 2)), offset=offset) for offset in (0.0, 0.5))
    table = explain_pair(Network.from_dense(np.eye(2)), Scorer(members[0], members, True), 0, 1)
    assert table["part"].tolist() == ["component 0", "offset"]
    assert table["contribution"].tolist() == [1.0, 0.25]


def test_explain_takes_one_pair(weighted):
    for invalid in ("ab", 3, (1, 2, 3), {"a": 1, "b": 2}):
        with pytest.raises(InputError, match=r"expected \(row, column\)"):
            weighted.explain(invalid)


def test_both_directions_of_an_undirected_pair_have_one_explanation(undirected):
    one, other = undirected.explain((1, 5)), undirected.explain((5, 1))
    components = [
        {part: size for part, size in zip(each["part"], each["contribution"], strict=True) if "comp" in part}
        for each in (one, other)
    ]
    assert components[0] == pytest.approx(components[1])
    assert one["contribution"].sum() == pytest.approx(other["contribution"].sum())


def test_scores_of_an_undirected_boolean_model_are_explained_by_the_components_that_cover_them(
    undirected_boolean,
):
    """A component that covers one direction covers the pair."""
    model = undirected_boolean
    pairs = every_pair(model.network_.shape)
    scores = model.predict_links(pairs)
    assert set(np.unique(scores)) == {0.0, 1.0}
    W, H = model.W_, model.H_
    np.testing.assert_array_equal(scores.reshape(14, 14), ((W @ H > 0) | (W @ H > 0).T).astype(float))
    for i, j in pairs[:40]:
        parts = model.explain((i, j))["contribution"]
        assert set(parts) <= {0.0, 1.0}
        assert parts.max() == model.predict_links([(i, j)])[0] == model.predict_links([(j, i)])[0]
    best = model.top_links(10, known=True)
    assert set(best["score"]) <= {0.0, 1.0}


def test_leading_nodes_are_those_of_largest_mean_size_relative_to_each_model():
    """A model of large numbers counts no more than another; nodes at 0 are not named; at most three are."""
    W = [np.array([[900.0], [1000.0], [0.0], [0.0], [0.0]]), np.array([[0.0], [0.3], [0.4], [-0.4], [0.0]])]
    members = Members(Factors(each, np.array([[1.0, 0.0]])) for each in W)
    network = Network.from_dense(np.ones((5, 2)))
    table = explain_pair(network, Scorer(members[0], members, True), 0, 0)
    size = np.mean([each[:, 0] / np.abs(each).max() for each in W], axis=0)
    named = [str(i) for i in np.argsort(-np.abs(size), kind="stable") if size[i]]
    assert table["rows"][0] == ", ".join(named[:3])
    assert table["columns"][0] == "0"
    empty = Members([Factors(np.zeros((5, 1)), np.zeros((1, 2)))])
    assert explain_pair(network, Scorer(empty[0], empty, True), 0, 0)["rows"][0] == ""


def test_a_part_that_no_member_has_does_not_vary():
    central = Factors(np.ones((2, 1)), np.ones((1, 2)), offset=0.5)
    members = Members(Factors(np.full((2, 1), w), np.ones((1, 2))) for w in (1.0, 3.0))
    table = explain_pair(Network.from_dense(np.eye(2)), Scorer(central, members, False), 0, 1)
    assert table["part"].tolist() == ["component 0", "offset"]
    assert table["spread"].tolist() == [1.0, 0.0]
