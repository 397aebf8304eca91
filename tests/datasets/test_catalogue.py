"""The table of all data sets."""

from __future__ import annotations

import pytest

from latentlink import datasets
from latentlink.datasets.fetched import PUBLISHED

TABLE = datasets.list()
GENERATED = [name for name, kind in zip(TABLE["name"], TABLE["kind"], strict=True) if kind == "generated"]


def test_lists_every_data_set_once():
    others = {"Dataset", "GaussianCase", "fetch", "gaussian_cases", "list"}
    functions = set(datasets.__all__) - others
    assert sorted(TABLE["name"]) == sorted([*functions, *PUBLISHED])
    assert set(TABLE["kind"]) == {"generated", "fetched"}


def test_has_sizes_licences_and_sources():
    assert list(TABLE) == ["name", "kind", "rows", "columns", "known", "licence", "source", "citation"]
    line = {name: column[TABLE["name"] == "movielens-100k"][0] for name, column in TABLE.columns.items()}
    assert (line["rows"], line["columns"], line["known"]) == (943, 1_682, 100_000)
    assert "GroupLens" in line["licence"]
    assert all(TABLE["licence"])
    assert all(TABLE["source"])


@pytest.mark.parametrize("name", GENERATED)
def test_sizes_are_those_of_default_arguments(name):
    network = getattr(datasets, name)().network
    size = [TABLE[column][TABLE["name"] == name][0] for column in ("rows", "columns", "known")]
    assert size == [*network.shape, network.n_known]
