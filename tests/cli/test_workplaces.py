"""Fits on a cluster, by shares and by scripts of a job system: the same links as by one process."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.cli.conftest import labelled_pairs

SMALL = ("--method", "wnmfk", "--ranks", "1:3", "--members", "10", "--jobs", "1", "--json")


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "links.csv"
    path.write_text(labelled_pairs(), encoding="utf-8")
    return path


@pytest.fixture
def expected(run, data, tmp_path):
    assert run("fit", data, "--out", tmp_path / "whole", *SMALL).code == 0
    return (tmp_path / "whole" / "links.csv").read_bytes()


@pytest.mark.slow
def test_shares_that_run_together_and_their_combination_give_the_same_links(run, data, tmp_path, expected):
    out = tmp_path / "run"
    command = [sys.executable, "-m", "latentlink", "fit", str(data), "--out", str(out), *SMALL]
    shares = [
        subprocess.Popen([*command, "--share", f"{number}/2"], stderr=subprocess.PIPE) for number in (1, 2)
    ]
    assert [(share.communicate()[1], share.returncode) for share in shares] == [(b"", 0)] * 2
    assert not (out / "links.csv").exists()
    assert len(list((out / ".work" / "fit").glob("rank-*-members-*.npz"))) == 3
    assert not list((out / ".work" / "fit").glob(".*"))
    assert run("fit", data, "--out", out, *SMALL, "--combine").code == 0
    assert (out / "links.csv").read_bytes() == expected


@pytest.mark.slow
def test_a_local_cluster_gives_the_same_links(run, data, tmp_path, expected):
    pytest.importorskip("distributed", reason="Dask is not installed")
    assert run("fit", data, "--out", tmp_path / "run", *SMALL, "--dask", "local:1").code == 0
    assert (tmp_path / "run" / "links.csv").read_bytes() == expected


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--share", "3/2"), "--share is '3/2'; expected which of how many"),
        (("--share", "1/2", "--dask", "local"), "--dask and --share are given; expected one of them"),
        (("--dask", "nowhere.json"), "--dask is 'nowhere.json', and there is no such file"),
        (("--combine",), "There is nothing to combine in"),
        (("--share", "1/2", "--method", "stack"), "but the method stack has further stages. Give --dask"),
    ],
)
def test_workplaces_that_cannot_be_had_are_sentences(run, data, tmp_path, options, sentence):
    done = run("fit", data, "--out", tmp_path / "run", "--method", "wnmfk", "--members", "2", *options)
    assert done.code == 1
    assert sentence in " ".join(done.err.split())


def test_a_plan_for_slurm_starts_a_cluster_or_an_array(run, tmp_path):
    given = ("worker-plan", "my links.csv", "--out", "run", "--workers", "3", "--options", "--ranks 2:8")
    cluster, array = run(*given, "--slurm"), run(*given, "--array")
    assert "srun --ntasks=3 dask worker --scheduler-file latentlink-$SLURM_JOB_ID.json" in cluster.out
    fit = "latentlink fit 'my links.csv' --out run --ranks 2:8"
    assert f"{fit} --dask latentlink-$SLURM_JOB_ID.json" in cluster.out
    assert "#SBATCH --array=1-3" in array.out
    assert f"{fit} --jobs 1 --share $SLURM_ARRAY_TASK_ID/3" in array.out
    for script in (cluster.out, array.out):
        checked = subprocess.run(["bash", "-n"], input=script, text=True, capture_output=True, check=False)
        assert (checked.returncode, checked.stderr) == (0, "")
