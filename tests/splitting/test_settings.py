import numpy as np
import pytest

from latentlink.errors import InputError
from latentlink.network import Network
from latentlink.splitting import holdout, kfold, repeated_holdouts

NETWORK = Network.from_dense([[1, 0, 1, 0], [0, 1, 0, 1]])


@pytest.mark.parametrize(
    ("call", "part"),
    [
        (lambda: holdout(NETWORK, None), "share is None; expected a number above 0"),
        (lambda: holdout(NETWORK, "x"), "share is 'x'"),
        (lambda: holdout(NETWORK, 0.25, calibration="x"), "calibration is 'x'"),
        (lambda: holdout(NETWORK, 0.25, rng="x"), "rng is 'x'; expected a seed"),
        (lambda: holdout(NETWORK, 0.25, rng=-1), "rng is -1"),
        (lambda: holdout(np.eye(4), 0.25), "holdout was given an object of type ndarray; expected a Network"),
        (lambda: repeated_holdouts(NETWORK, 0.25, "x"), "repeats is 'x'"),
        (lambda: repeated_holdouts(NETWORK, 0.25, 2.0), "repeats is 2.0"),
        (lambda: repeated_holdouts(NETWORK, 0.25, 2, rng=-1), "rng is -1"),
        (lambda: kfold(NETWORK, 2.0), "folds is 2.0; expected from 2 to 8, a whole number"),
        (lambda: kfold(NETWORK, "x"), "folds is 'x'"),
        (lambda: kfold(NETWORK, 2, rng="x"), "rng is 'x'"),
        (lambda: kfold(None), "type NoneType; expected a Network"),
    ],
)
def test_a_wrong_setting_is_a_sentence(call, part):
    with pytest.raises(InputError) as error:
        call()
    assert part in str(error.value)
