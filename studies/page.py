"""The page of a study: its findings beside their criteria, and the code that its lines were computed by."""

from __future__ import annotations

from collections import Counter

from studies.findings import Finding
from studies.restamping import Restamp, read_restamps, restamp_chains
from studies.study import Study

__all__ = ["page", "provenance"]


def page(study: Study, findings: list[Finding]) -> str:
    """Return the page of a study as Markdown."""
    words = {True: "yes", False: "**no**", None: ""}
    stored, cases = len(study.lines()), len(study.cases)
    number = f"{cases:,} cases" if stored == cases else f"{stored:,} of {cases:,} cases so far"
    lines = [
        f"# {study.name}",
        "",
        f"{number}, with fixed seeds; each is a line of {study.path.name}. {provenance(study)}",
        "",
        *(part for remark in study.remarks(study.lines()) for part in (remark, "")),
        "| quantity | result | criterion | met |",
        "|---|---|---|---|",
        *(f"| {each.quantity} | {each.result} | {each.criterion} | {words[each.met]} |" for each in findings),
        "",
    ]
    return "\n".join(lines)


def provenance(study: Study) -> str:
    """Return sentences on the code of the stored lines: what computed them, and which were run again since.

    They are about the lines as they are stored; ``--check N`` compares these with the present code.
    """
    restamps = read_restamps(study.restamps_path, study.name)
    sentences = []
    for code, count in Counter(line["code"] for line in study.lines()).items():
        chains = restamp_chains(restamps, code)
        sentences += [_restamped(chain) for chain in chains]
        computed = count - sum(each.lines for each in dict.fromkeys(chain[0] for chain in chains))
        if computed > 0:
            sentences.append(f"Digest {code}: {computed:,} lines, all computed by this code.")
    now = study.digest
    others = sum(line["code"] != now for line in study.lines())
    if others:
        sentences.append(
            f"The code has changed since: its digest is {now} now, and {others:,} lines were not "
            "compared with it."
        )
    return " ".join(sentences)


def _restamped(chain: list[Restamp]) -> str:
    last, *earlier = chain
    numbers = ", ".join(map(str, last.rerun))
    before = "".join(
        f" Before that, {len(each.rerun):,} of {each.lines:,} lines were rerun with code {each.new}, "
        "all equal."
        for each in earlier
    )
    return (
        f"Digest {last.new}: {len(last.rerun):,} of {last.lines:,} lines were rerun with this code, all "
        f"equal (lines {numbers}, not counting the header); the others were computed by code {chain[-1].old}."
        f"{before}"
    )
