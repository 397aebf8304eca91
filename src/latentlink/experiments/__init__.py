"""The studies of the paper, reproduced: ``latentlink reproduce dog --quick``."""

from latentlink.experiments.all_experiments import EXPERIMENTS
from latentlink.experiments.claim import Claim
from latentlink.experiments.experiment import Experiment, Outcome

__all__ = ["EXPERIMENTS", "Claim", "Experiment", "Outcome"]
