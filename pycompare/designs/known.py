"""The designs of a comparison, each by the word that a plan has for its blocks."""

import dataclasses
from collections.abc import Callable
from typing import Any

from pycompare.designs.design import Design, NoUse, Stated
from pycompare.designs.pair_methods import (
    ALL_PAIRS,
    CASES_ALL_PAIRS,
    CASES_CONTROL,
    CONTROL,
    CORRECTED_ALL_PAIRS,
    CORRECTED_CONTROL,
    DATASET_MEANS_ALL_PAIRS,
    DATASET_MEANS_CONTROL,
    DISJOINT_ALL_PAIRS,
    DISJOINT_CONTROL,
    FIGURES,
    FIGURES_CONTROL,
    LABELS_ALL_PAIRS,
    LABELS_CONTROL,
    MEANS_ALL_PAIRS,
    MEANS_CONTROL,
    OF_FRIEDMAN,
    PUBLISHED,
    PUBLISHED_CONTROL,
    SIGNS,
    TYPICAL,
    draws,
)
from pycompare.designs.quantity import MEANS, OF_CASES, TYPICAL_DIFFERENCE, WINS
from pycompare.methods.ranks.known import FRIEDMAN, RANK_TESTS
from pycompare.results import guarantees

Methods = Callable[[Stated], tuple[str, ...]]


def _by_control(all_pairs: tuple[str, ...], control: tuple[str, ...]) -> Methods:
    """Return the choice of methods that depends on nothing but a control."""
    return lambda plan: all_pairs if plan.control is None else control


# ---- blocks are independent data sets, one block each --------------------------------


def _methods_over_datasets(plan: Stated) -> tuple[str, ...]:
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
    defaults=_methods_over_datasets,
)


# ---- blocks are folds of one data set, which share training data ---------------------


def _methods_over_folds(plan: Stated) -> tuple[str, ...]:
    """Return t tests first if folds have what these need."""
    all_pairs = plan.control is None
    if plan.protocol == "disjoint":
        return DISJOINT_ALL_PAIRS if all_pairs else DISJOINT_CONTROL
    if plan.corrects:
        return CORRECTED_ALL_PAIRS if all_pairs else CORRECTED_CONTROL
    return MEANS_ALL_PAIRS if all_pairs else MEANS_CONTROL


_FOLDS = Design(
    name="folds",
    block="fold",
    unit="fold",
    units=guarantees.FOLDS,
    quantity=MEANS,
    defaults=_methods_over_folds,
    draws=True,
)


# ---- blocks are folds of several data sets: each separately, then over all data sets -

_FOLDS_OF_DATASETS = Design(
    name="folds-of-datasets",
    block="fold",
    unit="data set",
    defaults=_methods_over_datasets,
    draws=True,
)


# ---- blocks are cases of one test set, on which each algorithm is scored as it is ----


def _methods_over_cases(plan: Stated) -> tuple[str, ...]:
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
    defaults=_methods_over_cases,
    unused=dict.fromkeys(_OTHER_BLOCKS, _OF_ITEMS),
)


# ---- blocks are items: some labelled by people, all scored by a judge ----------------

_OF_LABELS = NoUse("which are compared by t tests of mean labels with a judge's slope")
_NOT_MEASURED = NoUse("for which its error rate has not been measured")
_NO_LABELS = (
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
    defaults=_by_control(LABELS_ALL_PAIRS, LABELS_CONTROL),
    unused=dict.fromkeys(_NO_LABELS, _OF_LABELS)
    | dict.fromkeys(_UNMEASURED, _NOT_MEASURED)
    | dict.fromkeys(("margin", "hypothesis"), _ABOVE_LEVEL)
    | {
        "replicates": NoUse("whose labels by several people are averaged", ("average",))
    },
)


# ---- blocks are cases of a challenge, whose algorithms are ranked --------------------

