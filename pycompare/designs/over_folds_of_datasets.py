"""Blocks are folds of several data sets: each separately, then over all data sets."""

from pycompare.designs.design import Design
from pycompare.designs.over_datasets import methods_over_datasets

FOLDS_OF_DATASETS = Design(
    name="folds-of-datasets",
    block="fold",
    unit="data set",
    defaults=methods_over_datasets,
    draws=True,
)
