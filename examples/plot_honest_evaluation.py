"""
Is a model better than simple baselines?
========================================

A network with planted groups and uneven degrees is split three times. Two factorizations and all standard
baselines are fitted to the same training links and rank the same hidden links, among non-links drawn
uniformly and among non-links of nodes with similar degrees. Neither factorization turns out to be better
than the best baseline, which a table of their scores alone would not have told.
"""

# %%
# A network with groups and hubs
# ------------------------------
#
# `latentlink.datasets.planted_blocks` draws links by group, and by a weight of each node with a heavy tail.
# Only the links are listed; other pairs are unknown.
import matplotlib.pyplot as plt

from latentlink import RankedFactorizer, datasets, evaluate
from latentlink.solvers import SymLMF

network = datasets.planted_blocks(
    150, blocks=3, probabilities=(0.25, 0.03), exponent=2.5, links_only=True
).network
print(network)

# %%
# One table
# ---------
#
# Models that need non-links get as many as there are training links, drawn among the unlisted pairs. Rank 1
# can hardly tell more than degrees; rank 3 can represent the groups.
models = {
    f"SymLMF, rank {rank}": RankedFactorizer((rank,), solver=SymLMF(ridge=1.0), n_perturbs=4, random_state=0)
    for rank in (1, 3)
}
result = evaluate(network, models, repeats=3, negatives=("uniform", "degree"), random_state=0)
print(result)

# %%
# The verdicts compare in pairs, split by split, with a correction for training parts that overlap.
for name in models:
    print(result.verdict(name))

# %%
# Degrees explain much of the area under uniform non-links, and nothing under those with matched degrees.
result.plot()
plt.show()
