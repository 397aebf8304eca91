"""
From a list of links to the missing ones
========================================

Of a network with groups a list of links is known, and nothing about the other pairs; a fifth of
the links is missing from the list. `latentlink.LinkStack` draws non-links by itself, ranks all other pairs,
says why, and states what its probabilities mean.
"""

# %%
# A list of links
# ---------------
#
# `latentlink.datasets.planted_blocks` draws links by group. A fifth of them is taken away, and nobody but the
# last cells will know them.
import matplotlib.pyplot as plt
import numpy as np

from latentlink import LinkStack, datasets
from latentlink.proximity import LinkGraph, degree_product
from latentlink.splitting import holdout

whole = datasets.planted_blocks(150, 6, probabilities=(0.6, 0.02), links_only=True).network
missing = holdout(whole, 0.2, rng=0)
known = missing.train.subset(missing.train.known)
print(known)

# %%
# The best pairs
# --------------
#
# Some links are held out to calibrate. The stack draws as many unlisted pairs as there are links left.
split = holdout(known, 0.2, rng=0)
stack = LinkStack(random_state=0).fit(split.train)
print(stack.drawn_, "unlisted pairs were drawn")
best = stack.top_links(10, exclude=split.test)
print(best)

# %%
# What the features add to the logit of the first pair, the largest first:
why = stack.explain((best["row"][0], best["column"][0]))
for part, contribution in list(zip(why["part"], why["contribution"], strict=True))[:5]:
    print(f"{part}: {contribution:+.2f}")

# %%
# Probabilities
# -------------
#
# Held-out links, with as many fresh unlisted pairs, calibrate the scores. A probability is that of a link
# against a drawn pair; a base rate states how many of such pairs are links.
calibrated = stack.calibrate(split.test)
everything = stack.top_links(whole.n_pairs, exclude=split.test)
linked = whole.positions(everything["row"], everything["column"]) >= 0
table = calibrated.probabilities(everything, base_rate=float(linked.mean()))
probability = np.asarray(table)
print(table.limits)
print(f"best 100: mean probability {probability[:100].mean():.2f}, share of links {linked[:100].mean():.2f}")

# %%
# How many were found
# -------------------
#
# The share of missing links among the best pairs, beside that by the product of degrees.
by_degree = degree_product(LinkGraph.of(known), everything["row"], everything["column"])
counts = np.arange(1, 201)
figure, axes = plt.subplots(figsize=(5, 3.2))
for label, order in (("LinkStack", slice(None)), ("degree product", np.argsort(-by_degree, kind="stable"))):
    axes.plot(counts, np.cumsum(linked[order][:200]) / counts, label=label)
axes.axhline(linked.mean(), color="grey", linestyle=":", label="random pairs")
axes.set(xlabel="best pairs", ylabel="share of missing links", ylim=(0, None))
axes.legend()
figure.tight_layout()
plt.show()
