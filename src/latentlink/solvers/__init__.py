"""Matrix factorizations at a given rank: settings objects with the methods `solve` and `refit`."""

from latentlink.solvers.base import Solved, Solver
from latentlink.solvers.bnmf import BNMF
from latentlink.solvers.bpmf import BPMF
from latentlink.solvers.descent.convergence import Convergence
from latentlink.solvers.klnmf import KLNMF
from latentlink.solvers.lmf import LMF
from latentlink.solvers.nmf import NMF
from latentlink.solvers.posterior.chain_records import Chain, Posterior
from latentlink.solvers.rnmf import RNMF
from latentlink.solvers.samplers.bayesian_lmf import BayesianLMF
from latentlink.solvers.samplers.bayesian_nmf import BayesianNMF
from latentlink.solvers.samplers.bayesian_symlmf import BayesianSymLMF
from latentlink.solvers.samplers.sampler import Sampler
from latentlink.solvers.symlmf import SymLMF
from latentlink.solvers.wnmf import WNMF

__all__ = [
    "BNMF",
    "BPMF",
    "KLNMF",
    "LMF",
    "NMF",
    "RNMF",
    "WNMF",
    "BayesianLMF",
    "BayesianNMF",
    "BayesianSymLMF",
    "Chain",
    "Convergence",
    "Posterior",
    "Sampler",
    "Solved",
    "Solver",
    "SymLMF",
]
