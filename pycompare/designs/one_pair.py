"""A test of two algorithms as a table of one pair, for what works on tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pycompare.base.formatting.numbers import percent
from pycompare.base.tables import Columns, Labelled
from pycompare.base.typing import Floats
from pycompare.designs.planned_pairs import PlannedPairs
from pycompare.designs.plans.plan import Plan
from pycompare.kernels.binomial import smallest_p
from pycompare.methods.pairs.common import PairedTest
from pycompare.methods.pairs.sign import SignTestResult
from pycompare.methods.pairs.wilcoxon import WilcoxonResult
from pycompare.results.family import Adjustable
from pycompare.results.result import (
    NumberSource,
    PairsResult,
    internal,
    rows_of,
)
from pycompare.results.schema import Schema, of_ratios

_OF_TEST = (*("estimate", "statistic", "df", "p_value", "conf_low", "conf_high"),)
"""Columns that are numbers of the test itself."""


@dataclass(frozen=True, kw_only=True, eq=False)
class OnePair(Adjustable, PairsResult):
    """A test of two algorithms as a table of one pair; R repeats the test itself.

    ``positions`` show who is better, as the p-value does; see ``how_much_worse``.

    Attributes
    ----------
    tested : str
        ``basis`` of the test.
    n_used : int or None
        How many blocks an exact test counts; None for others.
    """

    tested: str
    n_used: int | None
    test: PairedTest = internal()

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values; the numbers of the pair are those of its test."""
        fields = super().to_dict()
        own = self.column_sources()
        alone = NumberSource(self.test, "p_value")
        own["p_adjusted"] = (
            alone if self.adjusted_here else NumberSource(self, "p_adjusted")
        )
        fields["table"] = rows_of(fields["table"], (), own)
        return fields

    def column_sources(self) -> dict[str, NumberSource]:
        """Return whose numbers the columns are: those of the test."""
        return {name: NumberSource(self.test, name) for name in _OF_TEST}

    @property
    def tested_by(self) -> PairedTest:
        """The test that has the p-value of the pair."""
        return self.test

    @property
    def tests(self) -> str:
        """The test, without its algorithms."""
        return self.test.short_name

    @property
    def least(self) -> float:
        """Smallest p-value that an exact test can have; 0 for others."""
        return 0.0 if self.n_used is None else float(smallest_p(self.n_used))

    @property
    def basis(self) -> str:
        """Where the p-value comes from, as the ledger of guarantees names it."""
        return self.tested

    @property
    def lower_is_better(self) -> bool:
        """Whether lower scores are better; the test's estimate is in their unit."""
        return self.test.better == "lower"

    @property
    def worse_by(self) -> Floats:
        """A number above 0 if algorithm_1 is worse: whom the test favours."""
        first, second = (self.as_columns()[f"algorithm_{end}"][0] for end in (1, 2))
        positions = self.held("positions")
        return np.array([positions[first] - positions[second]])


@dataclass(frozen=True, kw_only=True, eq=False)
class OneRatio(OnePair):
    """A test of the ratio of two algorithms' scores; see ``OnePair``."""

    schema: ClassVar[Schema] = of_ratios(OnePair.schema)

    @property
    def null(self) -> float:
        """The ratio of two algorithms that do not differ."""
        return 1.0


def one_pair(test: PairedTest, control: str | None) -> OnePair:
    """Return a test of two algorithms as a table of one pair."""
    df = test.df if isinstance(test.df, float) else float("nan")
    row = {
        "algorithm_1": test.algorithm_1,
        "algorithm_2": test.algorithm_2,
        "estimate": test.estimate,
        "std_error": float("nan"),
        "statistic": test.statistic,
        "df": df,
        "p_value": test.p_value,
        "p_adjusted": test.p_value,
        "conf_low": test.conf_low,
        "conf_high": test.conf_high,
    }
    half = how_much_worse(test) / 2
    kind = OneRatio if test.blocks.scale == "ratio" else OnePair
    return kind(
        table=Columns.of_row(row),
        positions=Labelled(
            np.array([half, -half]), (test.algorithm_1, test.algorithm_2)
        ),
        method=test.name,
        estimate_name=test.estimate_name,
        statistic_name=test.statistic_name,
        hypotheses=test.hypotheses,
        tested=test.basis,
        test=test,
        n_used=used_by(test),
        adjust="none",
        family="the one pair of algorithms",
        interval=f"{percent(test.reached)}, of the one pair",
        level=test.reached,
        control=control,
        reference=test.reference,
        notes=test.notes,
    )


def used_by(test: PairedTest) -> int | None:
    """Return how many blocks an exact test counts; None for others."""
    if isinstance(test, SignTestResult):
        return test.n_used
    if isinstance(test, WilcoxonResult) and test.p_source == "exact":
        return test.n_used
    return None


def one_pairs(test: PairedTest, plan: Plan) -> tuple[PlannedPairs, ...]:
    """Return the pair once per adjustment of a larger family, else once."""
    names = plan.adjust if plan.family == "all" else ("none",)
    pair = one_pair(test, plan.control)
    return tuple(PlannedPairs(pair, name) for name in names)


def how_much_worse(test: PairedTest) -> float:
    """Return a number above 0 if algorithm_1 is worse, as the p-value shows it.

    Wilcoxon's p-value is of sums of ranks. If most data sets tie, or there are too
    many, the Hodges-Lehmann estimate beside it is 0 or NaN and favours neither.
    """
    difference = test.estimate
    if isinstance(test, WilcoxonResult):
        difference = test.rank_biserial
    elif isinstance(test, SignTestResult):  # a share of blocks: a half favours nobody
        difference = test.estimate - 0.5
    return difference if test.better == "lower" else -difference
