"""
From one machine to a cluster
=============================

The same search runs in threads, on a Dask cluster, and by several processes in one folder. Its tasks are a
rank and a block of members each; results are the same, bit for bit.
"""

# %%
# One machine
# -----------
#
# Planted factors of rank 4; a third of the entries is unknown.
from tempfile import TemporaryDirectory

import matplotlib.pyplot as plt
import numpy as np
from distributed import Client

from latentlink import WNMFk

rng = np.random.default_rng(0)
X = rng.gamma(0.5, size=(80, 4)) @ rng.gamma(0.5, size=(4, 60)) + 0.05 * rng.random((80, 60))
data = np.where(rng.random(X.shape) < 0.67, X, np.nan)

search = {"ranks": range(2, 8), "n_perturbs": 8, "random_state": 0}
alone = WNMFk(**search, n_jobs=2).fit(data)
print(alone.rank_, alone.choice_.reason)

# %%
# A cluster
# ---------
#
# ``Client("tcp://host:8786")`` connects to one that runs; this one has two threads of this process. With a
# folder that its workers see, each task is stored by the worker that has computed it, and a search that was
# stopped continues there, with any number of workers.
with (
    Client(processes=False, n_workers=1, threads_per_worker=2, dashboard_address=":0") as client,
    TemporaryDirectory() as folder,
):
    spread_out = WNMFk(**search).fit(data, executor=client, folder=folder)
print("same bits:", np.array_equal(alone.W_, spread_out.W_) and np.array_equal(alone.H_, spread_out.H_))

# %%
# How many workers help
# ---------------------
#
# A search over listed ranks has its tasks at once, so that as many workers help as there are tasks; no number
# of workers makes it faster than its largest task. Costs are proportional to members and, nearly, to ranks.
costs = sorted((8 * (rank + 4) for rank in search["ranks"]), reverse=True)


def hours(workers):
    """Time of the longest row of tasks, each given to the worker that is free first."""
    loads = np.zeros(workers)
    for cost in costs:
        loads[loads.argmin()] += cost
    return loads.max()


workers = np.arange(1, 11)
plt.plot(workers, [hours(1) / hours(n) for n in workers], "o-", label="six ranks, one block each")
plt.plot(workers, workers, ":", label="workers")
plt.xlabel("workers")
plt.ylabel("times faster than one")
plt.legend()
plt.show()
