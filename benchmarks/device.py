"""Time of one sweep of an ensemble on a device of an array library, beside the compiled kernels."""

from __future__ import annotations

import os
import time
import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from benchmarks.simulated import simulated_network
from latentlink.network import Ensemble, Network
from latentlink.solvers import LMF, NMF, WNMF, Solver

__all__ = ["measure"]

# Shape of the matrix, nodes and pairs of the network: on the CPU, and on a GPU, which needs more to be busy.
ON_CPU, ON_GPU = ((500, 400), (3_000, 80_000)), ((2_000, 1_500), (11_167, 448_330))
RANK, MEMBERS, HIDDEN, FEW, MANY = 10, 16, 0.05, 2, 6


def measure(device: str | None = None) -> list[dict[str, object]]:
    """Return milliseconds per sweep of all members on the device, and as multiples of the kernels'.

    A sweep is a share of the difference of a long and a short fit, so that copies to the device and the
    first call are left out; ``first_ms`` has them. On a GPU the clock counts; on a busy machine it says
    little, and the time of the processor counts.

    Parameters
    ----------
    device : str, optional
        As the ``device`` of a solver; PyTorch on the CPU by default.
    """
    device = device or "torch:cpu"
    if device == "torch:cpu":
        import torch

        torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
    (rows, cols), size = ON_CPU if device.endswith("cpu") else ON_GPU
    rng = np.random.default_rng(0)
    matrix = Network.from_dense(rng.random((rows, RANK)) @ rng.random((RANK, cols)))
    network = simulated_network(*size)
    cases = [
        ("matrix, all known", Ensemble.of(matrix, MEMBERS), NMF()),
        ("matrix, 5 % hidden from each member", _with_hidden(matrix, rng), WNMF(ridge=0.1)),
        ("sparse network", Ensemble.of(network, MEMBERS), WNMF(ridge=0.1)),
        ("sparse network, logistic", Ensemble.of(network, MEMBERS), LMF(ridge=1.0)),
    ]
    return [_compared(name, data, solver, device) for name, data, solver in cases]


def _with_hidden(network: Network, rng: np.random.Generator) -> Ensemble:
    """Return members from each of which other entries are hidden."""
    values = np.repeat(network.values[:, None], MEMBERS, axis=1)
    values[rng.random(values.shape) < HIDDEN] = np.nan
    return Ensemble(network, values, network.weights)


def _compared(name: str, data: Ensemble, solver: Solver, device: str) -> dict[str, object]:
    sides = {"kernels": None, "device": device}
    best: dict[str, dict[int, tuple[float, float]]] = {side: {} for side in sides}
    losses: dict[str, float] = {}
    for _ in range(2):  # alternating, so that other load affects both alike
        for side, where in sides.items():
            for sweeps in (FEW, MANY):
                took, losses[side] = _fit(data, solver, where, sweeps)
                best[side][sweeps] = min(best[side].get(sweeps, took), took)
    each = {
        side: [(best[side][MANY][clock] - best[side][FEW][clock]) / (MANY - FEW) * 1e3 for clock in (0, 1)]
        for side in sides
    }
    return {
        "case": name,
        "solver": type(solver).__name__,
        "device": device,
        "kernels_cpu_ms": each["kernels"][0],
        "device_cpu_ms": each["device"][0],
        "cpu_ratio": each["device"][0] / each["kernels"][0],
        "clock_ratio": each["device"][1] / each["kernels"][1],
        "first_ms": best["device"][FEW][1] * 1e3,
        "loss_difference": abs(losses["device"] / losses["kernels"] - 1),
    }


def _fit(
    data: Ensemble, solver: Solver, device: str | None, sweeps: int
) -> tuple[tuple[float, float], float]:
    """Return seconds of the processor and of the clock of a fit, and the loss of the first member."""
    settings = {"device": device, "max_iter": sweeps, "tol": 0.0, "precision": "float32"}
    chosen = type(solver)(**solver.get_params() | settings)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        begin = time.process_time(), time.perf_counter()
        solved = chosen.solve(data, RANK, 0)
    took = time.process_time() - begin[0], time.perf_counter() - begin[1]
    return took, float(solved.records[0].loss[-1])
