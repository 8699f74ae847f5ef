"""Pairs of modalities by the largest of three p-values.

The same estimate is tested for new cases read by these readers, for new readers of
these cases, and for both (Hillis 2007). A conclusion for new readers and new cases is
then never more certain than one for these readers or these cases alone: with few
readers Hillis' degrees of freedom may be estimated far too large. `kernels.crossed` has
the same for items and runs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from pycompare.base.interop.r_call import RCall
from pycompare.base.typing import Floats
from pycompare.kernels import crossed
from pycompare.methods.multireader.designs import ReaderDesign
from pycompare.methods.multireader.error_terms import Model
from pycompare.methods.multireader.family import ModalityPairs
from pycompare.methods.multireader.findings import Means
from pycompare.methods.multireader.result import MRMCResult
from pycompare.methods.multireader.words import Effect
from pycompare.methods.pairs.last_step import LastStepLimits, agreeing_limits, last_step
from pycompare.results.adjust import Adjustment, repeatable_in_r
from pycompare.results.result import BEFORE_GATE, rejected
from pycompare.results.schema import Schema, column

NAMES = ("new_cases", "new_readers", "new_both")
"""For whom each test is, in the columns ``p_...``, ``error_...`` and ``df_...``."""
_SCOPES: tuple[tuple[Effect, Effect], ...] = (
    ("fixed", "random"),
    ("random", "fixed"),
    ("random", "random"),
)
"""Readers and cases of each test."""


@dataclass(frozen=True, kw_only=True, eq=False)
class LargestMRMCResult(LastStepLimits, MRMCResult):
    """Modalities compared by the largest of three p-values; see ``MRMCResult``.

    ``std_error``, ``statistic`` and ``df`` of a pair are those of the test that has the
    largest p-value, which is ``p_value``. The table has more columns: ``p_new_cases``
    (new cases, these readers), ``p_new_readers`` (new readers, these cases) and
    ``p_new_both`` (Hillis), with ``error_...`` and ``df_...`` of each. A test whose
    variance is estimated as 0 or negative has an error of 0 and sets no limit to the
    others.

    ``level`` is that of the intervals of pairs, which follows from the decisions:
    1 - alpha/(m - r) of m pairs with r rejected, Holm's last step. Each interval is the
    hull of those of the three tests.
    """

    interval_note: ClassVar[str] = (
        "Each interval excludes 0 exactly when the difference is significant. Each "
        "alone covers the difference with its level; together they need not."
    )
    schema: ClassVar[Schema] = (
        *MRMCResult.schema,
        *(column(f"p_{name}", "p") for name in NAMES),
        *(column(f"error_{name}", "error") for name in NAMES),
        *(column(f"df_{name}", "df") for name in NAMES),
    )

    @property
    def basis(self) -> str:
        """Where the p-values come from, as the ledger of guarantees names it."""
        return "multireader/largest"

    def tested(self) -> tuple[Means, ...]:
        """Return the three tests of all pairs."""
        estimate = self.as_columns()["estimate"].astype(float)
        return tuple(
            Means(
                estimate,
                self.as_columns()[f"error_{name}"].astype(float),
                self.as_columns()[f"df_{name}"].astype(float),
            )
            for name in NAMES
        )

    def limits(self, last: float) -> tuple[Floats, Floats]:
        """Return the difference and the largest of the three half-widths."""
        return _hull(self.tested(), last)

    def r_call(self) -> RCall | None:
        """Return the R call, which finds the level if R has this adjustment."""
        if self.call is None or self._repeatable:
            return self.call
        return replace(
            self.call,
            arguments={**self.call.arguments, "pair_level": self.level},
        )

    @property
    def _repeatable(self) -> bool:
        """Whether R can adjust the p-values of this table alone."""
        return self.adjusted_here and repeatable_in_r(self.adjust, self._size)

    @property
    def _size(self) -> int:
        """How many modalities there are."""
        return len(self.algorithms)

    def r_values(self) -> dict[str, Any]:
        """Return what every analysis has, and the three tests."""
        values = MRMCResult.r_values(self)
        for name in NAMES:
            for of in ("p", "error", "df"):
                values |= self.columns_in_r(f"{of}_{name}")
        if BEFORE_GATE in self.as_columns():
            # A closed gate extends intervals; R has them without a gate.
            del values["conf_low"], values["conf_high"]
        if not (self.adjusted_here or repeatable_in_r(self.adjust, self._size)):
            # R finds the level of other scopes from an adjustment of this table.
            del values["scopes_conf_low"], values["scopes_conf_high"]
        return values


def three_tests(
    design: ReaderDesign, model: Model, family: ModalityPairs
) -> tuple[Means, ...]:
    """Return the tests of the family: new cases, new readers, and both."""
    tests = []
    for readers, cases in _SCOPES:
        other = replace(model, readers=readers, cases=cases)
        pairs = family.of(design.findings(other, pooled=False).pairs)
        error = np.where(pairs.std_error > 0, pairs.std_error, 0.0)
        tests.append(Means(pairs.estimate, error, pairs.df))
    return tuple(tests)


def _two_sided(tests: tuple[Means, ...]) -> crossed.LargestP:
    """Return the test with the largest p-value; NaN if none has an error."""
    some = np.any([test.std_error > 0 for test in tests], axis=0)
    mean, each = tests[0].estimate, _as_crossed(tests)
    p = np.array([crossed.two_sided(mean, test) for test in each])
    return crossed.largest(each, np.where(some, p, np.nan))


def _as_crossed(tests: tuple[Means, ...]) -> list[crossed.CrossedTest]:
    """Return the tests without their common estimate."""
    return [crossed.CrossedTest(test.std_error, test.df) for test in tests]


def _hull(tests: tuple[Means, ...], alpha: float) -> tuple[Floats, Floats]:
    """Return the values that no test rejects at ``alpha``; NaN if none has an error."""
    half = crossed.largest_half_width(_as_crossed(tests), alpha)
    return tests[0].estimate - half, tests[0].estimate + half


def raw_columns(family: ModalityPairs, tests: tuple[Means, ...]) -> dict[str, Any]:
    """Return the columns of pairs, unadjusted and without intervals."""
    largest, estimate = _two_sided(tests), tests[0].estimate
    nothing = np.full(len(estimate), math.nan)
    columns = family.columns() | {
        "estimate": estimate,
        "std_error": largest.std_error,
        "statistic": Means(estimate, largest.std_error, largest.df).statistic,
        "df": largest.df,
        "p_value": largest.p_value,
        "p_adjusted": largest.p_value,
        "conf_low": nothing,
        "conf_high": nothing,
    }
    for name, test, p in zip(NAMES, tests, largest.each, strict=True):
        columns[f"p_{name}"] = p
        columns[f"error_{name}"] = test.std_error
        columns[f"df_{name}"] = test.df
    return columns


def scope_columns(
    family: ModalityPairs, tests: tuple[Means, ...], adjust: Adjustment, alpha: float
) -> dict[str, Any]:
    """Return the columns that every scope has, adjusted and with intervals."""
    columns = raw_columns(family, tests)
    p_adjusted = family.adjusted(columns["p_value"], adjust)
    excludes_0 = rejected(p_adjusted, alpha)
    last = last_step(columns["p_value"], excludes_0, alpha)
    low, high = agreeing_limits(*_hull(tests, last), columns["estimate"], excludes_0)
    columns |= {"p_adjusted": p_adjusted, "conf_low": low, "conf_high": high}
    kept = list(columns)[: -3 * len(NAMES)]
    return {name: columns[name] for name in kept}
