"""The designs of a comparison, each by the word that a plan has for its blocks."""

from pycompare.designs.design import Design
from pycompare.designs.over_cases import CASES
from pycompare.designs.over_challenge import BY_RANKS, BY_TESTS
from pycompare.designs.over_datasets import DATASETS
from pycompare.designs.over_folds import FOLDS
from pycompare.designs.over_folds_of_datasets import FOLDS_OF_DATASETS
from pycompare.designs.over_labels import LABELS
from pycompare.designs.over_one_test_set import SHARED_TEST_SET
from pycompare.designs.over_thresholds import THRESHOLDS, THRESHOLDS_OF_ONE

OPEN = Design(name="by-columns", block="block", unit="block", defaults=lambda _: ())
"""What a plan states that leaves the blocks to the columns of the data."""
_BY_BLOCKS = {
    design.name: design for design in (OPEN, DATASETS, FOLDS, FOLDS_OF_DATASETS, CASES)
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
        return BY_RANKS if by_ranks else BY_TESTS
    if labelled:
        return LABELS
    if shared:
        return SHARED_TEST_SET
    # A plan with a wrong word is open until it is refused with all its problems.
    design = _BY_BLOCKS.get(blocks, OPEN) if isinstance(blocks, str) else OPEN
    if not thresholds:
        return design
    return THRESHOLDS if design.over_datasets else THRESHOLDS_OF_ONE
