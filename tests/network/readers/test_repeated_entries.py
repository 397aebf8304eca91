"""Entries that a matrix file stores more than once raise, as a pair listed twice does; they can be kept."""

import pytest
import scipy.sparse

from latentlink.errors import InputError
from latentlink.network import Network, resolve_conflicts


@pytest.mark.parametrize("symmetry", ["general", "symmetric"])
def test_a_repeated_entry_of_matrix_market_raises_and_can_be_kept(symmetry, tmp_path):
    path = tmp_path / "x.mtx"
    path.write_text(f"%%MatrixMarket matrix coordinate real {symmetry}\n3 3 3\n2 1 1\n3 3 4\n2 1 2.5\n")
    place = "row 1, column 0" if symmetry == "general" else "row 0, column 1"
    with pytest.raises(
        InputError, match=rf"stores {place} .*, as 1 and as 2.5; .*duplicates=\"keep\""
    ) as error:
        Network.from_file(path, unstored="unknown")
    assert str(path) in str(error.value)
    assert "correct the file" in str(error.value)
    kept = Network.from_file(path, unstored="unknown", duplicates="keep", symmetric=symmetry == "symmetric")
    assert sorted(kept.values.tolist()) == [1, 2.5, 4]
    assert resolve_conflicts(kept, "mean").values.tolist() == [1.75, 4]


@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
def test_a_repeated_entry_of_npz_raises_and_can_be_kept(form, tmp_path):
    path = tmp_path / "x.npz"
    whole = {"csr": scipy.sparse.csr_array, "csc": scipy.sparse.csc_array}
    matrix = (
        scipy.sparse.coo_array(([1.0, 2.5], ([0, 0], [0, 0])), shape=(2, 2))
        if form == "coo"
        else whole[form](([1.0, 2.5], [0, 0], [0, 2, 2]), shape=(2, 2))
    )
    scipy.sparse.save_npz(path, matrix)
    with pytest.raises(InputError, match=r"stores row 0, column 0 .*, as 1 and as 2.5; .*correct the file"):
        Network.from_file(path, unstored="zero")
    kept = Network.from_file(path, unstored="zero", duplicates="keep")
    assert kept.values.tolist() == [1, 2.5]
