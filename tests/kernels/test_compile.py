"""How kernels are compiled, cached and chosen."""

from __future__ import annotations

import shutil
from pathlib import Path

import numba
import numpy as np
import pytest

from latentlink.errors import IncompatibleError
from latentlink.kernels import aligned, compile, lane_counts, mode
from latentlink.kernels.background_descent import compiled_background_rows
from latentlink.kernels.completed import compiled_completed_products, compiled_gram_rows
from latentlink.kernels.moments import compiled_moments
from latentlink.kernels.masked_descent import compiled_masked_rows
from latentlink.kernels.sums import compiled_gram

COMPILED = [
    compiled_masked_rows(1, False, False, False),
    compiled_masked_rows(8, True, True, True),
    compiled_background_rows(1, False),
    compiled_gram(1),
    compiled_completed_products(1, False, True),
    compiled_gram_rows(1),
    compiled_moments(1, False),
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


def test_a_kernel_that_does_not_know_its_edition_is_refused():
    with pytest.raises(TypeError, match="does not refer to its edition"):
        compile.kernel(lambda x: x)


def test_where_nothing_can_be_cached_kernels_still_run(monkeypatch):
    """What numba does when neither the installation nor the user's cache folder can be written."""
    real, asked = numba.njit, []

    def njit(*args, **options):
        asked.append(options)
        if options.get("cache"):
            raise RuntimeError("cannot cache function: no locator available")
        return real(*args, **options)

    monkeypatch.setattr(compile.numba, "njit", njit)
    assert compile.kernel(doubler())(21) == 42
    assert [bool(options.get("cache")) for options in asked] == [True, False]
    assert asked[1] == {"nogil": True, "error_model": "numpy", "fastmath": False}


def test_the_edition_changes_with_any_kernel_file(tmp_path, monkeypatch):
    folder = tmp_path / "kernels"
    shutil.copytree(Path(compile.__file__).parent, folder, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(compile, "__file__", str(folder / "compile.py"))
    assert compile._edition() == compile.EDITION
    for path in folder.glob("*.py"):
        before = compile._edition()
        path.write_text(path.read_text() + "\n# edited\n")
        assert compile._edition() != before


def test_the_edition_is_part_of_the_cache_key():
    """numba hashes the closure of a cached function; the edition is in it."""
    for dispatcher in COMPILED:
        names = dispatcher.py_func.__code__.co_freevars
        cells = dict(zip(names, dispatcher.py_func.__closure__, strict=True))
        assert cells["edition"].cell_contents == compile.EDITION


@pytest.mark.parametrize("forced", ["lanes", "plain", "reference"])
def test_the_environment_forces_a_mode(forced, monkeypatch):
    monkeypatch.setenv("LATENTLINK_KERNELS", forced)
    assert mode() == forced


def test_an_unknown_mode_is_refused(monkeypatch):
    monkeypatch.setenv("LATENTLINK_KERNELS", "turbo")
    with pytest.raises(IncompatibleError, match=r"LATENTLINK_KERNELS is 'turbo'.*lanes, plain, reference"):
        mode()


@pytest.mark.parametrize(("fma", "expected"), [(True, "lanes"), (False, "plain")])
def test_the_host_chooses_the_mode(fma, expected, monkeypatch):
    monkeypatch.delenv("LATENTLINK_KERNELS", raising=False)
    monkeypatch.setattr(compile, "_host_has_fma", lambda: fma)
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
    compile._host_has_fma.cache_clear()
    try:
        assert compile._host_has_fma() is expected
    finally:
        compile._host_has_fma.cache_clear()


def test_lane_counts(monkeypatch):
    monkeypatch.setenv("LATENTLINK_KERNELS", "lanes")
    assert lane_counts(8) == (1, 8)
    assert lane_counts(4) == (1, 16)
    monkeypatch.setenv("LATENTLINK_KERNELS", "plain")
    assert lane_counts(8) == (compile.PLAIN, compile.PLAIN)


@pytest.mark.parametrize("shape", [(0,), (3,), (5, 2, 8)])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_arrays_for_kernels_begin_at_a_cache_line(shape, dtype):
    array = aligned(shape, dtype)
    assert array.shape == shape
    assert array.dtype == np.dtype(dtype)
    assert array.ctypes.data % 64 == 0 or array.size == 0
    assert array.flags.c_contiguous
    assert array.flags.writeable