_OF_CHALLENGES = NoUse("which has one score of each algorithm and case")
_ALL_PAIRS = NoUse("whose sets of ranks need all pairs")
_NO_RANKING = (
    *("compares", "average_folds", "protocol", "n_train", "n_test", "n_folds"),
    *("overlap", "together", "thresholds", "loss_ratios", "labels", "replicates"),
    *("runs", "runs_scope", "bayes", "rope", "generalise"),
)
WITH_RANKING = (
    dict.fromkeys(_NO_RANKING, _OF_CHALLENGES)
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


_BY_RANKS = _challenge("max-t", _NO_FORM)
"""Mean ranks within cases, whose pairs have max-T."""
_BY_TESTS = _challenge("holm", _NO_TEST)
"""Counts of tests, and medians or quantiles: an order without tests of pairs."""


# ---- training sets of one data set that share their test set -------------------------

_NO_RANKS = NoUse("no mean ranks are compared")
_NO_RUNS = NoUse("runs are not distinguished")
_OF_PREDICTIONS = {
    "monotone": _NO_RANKS,
    "p_values": NoUse("no ranks are tested"),
    "std_error": _NO_RANKS,
    "decimals": NoUse("no scores are ranked"),
    "seed": NoUse("nothing is random"),
    "groups": NoUse("groups of data sets are not compared"),
    "replicates": _NO_RUNS,
    "runs": _NO_RUNS,
    "runs_scope": _NO_RUNS,
    "items_scope": NoUse("cases are a sample"),
    "answers": NoUse("predictions are as they are"),
}
"""Keys that no comparison of predictions as they are has a use for."""
_ONE_TEST_SET = NoUse("one test set has no such correction")
_NO_READERS = _OF_PREDICTIONS | {
    "n_train": _ONE_TEST_SET,
    "n_folds": _ONE_TEST_SET,
    "overlap": _ONE_TEST_SET,
    "omnibus": NoUse("the test of all algorithms is that of mrmc"),
    "together": NoUse("each metric is compared separately"),
    "average_folds": NoUse("training sets are not averaged"),
}
"""Predictions of trained classifiers are compared, by the method of readers."""
SHARED_TEST_SET = Design(
    name="shared test set",
    block="fold",
    unit="fold",
    quantity=MEANS,
    defaults=_by_control(FIGURES, FIGURES_CONTROL),
    unused=_NO_READERS,
)


# ---- predictions at several thresholds: tests over the folds of each data set --------

_NOT_CORRECTED = NoUse("T2 tests are not corrected")
_RISKS = NoUse("differences of risks have no test")
_OWN_COSTS = NoUse("each threshold has its own costs")
_NO_THRESHOLDS = _OF_PREDICTIONS | {
    "compares": NoUse("sign tests are primary"),
    "n_train": _NOT_CORRECTED,
    "n_folds": _NOT_CORRECTED,
    "overlap": _NOT_CORRECTED,
    "protocol": NoUse("no test goes by how folds were made"),
    "generalise": NoUse("tests concern these test cases"),
    "family": NoUse("the pairs of all metrics are one test", ("metric",)),
    "omnibus": NoUse("MANOVA is the test of all algorithms"),
    "margin": _RISKS,
    "hypothesis": NoUse("differences of risks have no test", idle=("superiority",)),
    "margin_alpha": _RISKS,
    "together": NoUse("all metrics are tested together", ("required",)),
    "cost_ratio": _OWN_COSTS,
    "loss": _OWN_COSTS,
}
"""Wins by T2 tests of the folds at each threshold are compared."""
_WINS: dict[str, Any] = {
    "name": "thresholds",
    "quantity": WINS,
    "defaults": lambda _: SIGNS,
    "draws": False,
    "unused": _NO_THRESHOLDS,
}
THRESHOLDS = dataclasses.replace(_FOLDS_OF_DATASETS, **_WINS)
"""Several data sets: who wins on how many of them."""
_THRESHOLDS_OF_ONE = dataclasses.replace(_FOLDS, **_WINS)
"""One data set: who wins on it."""


OPEN = Design(name="by-columns", block="block", unit="block", defaults=lambda _: ())
"""What a plan states that leaves the blocks to the columns of the data."""
_BY_BLOCKS = {
    design.name: design
    for design in (OPEN, DATASETS, _FOLDS, _FOLDS_OF_DATASETS, CASES)
}
"""Designs that ``Plan.blocks`` names."""


def design_of(
    blocks: object,
    *,
    thresholds: bool,
    shared: bool,
    labelled: bool = False,
    ranking: str | None = None,
    of_means: bool = True,
) -> Design:
    """Return the design of blocks, at several ``thresholds`` or on one test set.

    ``labelled``: people labelled some items, and a judge scored all. ``ranking`` of a
    challenge, but by mean scores; ``of_means``: whether it takes means over cases.
    """
    if ranking is not None:
        by_ranks = ranking == "rank-then-aggregate" and of_means
        return _BY_RANKS if by_ranks else _BY_TESTS
    if labelled:
        return LABELS
    if shared:
        return SHARED_TEST_SET
    # A plan with a wrong word is open until it is refused with all its problems.
    design = _BY_BLOCKS.get(blocks, OPEN) if isinstance(blocks, str) else OPEN
    if not thresholds:
        return design
    return THRESHOLDS if design.over_datasets else _THRESHOLDS_OF_ONE
