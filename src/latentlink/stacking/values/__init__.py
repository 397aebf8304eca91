"""The stack for values: what is known of a pair, and the regression that joins it."""

from latentlink.stacking.values.column_kernels import ColumnKernels, fault_of_kernels
from latentlink.stacking.values.column_regressions import ColumnRegressions
from latentlink.stacking.values.column_units import ColumnUnits, fault_of_units
from latentlink.stacking.values.linear_stage import LinearStage
from latentlink.stacking.values.residual_neighbours import ResidualNeighbours
from latentlink.stacking.values.value_columns import ValueColumns
from latentlink.stacking.values.value_kind import ValueKind, kind_of_values
from latentlink.stacking.values.value_model import ValueMembers, ValueModel

__all__ = [
    "ColumnKernels",
    "ColumnRegressions",
    "ColumnUnits",
    "LinearStage",
    "ResidualNeighbours",
    "ValueColumns",
    "ValueKind",
    "ValueMembers",
    "ValueModel",
    "fault_of_kernels",
    "fault_of_units",
    "kind_of_values",
]
