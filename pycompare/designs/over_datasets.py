"""Blocks are independent data sets, one block each."""

from pycompare.designs.design import Design

DATASETS = Design(name="datasets", block="data set", unit="data set")
