"""Predictions at several thresholds: tests over the folds of each data set."""

import dataclasses

from pycompare.designs.over_folds import FOLDS
from pycompare.designs.over_folds_of_datasets import FOLDS_OF_DATASETS
from pycompare.designs.quantity import WINS

THRESHOLDS = dataclasses.replace(FOLDS_OF_DATASETS, name="thresholds", quantity=WINS)
"""Several data sets: who wins on how many of them."""
THRESHOLDS_OF_ONE = dataclasses.replace(FOLDS, name="thresholds", quantity=WINS)
"""One data set: who wins on it."""
