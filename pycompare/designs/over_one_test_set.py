"""Training sets of one data set that share their test set."""

from pycompare.designs.design import Design, Stated
from pycompare.designs.pair_methods import FIGURES, FIGURES_CONTROL
from pycompare.designs.quantity import MEANS


def _methods(plan: Stated) -> tuple[str, ...]:
    """Return the adjustments of mean figures over readers and cases."""
    return FIGURES if plan.control is None else FIGURES_CONTROL


SHARED_TEST_SET = Design(
    name="shared test set",
    block="fold",
    unit="fold",
    quantity=MEANS,
    defaults=_methods,
)
