"""
What the spread of an ensemble means
====================================

The same missing values are predicted by an ensemble of fits to perturbed data and by draws from a posterior.
Both have a spread. That of the posterior is the size of the error, in the unit of the values.
"""

# %%
# Planted values
# --------------
#
# A matrix of rank 3 with row effects and noise of standard deviation 0.5, of which 40 % are known. Some rows
# are known better than others, so that some predictions are harder.
import matplotlib.pyplot as plt
import numpy as np

from latentlink import BayesianFactorizer, RNMFk

NOISE = 0.5
rng = np.random.default_rng(0)
mean = rng.normal(size=(80, 1)) + rng.normal(size=(80, 3)) @ rng.normal(size=(3, 60))
X = mean + NOISE * rng.normal(size=mean.shape)
known = rng.random(X.shape) < np.linspace(0.1, 0.7, 80)[:, None]
data = np.where(known, X, np.nan)
pairs = np.argwhere(~known)
true_mean, value = mean[~known], X[~known]

# %%
# Two ensembles
# -------------
models = {
    "perturbed fits (RNMFk)": RNMFk((3,), random_state=0).fit(data),
    "draws from a posterior": BayesianFactorizer((3,), random_state=0).fit(data),
}
posterior = models["draws from a posterior"]
print(posterior.posterior_.summary())
print(f"learned noise {posterior.noise_:.2f}, planted {NOISE}")

# %%
# Missing entries are sorted by their spread into twenty groups. If the spread is the size of the error of the
# predicted mean, the groups lie on the diagonal.
figure, axes = plt.subplots(1, 2, figsize=(9, 4.2), layout="constrained")
for name, model in models.items():
    score, spread = model.predict_links(pairs, return_std=True)
    groups = np.array_split(np.argsort(spread), 20)
    errors = [np.sqrt(np.mean((score - true_mean)[group] ** 2)) for group in groups]
    axes[0].plot([spread[group].mean() for group in groups], errors, "o-", markersize=4, label=name)
    print(f"{name}: RMSE {np.sqrt(np.mean((score - value) ** 2)):.3f}")
axes[0].axline((0, 0), slope=1, color="0.3", linestyle="--", linewidth=1)
axes[0].set(xlabel="spread", ylabel="error of the mean (RMSE)")
axes[0].legend()

# %%
# Prediction intervals
# --------------------
#
# A value differs from its mean by noise. With the spread and the learned noise, ``intervals`` states where it
# lies; the share of values inside should be the coverage asked for.
levels = np.linspace(0.1, 0.99, 12)
shares = []
for level in levels:
    table = posterior.intervals(pairs, level)
    shares.append(np.mean((table["low"] <= value) & (value <= table["high"])))
axes[1].plot(levels, shares, "o-", markersize=4)
axes[1].axline((0, 0), slope=1, color="0.3", linestyle="--", linewidth=1)
axes[1].set(xlabel="coverage asked for", ylabel="share of missing values inside", aspect="equal")
plt.show()
