"""The conditions of the guarantees, stated in the ``limits`` of every calibrated rule."""

from __future__ import annotations

__all__ = ["CONDITIONS", "CROSS_CONDITIONS"]

CONDITIONS = (
    "The guarantee holds on average over such pairs, not for each of them or each node. It is void for pairs "
    "chosen in another way than the calibration pairs, for nodes that the model does not know, and if a "
    "calibration pair was used in fitting, in the choice of the rank or of the rule, or in fitting a "
    "calibration curve."
)

CROSS_CONDITIONS = (
    "The guarantee holds on average over such pairs, not for each of them or each node. It is void for pairs "
    "chosen in another way than the known pairs and for nodes that the model does not know. Every known pair "
    "was scored by a model that was not fitted to it, but the rank and the ridge were chosen with all of "
    "them, which the guarantee does not cover."
)
