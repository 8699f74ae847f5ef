"""Predictions at several thresholds: tests over the folds of each data set."""

import dataclasses

from pycompare.designs.design import NoUse, Stated
from pycompare.designs.over_folds import FOLDS
from pycompare.designs.over_folds_of_datasets import FOLDS_OF_DATASETS
from pycompare.designs.pair_methods import SIGNS
from pycompare.designs.quantity import WINS


def _methods(_: Stated) -> tuple[str, ...]:
    """Return the adjustments of sign tests of wins."""
    return SIGNS


_UNUSED = {
    "compares": NoUse("sign tests are primary"),
    "n_train": NoUse("T2 tests are not corrected"),
    "n_folds": NoUse("T2 tests are not corrected"),
    "overlap": NoUse("T2 tests are not corrected"),
    "protocol": NoUse("no test goes by how folds were made"),
    "generalise": NoUse("tests concern these test cases"),
    "family": NoUse("the pairs of all metrics are one test", ("metric",)),
    "omnibus": NoUse("MANOVA is the test of all algorithms"),
    "margin": NoUse("differences of risks have no test"),
    "hypothesis": NoUse("differences of risks have no test", idle=("superiority",)),
    "margin_alpha": NoUse("differences of risks have no test"),
    "together": NoUse("all metrics are tested together", ("required",)),
    "cost_ratio": NoUse("each threshold has its own costs"),
    "loss": NoUse("each threshold has its own costs"),
    "monotone": NoUse("no mean ranks are compared"),
    "p_values": NoUse("no ranks are tested"),
    "std_error": NoUse("no mean ranks are compared"),
    "decimals": NoUse("no scores are ranked"),
    "seed": NoUse("nothing is random"),
    "groups": NoUse("groups of data sets are not compared"),
    "replicates": NoUse("runs are not distinguished"),
    "runs": NoUse("runs are not distinguished"),
    "runs_scope": NoUse("runs are not distinguished"),
    "items_scope": NoUse("cases are a sample"),
    "answers": NoUse("predictions are as they are"),
}
"""Wins by T2 tests of the folds at each threshold are compared."""
THRESHOLDS = dataclasses.replace(
    FOLDS_OF_DATASETS,
    name="thresholds",
    quantity=WINS,
    defaults=_methods,
    draws=False,
    unused=_UNUSED,
)
"""Several data sets: who wins on how many of them."""
THRESHOLDS_OF_ONE = dataclasses.replace(
    FOLDS,
    name="thresholds",
    quantity=WINS,
    defaults=_methods,
    draws=False,
    unused=_UNUSED,
)
"""One data set: who wins on it."""
