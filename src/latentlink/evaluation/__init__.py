"""Evaluation of models beside baselines: splits, kinds of non-links, metrics, comparisons and tables."""

from latentlink.evaluation.comparison import Comparison, compare_paired
from latentlink.evaluation.evaluate_models import evaluate
from latentlink.evaluation.protocol import Protocol
from latentlink.evaluation.record import Evaluation
from latentlink.evaluation.tasks.all_tasks import evaluation_tasks
from latentlink.evaluation.tasks.task import Setting, Task

__all__ = [
    "Comparison",
    "Evaluation",
    "Protocol",
    "Setting",
    "Task",
    "compare_paired",
    "evaluate",
    "evaluation_tasks",
]
