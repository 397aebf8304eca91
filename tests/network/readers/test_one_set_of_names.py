"""Matrices whose rows and columns are the same nodes: both sides are matched by name, from every source."""

from __future__ import annotations

import numpy as np
import pandas
import pytest
import scipy.sparse

from latentlink.errors import InputError
from latentlink.network import Network

NODES = ["a", "b", "c", "d"]
VALUES = np.array([[5, 1, 2, 0], [1, 6, 3, 4], [2, 3, 7, 8], [0, 4, 8, 9.0]])
DIRECTED = np.arange(16.0).reshape(4, 4)


def of_text(frame, folder, flags):
    frame.to_csv(folder / "x.csv")
    return Network.from_file(folder / "x.csv", matrix=True, **flags)


def of_frame(frame, folder, flags):
    return Network.from_dense(frame, **flags)


def of_anndata(form):
    def read(frame, folder, flags):
        h5py = pytest.importorskip("h5py")
        values = frame.to_numpy()
        with h5py.File(folder / "x.h5ad", "w") as file:
            if form == "dense":
                file["X"] = values
            else:
                X, group = scipy.sparse.csr_array(values).asformat(form), file.create_group("X")
                group.attrs.update({"encoding-type": f"{form}_matrix", "shape": np.array(X.shape)})
                for name in ("data", "indices", "indptr"):
                    group[name] = getattr(X, name)
            for side, names in (("obs", frame.index), ("var", frame.columns)):
                group = file.create_group(side)
                group.attrs["_index"] = "_index"
                group["_index"] = list(names)
        unstored = {} if form == "dense" else {"unstored": "zero"}
        return Network.from_file(folder / "x.h5ad", **flags, **unstored)

    return read


SOURCES = {
    "text": of_text,
    "frame": of_frame,
    **{form: pytest.param(of_anndata(form), marks=pytest.mark.slow) for form in ("dense", "csr", "csc")},
}
sources = pytest.mark.parametrize("read", SOURCES.values(), ids=SOURCES)
FLAGS = {"symmetric": ({"symmetric": True}, VALUES), "square": ({"square": True}, DIRECTED)}
kinds = pytest.mark.parametrize(("flags", "values"), FLAGS.values(), ids=FLAGS)


@sources
@kinds
def test_columns_in_another_order_are_matched_by_name(read, flags, values, tmp_path):
    frame = pandas.DataFrame(values, index=NODES, columns=NODES)[["c", "b", "d", "a"]]
    network = read(frame, tmp_path, flags)
    assert network.row_names.tolist() == network.col_names.tolist() == NODES
    np.testing.assert_array_equal(network.to_dense(), values)


@sources
@kinds
@pytest.mark.parametrize("order", [["c", "b", "a", "e"], ["w", "x", "y", "z"]])
def test_names_that_differ_raise(read, flags, values, order, tmp_path):
    frame = pandas.DataFrame(values, index=NODES, columns=order)
    with pytest.raises(InputError, match="The row names and the column names differ"):
        read(frame, tmp_path, flags)


@sources
def test_a_matrix_that_is_symmetric_by_position_and_not_by_name_raises(read, tmp_path):
    frame = pandas.DataFrame(VALUES, index=NODES, columns=["c", "b", "d", "a"])
    with pytest.raises(InputError, match="not symmetric, with its columns in the order of the rows by their"):
        read(frame, tmp_path, {"symmetric": True})


@kinds
@pytest.mark.parametrize("header", [True, False])
def test_either_side_of_a_text_names_both(flags, values, header, tmp_path):
    frame = pandas.DataFrame(values, index=NODES, columns=NODES)
    frame.to_csv(tmp_path / "x.csv", header=header, index=not header)
    network = Network.from_file(tmp_path / "x.csv", matrix=True, **flags)
    assert network.row_names.tolist() == network.col_names.tolist() == NODES
    np.testing.assert_array_equal(network.to_dense(), values)


@kinds
@pytest.mark.parametrize("named", ["index", "columns"])
def test_either_side_of_a_frame_names_both(flags, values, named):
    network = Network.from_dense(pandas.DataFrame(values).set_axis(NODES, axis=named), **flags)
    assert network.row_names.tolist() == network.col_names.tolist() == NODES


def test_names_that_are_given_replace_labels(tmp_path):
    frame = pandas.DataFrame(VALUES, index=NODES, columns=NODES[::-1])
    network = Network.from_dense(frame, symmetric=True, row_names=[*"wxyz"], col_names=[*"wxyz"])
    np.testing.assert_array_equal(network.to_dense(), VALUES)


def test_a_mask_is_put_in_the_same_order():
    frame = pandas.DataFrame(VALUES, index=NODES, columns=NODES)
    mask = (frame > 1).astype(int)
    order = ["d", "a", "c", "b"]
    network = Network.from_dense(frame[order], mask=mask[order], symmetric=True)
    assert network == Network.from_dense(frame, mask=mask, symmetric=True)
