"""Invalid arguments of splits."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.errors import InputError
from latentlink.network import Network
from latentlink.splitting import holdout, kfold, repeated_holdouts

NETWORK = Network.from_dense([[1, 0, 1, 0], [0, 1, 0, 1]])


@pytest.mark.parametrize(
    ("call", "part"),
    [
        (lambda: holdout(NETWORK, None), "share is None; expected a number above 0 and below 1."),
        (lambda: holdout(NETWORK, "x"), "share is 'x'; expected a number above 0 and below 1."),
        (
            lambda: holdout(NETWORK, 0.25, calibration="x"),
            "calibration is 'x' and share is 0.25; expected a calibration >= 0 and a sum below 1.",
        ),
        (lambda: holdout(NETWORK, 0.25, rng="x"), "rng is 'x'; expected a seed"),
        (lambda: holdout(NETWORK, 0.25, rng=-1), "rng is -1"),
        (lambda: holdout(np.eye(4), 0.25), "holdout was given an object of type ndarray; expected a Network"),
        (lambda: repeated_holdouts(NETWORK, 0.25, "x"), "repeats is 'x'; expected a whole number >= 1."),
        (lambda: repeated_holdouts(NETWORK, 0.25, 2.0), "repeats is 2.0; expected a whole number >= 1."),
        (lambda: repeated_holdouts(NETWORK, 0.25, 2, rng=-1), "rng is -1"),
        (
            lambda: kfold(NETWORK, 2.0),
            "folds is 2.0; expected a whole number from 2 to 8, the number of known entries.",
        ),
        (lambda: kfold(NETWORK, "x"), "folds is 'x'"),
        (lambda: kfold(NETWORK, 2, rng="x"), "rng is 'x'"),
        (lambda: kfold(None), "type NoneType; expected a Network"),
    ],
)
def test_an_invalid_argument_is_named_with_what_was_expected(call, part):
    with pytest.raises(InputError) as error:
        call()
    assert part in str(error.value)
