"""Files that are refused by their name alone."""

from __future__ import annotations

import pytest

from latentlink.errors import InputError
from latentlink.network import Network


@pytest.mark.parametrize("name", ["x.mtx.bz2", "links.csv.xz", "links.csv.zip", "m.npz.zst", "x.TAR"])
@pytest.mark.parametrize("options", [{}, {"unstored": "zero"}, {"matrix": True}])
def test_other_compressions_are_named_whatever_is_given(name, options, tmp_path):
    (tmp_path / name).write_bytes(b"BZh9")
    with pytest.raises(InputError, match=r"is compressed in a way that is not read; .* Unpack it first"):
        Network.from_file(tmp_path / name, **options)


def test_a_long_path_keeps_the_cause_in_the_message():
    with pytest.raises(InputError) as error:
        Network.from_file("x" * 5000)
    assert len(str(error.value)) < 300
    assert "cannot be opened: " in str(error.value)
