"""Equivalence or non-inferiority of pairs by any tests: the common table."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from pycompare.base.errors import InputError
from pycompare.base.hypotheses import Hypotheses
from pycompare.base.tables import AnyTable
from pycompare.methods.pairs.equivalence import MarginKind
from pycompare.results.family import Adjustable, Family
from pycompare.results.result import OwnLimits, Result, rejected, with_adjustment


@dataclass(frozen=True, kw_only=True, eq=False)
class MarginPairsResult(Adjustable, OwnLimits, Result):
    """Equivalence, or non-inferiority, of pairs of algorithms, by any tests.

    Rejection shows that two algorithms are alike within the margins, where that of
    ``PairsResult`` shows that they differ: no cliques or pictures of differences are
    made of these p-values.

    Attributes
    ----------
    table : DataFrame
        One row per pair: ``algorithm_1 algorithm_2 estimate std_error statistic df
        p_value p_adjusted conf_low conf_high shown notes``. ``estimate`` is the mean of
        algorithm_1 minus algorithm_2 in the metric's own unit; ``p_value`` the larger
        of both one-sided tests'; ``shown`` is ``p_adjusted <= alpha``.
    kind : {"equivalence", "non-inferiority"}
        Non-inferiority: of algorithm_1 to algorithm_2, the control.
    metric, better : str
    margin_low, margin_high : float
        Bounds of the mean difference; infinite if there is none.
    alpha : float
    hypotheses : Hypotheses
        The null hypothesis of each pair, which decides the logic among them.
    adjust, family : str
        Adjustment behind ``p_adjusted``, and the family, in words.
    interval : str
        How the confidence intervals are made.
    control : str or None
    decided_in : Family or None
        The family that ``p_adjusted`` is over; None: this table, unadjusted.
    """

    table: pd.DataFrame
    kind: MarginKind
    metric: str
    better: str
    margin_low: float
    margin_high: float
    alpha: float
    hypotheses: Hypotheses
    adjust: str
    family: str
    interval: str
    control: str | None
    reference: str
    decided_in: Family | None = field(
        default=None, repr=False, metadata={"export": False}
    )

    differences: ClassVar[str] = "mean"
    """The data of the quantity that is held against the margin."""

    @property
    def algorithms(self) -> tuple[str, ...]:
        """All algorithms, in the order of the data."""
        raise NotImplementedError

    def following(
        self, columns: dict[str, Any], family: Family
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the columns, and the fields, that follow from adjusted p-values."""
        return {"shown": rejected(columns["p_adjusted"], self.alpha)}, {}

    @property
    def basis(self) -> str:
        """Where the p-values come from, as the ledger of guarantees names it."""
        raise NotImplementedError

    @property
    def tests(self) -> str:
        """The name of the tests: ``t``, ``corrected resampled t``."""
        raise NotImplementedError

    @property
    def method(self) -> str:
        """The tests of one pair."""
        return f"{self.kind.capitalize()} by {self.sides} {self.tests} tests"

    @property
    def caution(self) -> str:
        """What a claim must carry besides its level; empty if nothing."""
        return ""

    @property
    def remarks(self) -> tuple[str, ...]:
        """What a reader must know of the tests, whatever they show."""
        return ()

    @property
    def sides(self) -> str:
        """How many tests of a pair there are."""
        return "two one-sided" if self.kind == "equivalence" else "one-sided"

    def as_written(self) -> AnyTable:
        """Return the table as CSV files have it: with the name of its adjustment."""
        return with_adjustment(self.as_columns(), self.adjust)

    def summary(self, digits: int = 4) -> str:
        """Return the table as text, and what its claims must carry."""
        text = super().summary(digits)
        if not self.caution or not self.as_columns()["shown"].any():
            return text
        return f"{text}\n  note: {self.caution}"


def require_order(
    margin: float | tuple[float, float], kind: MarginKind, control: str | None
) -> None:
    """Reject options for the first of two algorithms if pairs have no order."""
    if control is None and (kind == "non-inferiority" or np.ndim(margin)):
        what = "non-inferiority" if kind == "non-inferiority" else "a pair of margins"
        raise InputError(
            f"{what} is for algorithm_1 against algorithm_2, and all pairs have no "
            f"order: name a control, or give one number for equivalence"
        )
