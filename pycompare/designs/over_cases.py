"""Blocks are cases of one test set, on which each algorithm is scored as it is."""

from pycompare.designs.design import Design
from pycompare.designs.quantity import OF_CASES
from pycompare.results import guarantees

CASES = Design(
    name="cases",
    block="case",
    unit="case",
    units=guarantees.CASES,
    quantity=OF_CASES,
)
