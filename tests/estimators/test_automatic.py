"""The choice of a method from the data, and estimators by name."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink import (
    BNMFk,
    LinkStack,
    LogisticHead,
    Network,
    NMFk,
    RNMFk,
    ValueStack,
    WNMFk,
)
from latentlink.errors import IncompatibleError, InputError
from latentlink.estimators import METHODS, choose_method, make_estimator
from latentlink.solvers import LMF, SymLMF

LINKS = Network.from_edges([(f"n{i}", f"n{i + 1}") for i in range(40)], symmetric=True)
LABELLED = Network.from_edges([(f"n{i}", f"n{i + 1}", i % 2) for i in range(60)], symmetric=True)
RATINGS = Network.from_edges([(f"u{i}", f"i{j}", 3 + (i + j) % 3) for i in range(10) for j in range(10)])
NEGATIVE = Network.from_edges([(f"u{i}", f"i{j}", i - j) for i in range(10) for j in range(10)])
BINARY = Network.from_dense([[1, 0, np.nan, 1], [0, 1, 1, np.nan]])


@pytest.mark.parametrize(
    ("network", "name", "reason", "components"),
    [
        (LINKS, "stack", "40 links and no non-link are listed", "wnmfk"),
        (LABELLED, "stack", "30 links and 30 non-links are listed", "wnmfk"),
        (RATINGS, "stack", "numbers from 3 to 5", "rnmfk"),
        (BINARY, "bnmfk", "zeros and ones, of which 75 % is known", ""),
        (LINKS.with_background(1.0), "bnmfk", "every entry is known", ""),
        (RATINGS.with_background(1.0), "nmfk", "numbers from 3 to 5, and all others are 0", ""),
        (RATINGS.with_background(0.1), "wnmfk", "all others are 0", ""),
        (NEGATIVE.with_background(1.0), "rnmfk", "all others are 0", ""),
    ],
)
def test_the_data_decide_on_the_method(network, name, reason, components):
    choice = choose_method(network)
    assert choice.name == name
    assert reason in choice.reason
    assert choice.components == components


def test_a_list_of_few_labelled_pairs_is_no_matrix():
    pairs = [(str(row), str(100 + row), row % 2) for row in range(50)]
    assert choose_method(Network.from_edges(pairs)).name == "stack"


FILLED = [(f"d{i}", f"t{j}", (i + j) % 2) for i in range(12) for j in range(10) if (i + 2 * j) % 4]


@pytest.mark.parametrize(
    ("network", "matrix", "name"),
    [
        (Network.from_edges(FILLED), None, "stack"),
        (Network.from_edges(FILLED), False, "stack"),
        (Network.from_edges(FILLED), True, "bnmfk"),
        (Network.from_edges(FILLED).hide([3]), None, "stack"),
        (Network.from_dense(Network.from_edges(FILLED).to_dense()), None, "bnmfk"),
        (Network.from_dense(Network.from_edges(FILLED).to_dense()), False, "stack"),
        (BINARY, False, "wnmfk"),
        (Network.from_edges(FILLED[:30], shape=None).with_background(1.0), False, "bnmfk"),
        (LABELLED, True, "stack"),
        (RATINGS, True, "stack"),
    ],
)
def test_labelled_pairs_of_a_list_are_for_a_stack_however_many(network, matrix, name):
    assert choose_method(network, matrix=matrix).name == name


@pytest.mark.parametrize(("matrix", "name"), [(None, "bnmfk"), (False, "stack"), (True, "bnmfk")])
def test_of_a_file_the_share_decides_unless_it_is_said(matrix, name, tmp_path):
    (tmp_path / "x.csv").write_text("".join(f"{one},{other},{value}\n" for one, other, value in FILLED))
    assert choose_method(Network.from_file(tmp_path / "x.csv"), matrix=matrix).name == name
    with pytest.raises(InputError, match="matrix is 'no'; expected True or False"):
        choose_method(BINARY, matrix="no")


@pytest.mark.parametrize(
    ("network", "name"),
    [
        (LINKS.subset(range(10)), "wnmfk"),
        (LABELLED.subset(range(20)), "wnmfk"),
        (RATINGS.subset(range(40)), "rnmfk"),
    ],
)
def test_few_pairs_are_for_a_factorization(network, name):
    choice = choose_method(network)
    assert choice.name == name
    assert "too few for a stack" in choice.reason


def test_nothing_known_raises():
    with pytest.raises(InputError, match="Nothing of the network is known"):
        choose_method(LINKS.hide(range(40)))
    with pytest.raises(InputError, match="expected a Network"):
        choose_method([[1, 0]])


@pytest.mark.parametrize(
    ("name", "kind"),
    [("nmfk", NMFk), ("wnmfk", WNMFk), ("rnmfk", RNMFk), ("bnmfk", BNMFk), ("stack", LinkStack)],
)
def test_estimators_by_name_have_the_settings(name, kind):
    model = make_estimator(name, LABELLED, ranks=(2, 3), members=5, n_jobs=2, random_state=7)
    assert type(model) is kind
    settings = model.get_params(deep=False)
    wanted = {"ranks": (2, 3), "n_perturbs": 5, "n_jobs": 2, "random_state": 7}
    assert {each: settings[each] for each in wanted} == wanted


def test_members_left_out_are_the_default_of_each():
    for name in METHODS:
        model = make_estimator(name, LABELLED)
        assert model.n_perturbs == type(model)().n_perturbs


@pytest.mark.parametrize(("name", "solver"), [("lmf", LMF), ("symlmf", SymLMF)])
def test_logistic_factorizations(name, solver):
    assert isinstance(make_estimator(name, LABELLED).used_solver(), solver)


def test_a_stack_of_values_is_another_estimator():
    stack = make_estimator("stack", RATINGS, ranks=(1,), members=2, random_state=0)
    assert isinstance(stack, ValueStack)
    assert (stack.ranks, stack.n_perturbs) == ((1,), 2)


def test_a_logistic_head_is_for_factorizations():
    head = make_estimator("wnmfk", LABELLED, ranks=(2,), logistic=True)
    assert isinstance(head, LogisticHead)
    assert head.estimator.ranks == (2,)
    with pytest.raises(IncompatibleError, match="'stack' with a logistic head; expected one of nmfk"):
        make_estimator("stack", LABELLED, logistic=True)
    with pytest.raises(InputError, match="name is 'nmf'"):
        make_estimator("nmf", LABELLED)


@pytest.mark.parametrize("network", [RATINGS.with_background(0.1), NEGATIVE.with_background(1.0)])
def test_the_method_for_values_among_zeros_fits_them(network):
    model = make_estimator(choose_method(network).name, network, ranks=(2,), members=2, random_state=0)
    assert model.fit(network).rank_ == 2
