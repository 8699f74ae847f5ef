"""Blocks are folds of one data set, which share training data."""

from pycompare.designs.design import Design, Stated
from pycompare.designs.pair_methods import (
    CORRECTED_ALL_PAIRS,
    CORRECTED_CONTROL,
    DISJOINT_ALL_PAIRS,
    DISJOINT_CONTROL,
    MEANS_ALL_PAIRS,
    MEANS_CONTROL,
)
from pycompare.designs.quantity import MEANS
from pycompare.results import guarantees


def _methods(plan: Stated) -> tuple[str, ...]:
    """Return t tests first if folds have what these need."""
    all_pairs = plan.control is None
    if plan.protocol == "disjoint":
        return DISJOINT_ALL_PAIRS if all_pairs else DISJOINT_CONTROL
    if plan.corrects:
        return CORRECTED_ALL_PAIRS if all_pairs else CORRECTED_CONTROL
    return MEANS_ALL_PAIRS if all_pairs else MEANS_CONTROL


FOLDS = Design(
    name="folds",
    block="fold",
    unit="fold",
    units=guarantees.FOLDS,
    quantity=MEANS,
    defaults=_methods,
    draws=True,
)
