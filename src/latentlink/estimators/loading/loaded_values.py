"""Consistency of the last stage of a loaded stack of values, before it is used."""

from __future__ import annotations

from typing import Any

import numpy as np

from latentlink.errors import InputError
from latentlink.estimators.loading.loaded_state import check_array
from latentlink.stacking.values import LinearStage
from latentlink.validation.wording import shortened

__all__ = ["check_value_stage"]

_CORRECTIONS = 2  # of similar columns and of similar rows


def check_value_stage(stage: Any, models: int, regressions: bool) -> None:
    """Raise InputError unless the weights of a stack of values fit its models and columns."""
    if not isinstance(stage, LinearStage):
        raise InputError(f"{shortened(stage)} as its last stage; expected a LinearStage")
    levels = models + regressions
    if stage.levels != levels:
        raise InputError(f"a last stage of {shortened(stage.levels)} predictions; expected {levels}")
    parts = levels + _CORRECTIONS
    shapes = {
        "weights": (parts, 3),
        "of_counts": (4,),
        "centres": (2,),
        "ranges": (_CORRECTIONS + 2, 2),
        "means": (parts + 1,),
    }
    for name, shape in shapes.items():
        array = getattr(stage, name)
        check_array(array, f"the {name} of its last stage", "f", shape)
        if not np.isfinite(array).all():
            raise InputError(f"{name} of its last stage that are not finite")
    if (stage.ranges[:, 0] > stage.ranges[:, 1]).any():
        raise InputError(
            "ranges of its last stage that end before they begin; expected the least value first"
        )
