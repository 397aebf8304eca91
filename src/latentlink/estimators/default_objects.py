"""Parameters of settings objects that are None, which stands for a default, in get_params and set_params.

They are None by default, since scikit-learn allows no objects as defaults; `_default_objects` of an estimator
says what None stands for. ``get_params`` lists the parameters of such defaults, and ``set_params`` makes the
default when one of them is set.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["params_of_defaults", "set_inner_params", "split_params"]

Defaults = Mapping[str, Callable[[], Any]]


def params_of_defaults(estimator: Any, defaults: Defaults) -> dict[str, Any]:
    """Return the parameters of the defaults of all settings objects that are None, as ``name__parameter``."""
    params = {}
    for name, default in defaults.items():
        if getattr(estimator, name) is None:
            inner = default().get_params(deep=True)
            params.update({f"{name}__{key}": value for key, value in inner.items()})
    return params


def split_params(
    params: Mapping[str, Any], defaults: Defaults
) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Return the plain parameters, and those of each settings object."""
    inner: dict[str, dict[str, Any]] = defaultdict(dict)
    plain: dict[str, Any] = {}
    for key, value in params.items():
        name, _, rest = key.partition("__")
        if rest and name in defaults:
            inner[name][rest] = value
        else:
            plain[key] = value
    return plain, inner


def set_inner_params(estimator: Any, inner: Mapping[str, dict[str, Any]], defaults: Defaults) -> None:
    """Set parameters of settings objects; a default is stored only once it has accepted its parameters."""
    for name in (name for name in defaults if name in inner):
        current = getattr(estimator, name)
        setattr(estimator, name, (defaults[name]() if current is None else current).set_params(**inner[name]))
