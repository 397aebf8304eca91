"""What every promise rests on, said with each of them."""

from __future__ import annotations

__all__ = ["VOID"]

VOID = (
    "It holds on average over such pairs, not for each of them or each node. It is void for pairs chosen in "
    "another way than the calibration pairs, for nodes that the model does not know, and if a calibration "
    "pair had a say in the fit, in the choice of the rank or of the rule, or in a curve of probabilities."
)
