"""Quantity in which the pairs of a comparison are compared: each quantity once."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Quantity:
    """Quantity in which the pairs of algorithms are compared.

    Attributes
    ----------
    name : str
        The word of ``Plan.compares``; ``cases`` have none there.
    in_unit : bool
        Whether differences are in the metric's own unit and direction.
    of_means : bool
        Whether means are compared, and so all methods for means can be planned.
    of_folds : bool
        Whether only folds of several data sets have it.
    fixed_data_sets : bool
        Whether conclusions concern these data sets only.
    """

    name: str
    in_unit: bool = False
    of_means: bool = False
    of_folds: bool = False
    fixed_data_sets: bool = False

    @property
    def stem(self) -> str:
        """The name as columns and files have it."""
        return self.name.replace("-", "_")


TYPICAL_DIFFERENCE = Quantity("typical-difference", in_unit=True)
MEANS = Quantity("means", in_unit=True, of_means=True)
RANKS = Quantity("ranks")
WINS = Quantity("wins", of_folds=True)
MODEL = Quantity(
    "model", in_unit=True, of_means=True, of_folds=True, fixed_data_sets=True
)
OF_CASES = Quantity("cases")

QUANTITIES = {
    quantity.name: quantity
    for quantity in (TYPICAL_DIFFERENCE, RANKS, WINS, MEANS, MODEL)
}
"""Those that are compared over data sets, by their names, in the order of reports."""
