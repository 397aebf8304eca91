"""Text columns of Parquet files: their types, and the time that they take."""

from __future__ import annotations

import narwhals
import numpy as np
import pyarrow
import pytest
from pyarrow import parquet

from latentlink.errors import InputError
from latentlink.network import Network

KINDS = {
    "string": pyarrow.string(),
    "large": pyarrow.large_string(),
    "view": pyarrow.string_view(),
    "dictionary": pyarrow.dictionary(pyarrow.int32(), pyarrow.string()),
}


def written(path, names, kind):
    columns = {
        "source": pyarrow.array(names).cast(kind) if kind != KINDS["view"] else pyarrow.array(names, kind),
        "target": pyarrow.array([f"t{number}" for number in range(len(names))]),
        "value": np.arange(float(len(names))),
    }
    parquet.write_table(pyarrow.table(columns), path, row_group_size=max(2, len(names) // 3))
    return path


@pytest.mark.parametrize("kind", KINDS)
def test_every_type_of_text_is_read(kind, tmp_path):
    names = ["b", "a", "é", "b", "007"]
    network = Network.from_file(written(tmp_path / "links.parquet", names, KINDS[kind]))
    found = dict(
        zip(network.col_names[network.cols].tolist(), network.row_names[network.rows].tolist(), strict=True)
    )
    assert found == {f"t{number}": name for number, name in enumerate(names)}


@pytest.mark.parametrize("kind", KINDS)
def test_missing_and_long_texts_raise(kind, tmp_path):
    with pytest.raises(InputError, match=r"'source' .the row. has no value in .*row 1"):
        Network.from_file(written(tmp_path / "links.parquet", ["a", None, "b"], KINDS[kind]))
    with pytest.raises(InputError, match=r"column 'source': found a field of 1,000,001 characters"):
        Network.from_file(written(tmp_path / "links.parquet", ["a", "x" * 1_000_001], KINDS[kind]))
    with pytest.raises(InputError, match="decoded columns take"):
        Network.from_file(written(tmp_path / "links.parquet", ["x" * 10_000] * 20_000, KINDS[kind]))


@pytest.mark.parametrize("kind", KINDS)
def test_texts_are_listed_by_their_dictionary(kind, tmp_path, monkeypatch):
    """A list that pyarrow makes entry by entry took 7 s for a million rows of two columns."""
    path = written(tmp_path / "links.parquet", ["a", "b", "a"], KINDS[kind])
    monkeypatch.delattr(narwhals.Series, "to_list")
    assert Network.from_file(path).row_names.tolist() == ["a", "b"]
