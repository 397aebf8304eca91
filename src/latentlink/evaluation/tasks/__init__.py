"""Tasks of an evaluation: splits, training networks, and test pairs with several kinds of non-links."""

from latentlink.evaluation.tasks.all_tasks import checked_protocol, evaluation_tasks
from latentlink.evaluation.tasks.data_kind import kind_of
from latentlink.evaluation.tasks.task import Setting, Task

__all__ = ["Setting", "Task", "checked_protocol", "evaluation_tasks", "kind_of"]
