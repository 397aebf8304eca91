import numpy as np
import pytest

from latentlink.errors import InputError
from latentlink.network import (
    Network,
    binarize,
    drop_duplicates,
    drop_self_loops,
    drop_sparse_nodes,
    resolve_conflicts,
    sample_negatives,
)

LINKS = Network.from_edges([("a", "b"), ("b", "c"), ("c", "d")], symmetric=True)


@pytest.mark.parametrize(
    ("call", "part"),
    [
        (lambda: LINKS.with_background(None), "background weight is None"),
        (lambda: LINKS.with_background([1.0]), "background weight is [1.0]"),
        (lambda: LINKS.with_background(10**400), "background weight is 1"),
        (lambda: binarize(LINKS, at="x"), "at is 'x'; expected a finite number"),
        (lambda: sample_negatives(LINKS, "x"), "count is 'x'; expected 1 or more, a whole number"),
        (lambda: sample_negatives(LINKS, 1.5), "count is 1.5"),
        (lambda: sample_negatives(LINKS, True), "count is True"),
        (lambda: sample_negatives(LINKS, ratio="x"), "ratio is 'x'"),
        (lambda: sample_negatives(LINKS, rng=-1), "rng is -1; expected a seed"),
        (lambda: sample_negatives(LINKS, rng="x"), "rng is 'x'; expected a seed"),
        (lambda: sample_negatives(LINKS, rng=True), "rng is True"),
        (lambda: drop_sparse_nodes(LINKS, "x"), "partners is 'x'"),
        (lambda: Network([0], [0], [np.nan], [0.0], shape=(1, 1)), "Leave an unknown entry out of the list."),
    ],
)
def test_a_wrong_setting_is_a_sentence(call, part):
    with pytest.raises(InputError) as error:
        call()
    assert part in str(error.value)
    assert "weight 0" not in str(error.value)


@pytest.mark.parametrize(
    "call",
    [
        drop_duplicates,
        drop_self_loops,
        sample_negatives,
        lambda X: resolve_conflicts(X, "link"),
        lambda X: binarize(X, 0.5),
        lambda X: drop_sparse_nodes(X, 1),
    ],
)
def test_only_networks_are_cleaned(call):
    with pytest.raises(InputError, match="type ndarray; expected a Network"):
        call(np.eye(2))


def test_whole_numbers_of_numpy_are_counts():
    assert sample_negatives(LINKS, np.int64(2), rng=np.int64(0)).n_listed == 5


def test_a_number_too_large_for_a_float_is_refused():
    with pytest.raises(InputError, match="row 0, column 1 that is too large"):
        Network.from_dense([[1, 10**400]])


def test_infinity_under_a_mask_is_ignored():
    X = np.array([[1.0, np.inf], [-np.inf, 0.0]])
    mask = np.eye(2)
    expected = Network.from_dense([[1.0, np.nan], [np.nan, 0.0]], mask=mask)
    assert Network.from_dense(X, mask=mask) == expected
    assert Network.from_dense(X, mask=mask, symmetric=True).n_listed == 2
    with pytest.raises(InputError, match="inf in row 0, column 1"):
        Network.from_dense(X, mask=np.ones((2, 2)))
