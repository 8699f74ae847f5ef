"""Predictions at several thresholds: tests over the folds of each data set."""

import dataclasses

from pycompare.designs.design import Stated
from pycompare.designs.over_folds import FOLDS
from pycompare.designs.over_folds_of_datasets import FOLDS_OF_DATASETS
from pycompare.designs.pair_methods import SIGNS
from pycompare.designs.quantity import WINS


def _methods(_: Stated) -> tuple[str, ...]:
    """Return the adjustments of sign tests of wins."""
    return SIGNS


THRESHOLDS = dataclasses.replace(
    FOLDS_OF_DATASETS,
    name="thresholds",
    quantity=WINS,
    defaults=_methods,
    draws=False,
)
"""Several data sets: who wins on how many of them."""
THRESHOLDS_OF_ONE = dataclasses.replace(
    FOLDS, name="thresholds", quantity=WINS, defaults=_methods, draws=False
)
"""One data set: who wins on it."""
