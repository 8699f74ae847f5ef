"""Blocks are cases of one test set, on which each algorithm is scored as it is."""

from pycompare.designs.design import Design, NoUse, Stated
from pycompare.designs.pair_methods import CASES_ALL_PAIRS, CASES_CONTROL, draws
from pycompare.designs.quantity import OF_CASES
from pycompare.results import guarantees


def _methods(plan: Stated) -> tuple[str, ...]:
    """Return adjustments of tests of pairs.

    Flips are of new cases: not of new runs besides, and not of fixed cases.
    """
    names = CASES_ALL_PAIRS if plan.control is None else CASES_CONTROL
    of_cases = plan.runs_scope != "sampled" and plan.items_scope == "sampled"
    return tuple(name for name in names if of_cases or not draws(name))


_OTHER_BLOCKS = (
    "average_folds",
    "protocol",
    "n_train",
    "n_test",
    "n_folds",
    "overlap",
    "together",
    "thresholds",
    "loss_ratios",
    "std_error",
    "decimals",
)
"""Keys of folds, data sets and ranks; other rules reject some more."""
_OF_ITEMS = NoUse("whose blocks are items of one test set")

CASES = Design(
    name="cases",
    block="case",
    unit="case",
    units=guarantees.CASES,
    quantity=OF_CASES,
    defaults=_methods,
    unused=dict.fromkeys(_OTHER_BLOCKS, _OF_ITEMS),
)
