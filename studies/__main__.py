"""Run studies and write what was found beside what was promised: ``python -m statistical [name ...]``."""

from __future__ import annotations

import argparse
import sys

from statistical.boolean import dog, swimmer
from statistical.discoveries import discoveries
from statistical.gaussian import bumps, gaussian
from statistical.intervals import intervals
from statistical.proteins import proteins
from statistical.ratings import RATINGS, ratings
from statistical.risk import risk
from statistical.spread import spread
from statistical.study import RESULTS, Study
from statistical.ties import ties

_RANKS = (dog, swimmer, gaussian, bumps, ratings)
_UNCERTAINTY = (risk, ties, intervals, discoveries, spread, proteins)
STUDIES = {study.name: study for study in (*_RANKS, *_UNCERTAINTY)}


def report(study: Study) -> bool:
    """Write the summary of a study; return whether all its promises are kept."""
    found = list(study.promises(study.kept()))
    words = {True: "yes", False: "**no**", None: ""}
    lines = [
        f"# {study.name}",
        "",
        f"{len(study.cases):,} cases, seeds fixed, none left out; each is a line of {study.path.name}. Code "
        f"{study.mark}: the digest that every line carries (`--check N` compares with the present code).",
        "",
        "| what | found | promised | kept |",
        "|---|---|---|---|",
        *(f"| {each.what} | {each.found} | {each.promised} | {words[each.kept]} |" for each in found),
        "",
    ]
    study.path.with_suffix(".md").write_text("\n".join(lines))
    print("\n".join(lines))
    return all(each.kept is not False for each in found)


def main() -> int:
    """Run the studies that are asked for, all by default."""
    parser = argparse.ArgumentParser(prog="python -m statistical", description=__doc__)
    names = ", ".join(STUDIES)
    parser.add_argument("studies", nargs="*", metavar="study", help=f"of {names}; all without any")
    parser.add_argument("--workers", type=int, default=2, help="processes")
    parser.add_argument("--again", action="store_true", help="forget the results that are there")
    parser.add_argument("--check", type=int, metavar="N", help="run N cases again and compare their lines")
    given = parser.parse_args()
    unknown = [name for name in given.studies if name not in STUDIES]
    if unknown:
        parser.error(f"there is no study {unknown[0]!r}; expected one of {names}")
    RESULTS.mkdir(exist_ok=True)
    kept = []
    for name in given.studies or STUDIES:
        study = STUDIES[name]
        if study is ratings and not RATINGS.exists():
            print(f"ratings: not run, there is no file {RATINGS}; name one in LATENTLINK_RATINGS.")
            kept.append(False)
            continue
        if given.check:
            kept.append(study.check(given.check, given.workers))
            continue
        if given.again:
            study.path.unlink(missing_ok=True)
        study.finish(given.workers)
        kept.append(report(study))
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
