"""Estimators of values with holes that join several models."""

from latentlink.estimators.values.value_stack import ValueStack

__all__ = ["ValueStack"]
