"""The conditions of the guarantees, stated in the ``limits`` of every calibrated rule."""

from __future__ import annotations

__all__ = ["CONDITIONS"]

CONDITIONS = (
    "The guarantee holds on average over such pairs, not for each of them or each node. It is void for pairs "
    "chosen in another way than the calibration pairs, for nodes that the model does not know, and if a "
    "calibration pair was used in fitting, in the choice of the rank or of the rule, or in fitting a "
    "calibration curve."
)
