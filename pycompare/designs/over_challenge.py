"""Blocks are cases of a challenge, whose algorithms are ranked."""

from pycompare.designs.design import Design, NoUse
from pycompare.designs.quantity import OF_CASES
from pycompare.results import guarantees

_OF_CHALLENGES = NoUse("which has one score of each algorithm and case")
_NOT_MEASURED = NoUse("for which its error rate has not been measured")
_ALL_PAIRS = NoUse("whose sets of ranks need all pairs")
_ALONE = (
    *("compares", "average_folds", "protocol", "n_train", "n_test", "n_folds"),
    *("overlap", "together", "thresholds", "loss_ratios", "labels", "replicates"),
    *("runs", "runs_scope", "bayes", "rope", "generalise"),
)
WITH_RANKING = (
    dict.fromkeys(_ALONE, _OF_CHALLENGES)
    | dict.fromkeys(("margin", "hypothesis", "items_scope"), _NOT_MEASURED)
    | {"control": _ALL_PAIRS}
)
"""Keys that no ranking has a use for."""
_NO_FORM = NoUse("whose pairs are compared by sign flips of ranks within cases")
_NO_TEST = NoUse("which has no test of pairs")
_OF_TESTS = (
    "gate",
    "omnibus",
    "p_values",
    "std_error",
    "decimals",
    "monotone",
    "level",
)
_FAMILY = NoUse("whose family is the pairs of one metric", ("metric",))


def _challenge(method: str, why: NoUse) -> Design:
    """Return the design of rankings whose pairs or tests have one default method."""
    return Design(
        name="challenge",
        block="case",
        unit="case",
        units=guarantees.CASES,
        quantity=OF_CASES,
        defaults=lambda _: (method,),
        draws=True,
        unused=WITH_RANKING
        | dict.fromkeys((*_OF_TESTS, "answers"), why)
        | {"family": _FAMILY},
    )


BY_RANKS = _challenge("max-t", _NO_FORM)
"""Mean ranks within cases, whose pairs have max-T."""
BY_TESTS = _challenge("holm", _NO_TEST)
"""Counts of tests, and medians or quantiles: an order without tests of pairs."""
