"""Discoveries from links alone: drawn unlisted pairs stand for non-links while some links are missing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from latentlink import LinkStack, Network, datasets
from latentlink.experiments.case_lines import Lines, columns, grouped
from latentlink.scoring import Calibrated
from latentlink.splitting import holdout
from studies.findings import Finding
from studies.planted_splits import listed_pairs
from studies.study import Study

__all__ = ["missing_links"]

RATES = (0.1, 0.2)
CANDIDATES = 100  # missing links, and as many pairs that are no links
SEEDS = 100


def planted(network: str, seed: int) -> Network:
    """Return all links of a network of 200 nodes: of eight dense blocks, or with hubs and four blocks."""
    if network == "blocks":
        return datasets.planted_blocks(200, 8, seed, probabilities=(0.6, 0.01), links_only=True).network
    return datasets.heavy_tailed(200, 1000, seed, blocks=4, mixing=0.1).network


def run(network: str, missing: float, seed: int) -> dict[str, Any]:
    """Hide some links for good, calibrate on a fifth of the others, and look for the missing ones."""
    whole = planted(network, seed)
    unseen = holdout(whole, missing, seed)
    split = holdout(unseen.train.subset(unseen.train.known), 0.2, seed)
    model = LinkStack(n_perturbs=2, random_state=seed).fit(split.train)
    calibrated = model.calibrate(split.test)
    rng = np.random.default_rng([seed, 1])
    nonlinks = _nonlinks(whole, rng)
    count = min(CANDIDATES, unseen.test.n_listed)
    some = rng.permutation(listed_pairs(unseen.test))[:count]
    candidates = np.vstack([some, nonlinks[:count]])
    links = np.repeat([True, False], count)
    fresh = _fresh(nonlinks[count:], model)[: split.test.n_listed]
    labels = np.repeat([1, 0], [split.test.n_listed, len(fresh)])
    by_known = model.calibrate(np.vstack([listed_pairs(split.test), fresh]), labels)
    results: dict[str, Any] = {}
    for fdr in RATES[::-1]:
        selected = {
            "drawn": _selected(calibrated, candidates, fdr),
            "known": _selected(by_known, candidates, fdr),
        }
        for name, each in selected.items():
            results[f"{name}_false_{fdr}"] = f"{(each & ~links).sum() / max(1, each.sum()):.5f}"
            results[f"{name}_power_{fdr}"] = f"{(each & links).sum() / count:.5f}"
            results[f"{name}_any_{fdr}"] = int(each.any())
        nothing = results.get(f"all_selected_{RATES[-1]}") == 0  # then nothing at a lower rate either
        found = None if nothing else calibrated.discover(fdr=fdr)
        results[f"all_selected_{fdr}"] = 0 if found is None else len(found)
        false = 0.0 if not found else np.mean(whole.positions(found["row"], found["column"]) < 0)
        results[f"all_false_{fdr}"] = f"{false:.5f}"
    return results


def _nonlinks(whole: Network, rng: np.random.Generator) -> np.ndarray:
    """Return all pairs that are no links of the whole network, in random order."""
    pairs = np.column_stack(np.triu_indices(whole.shape[0], 1))
    return rng.permutation(pairs[whole.positions(*pairs.T) < 0])


def _fresh(pairs: np.ndarray, model: LinkStack) -> np.ndarray:
    """Return the pairs that were not drawn in the fit."""
    drawn = model.network_.pair_keys(*model.drawn_pairs_.T)
    return pairs[~np.isin(model.network_.pair_keys(*pairs.T), drawn)]


def _selected(calibrated: Calibrated, candidates: np.ndarray, fdr: float) -> np.ndarray:
    return calibrated.discover(candidates, fdr, chosen_without_scores=True)["selected"]


def findings(lines: Lines) -> Iterator[Finding]:
    """Yield false discoveries among candidates and among all untested pairs, at each share of missing."""
    for (network, missing), group in grouped(lines, "network", "missing"):
        where = f"{network}, {100 * float(missing):g} % of the links missing"
        for fdr in RATES:
            yield _among_candidates(f"{where}, fdr {fdr}", group, fdr)
        for fdr in RATES:
            yield _among_all(f"{where}, fdr {fdr}", group, fdr)


def _among_candidates(label: str, lines: Lines, fdr: float) -> Finding:
    names = ("false", "power", "any")
    drawn, known = (
        [columns(lines, f"{form}_{name}_{fdr}")[f"{form}_{name}_{fdr}"] for name in names]
        for form in ("drawn", "known")
    )
    error = drawn[0].std(ddof=1) / np.sqrt(len(lines))
    return Finding(
        f"{label}: share of false discoveries among candidates, half of them links",
        f"{drawn[0].mean():.4f} +- {error:.4f} over {len(lines)} runs; power {drawn[1].mean():.3f}, any "
        f"discovery in {int(drawn[2].sum())} runs; with known non-links {known[0].mean():.4f}, power "
        f"{known[1].mean():.3f}, any in {int(known[2].sum())}",
        f"at most {fdr}, plus its standard error",
        bool(drawn[0].mean() <= fdr + error),
    )


def _among_all(label: str, lines: Lines, fdr: float) -> Finding:
    names = (f"all_selected_{fdr}", f"all_false_{fdr}")
    selected, false = columns(lines, *names).values()
    error = false.std(ddof=1) / np.sqrt(len(lines))
    return Finding(
        f"{label}: share of false discoveries among all untested pairs",
        f"{false.mean():.4f} +- {error:.4f}; any discovery in {int((selected > 0).sum())} of {len(lines)} "
        f"runs, {selected.mean():.1f} pairs on average",
        f"at most {fdr}, plus its standard error",
        bool(false.mean() <= fdr + error),
    )


def remarks(lines: Lines) -> Iterator[str]:
    """Yield that all untested pairs cannot be told from drawn ones, as far as it is so."""
    found = columns(lines, "all_selected_0.1")["all_selected_0.1"] > 0
    yield (
        f"**Among all untested pairs `discover` finds next to nothing** (something in {int(found.sum())} of "
        f"{len(lines)} runs at fdr 0.1), whatever the model knows: the drawn pairs that stand for non-links "
        "have as many links among them as the untested pairs, so that both score alike. The bound holds, and "
        "says nothing. Candidates of which more are links than of unlisted pairs can be told from these."
    )


missing_links = Study(
    "missing_links",
    [
        {"network": network, "missing": missing, "seed": seed}
        for network in ("blocks", "hubs")
        for missing in (0.1, 0.3, 0.5)
        for seed in range(SEEDS)
    ],
    run,
    findings,
    remarks,
)
