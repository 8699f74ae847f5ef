"""Training sets of one data set that share their test set."""

from pycompare.designs.design import Design, NoUse, Stated
from pycompare.designs.pair_methods import FIGURES, FIGURES_CONTROL
from pycompare.designs.quantity import MEANS


def _methods(plan: Stated) -> tuple[str, ...]:
    """Return the adjustments of mean figures over readers and cases."""
    return FIGURES if plan.control is None else FIGURES_CONTROL


_UNUSED = {
    "n_train": NoUse("one test set has no such correction"),
    "n_folds": NoUse("one test set has no such correction"),
    "overlap": NoUse("one test set has no such correction"),
    "omnibus": NoUse("the test of all algorithms is that of mrmc"),
    "together": NoUse("each metric is compared separately"),
    "monotone": NoUse("no mean ranks are compared"),
    "p_values": NoUse("no ranks are tested"),
    "std_error": NoUse("no mean ranks are compared"),
    "decimals": NoUse("no scores are ranked"),
    "seed": NoUse("nothing is random"),
    "replicates": NoUse("runs are not distinguished"),
    "runs": NoUse("runs are not distinguished"),
    "runs_scope": NoUse("runs are not distinguished"),
    "items_scope": NoUse("cases are a sample"),
    "answers": NoUse("predictions are as they are"),
    "groups": NoUse("groups of data sets are not compared"),
    "average_folds": NoUse("training sets are not averaged"),
}
"""Predictions of trained classifiers are compared, by the method of readers."""
SHARED_TEST_SET = Design(
    name="shared test set",
    block="fold",
    unit="fold",
    quantity=MEANS,
    defaults=_methods,
    unused=_UNUSED,
)
