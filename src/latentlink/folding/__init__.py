"""New rows of a fitted model: their factors, their scores, and how well they are predicted."""

from latentlink.folding.new_rows import NewRows, fold_rows, of_fitted_columns
from latentlink.folding.regression import known_rows
from latentlink.folding.row_input import as_whole_rows, named_rows
from latentlink.folding.row_score import own_score, row_score

__all__ = [
    "NewRows",
    "as_whole_rows",
    "fold_rows",
    "known_rows",
    "named_rows",
    "of_fitted_columns",
    "own_score",
    "row_score",
]
