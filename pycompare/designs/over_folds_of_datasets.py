"""Blocks are folds of several data sets: each by itself, then over all data sets."""

from pycompare.designs.design import Design

FOLDS_OF_DATASETS = Design(name="folds-of-datasets", block="fold", unit="data set")
