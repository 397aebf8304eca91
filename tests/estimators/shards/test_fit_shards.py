"""Fits of folders of Parquet files in blocks of rows, with and without a cluster."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pyarrow
import pytest
from pyarrow import parquet

from latentlink.errors import IncompatibleError, InputError
from latentlink.estimators.shards import ShardedModel, ShardedNetwork, fit_shards
from latentlink.network import Network
from latentlink.random import member_rngs
from latentlink.solvers import BNMF, KLNMF, LMF, NMF, RNMF, WNMF
from latentlink.solvers.shards import row_shard, sweep_checkpoint

RNG = np.random.default_rng(0)
ROWS, COLS = [f"row {i}" for i in range(40)], [f"col {j}" for j in range(15)]
X = RNG.random((40, 2)) @ RNG.random((2, 15)) + 0.05 * RNG.random((40, 15))
LISTED = RNG.random(X.shape) < 0.6
HIDDEN = LISTED & (RNG.random(X.shape) < 0.1)
SETTINGS = {"max_iter": 30, "tol": 0.0}
SOLVERS = [
    WNMF(ridge=0.1, **SETTINGS),
    NMF(**SETTINGS),
    RNMF(ridge=0.1, **SETTINGS),
    LMF(**SETTINGS),
]


def entries(solver):
    values = (X > 0.5).astype(float) if solver.needs_binary else X
    i, j = np.nonzero(LISTED)
    return i, j, values[i, j], (~HIDDEN[i, j]).astype(float)


def divided(folder, solver, background=0.0, n_blocks=4):
    i, j, values, weights = entries(solver)
    (folder / "source").mkdir(parents=True)
    for part in range(3):
        own = slice(part, None, 3)
        columns = {"r": [ROWS[k] for k in i[own]], "c": [COLS[k] for k in j[own]]}
        table = pyarrow.table(columns | {"v": values[own], "w": weights[own]})
        parquet.write_table(table, folder / "source" / f"{part}.parquet")
    return ShardedNetwork.from_parquet(
        folder / "source",
        folder / "blocks",
        n_blocks=n_blocks,
        columns=("r", "c", "v", "w"),
        background=background,
    )


def in_one_piece(sharded, solver):
    """The same network with rows and columns in the order of the blocks."""
    names = [str(name) for at in range(sharded.n_blocks) for name in sharded.block(at)[0].row_names]
    columns = sharded.col_names.tolist()
    i, j, values, weights = entries(solver)
    rows = [names.index(ROWS[k]) for k in i]
    cols = [columns.index(COLS[k]) for k in j]
    network = Network(rows, cols, values, weights, shape=sharded.shape, background=sharded.background)
    return network, [(row, col) for row in names for col in columns]


@pytest.mark.parametrize("background", [0.0, 1.0])
@pytest.mark.parametrize("solver", SOLVERS, ids=lambda solver: type(solver).__name__)
def test_a_folder_of_files_is_fitted_as_the_network_in_one_piece(tmp_path, solver, background):
    sharded = divided(tmp_path, solver, background)
    network, pairs = in_one_piece(sharded, solver)
    model = fit_shards(sharded, tmp_path / "fit", solver, 2, n_members=3, random_state=5)
    expected = [solver.solve(network, 2, [rng]) for rng in member_rngs(5, 2, 3)]
    for ours, other in zip(model.records, expected, strict=True):
        np.testing.assert_allclose(ours.loss, other.records[0].loss, rtol=1e-10)
    i, j = (np.ravel(index) for index in np.indices(network.shape))
    scores = np.array([each.members[0].score(i, j) for each in expected])
    mean, std = model.predict_links(pairs, return_std=True)
    np.testing.assert_allclose(mean, scores.mean(axis=0), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(std, scores.std(axis=0), rtol=1e-3, atol=1e-5)


def fitted(folder, sharded, **options):
    return fit_shards(sharded, folder, SOLVERS[2], 2, n_members=3, random_state=1, **options)


def assert_same_model(one, other):
    for ours, expected in zip(one.records, other.records, strict=True):
        np.testing.assert_array_equal(ours.loss, expected.loss)
    for (_, ours), (_, expected) in zip(one.blocks(), other.blocks(), strict=True):
        for mine, model in zip(ours, expected, strict=True):
            np.testing.assert_array_equal(mine.W, model.W)
            np.testing.assert_array_equal(mine.H, model.H)
            np.testing.assert_array_equal(mine.row_bias, model.row_bias)


def test_a_stored_model_is_loaded_and_not_fitted_again(tmp_path, monkeypatch):
    sharded = divided(tmp_path, SOLVERS[2])
    first = fitted(tmp_path / "fit", sharded)
    monkeypatch.setattr(row_shard.RowShard, "__init__", None)
    assert_same_model(fitted(tmp_path / "fit", sharded), first)
    assert_same_model(ShardedModel(tmp_path / "fit"), first)
    assert "3 of RNMF" in repr(first)


class StoppedError(Exception):
    pass


@pytest.mark.parametrize("tol", [0.0, 1e-3])
@pytest.mark.parametrize("stop", [1, 4, 11])
def test_a_fit_that_ends_early_continues_to_the_same_bits(tmp_path, monkeypatch, stop, tol):
    sharded = divided(tmp_path, SOLVERS[2])
    solver = RNMF(ridge=0.1, max_iter=40, tol=tol)
    fit = partial(fit_shards, sharded, solver=solver, rank=2, n_members=9, random_state=1)
    expected = fit(folder=tmp_path / "whole")
    monkeypatch.setattr(sweep_checkpoint, "SECONDS", 0.0)
    improve, calls = row_shard.RowShard.improve, []

    def stopping(self, *args):
        calls.append(1)
        if len(calls) == stop * sharded.n_blocks + 2:
            raise StoppedError
        return improve(self, *args)

    monkeypatch.setattr(row_shard.RowShard, "improve", stopping)
    with pytest.raises(StoppedError):
        fit(folder=tmp_path / "fit")
    assert bool(list((tmp_path / "fit").glob("*sweep.npz"))) == (stop > 1)
    before = len(calls)
    assert_same_model(fit(folder=tmp_path / "fit"), expected)
    assert not list((tmp_path / "fit").glob("*sweep*"))
    assert len(calls) > before


def test_another_fit_in_the_same_folder_raises(tmp_path):
    sharded = divided(tmp_path, SOLVERS[2])
    fitted(tmp_path / "fit", sharded)
    again = partial(fit_shards, sharded, tmp_path / "fit")
    with pytest.raises(IncompatibleError, match="rank is 2 there, 3 here"):
        again(SOLVERS[2], 3, n_members=3, random_state=1)
    with pytest.raises(IncompatibleError, match="seed is 1 there, 2 here"):
        again(SOLVERS[2], 2, n_members=3, random_state=2)
    with pytest.raises(IncompatibleError, match="ridge"):
        again(WNMF(ridge=0.5), 2, n_members=3)
    with pytest.raises(IncompatibleError, match="other files"):
        fit_shards(sharded, tmp_path / "source", SOLVERS[2], 2)
    assert again(SOLVERS[2], 2, n_members=3).n_members == 3  # without a seed, that of the folder
    other = divided(tmp_path / "other", SOLVERS[2], background=0.5)
    with pytest.raises(IncompatibleError, match="data"):
        fit_shards(other, tmp_path / "fit", SOLVERS[2], 2, n_members=3)
    with pytest.raises(InputError, match="another network"):
        ShardedModel(tmp_path / "fit", other)


@pytest.mark.parametrize(
    ("solver", "match"),
    [
        (BNMF(), "WNMF, NMF, RNMF or LMF"),
        (KLNMF(), "WNMF, NMF, RNMF or LMF"),
        (NMF(updates="multiplicative"), "updates='descent'"),
        (RNMF(updates="paper"), "updates='descent'"),
        (WNMF(init="nndsvd"), "init='random'"),
        (LMF(device="cpu"), "device=None"),
        (WNMF(max_iter=0), "max_iter"),
        (LMF(), "values 0 and 1"),
        (NMF(), "weights of 1"),
    ],
)
def test_other_solvers_and_data_raise(tmp_path, solver, match):
    i, j = np.nonzero(LISTED)
    columns = {"r": [ROWS[k] for k in i], "c": [COLS[k] for k in j], "v": X[i, j], "w": 0.5 + X[i, j]}
    parquet.write_table(pyarrow.table(columns), tmp_path / "a.parquet")
    sharded = ShardedNetwork.from_parquet(tmp_path, tmp_path / "blocks", columns=tuple(columns))
    with pytest.raises(IncompatibleError, match=match):
        fit_shards(sharded, tmp_path / "fit", solver, 2)


def test_a_list_of_links_alone_raises(tmp_path):
    parquet.write_table(pyarrow.table({"r": ["a", "b"], "c": ["x", "y"]}), tmp_path / "a.parquet")
    sharded = ShardedNetwork.from_parquet(tmp_path, tmp_path / "blocks")
    with pytest.raises(IncompatibleError, match="background"):
        fit_shards(sharded, tmp_path / "fit", WNMF(), 1)


def test_other_arguments_raise(tmp_path):
    sharded = divided(tmp_path, SOLVERS[2])
    with pytest.raises(IncompatibleError, match="ShardedNetwork"):
        fit_shards(Network.from_dense(X), tmp_path / "fit", SOLVERS[2], 2)
    with pytest.raises(IncompatibleError, match="Client"):
        fitted(tmp_path / "fit", sharded, executor=ThreadPoolExecutor(1))
    with pytest.raises(InputError, match="rank"):
        fit_shards(sharded, tmp_path / "fit", SOLVERS[2], 0)
    with pytest.raises(InputError, match="members"):
        fit_shards(sharded, tmp_path / "fit", SOLVERS[2], 2, n_members=0)


@pytest.mark.parametrize(
    ("pairs", "match"),
    [
        ([("nobody", "col 1")], "No row has the name 'nobody'"),
        ([("row 1", "nothing")], "No column has the name 'nothing'"),
        ([(0, 1)], "expected the name"),
        ([("row 1",)], "pairs"),
    ],
)
def test_unknown_pairs_raise(tmp_path, pairs, match):
    sharded = divided(tmp_path, SOLVERS[2])
    model = fitted(tmp_path / "fit", sharded)
    with pytest.raises(InputError, match=match):
        model.predict_links(pairs)


def test_nothing_is_imported_that_is_not_used():
    code = (
        "import sys; import latentlink.estimators.shards; "
        "print([name for name in ('distributed', 'dask', 'torch') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_files_of_another_fit_in_the_same_folder_are_not_read(tmp_path):
    """As where the folders of two fits were merged: the other has the same shape, and other settings."""
    sharded = divided(tmp_path, SOLVERS[2])
    expected = fitted(tmp_path / "fit", sharded)
    fit_shards(sharded, tmp_path / "other", RNMF(ridge=5.0, **SETTINGS), 2, n_members=3, random_state=0)
    for path in (tmp_path / "other").iterdir():
        if path.name != "run.npz":
            assert not (tmp_path / "fit" / path.name).exists()
            (tmp_path / "fit" / path.name).write_bytes(path.read_bytes())
    assert_same_model(fitted(tmp_path / "fit", sharded), expected)
