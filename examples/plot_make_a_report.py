"""
A report to show to colleagues
==============================

A fitted model, its calibration and its best links become one HTML page, which needs no network and no
other file. The same curves are figures for print.
"""

# %%
# A model and its calibration
# ---------------------------
#
# Of a network with four groups, links and non-links are known for 60 % of the pairs. A fifth of them is held
# out, to measure how well the model predicts and to turn scores into probabilities.
from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib.pyplot as plt

from latentlink import WNMFk, datasets
from latentlink.splitting import holdout

whole = datasets.planted_blocks(80, 4, probabilities=(0.8, 0.08)).network
known = holdout(whole, 0.4, rng=1).train
split = holdout(known.subset(known.known), 0.2, rng=0)
print(split.train)
model = WNMFk(range(1, 8), n_perturbs=8, random_state=0).fit(split.train)
calibrated = model.calibrate(split.test)
print(model.choice_.rank, model.choice_.status)

# %%
# The page
# --------
#
# In a notebook ``report`` alone shows it. Here it is saved, with its tables as CSV in a folder beside it.
report = model.report(calibrated=calibrated)
with TemporaryDirectory() as folder:
    page = report.save(Path(folder) / "report.html")
    print(f"{page.stat().st_size / 1e6:.2f} MB")
    print(sorted(path.name for path in (page.parent / "report_data").iterdir()))

# %%
# What it says about the rank and about the quality of the predictions:
for model_facts in report.data.facts["rank"]["models"]:
    print(model_facts["headline"], "-", model_facts["reason"])
for verdict in report.data.facts["prediction"]["verdicts"]:
    print(verdict["headline"], "-", verdict["text"])

# %%
# The figures
# -----------
#
# Stability and held-out error over the number of components:
model.plot_ranks()
plt.show()

# %%
# Predicted probabilities and observed shares of links on held-out pairs, and the error among the pairs that
# are answered if the model abstains from the others:
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
model.plot_reliability(calibrated, left)
model.plot_risk_coverage(calibrated, right)
plt.show()

# %%
# The nodes with the largest loadings of each component:
model.plot_components()
plt.show()
