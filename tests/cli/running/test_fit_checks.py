"""What is refused before any work, in the words of the command line."""

from __future__ import annotations

import csv

import numpy as np
import pytest


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Ratings, and a matrix of zeros and ones with holes."""
    folder, rng = tmp_path_factory.mktemp("files"), np.random.default_rng(0)
    left, right = rng.random((40, 2)), rng.random((2, 20))
    with (folder / "ratings.csv").open("w", encoding="utf-8") as file:
        file.write("user,item,rating\n")
        for i, j in np.argwhere(rng.random((40, 20)) < 0.5):
            file.write(f"u{i},i{j},{int(1 + 4 * (left[i] @ right[:, j]) / 2)}\n")
    values = (left @ right > 0.5).astype(int)
    cells = np.where(rng.random(values.shape) < 0.3, "", values.astype(str))
    (folder / "matrix.csv").write_text(
        "\n".join([",".join(f"c{j}" for j in range(20)), *map(",".join, cells)])
    )
    return folder


@pytest.mark.parametrize(
    ("name", "options", "sentence"),
    [
        ("ratings", "--method rnmfk --fdr 0.1", "--fdr would do nothing: decisions are for links"),
        ("ratings", "--base-rate 0.1 --risk 0.01", "--risk and --base-rate would do nothing: decisions"),
        ("ratings", "--calibration none --level 0.8", "--level would do nothing, since --calibration none"),
        ("matrix", "--calibration none --fdr 0.1", "--fdr would do nothing, since --calibration none asks"),
        ("matrix", "--level 0.8", "--level is the coverage of intervals of values, but the data are links"),
        ("ratings", "--level 1.2", "--level is 1.2; expected"),
        ("matrix", "--method symlmf", "The method symlmf has one factor for each node"),
        ("matrix", "--method symlmf", "or choose --method lmf."),
        ("ratings", "--method bnmfk", "The method bnmfk needs values 0 and 1"),
        ("ratings", "--method wnmfk --logistic", "A logistic head (--logistic) is for links and non-links"),
        ("matrix", "--method wnmfk --ranks 500", "The ranks go up to 500, but the data have 40 rows"),
        ("ratings", "--method stack --ranks 500", "The ranks go up to 500, but the data have 40 rows"),
        ("ratings", "--method rnmfk --device cuda", "--device is cuda, but"),
    ],
)
def test_what_cannot_be_fitted_or_used_is_refused_before_any_work(
    name, options, sentence, files, run, tmp_path
):
    done = run("fit", files / f"{name}.csv", "--out", tmp_path / "run", *options.split())
    assert done.code == 1
    assert "Fitting" not in done.err
    assert done.err.splitlines()[-1].startswith("Error: ")
    assert sentence in done.err
    assert not (tmp_path / "run").exists()


def test_intervals_have_the_level_that_is_asked_for(files, run, tmp_path):
    widths = {}
    for level in ("0.5", None):
        out = tmp_path / str(level)
        given = (
            "--method",
            "rnmfk",
            "--ranks",
            "2",
            "--members",
            "4",
            *(("--level", level) if level else ()),
        )
        done = run("fit", files / "ratings.csv", "--out", out, *given)
        assert done.code == 0, done.err
        with (out / "links.csv").open(newline="", encoding="utf-8") as file:
            widths[level] = np.mean(
                [float(line["high"]) - float(line["low"]) for line in csv.DictReader(file)]
            )
        said = f"Intervals cover the true value of {'50 %' if level else '90 %'} of"
        assert said in done.out
        assert said in (out / "report.html").read_text(encoding="utf-8").replace("\xa0", " ")
    assert widths["0.5"] < 0.8 * widths[None]
