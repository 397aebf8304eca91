"""Hypothesis strategies for networks, edge lists and names."""

import numpy as np
from hypothesis import strategies as st

from latentlink.network import Network

# Names that a reader may confuse with numbers, delimiters, quotes, comments or missing values.
UNUSUAL_NAMES = [
    "007", "7", "0", "00", "\uff11", "a,b", "a;b", "a|b", "a::b", ",", 'say "hi"', '"', "'",
    "two words", " edge ", "tab\tinside", "line\nend", "cr\rend", "#x", "%y", "\u00e9",
    "e\u0301", "\U0001f600", "nan", "-", "None", "true",
]  # fmt: skip

names = st.one_of(
    st.sampled_from(UNUSUAL_NAMES),
    st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=6),
)
numbers = st.floats(-1e6, 1e6, allow_nan=False).map(lambda number: number + 0.0)


@st.composite
def edge_lists(draw, nodes=names, min_size=1):
    """Pairs, each listed once as an ordered pair, with values."""
    pairs = st.tuples(nodes, nodes)
    listed = draw(st.lists(pairs, unique=True, min_size=min_size, max_size=20))
    return [(one, other, draw(numbers)) for one, other in listed]


@st.composite
def networks(draw, binary=False, largest=8, min_known=0, named=False):
    """Networks of every kind that list a pair at most once, some entries hidden."""
    kind = draw(st.sampled_from(["two kinds", "directed", "symmetric"]))
    sizes = st.integers(2 if min_known < 4 else 3, largest)
    n, m = draw(sizes), draw(sizes)
    m = m if kind == "two kinds" else n
    pairs = [(i, j) for i in range(n) for j in range(m) if kind != "symmetric" or i <= j]
    listed = draw(st.lists(st.sampled_from(pairs), unique=True, min_size=min_known))
    values = [draw(st.sampled_from([0.0, 1.0]) if binary else numbers) for _ in listed]
    weights = draw(st.lists(st.sampled_from([0.0, 1.0, 2.5]), min_size=len(listed), max_size=len(listed)))
    weights = [weight or float(position < min_known) for position, weight in enumerate(weights)]
    rows, cols = np.array(listed, np.int64).reshape(-1, 2).T
    unique = [
        draw(st.lists(names, unique=True, min_size=size, max_size=size)) if named else None for size in (n, m)
    ]
    return Network(
        rows,
        cols,
        values,
        weights,
        shape=(n, m),
        background=draw(st.sampled_from([0.0, 0.5, 1.0])),
        symmetric=kind == "symmetric",
        square=kind != "two kinds",
        row_names=unique[0],
        col_names=unique[1] if kind == "two kinds" else None,
    )


@st.composite
def networks_with_duplicates(draw):
    """Small networks that may list pairs more than once, with equal or different values, some hidden."""
    entry = st.tuples(
        st.integers(0, 2), st.integers(0, 2), st.sampled_from([0.0, 1.0]), st.sampled_from([0.0, 1.0, 2.0])
    )
    listed = draw(st.lists(entry, min_size=1, max_size=25))
    return Network.from_edges(listed, shape=(3, 3), symmetric=draw(st.booleans()), duplicates="keep")
