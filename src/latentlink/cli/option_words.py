"""Messages of the library in the words of the command line: options instead of Python parameters."""

from __future__ import annotations

import re

__all__ = ["in_options"]

_PARTS = ("--source", "--target", "--value", "--weight")
_DUPLICATES = (
    'Read with duplicates="keep", then use drop_duplicates and resolve_conflicts of latentlink.network, or '
    "correct the data."
)
_STRENGTHS = (
    "list them as weights: Network.from_edges(pairs, weights=...), or columns=(row, column, None, weight) of "
    "a frame or file."
)


def _columns(match: re.Match[str]) -> str:
    names = [name.strip() for name in match[1].split(",") if name.strip()]
    return " ".join(f"{part} {name}" for part, name in zip(_PARTS, names, strict=False) if name != "None")


_METHODS = {
    "SymLMF": "symlmf",
    "LMF": "lmf",
    "WNMF": "wnmfk",
    "RNMF": "rnmfk",
    "BNMF": "bnmfk",
    "NMF": "nmfk",
}
_NAMES = "|".join(_METHODS)


def _method(match: re.Match[str]) -> str:
    return f"{match[1]} --method {_METHODS[match[2]]}"


def _subject(match: re.Match[str]) -> str:
    return f"{'the' if match.start() else 'The'} method {_METHODS[match[1]]}"


_RULES: tuple[tuple[re.Pattern[str], object], ...] = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (re.escape(_DUPLICATES), "Say what becomes of it: --conflicts link, non-link, mean or drop."),
        (re.escape(_STRENGTHS), "name their column: --weight."),
        (
            r"binarize them with binarize\(network, at=\.\.\.\) of latentlink\.network",
            "binarize them (--binarize)",
        ),
        (r"Binarize the network with binarize\(network, at=\.\.\.\)", "Binarize the values with --binarize"),
        (r", or None \(detect it\)", ", or no option (it is detected)"),
        (r"columns=\(([^()]*)\)", _columns),
        (r": Network\.from_dense\(pandas\.read_csv\(.*?\)\)", ", give --matrix"),
        (
            r"expected two or three\. Give row",
            "expected two or three. If it is a matrix, give --matrix; else row",
        ),
        (r"\bheader=True\b", "--header"),
        (r"\bheader=False\b", "--no-header"),
        (r"\b(delimiter|relation)= ", r"--\1 "),
        (r"\b(delimiter|relation)=(?=[.,;\s]|$)", r"--\1"),
        (r"\b(delimiter|relation)=", r"--\1 "),
        (r'\bunstored="?(\w+)"?', r"--unstored \1"),
        (r"\bsymmetric=True\b", "--symmetric"),
        (r"\bleave symmetric=False and square=False\b", "give --bipartite"),
        (r"\bLeave symmetric=False and square=False\b", "Give --bipartite"),
        (r"\bleave symmetric=False\b", "give --directed or --bipartite"),
        (r"\bsquare=True\b", "--directed"),
        (r"raise the limit with max_bytes=", "unpack it first"),
        (r"\bn_perturbs\b", "--members"),
        (r"Set a smaller count or ratio\b", "Give a smaller --negatives"),
        (r"\bratio is (?=[\d.])", "--negatives is "),
        (r"Give count, or a larger ratio\b", "Give a larger --negatives"),
        (r"'?[^\s']*latentlink-\w+[/\\]standard-input[\w.]*'?", "Standard input"),
        (r"\b([Gg])ive base_rate\b", r"\1ive --base-rate"),
        (r"\bselection=BestPrediction\(\)", "a rank of your choice (--ranks)"),
        (
            r"\bRaise max_iter, or tol if that is close enough\.",
            "Results may change a little with more sweeps, which the solver takes in Python (max_iter).",
        ),
        (r"\bAllow a larger alpha or delta\b", "Allow a larger --risk"),
        (rf"\b(?:{_NAMES}) has device=[\"']?([\w:]+)[\"']?", r"--device is \1"),
        (r"\b([Oo]r )?set device=None\b", r"\1leave --device out"),
        (r"\bSet device=None\b", "Leave --device out"),
        (r'\bor device="auto"', "or give --device auto"),
        (r"\bLogisticHead is for\b", "A logistic head (--logistic) is for"),
        (rf"\b({_NAMES})\((?:[^()]|\([^()]*\))*\)", _subject),
        (rf"\b([Cc]hoose|or) ({_NAMES})k?\b", _method),
    )
)


def in_options(message: str) -> str:
    """Return a message with the options of the command line in place of parameters of Python.

    Examples
    --------
    >>> in_options("Give row, column and value, for example columns=('a', 'b', 2).")
    "Give row, column and value, for example --source 'a' --target 'b' --value 2."
    >>> in_options("Give header=True if it names the columns.")
    'Give --header if it names the columns.'
    """
    for pattern, replacement in _RULES:
        message = pattern.sub(replacement, message)  # type: ignore[call-overload]
    return message
