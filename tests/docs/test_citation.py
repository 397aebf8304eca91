"""The citation file belongs to this version and names the paper of the README."""

import re

import latentlink
from tests.docs.pages import README, ROOT, text

CITATION = (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_the_version_is_that_of_the_package():
    assert re.search(r"^version: (.*)$", CITATION, re.MULTILINE)[1] == latentlink.__version__


def test_the_paper_is_that_of_the_readme():
    paper = " ".join(text(README).split("## Citation")[1].replace(">", " ").split())
    for given, family in zip(
        re.findall(r"given-names: (.*)", CITATION), re.findall(r"family-names: (.*)", CITATION), strict=True
    ):
        assert f"{given} {family}" in paper
    assert re.search(r"value: (arXiv:\S+)", CITATION)[1] in paper
