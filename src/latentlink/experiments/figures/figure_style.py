"""Colours, sizes, names and files that all figures have in common."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path

import matplotlib.style
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from latentlink.experiments.case_lines import Lines
from latentlink.experiments.methods import MODES

__all__ = [
    "BASE_COLOURS",
    "GREY",
    "MODE_COLOURS",
    "MODE_TITLES",
    "PAGE",
    "RANK_STYLES",
    "SHARE_TEXT",
    "method_label",
    "modes_of",
    "save",
    "share_colours",
    "styled",
]

PAGE = 7.0  # width of a text page in inches
GREY = "0.45"
MODE_TITLES = {"paper": "the paper's settings", "default": "our defaults"}
SHARE_TEXT = "share of entries hidden"

# Of the palette of Okabe and Ito, which is safe for colour-blind readers.
BASE_COLOURS = {"NMFk": "#009E73", "WNMFk": "#0072B2", "BNMFk": "#D55E00", "RNMFk": "#CC79A7"}
MODE_COLOURS = {"paper": "#0072B2", "default": "#D55E00", "baseline": GREY}
# Colour and marker of a true rank, as in the paper: a circle for 2, a cross for 3, a diamond for 6.
RANK_STYLES = {
    2: ("#0072B2", "o"),
    3: ("#E69F00", "X"),
    4: ("#009E73", "s"),
    5: ("#D55E00", "^"),
    6: ("#882E72", "D"),
}

# From green to red, and darker at every step: the order shows in grey and to colour-blind readers too.
_SHARES = LinearSegmentedColormap.from_list("shares", ["#6cc47c", "#b5a636", "#d9772b", "#bd3328", "#6d0f20"])

_STYLE = {
    "font.size": 8,
    "axes.titlesize": 8,
    "axes.labelsize": 8,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "legend.fontsize": 7,
    "legend.title_fontsize": 7,
    "legend.frameon": False,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlepad": 4,
    "axes.labelpad": 2.5,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.minor.width": 0.4,
    "ytick.minor.width": 0.4,
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "xtick.minor.size": 1.5,
    "ytick.minor.size": 1.5,
    "xtick.major.pad": 2,
    "ytick.major.pad": 2,
    "lines.linewidth": 1.0,
    "lines.markersize": 3,
    "lines.solid_capstyle": "round",
    "patch.linewidth": 0.6,
    "mathtext.default": "regular",
    "pdf.fonttype": 42,
}


def styled() -> AbstractContextManager[None]:
    """Return a context with the style of the figures; the user's own settings are back when it ends."""
    return matplotlib.style.context(_STYLE, after_reset=True)


def save(figure: Figure, folder: Path, name: str) -> list[Path]:
    """Write a figure as PNG and as PDF, without the date, and return both paths."""
    paths = [folder / f"{name}.png", folder / f"{name}.pdf"]
    figure.savefig(paths[0], dpi=200, metadata={"Software": None})
    figure.savefig(paths[1], metadata={"CreationDate": None})
    return paths


def modes_of(lines: Lines) -> list[str]:
    """Return the modes that the lines have, the paper's first."""
    found = {line["mode"] for line in lines}
    return [mode for mode in MODES if mode in found]


def share_colours(shares: Iterable[float]) -> dict[float, tuple[float, ...]]:
    """Return a colour for each share of hidden entries, from green for 0.1 to dark red for 0.9."""
    return {share: _SHARES((share - 0.1) / 0.8) for share in shares}


def method_label(method: str) -> str:
    r"""Return a method's name with what follows the base as a subscript.

    Examples
    --------
    >>> method_label("BNMFk kmeans"), method_label("NMFk")
    ('BNMFk$_{kmeans}$', 'NMFk')
    """
    base, _, rest = method.partition(" ")
    return f"{base}$_{{{rest}}}$" if rest and base in {*BASE_COLOURS, "LMF", "SymLMF"} else method
