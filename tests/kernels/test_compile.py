"""Compilation, caching and choice of kernels."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numba
import numpy as np
import pytest

from latentlink.errors import IncompatibleError
from latentlink.kernels import aligned, fixed_mode, lane_counts, mode
from latentlink.kernels.background_descent import compiled_background_rows
from latentlink.kernels.completed import compiled_completed_products, compiled_gram_rows
from latentlink.kernels.extrapolated import compiled_extrapolate
from latentlink.kernels.lanes import compile
from latentlink.kernels.logistic_loss import compiled_logistic_loss
from latentlink.kernels.masked_descent import compiled_masked_rows
from latentlink.kernels.moments import compiled_moments, compiled_multiplied_rows
from latentlink.kernels.penalties import compiled_balance, compiled_penalties
from latentlink.kernels.sums import compiled_gram

COMPILED = [
    compiled_masked_rows(1, False, False, False),
    compiled_masked_rows(8, True, True, True),
    compiled_logistic_loss(1, False, True),
    compiled_background_rows(1, False),
    compiled_gram(1),
    compiled_completed_products(1, False, True),
    compiled_gram_rows(1),
    compiled_moments(1, False),
    compiled_multiplied_rows(True),
    compiled_penalties(1),
    compiled_balance(),
    compiled_extrapolate(),
]


@pytest.mark.parametrize("dispatcher", COMPILED, ids=lambda dispatcher: dispatcher.__name__)
def test_compile_options(dispatcher):
    options = dispatcher.targetoptions
    assert options["nopython"]
    assert options["nogil"]
    assert options["error_model"] == "numpy"
    assert not options.get("fastmath")
    assert not options.get("parallel")


def doubler():
    edition = compile.EDITION

    def double(x):
        _ = edition
        return 2 * x

    return double


def test_a_kernel_without_its_edition_raises():
    with pytest.raises(TypeError, match="does not refer to its edition"):
        compile.kernel(lambda x: x)


def test_kernels_run_without_a_writable_cache(monkeypatch):
    """numba raises this error if neither the installation nor the user's cache folder is writable."""
    real, calls = numba.njit, []

    def njit(*args, **options):
        calls.append(options)
        if options.get("cache"):
            raise RuntimeError("cannot cache function: no locator available")
        return real(*args, **options)

    monkeypatch.setattr(compile.numba, "njit", njit)
    assert compile.kernel(doubler())(21) == 42
    assert [bool(options.get("cache")) for options in calls] == [True, False]
    assert calls[1] == {"nogil": True, "error_model": "numpy", "fastmath": False}


def test_the_edition_changes_with_any_kernel_file(tmp_path, monkeypatch):
    folder = tmp_path / "kernels"
    shutil.copytree(Path(compile.__file__).parents[1], folder, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(compile, "__file__", str(folder / "lanes" / "compile.py"))
    assert compile.source_hash() == compile.EDITION
    sources = sorted(folder.rglob("*.py"))
    assert {"masked_descent.py", "vector.py"} <= {path.name for path in sources}
    for path in sources:
        before = compile.source_hash()
        path.write_text(path.read_text() + "\n# edited\n")
        assert compile.source_hash() != before


def test_the_edition_is_part_of_the_cache_key():
    """numba hashes the closure of a cached function, which has the edition."""
    for dispatcher in COMPILED:
        names = dispatcher.py_func.__code__.co_freevars
        cells = dict(zip(names, dispatcher.py_func.__closure__, strict=True))
        assert cells["edition"].cell_contents == compile.EDITION


@pytest.mark.parametrize("forced", ["lanes", "plain", "reference"])
def test_the_environment_forces_a_mode(forced, monkeypatch):
    monkeypatch.setenv("LATENTLINK_KERNELS", forced)
    assert mode() == forced


def test_an_unknown_mode_raises(monkeypatch):
    monkeypatch.setenv("LATENTLINK_KERNELS", "turbo")
    with pytest.raises(IncompatibleError, match=r"LATENTLINK_KERNELS is 'turbo'.*lanes, plain, reference"):
        mode()


def test_a_fixed_mode_ignores_the_environment_until_it_ends(monkeypatch):
    monkeypatch.setenv("LATENTLINK_KERNELS", "plain")
    with fixed_mode():
        monkeypatch.setenv("LATENTLINK_KERNELS", "reference")
        assert mode() == "plain"
        with fixed_mode():
            assert mode() == "plain"
        assert mode() == "plain"
    assert mode() == "reference"


def test_a_fixed_mode_ends_with_an_error(monkeypatch):
    monkeypatch.setenv("LATENTLINK_KERNELS", "plain")
    with pytest.raises(KeyError), fixed_mode():
        raise KeyError
    monkeypatch.setenv("LATENTLINK_KERNELS", "reference")
    assert mode() == "reference"


def test_a_mode_is_fixed_in_its_own_thread_alone(monkeypatch):
    monkeypatch.setenv("LATENTLINK_KERNELS", "plain")
    with fixed_mode(), ThreadPoolExecutor(1) as pool:
        monkeypatch.setenv("LATENTLINK_KERNELS", "reference")
        assert pool.submit(mode).result() == "reference"


@pytest.mark.parametrize(("fma", "expected"), [(True, "lanes"), (False, "plain")])
def test_the_host_chooses_the_mode(fma, expected, monkeypatch):
    monkeypatch.delenv("LATENTLINK_KERNELS", raising=False)
    monkeypatch.setattr(compile, "host_has_fma", lambda: fma)
    assert mode() == expected
    monkeypatch.setenv("LATENTLINK_KERNELS", "")
    assert mode() == expected


@pytest.mark.parametrize(
    ("machine", "features", "expected"),
    [
        ("arm64", {}, True),
        ("x86_64", {"fma": True}, True),
        ("AMD64", {"fma": False}, False),
        ("ppc", {}, False),
    ],
)
def test_what_the_host_can_do(machine, features, expected, monkeypatch):
    monkeypatch.setattr(compile.platform, "machine", lambda: machine)
    monkeypatch.setattr(compile.binding, "get_host_cpu_features", lambda: features)
    compile.host_has_fma.cache_clear()
    try:
        assert compile.host_has_fma() is expected
    finally:
        compile.host_has_fma.cache_clear()


def test_lane_counts(monkeypatch):
    monkeypatch.setenv("LATENTLINK_KERNELS", "lanes")
    assert lane_counts(8) == (1, 4, 8)
    assert lane_counts(4) == (1, 8, 16)
    monkeypatch.setenv("LATENTLINK_KERNELS", "plain")
    assert lane_counts(8) == (compile.PLAIN, compile.PLAIN, compile.PLAIN)


@pytest.mark.parametrize("shape", [(0,), (3,), (5, 2, 8)])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_arrays_for_kernels_begin_at_a_cache_line(shape, dtype):
    array = aligned(shape, dtype)
    assert array.shape == shape
    assert array.dtype == np.dtype(dtype)
    assert array.ctypes.data % 64 == 0 or array.size == 0
    assert array.flags.c_contiguous
    assert array.flags.writeable
