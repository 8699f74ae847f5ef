"""A design: the kind of blocks, and the consequences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from pycompare.designs.quantity import Quantity
from pycompare.results.guarantees import BLOCKS, MODEL_OF_FOLDS, Units


class Stated(Protocol):
    """What a design asks of a plan, whose keys are declared after it."""

    @property
    def control(self) -> str | None:
        """The algorithm that others are compared with."""
        ...

    @property
    def protocol(self) -> str | None:
        """How the folds were made."""
        ...

    @property
    def corrects(self) -> bool:
        """Whether tests are corrected for shared training data."""
        ...

    @property
    def runs_scope(self) -> str | None:
        """Scope of conclusions about shared runs."""
        ...

    @property
    def items_scope(self) -> str:
        """Scope of conclusions about items."""
        ...

    @property
    def quantity(self) -> Quantity:
        """What pairs are compared in."""
        ...

    @property
    def asks_for_z(self) -> bool:
        """Whether an option is set that only z tests of mean ranks have."""
        ...

    @property
    def rank_test(self) -> str:
        """The test of all algorithms by ranks."""
        ...


class NoUse(NamedTuple):
    """Why a design has no use for a key, and values that ask for nothing.

    The default of the key asks for nothing, too.
    """

    why: str
    idle: tuple[object, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Design:
    """Kind of blocks, and the consequences: see the files ``over_*.py``.

    Attributes
    ----------
    name : str
        The word of ``Plan.blocks``; with several thresholds and a shared test set,
        which other keys plan, a name of its own.
    block : str
        What one block of scores is: a data set, a fold or a case.
    unit : str
        What algorithms are compared over, and so what another one would be like.
    units : Units
        The same for the ledger of guarantees.
    quantity : Quantity or None
        What pairs are compared in; None if the plan chooses.
    defaults : callable
        The methods for pairs of a plan that names none, the decisive one first.
    draws : bool
        Whether some step is random whatever the methods, so that plans have a seed.
    unused : mapping of str to NoUse
        Keys of a plan that the design has no use for: they are rejected if they are
        given.
    """

    name: str
    block: str
    unit: str
    units: Units = BLOCKS
    quantity: Quantity | None = None
    defaults: Callable[[Stated], tuple[str, ...]]
    draws: bool = False
    unused: Mapping[str, NoUse] = field(default_factory=dict)

    @property
    def over_datasets(self) -> bool:
        """Whether algorithms are compared over data sets."""
        return self.unit == "data set"

    @property
    def of_folds(self) -> bool:
        """Whether the blocks are folds, which share training data."""
        return self.block == "fold"

    @property
    def of_cases(self) -> bool:
        """Whether the blocks are cases of one test set."""
        return self.block == "case"

    @property
    def nested(self) -> bool:
        """Whether data sets that are compared over have folds."""
        return self.of_folds and self.over_datasets

    @property
    def one_dataset(self) -> bool:
        """Whether the blocks are folds of one data set."""
        return self.of_folds and not self.over_datasets

    @property
    def two_alone(self) -> bool:
        """Whether two algorithms have an analysis of their own."""
        return not self.nested and not self.of_cases

    @property
    def can_grow(self) -> bool:
        """Whether a study of this kind can have more units."""
        return self.unit != "fold"

    @property
    def one_unit(self) -> bool:
        """Whether scores of all blocks are in one unit, and so have a variance."""
        return self.block != "data set"

    def units_of(self, quantity: Quantity) -> Units:
        """Return the units of a comparison in a quantity, for the ledger."""
        return MODEL_OF_FOLDS if quantity.fixed_data_sets else self.units
