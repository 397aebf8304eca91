"""The swimmer data."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy.io import loadmat

from latentlink import datasets
from latentlink.errors import InputError


@pytest.fixture(scope="module", params=[True, False], ids=["torso", "limbs only"])
def data(request):
    return datasets.swimmer(torso=request.param)


def picture(column):
    return column.reshape(32, 32, order="F").astype(bool)


def test_has_1024_pixels_and_256_figures_all_known(data):
    assert data.network.shape == (1024, 256)
    assert data.network.n_known == data.network.n_pairs == 1024 * 256
    assert data.network.is_binary
    assert len({tuple(figure) for figure in data.network.to_dense().T}) == 256


def test_16_boolean_components_suffice(data):
    W, H = data.truth.W.astype(bool), data.truth.H.astype(bool)
    assert (W.shape, H.shape, data.truth.boolean) == ((1024, 16), (16, 256), True)
    boolean = (W[:, :, None] & H[None]).any(axis=1)
    np.testing.assert_array_equal(data.network.to_dense(), boolean)
    assert data.rank == data.truth.rank == 16


def test_no_fewer_components_suffice(data):
    """Check 16 ones of which no two are in one rectangle of ones: each needs a component of its own.

    They are a pixel of each limb and position, in the figure whose other limbs are one position further.
    """
    X = data.network.to_dense()
    own = (data.truth.W.sum(axis=1) == 1)[:, None] & (data.truth.W == 1)
    pixels = own.argmax(axis=0)
    figures = []
    for limb in range(4):
        for position in range(4):
            digits = [(position + 1) % 4] * 4
            digits[limb] = position
            figures.append(int("".join(map(str, digits)), 4))
    ones = X[np.ix_(pixels, figures)].astype(bool)
    assert ones.diagonal().all()
    assert not any(ones[a, b] and ones[b, a] for a, b in combinations(range(16), 2))


def test_limbs_share_no_pixels():
    limbs = datasets.swimmer(torso=False).truth.W
    torso = datasets.swimmer().truth.W.min(axis=1)
    assert limbs.sum(axis=0).tolist() == [5] * 16
    assert torso.sum() == 16
    assert np.all(limbs.sum(axis=1) + torso <= 1)
    np.testing.assert_array_equal(datasets.swimmer().truth.W, limbs + torso[:, None])


def test_the_image_of_a_figure():
    data = datasets.swimmer()
    figure = picture(data.network.to_dense()[:, data.network.col_index("L0R2l1r3")])
    drawn = "\n".join("".join(".#"[pixel] for pixel in row) for row in figure[4:28, 8:24].astype(int))
    expected = """
................
.#..............
..#.............
...#............
....#...........
.....#..........
......###.......
.......#.#......
.......#..#.....
.......#...#....
.......#....#...
.......#.....#..
.......#........
.......#........
.......#........
.......#........
.......#........
......########..
......#.........
......#.........
......#.........
......#.........
......#.........
................
"""
    assert drawn == expected.strip()


def test_names():
    network = datasets.swimmer().network
    assert network.row_names[:2].tolist() == ["r00c00", "r01c00"]
    assert network.row_index("r10c15") == 15 * 32 + 10
    assert network.col_names[[0, 1, 4, 255]].tolist() == ["L0R0l0r0", "L0R0l0r1", "L0R0l1r0", "L3R3l3r3"]


def test_is_the_commonly_used_file_without_its_noise(data_folder):
    V = loadmat(data_folder / "swimmer.mat")["V"]
    X = datasets.swimmer().network.to_dense().astype(bool)
    assert V.shape == X.shape
    assert np.mean((V > 5) == X) > 0.997
    # No other figure of ours is closer to any figure of the file.
    assert np.array_equal((V.T.astype(float) @ X).argmax(axis=1), np.arange(256))


def test_counts_have_the_levels_of_the_commonly_used_file(data_folder):
    V = loadmat(data_folder / "swimmer.mat")["V"].astype(float)
    ours = datasets.swimmer(pixels="counts").network.to_dense()
    figure = datasets.swimmer().network.to_dense() == 1
    for pixels in (figure, ~figure):
        assert ours[pixels].mean() == pytest.approx(V[pixels].mean(), rel=0.01)
        assert ours[pixels].var() == pytest.approx(V[pixels].var(), rel=0.05)
        for share in (0.01, 0.1, 0.5, 0.9, 0.99):
            assert np.quantile(ours[pixels], share) == np.quantile(V[pixels], share)


def test_splashed_pixels_are_the_counts_above_one_threshold():
    counts = datasets.swimmer(pixels="counts", seed=3).network.to_dense()
    splashed = datasets.swimmer(pixels="splashed", seed=3).network
    assert splashed.is_binary
    ones = splashed.to_dense() == 1
    assert counts[~ones].max() + 1 == counts[ones].min() == 7
    figure = datasets.swimmer().network.to_dense() == 1
    assert 0.06 < np.mean(~ones[figure]) < 0.10  # under water
    assert 0 < np.mean(ones[~figure]) < 0.0005  # splashes


def test_the_counts_of_a_seed():
    one, same, other = (datasets.swimmer(pixels="counts", seed=seed).network for seed in (1, 1, 2))
    assert one == same
    assert one != other
    assert datasets.swimmer(seed=1).network == datasets.swimmer(seed=2).network
    np.testing.assert_array_equal(
        datasets.swimmer(pixels="counts").truth.W, datasets.swimmer(pixels="clean").truth.W
    )
    # If this number changes, stored results on these data are no longer valid.
    assert datasets.swimmer(pixels="counts").network.values.sum() == 354_156


@pytest.mark.parametrize("pixels", ["noisy", None, 1, True], ids=repr)
def test_other_pixels(pixels):
    with pytest.raises(InputError, match="expected one of 'clean', 'splashed', 'counts'"):
        datasets.swimmer(pixels=pixels)


def test_the_repr_describes_the_data(data):
    assert repr(data).startswith("Dataset swimmer: 256 figures of 32 x 32 pixels")


@pytest.mark.parametrize("torso", ["no", None, 0.5, 1], ids=repr)
def test_the_torso_is_a_switch(torso):
    with pytest.raises(InputError) as error:
        datasets.swimmer(torso=torso)
    assert str(error.value) == f"torso is {torso!r}; expected True or False."
