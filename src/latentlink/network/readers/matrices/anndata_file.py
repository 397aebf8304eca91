"""Reader of AnnData files, ``.h5ad``: the matrix X and the names of its rows and columns."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.network.readers.matrices.named_matrix import NamedMatrix
from latentlink.network.readers.unpack_limit import UnpackLimit
from latentlink.validation.wording import shortened

__all__ = ["anndata_matrix"]


def anndata_matrix(limit: UnpackLimit) -> NamedMatrix:
    """Return the matrix X of an ``.h5ad`` file, or raise InputError with what is wrong with it.

    Nothing else of the file is read. Sizes are checked before any array is.
    """
    try:
        import h5py
        from anndata.io import read_elem
    except ImportError:
        raise InputError(
            f"{limit.path} is an AnnData file, for which anndata is needed: pip install latentlink[anndata]."
        ) from None
    try:
        with warnings.catch_warnings(), h5py.File(limit.path, "r") as file:
            warnings.simplefilter("ignore")
            for name in ("X", "obs", "var"):
                if name not in file:
                    raise InputError(f"{limit.path}: found no {name}; expected X, obs and var of AnnData.")
                limit.check(_n_bytes(file[name]), f"the arrays of {name}")
            values = read_elem(file["X"])
            row_names, col_names = (_names(file[name], read_elem) for name in ("obs", "var"))
    except InputError:
        raise
    except Exception as error:  # noqa: BLE001  (whatever a damaged file makes HDF5 raise)
        raise InputError(
            f"{limit.path} is no readable AnnData file ({shortened(str(error))}); expected one that "
            "write_h5ad of AnnData wrote."
        ) from None
    return NamedMatrix(_plain(values), row_names, col_names, ["The matrix X"])


def _n_bytes(item: Any) -> int:
    """Return the bytes of all arrays of a part of the file."""
    total = 0

    def add(_: str, each: Any) -> None:
        nonlocal total
        total += int(getattr(each, "nbytes", 0))

    if hasattr(item, "visititems"):
        item.visititems(add)
        return total
    return int(item.nbytes)


def _names(group: Any, read_elem: Any) -> list[str]:
    """Return the index of a frame of the file, without its other columns."""
    index = group.attrs["_index"] if hasattr(group, "attrs") else "_index"
    return [str(each) for each in np.asarray(read_elem(group[index])).tolist()]


def _plain(values: Any) -> Any:
    """Return a dense matrix as an array; a sparse one as it is."""
    if hasattr(values, "tocoo"):
        return values
    dense: NDArray[Any] = np.asarray(values)
    return dense
