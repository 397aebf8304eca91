"""Networks and names for property tests."""

import numpy as np
from hypothesis import strategies as st

from latentlink.network import Network

NASTY = [
    "007",
    "7",
    "a,b",
    'say "hi"',
    "two words",
    " edge ",
    "tab\tinside",
    "line\nend",
    "cr\rend",
    "\U0001f600",
    "#x",
]
NASTY += [
    "%y",
    "é",
    "e\u0301",
    "a;b",
    "a|b",
    "a::b",
    "nan",
    "-",
    "None",
    "true",
    "'",
    '"',
    ",",
    "\uff11",
    "0",
    "00",
]

names = st.one_of(
    st.sampled_from(NASTY),
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
def networks(draw, binary=False, largest=8, min_known=0):
    """Clean networks of every kind, some entries hidden."""
    kind = draw(st.sampled_from(["two kinds", "directed", "symmetric"]))
    sizes = st.integers(2 if min_known < 4 else 3, largest)
    n, m = draw(sizes), draw(sizes)
    m = m if kind == "two kinds" else n
    pairs = [(i, j) for i in range(n) for j in range(m) if kind != "symmetric" or i <= j]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True, min_size=min_known))
    values = [draw(st.sampled_from([0.0, 1.0]) if binary else numbers) for _ in chosen]
    weights = draw(st.lists(st.sampled_from([0.0, 1.0, 2.5]), min_size=len(chosen), max_size=len(chosen)))
    weights = [weight or float(place < min_known) for place, weight in enumerate(weights)]
    rows, cols = np.array(chosen, np.int64).reshape(-1, 2).T
    return Network(
        rows,
        cols,
        values,
        weights,
        shape=(n, m),
        background=draw(st.sampled_from([0.0, 0.5, 1.0])),
        symmetric=kind == "symmetric",
        square=kind != "two kinds",
    )
