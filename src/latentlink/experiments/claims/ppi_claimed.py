"""The figures that the paper states for protein networks (its table of BNMFk, RNMFk, WNMFk and LMF)."""

from __future__ import annotations

__all__ = ["CLAIMED", "METRICS"]

METRICS = ("roc_auc", "pr_auc", "uq_roc_auc", "uq_pr_auc")

# By network, method and metric: the mean over splits, and two standard deviations. The paper has no weighted
# metrics of LMF and SymLMF, and took all figures of SymLMF from its authors.
CLAIMED: dict[str, dict[str, dict[str, tuple[float, float]]]] = {
    "proteins-human-extended": {
        "BNMFk": {
            "roc_auc": (0.755, 0.022),
            "pr_auc": (0.884, 0.009),
            "uq_roc_auc": (0.762, 0.027),
            "uq_pr_auc": (0.880, 0.010),
        },
        "RNMFk": {
            "roc_auc": (0.941, 0.001),
            "pr_auc": (0.957, 0.001),
            "uq_roc_auc": (0.942, 0.001),
            "uq_pr_auc": (0.958, 0.001),
        },
        "WNMFk": {
            "roc_auc": (0.951, 0.003),
            "pr_auc": (0.964, 0.003),
            "uq_roc_auc": (0.954, 0.003),
            "uq_pr_auc": (0.966, 0.002),
        },
        "BNMFk lmf": {
            "roc_auc": (0.959, 0.002),
            "pr_auc": (0.969, 0.002),
            "uq_roc_auc": (0.962, 0.004),
            "uq_pr_auc": (0.969, 0.004),
        },
        "RNMFk lmf": {
            "roc_auc": (0.955, 0.001),
            "pr_auc": (0.965, 0.001),
            "uq_roc_auc": (0.956, 0.001),
            "uq_pr_auc": (0.966, 0.001),
        },
        "WNMFk lmf": {
            "roc_auc": (0.955, 0.001),
            "pr_auc": (0.965, 0.001),
            "uq_roc_auc": (0.957, 0.001),
            "uq_pr_auc": (0.967, 0.001),
        },
        "LMF": {
            "roc_auc": (0.949, 0.001),
            "pr_auc": (0.934, 0.001),
        },
        "SymLMF": {
            "roc_auc": (0.944, 0.001),
            "pr_auc": (0.955, 0.001),
        },
    },
    "proteins-brain": {
        "BNMFk": {
            "roc_auc": (0.721, 0.011),
            "pr_auc": (0.849, 0.004),
            "uq_roc_auc": (0.727, 0.010),
            "uq_pr_auc": (0.840, 0.004),
        },
        "RNMFk": {
            "roc_auc": (0.943, 0.001),
            "pr_auc": (0.953, 0.001),
            "uq_roc_auc": (0.944, 0.001),
            "uq_pr_auc": (0.953, 0.001),
        },
        "WNMFk": {
            "roc_auc": (0.941, 0.001),
            "pr_auc": (0.948, 0.001),
            "uq_roc_auc": (0.945, 0.002),
            "uq_pr_auc": (0.952, 0.002),
        },
        "BNMFk lmf": {
            "roc_auc": (0.955, 0.001),
            "pr_auc": (0.962, 0.001),
            "uq_roc_auc": (0.960, 0.001),
            "uq_pr_auc": (0.960, 0.002),
        },
        "RNMFk lmf": {
            "roc_auc": (0.954, 0.001),
            "pr_auc": (0.960, 0.001),
            "uq_roc_auc": (0.955, 0.001),
            "uq_pr_auc": (0.961, 0.001),
        },
        "WNMFk lmf": {
            "roc_auc": (0.953, 0.001),
            "pr_auc": (0.959, 0.002),
            "uq_roc_auc": (0.956, 0.002),
            "uq_pr_auc": (0.962, 0.002),
        },
        "LMF": {
            "roc_auc": (0.931, 0.001),
            "pr_auc": (0.921, 0.001),
        },
        "SymLMF": {
            "roc_auc": (0.952, 0.001),
            "pr_auc": (0.957, 0.001),
        },
    },
    "proteins-disease-of-metabolism": {
        "BNMFk": {
            "roc_auc": (0.771, 0.025),
            "pr_auc": (0.861, 0.014),
            "uq_roc_auc": (0.785, 0.024),
            "uq_pr_auc": (0.863, 0.017),
        },
        "RNMFk": {
            "roc_auc": (0.958, 0.006),
            "pr_auc": (0.958, 0.007),
            "uq_roc_auc": (0.961, 0.007),
            "uq_pr_auc": (0.961, 0.009),
        },
        "WNMFk": {
            "roc_auc": (0.959, 0.003),
            "pr_auc": (0.957, 0.003),
            "uq_roc_auc": (0.962, 0.003),
            "uq_pr_auc": (0.957, 0.003),
        },
        "BNMFk lmf": {
            "roc_auc": (0.969, 0.007),
            "pr_auc": (0.968, 0.008),
            "uq_roc_auc": (0.974, 0.006),
            "uq_pr_auc": (0.969, 0.006),
        },
        "RNMFk lmf": {
            "roc_auc": (0.966, 0.008),
            "pr_auc": (0.963, 0.009),
            "uq_roc_auc": (0.968, 0.008),
            "uq_pr_auc": (0.965, 0.009),
        },
        "WNMFk lmf": {
            "roc_auc": (0.966, 0.007),
            "pr_auc": (0.963, 0.008),
            "uq_roc_auc": (0.967, 0.007),
            "uq_pr_auc": (0.962, 0.008),
        },
        "LMF": {
            "roc_auc": (0.968, 0.002),
            "pr_auc": (0.943, 0.003),
        },
        "SymLMF": {
            "roc_auc": (0.911, 0.006),
            "pr_auc": (0.926, 0.005),
        },
    },
    "proteins-liver": {
        "BNMFk": {
            "roc_auc": (0.712, 0.007),
            "pr_auc": (0.844, 0.004),
            "uq_roc_auc": (0.719, 0.009),
            "uq_pr_auc": (0.833, 0.003),
        },
        "RNMFk": {
            "roc_auc": (0.944, 0.001),
            "pr_auc": (0.954, 0.001),
            "uq_roc_auc": (0.945, 0.001),
            "uq_pr_auc": (0.955, 0.001),
        },
        "WNMFk": {
            "roc_auc": (0.941, 0.001),
            "pr_auc": (0.948, 0.001),
            "uq_roc_auc": (0.945, 0.002),
            "uq_pr_auc": (0.951, 0.002),
        },
        "BNMFk lmf": {
            "roc_auc": (0.956, 0.001),
            "pr_auc": (0.962, 0.001),
            "uq_roc_auc": (0.961, 0.002),
            "uq_pr_auc": (0.960, 0.002),
        },
        "RNMFk lmf": {
            "roc_auc": (0.954, 0.001),
            "pr_auc": (0.961, 0.001),
            "uq_roc_auc": (0.955, 0.001),
            "uq_pr_auc": (0.962, 0.001),
        },
        "WNMFk lmf": {
            "roc_auc": (0.953, 0.001),
            "pr_auc": (0.960, 0.001),
            "uq_roc_auc": (0.957, 0.002),
            "uq_pr_auc": (0.963, 0.001),
        },
        "LMF": {
            "roc_auc": (0.933, 0.001),
            "pr_auc": (0.925, 0.001),
        },
        "SymLMF": {
            "roc_auc": (0.952, 0.0004),
            "pr_auc": (0.958, 0.0004),
        },
    },
    "proteins-neurodegenerative-disease": {
        "BNMFk": {
            "roc_auc": (0.765, 0.035),
            "pr_auc": (0.873, 0.015),
            "uq_roc_auc": (0.769, 0.029),
            "uq_pr_auc": (0.859, 0.016),
        },
        "RNMFk": {
            "roc_auc": (0.968, 0.006),
            "pr_auc": (0.973, 0.006),
            "uq_roc_auc": (0.970, 0.006),
            "uq_pr_auc": (0.975, 0.006),
        },
        "WNMFk": {
            "roc_auc": (0.957, 0.005),
            "pr_auc": (0.961, 0.005),
            "uq_roc_auc": (0.959, 0.005),
            "uq_pr_auc": (0.962, 0.006),
        },
        "BNMFk lmf": {
            "roc_auc": (0.976, 0.003),
            "pr_auc": (0.981, 0.003),
            "uq_roc_auc": (0.979, 0.003),
            "uq_pr_auc": (0.978, 0.003),
        },
        "RNMFk lmf": {
            "roc_auc": (0.973, 0.002),
            "pr_auc": (0.978, 0.002),
            "uq_roc_auc": (0.975, 0.002),
            "uq_pr_auc": (0.979, 0.002),
        },
        "WNMFk lmf": {
            "roc_auc": (0.974, 0.002),
            "pr_auc": (0.979, 0.002),
            "uq_roc_auc": (0.975, 0.001),
            "uq_pr_auc": (0.979, 0.002),
        },
        "LMF": {
            "roc_auc": (0.974, 0.002),
            "pr_auc": (0.963, 0.002),
        },
        "SymLMF": {
            "roc_auc": (0.941, 0.005),
            "pr_auc": (0.952, 0.004),
        },
    },
}
