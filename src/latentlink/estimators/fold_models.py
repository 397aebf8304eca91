"""Models of folds: one estimator fitted to several parts of a network, each stored when it is fitted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from latentlink.estimators.fit_options import FitOptions, FitStages, WarnOnce, no_rank_warnings
from latentlink.estimators.persistence import load, save_estimator, settings_fingerprint
from latentlink.network import Network
from latentlink.scoring import CrossCalibrated, FoldModel, PairDegrees, TrainingSpread
from latentlink.splitting import kfold
from latentlink.strategy import Strategy

__all__ = ["cross_calibration"]


def cross_calibration(
    model: Any, training: TrainingSpread, by: str | None, folds: tuple[int, Any], options: FitOptions
) -> CrossCalibrated:
    """Return the calibration of a model by folds, see `LinkModel.cross_calibrate`.

    Parameters
    ----------
    model : LinkModel
        Fitted.
    training : TrainingSpread
    by : {"model", "ensemble"} or None
    folds : (int, rng)
        How many there are, and the seed of the division.
    options : FitOptions
    """
    splits = list(kfold(model.network_, *folds))
    models = _fitted_to_parts(model._with_chosen_ranks, [split.train for split in splits], options)
    parts = tuple(FoldModel(each._scorer(), PairDegrees.of(each.network_)) for each in models)
    tests = [split.test for split in splits]
    return CrossCalibrated.of(model.network_, training, by, tests, parts, type(model).__name__)


def _fitted_to_parts(unfitted: Callable[[], Any], parts: Sequence[Network], options: FitOptions) -> list[Any]:
    """Return an estimator fitted to each of several parts of a network.

    Parameters
    ----------
    unfitted : callable
        Returns an unfitted estimator.
    parts : sequence of Network
    options : FitOptions
        The callback receives one count over all of them; LatentLinkError if it cancels. In the folder each
        has one of its own for finished tasks, and one for the fitted model, which is loaded from there the
        next time.
    """
    models = []
    stages = FitStages(options, [1.0] * len(parts))
    with stages, WarnOnce(), no_rank_warnings():
        for number, part in enumerate(parts, 1):
            of_fold = stages.next(f"fold-{number}", f"fold {number} of {len(parts)}")
            models.append(_fitted(unfitted(), part, of_fold))
    return models


def _fitted(model: Any, part: Network, options: FitOptions) -> Any:
    """Return a model fitted to a part, or load it if it is stored; saved models predict the same bits.

    The stored one has a hash of data, settings and version in its name, so that it is never another.
    """
    if options.folder is None:
        options.fit(model, part)
        return model
    identity = settings_fingerprint(model, part, version("latentlink"))
    stored = Path(f"{options.folder}-model-{identity[:16]}")
    if not stored.is_dir():
        options.fit(model, part)
        save_estimator(model, stored, overwrite=False)
        return model
    own = {type(each) for each in model.get_params(deep=True).values() if isinstance(each, Strategy)}
    return load(stored, also=own)
