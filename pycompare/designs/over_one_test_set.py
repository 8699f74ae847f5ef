"""Training sets of one data set that share their test set."""

from pycompare.designs.design import Design
from pycompare.designs.quantity import MEANS

SHARED_TEST_SET = Design(
    name="shared test set", block="fold", unit="fold", quantity=MEANS
)
