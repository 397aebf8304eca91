"""``latentlink worker-plan``: a script by which a job system runs a fit on many machines."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import Annotated

import typer

from latentlink.cli.commands.shared_options import FLAG, DataFile

__all__ = ["worker_plan"]


@dataclass(frozen=True, kw_only=True)
class JobGroup:
    """What a job asks for."""

    out: Annotated[str, typer.Option(help="Folder of the results, on a shared disk.", metavar="RUN")]
    slurm: Annotated[
        bool, typer.Option("--slurm", metavar=FLAG, help="Write it for Slurm, the one system so far.")
    ] = True
    array: Annotated[
        bool, typer.Option("--array", metavar=FLAG, help="An array of shares, without a scheduler.")
    ] = False
    workers: Annotated[int, typer.Option(min=1, metavar="N", help="Worker processes.")] = 8
    threads: Annotated[int, typer.Option(min=1, metavar="N", help="Threads of each.")] = 1
    memory: Annotated[str, typer.Option(metavar="SIZE", help="Memory of each thread.")] = "4G"
    time: Annotated[str, typer.Option(metavar="TIME", help="Longest time of the job.")] = "04:00:00"
    options: Annotated[
        str, typer.Option(metavar="OPTIONS", help="Further options of the fit, in quotes.")
    ] = ""


def worker_plan(file: DataFile, job: JobGroup) -> None:
    """Print a script that runs a fit on the machines of a job system.

    Examples
    --------
        latentlink worker-plan links.csv --out run --workers 32 --options "--ranks 2:64" > fit.sh

        sbatch fit.sh
    """
    from latentlink.cli.running.worker_plan import SlurmPlan, slurm_array, slurm_cluster

    command = shlex.join(["latentlink", "fit", file, "--out", job.out, *shlex.split(job.options)])
    plan = SlurmPlan(job.workers, job.threads, job.memory, job.time, command)
    typer.echo((slurm_array if job.array else slurm_cluster)(plan), nl=False)
