"""The known names that are spelled most like another one, found in time linear in their number."""

from __future__ import annotations

from difflib import SequenceMatcher

import numpy as np
from numpy.typing import NDArray

__all__ = ["nearest_names"]

_LEAST_RATIO = 0.6  # of SequenceMatcher: names that are less alike are not the nearest, but others
_COMPARED = 24  # characters that are compared for all names, after the beginning that all have in common
_CANDIDATES = 1000  # names that are compared in full
_CHUNK = 1 << 15  # names at once, so that a million take no more memory than a few


def nearest_names(name: str, known: NDArray[np.str_], most: int = 1) -> list[str]:
    """Return the names that are spelled most like a name, best first; none if no name is alike.

    All names are compared character by character, each with its neighbours on both sides, so that a letter
    left out, doubled or exchanged costs little. The best 1,000 are then compared by the longest parts that
    they have in common. Capital letters count as small ones.

    Parameters
    ----------
    name : str
    known : array of str, shape (names,)
    most : int
        Largest number of names that are returned.

    Examples
    --------
    >>> nearest_names("TP35", np.array(["BRCA1", "EGFR", "TP53"]))
    ['TP53']
    >>> nearest_names("aspirin", np.array(["BRCA1", "EGFR", "TP53"]))
    []
    """
    characters = np.ascontiguousarray(known).view(np.uint32).reshape(len(known), -1)
    common = _common_beginning(characters)
    sought = [name[start : start + _COMPARED] for start in _starts(name, str(known[0])[:common])]
    chunks = (characters[begin : begin + _CHUNK, common:] for begin in range(0, len(known), _CHUNK))
    alike = np.concatenate([_most_alike(sought, chunk) for chunk in chunks])
    count = min(_CANDIDATES, len(alike))
    candidates = np.sort(np.argpartition(-alike, count - 1)[:count])
    # Of long names that part in which they differ: in full, a name of a million characters takes forever.
    part = slice(max(0, common - _COMPARED), common + 4 * _COMPARED)
    matcher = SequenceMatcher(None, "", name[part].lower(), autojunk=False)
    ratios = []
    for position in candidates.tolist():
        matcher.set_seq1(str(known[position])[part].lower())
        ratios.append(matcher.ratio())
    order = np.argsort(-np.array(ratios), kind="stable")[:most]
    return [str(known[candidates[each]]) for each in order if ratios[each] >= _LEAST_RATIO]


def _common_beginning(characters: NDArray[np.uint32]) -> int:
    """Return the number of first characters that all names have in common."""
    width = characters.shape[1]
    if len(characters) < 2:
        return 0
    for begin in range(0, len(characters), _CHUNK):
        differ = (characters[begin : begin + _CHUNK, :width] != characters[0, :width]).any(axis=0)
        width = int(np.argmax(differ)) if differ.any() else width
    return width


def _starts(name: str, beginning: str) -> list[int]:
    """Return where a name may go on after the beginning that all known names have in common."""
    count = len(beginning)
    if name[:count].lower() == beginning.lower():
        return [count]
    return sorted({0, count - 1, count, count + 1})


def _most_alike(sought: list[str], characters: NDArray[np.uint32]) -> NDArray[np.int32]:
    """Return how much each name is like one of those that are sought, the one that it is most like."""
    folded = _folded(characters[:, : _COMPARED + 1].T)
    length = np.count_nonzero(folded[:_COMPARED], axis=0).astype(np.int32)
    best: NDArray[np.int32] = np.max([_alike(name, folded, length) for name in sought], axis=0)
    return best


def _alike(name: str, folded: NDArray[np.uint32], length: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return twice the number of characters that a name shares with each other one, minus differences.

    A character counts twice in its own place and once beside it, and the difference in length counts once.
    """
    wanted = _folded(np.frombuffer(name.encode("utf-32-le", "surrogatepass"), np.uint32))
    alike: NDArray[np.int32] = -np.abs(length - len(wanted))
    for position, character in enumerate(wanted[: len(folded)]):
        equal = folded[max(0, position - 1) : position + 2] == character
        alike += equal.any(axis=0)
        alike += equal[min(position, 1)]
    return alike


def _folded(characters: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Return characters with small letters for the capitals A to Z."""
    capital = (characters >= ord("A")) & (characters <= ord("Z"))
    return characters + np.uint32(32) * capital
