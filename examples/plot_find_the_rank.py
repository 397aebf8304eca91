"""
Find the rank of a matrix with missing entries
==============================================

A matrix of known rank, with noise and with 40 % of its entries missing, is factorized at ranks 1 to 8. The
search reports which rank it chooses and why; the chosen model then ranks the missing entries.
"""

# %%
# Data with missing entries
# -------------------------
#
# `latentlink.datasets.gaussian` makes a 50 x 100 product of half-normal factors of rank 4, with noise. The
# holdout removes 40 % of the entries: in ``split.train`` they are *hidden*, with zero weight in every loss.
import matplotlib.pyplot as plt
import numpy as np

from latentlink import WNMFk, datasets
from latentlink.splitting import holdout

data = datasets.gaussian(rank=4, noise=0.1)
split = holdout(data.network, 0.4, rng=0)
print(split.train)

# %%
# The rank, with the reason
# -------------------------
#
# At each rank an ensemble of 16 members is fitted, each to perturbed data, from its own random starts and
# without its own tenth of the training entries. *Stability* is the smallest silhouette of a component over
# the members, *held-out error* is the error on the entries that a member was not fitted to.
model = WNMFk(range(1, 9), random_state=0).fit(split.train)
print(f"rank {model.rank_} ({model.choice_.status}): {model.choice_.reason}")

# %%
# Both criteria, over all ranks. Beyond the true rank the components are no longer reproducible.
model.plot()
plt.show()

# %%
# The missing entries, ranked
# ---------------------------
#
# ``top_links`` scores all entries that are not known and returns the best; the spread is the standard
# deviation over the members of the ensemble.
best = model.top_links(5)
for row, column, score, spread in zip(
    best["row"], best["column"], best["score"], best["spread"], strict=True
):
    print(f"row {row:2}, column {column:2}: score {score:5.2f}, spread {spread:.2f}")

# %%
# The truth is known here, so the scores of all missing entries can be compared with it, next to the baseline
# that every method has to beat: the mean of the known entries.
pairs = np.column_stack([split.test.rows, split.test.cols])
scores = model.predict_links(pairs)
true = split.test.values
mean = split.train.values[split.train.known].mean()
print(f"RMSE of the model {np.sqrt(np.mean((scores - true) ** 2)):.2f}")
print(f"RMSE of the mean  {np.sqrt(np.mean((mean - true) ** 2)):.2f}")

figure, axes = plt.subplots(figsize=(4.5, 4.5), layout="constrained")
axes.scatter(true, scores, s=8, alpha=0.5)
axes.axline((0, 0), slope=1, color="0.3", linestyle="--", linewidth=1)
axes.set(xlabel="missing entry, true value", ylabel="score", aspect="equal")
plt.show()
