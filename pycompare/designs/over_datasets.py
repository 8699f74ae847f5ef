"""Blocks are independent data sets, one block each."""

from pycompare.designs.design import Design, Stated
from pycompare.designs.pair_methods import (
    ALL_PAIRS,
    CONTROL,
    DATASET_MEANS_ALL_PAIRS,
    DATASET_MEANS_CONTROL,
    MEANS_ALL_PAIRS,
    MEANS_CONTROL,
    OF_FRIEDMAN,
    PUBLISHED,
    PUBLISHED_CONTROL,
    SIGNS,
    TYPICAL,
)
from pycompare.designs.quantity import MEANS, TYPICAL_DIFFERENCE, WINS
from pycompare.methods.ranks.known import FRIEDMAN, RANK_TESTS


def methods_over_datasets(plan: Stated) -> tuple[str, ...]:
    """Return the default methods of the quantity that is compared over data sets."""
    all_pairs = plan.control is None
    if plan.quantity == TYPICAL_DIFFERENCE:
        return TYPICAL
    if plan.quantity == WINS:
        return SIGNS
    if plan.quantity == MEANS:
        return DATASET_MEANS_ALL_PAIRS if all_pairs else DATASET_MEANS_CONTROL
    if plan.quantity.of_means:
        return MEANS_ALL_PAIRS if all_pairs else MEANS_CONTROL
    if plan.asks_for_z:
        return PUBLISHED if all_pairs else PUBLISHED_CONTROL
    names = ALL_PAIRS if all_pairs else CONTROL
    # These are of Friedman's ranks; sign flips are of any ranks.
    friedmans = RANK_TESTS[plan.rank_test].ranking == FRIEDMAN
    return tuple(n for n in names if friedmans or n not in OF_FRIEDMAN)


DATASETS = Design(
    name="datasets",
    block="data set",
    unit="data set",
    defaults=methods_over_datasets,
)
