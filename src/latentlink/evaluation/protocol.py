"""Settings of an evaluation: lengths of lists, numbers of drawn pairs, new nodes, relevance."""

from __future__ import annotations

from latentlink.strategy import Strategy, strategy
from latentlink.validation.numbers import check_number, check_shares

__all__ = ["Protocol"]


@strategy
class Protocol(Strategy):
    """How models are measured by `evaluate`.

    Parameters
    ----------
    k : int, default=10
        Length of the list of each node (of each row, for values).
    top : int, default=100
        Length of the list of all pairs.
    per_link : int, default=20
        Hard non-links of each test link, half for each of its ends.
    max_links : int, default=500
        Most test links that have hard non-links; of more, a random sample has.
    max_nodes : int, default=100
        Most nodes whose unlisted pairs are all scored (``negatives="all"``); fewer in large networks, so that
        there are about 200,000 pairs.
    new_nodes : float, default=0.0
        Share of the nodes that are held out as a whole in further splits, one for each repeat; 0 makes none.
    relevant : float or None, default=None
        For values: entries of at least this value are relevant in lists; None is the mean training value.
    level : float, default=0.95
        Confidence level of intervals and verdicts.

    Examples
    --------
    >>> Protocol(k=20)
    Protocol(k=20)
    """

    k: int = 10
    top: int = 100
    per_link: int = 20
    max_links: int = 500
    max_nodes: int = 100
    new_nodes: float = 0.0
    relevant: float | None = None
    level: float = 0.95

    def check(self) -> None:
        """Raise IncompatibleError for settings out of range."""
        for name in ("k", "top", "max_links", "max_nodes"):
            check_number(self, name, 1, whole=True)
        check_number(self, "per_link", 2, whole=True)
        check_number(self, "new_nodes", 0, 1, below=True)
        if self.relevant is not None:
            check_number(self, "relevant")
        check_shares(self, "level")
