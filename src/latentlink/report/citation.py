"""How to cite the methods and the software, as CITATION.cff of the repository states it."""

from __future__ import annotations

import latentlink

__all__ = ["BIBTEX", "CITATION"]

CITATION = (
    "Ryan Barron, Maksim E. Eren, Duc P. Truong, Cynthia Matuszek, James Wendelberger, Mary F. Dorn and "
    "Boian Alexandrov. Matrix Factorization for Inferring Associations and Missing Links. 2025. "
    "arXiv:2503.04680."
)

BIBTEX = f"""@article{{barron2025,
  title  = {{Matrix Factorization for Inferring Associations and Missing Links}},
  author = {{Barron, Ryan and Eren, Maksim E. and Truong, Duc P. and Matuszek, Cynthia and Wendelberger, James
            and Dorn, Mary F. and Alexandrov, Boian}},
  year   = {{2025}},
  note   = {{arXiv:2503.04680}}
}}

@software{{latentlink,
  title   = {{latentlink}},
  author  = {{{{The latentlink developers}}}},
  version = {{{latentlink.__version__}}}
}}"""
