"""Run studies and write their findings beside the criteria: ``python -m studies [name ...]``."""

from __future__ import annotations

import argparse
import sys

from studies.boolean_rank import dog, swimmer
from studies.cross_calibration import cross_links, cross_values
from studies.discoveries import discoveries
from studies.holes import holes
from studies.intervals import intervals
from studies.links import links
from studies.missing_links import missing_links
from studies.node_noise import node_noise
from studies.noise import noise
from studies.nonnegative_rank import bumps, gaussian
from studies.page import page
from studies.paper_mode import paper_mode
from studies.posterior_rank import posterior_rank
from studies.proteins import proteins
from studies.ratings import RATINGS, ratings
from studies.risk import risk
from studies.shortlist import shortlist
from studies.spread import spread
from studies.study import RESULTS, Study
from studies.ties import ties
from studies.two_ranks import two_ranks
from studies.values import values

_RANKS = (dog, swimmer, gaussian, bumps, posterior_rank, two_ranks, ratings, paper_mode)
_LINKS = (links, missing_links, shortlist)
_UNCERTAINTY = (risk, ties, intervals, discoveries, noise, cross_links, cross_values, spread, proteins)
STUDIES = {study.name: study for study in (*_RANKS, *_LINKS, *_UNCERTAINTY, values, node_noise, holes)}


def write_page(study: Study) -> bool:
    """Write and print the page of a study; return whether all criteria are met."""
    findings = list(study.findings(study.lines()))
    text = page(study, findings)
    study.path.with_suffix(".md").write_text(text)
    print(text)
    return all(each.met is not False for each in findings)


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m studies", description=__doc__)
    names = ", ".join(STUDIES)
    parser.add_argument("studies", nargs="*", metavar="study", help=f"of {names}; all by default")
    parser.add_argument("--workers", type=int, default=2, help="number of processes")
    parser.add_argument("--again", action="store_true", help="discard all stored lines first")
    parser.add_argument(
        "--report", action="store_true", help="write the pages from stored lines, run nothing"
    )
    parser.add_argument("--check", type=int, metavar="N", help="run N lines again and compare them")
    parser.add_argument(
        "--restamp",
        action="store_true",
        help="after a check without differences, give all lines the digest of the present code, "
        "record it in restamped.csv and write the page",
    )
    given = parser.parse_args()
    unknown = [name for name in given.studies if name not in STUDIES]
    if unknown:
        parser.error(f"there is no study {unknown[0]!r}; expected one of {names}")
    if given.restamp and not given.check:
        parser.error("--restamp needs --check N: the number of lines to run again")
    return given


def main() -> int:
    """Run the studies that are named, all by default; return 0 if all criteria are met."""
    given = arguments()
    RESULTS.mkdir(exist_ok=True)
    outcomes = [_outcome(STUDIES[name], given) for name in given.studies or STUDIES]
    return 0 if all(outcomes) else 1


def _outcome(study: Study, given: argparse.Namespace) -> bool:
    if given.report:
        return write_page(study)
    if study in (ratings, holes) and not RATINGS.exists():
        print(f"{study.name}: not run, there is no file {RATINGS}; name one in LATENTLINK_RATINGS.")
        return False
    if given.check:
        check = study.check(given.check, given.workers)
        if given.restamp and check.passed:
            study.restamp(check)
            write_page(study)
        return check.passed
    if given.again:
        study.path.unlink(missing_ok=True)
    study.run_missing(given.workers)
    return write_page(study)


if __name__ == "__main__":
    sys.exit(main())
