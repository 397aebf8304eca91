"""The method that suits the data, and estimators by the names of methods."""

from latentlink.estimators.automatic.choose_method import MethodChoice, choose_method, component_method
from latentlink.estimators.automatic.method_names import METHODS, make_estimator

__all__ = ["METHODS", "MethodChoice", "choose_method", "component_method", "make_estimator"]
