"""Blocks are folds of one data set, which share training data."""

from pycompare.designs.design import Design
from pycompare.designs.quantity import MEANS
from pycompare.results import guarantees

FOLDS = Design(
    name="folds",
    block="fold",
    unit="fold",
    units=guarantees.FOLDS,
    quantity=MEANS,
)
