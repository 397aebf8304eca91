"""The script by which Slurm starts a Dask cluster and a fit, or the shares of one."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["SlurmPlan", "slurm_array", "slurm_cluster"]


@dataclass(frozen=True)
class SlurmPlan:
    """What a job asks for.

    Attributes
    ----------
    workers : int
        Worker processes, or shares.
    threads : int
        Threads of each.
    memory : str
        Memory of each, as Slurm takes it.
    time : str
        The longest time, as Slurm takes it.
    command : str
        The fit, without where it runs.
    """

    workers: int
    threads: int
    memory: str
    time: str
    command: str


def slurm_cluster(plan: SlurmPlan) -> str:
    """Return a script with a scheduler, workers on all nodes of the job, and the fit."""
    scheduler = "latentlink-$SLURM_JOB_ID.json"
    return "\n".join(
        [
            *_header(plan),
            f"#SBATCH --ntasks={plan.workers}",
            "",
            "# The folder has to be on a disk that all nodes share. Keep the environment of the fit.",
            f"dask scheduler --scheduler-file {scheduler} --port 0 --dashboard-address :0 &",
            f"while [ ! -s {scheduler} ]; do sleep 1; done",
            f"srun --ntasks={plan.workers} dask worker --scheduler-file {scheduler} --nworkers 1 \\",
            f'    --nthreads {plan.threads} --memory-limit 0 --local-directory "${{TMPDIR:-/tmp}}" &',
            f"{plan.command} --dask {scheduler}",
            f"status=$?; rm -f {scheduler}; kill $(jobs -p); exit $status",
            "",
        ]
    )


def slurm_array(plan: SlurmPlan) -> str:
    """Return a script with an array of shares, without a scheduler; the last line combines them."""
    return "\n".join(
        [
            *_header(plan),
            f"#SBATCH --array=1-{plan.workers}",
            "",
            "# The folder has to be on a disk that all nodes share.",
            f"{plan.command} --jobs {plan.threads} --share $SLURM_ARRAY_TASK_ID/{plan.workers}",
            "",
            "# Afterwards, once (sbatch --dependency=afterany:JOB does it when the array has ended):",
            f"# {plan.command} --combine",
            "",
        ]
    )


def _header(plan: SlurmPlan) -> list[str]:
    return [
        "#!/bin/bash",
        "#SBATCH --job-name=latentlink",
        f"#SBATCH --cpus-per-task={plan.threads}",
        f"#SBATCH --mem-per-cpu={plan.memory}",
        f"#SBATCH --time={plan.time}",
    ]
