"""Blocks are items of one test set: some labelled by people, all scored by a judge."""

from pycompare.designs.design import Design, NoUse, Stated
from pycompare.designs.pair_methods import LABELS_ALL_PAIRS, LABELS_CONTROL
from pycompare.designs.quantity import OF_CASES
from pycompare.results import guarantees


def _methods(plan: Stated) -> tuple[str, ...]:
    """Return adjustments of t tests; max-T draws from their joint distribution."""
    return LABELS_ALL_PAIRS if plan.control is None else LABELS_CONTROL


_OF_LABELS = NoUse("which are compared by t tests of mean labels with a judge's slope")
_NOT_MEASURED = NoUse("for which its error rate has not been measured")
_UNUSED = (
    *("gate", "omnibus", "p_values", "std_error", "decimals", "monotone", "compares"),
    *("together", "runs", "runs_scope", "thresholds", "loss_ratios", "level"),
    *("average_folds", "protocol", "n_train", "n_test", "n_folds", "overlap"),
    *("bayes", "rope", "items_scope", "answers"),
)
_UNMEASURED = ("weights", "groups", "generalise")
_ABOVE_LEVEL = NoUse(
    "whose t tests exceed their level against a margin (one-sided error up to 0.065 at "
    "0.025, see validation/LABELS.md)"
)

LABELS = Design(
    name="labels",
    block="case",
    unit="case",
    units=guarantees.CASES,
    quantity=OF_CASES,
    defaults=_methods,
    unused=dict.fromkeys(_UNUSED, _OF_LABELS)
    | dict.fromkeys(_UNMEASURED, _NOT_MEASURED)
    | dict.fromkeys(("margin", "hypothesis"), _ABOVE_LEVEL)
    | {
        "replicates": NoUse("whose labels by several people are averaged", ("average",))
    },
)
