"""Progress of a fit: what a callback receives, one count over several stages, and a bar that draws it."""

from latentlink.progress.drawn_bar import checked_callback, progress_bar
from latentlink.progress.progress_record import Callback, Progress, cancels
from latentlink.progress.progress_stages import StagedProgress, StepProgress
from latentlink.progress.work_clock import work_clock, work_seconds

__all__ = [
    "Callback",
    "Progress",
    "StagedProgress",
    "StepProgress",
    "cancels",
    "checked_callback",
    "progress_bar",
    "work_clock",
    "work_seconds",
]
