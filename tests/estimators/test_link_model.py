"""The structure of the estimators: one base class of link models, one of factorizers on top of it."""

from __future__ import annotations

import inspect

import pytest
from sklearn.base import BaseEstimator

from latentlink import estimators
from latentlink.estimators import LinkModel, RankedFactorizer, WNMFk

PUBLIC = [getattr(estimators, name) for name in estimators.__all__]
ESTIMATORS = [each for each in PUBLIC if inspect.isclass(each) and issubclass(each, BaseEstimator)]
QUESTIONS = ("predict_links", "assess", "training_spread", "calibrate", "top_links", "explain", "save")


def own_classes(cls):
    """Return the classes of latentlink in the method resolution order of a class."""
    return [each for each in cls.__mro__ if each.__module__.startswith("latentlink")]


def test_a_method_has_three_classes_of_the_package():
    assert own_classes(WNMFk) == [WNMFk, RankedFactorizer, LinkModel]


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda each: each.__name__)
def test_every_estimator_is_a_link_model_with_at_most_three_classes(estimator):
    assert issubclass(estimator, LinkModel)
    assert len(own_classes(estimator)) <= 3


@pytest.mark.parametrize("question", QUESTIONS)
def test_questions_are_answered_by_the_base_class_alone(question):
    assert all(getattr(each, question) is getattr(LinkModel, question) for each in ESTIMATORS)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda each: each.__name__)
def test_constructors_have_at_most_seven_parameters(estimator):
    assert len(inspect.signature(estimator).parameters) <= 7


def test_a_subclass_without_a_fit_of_its_own_raises():
    with pytest.raises(NotImplementedError):
        LinkModel().fit([[1.0]])
