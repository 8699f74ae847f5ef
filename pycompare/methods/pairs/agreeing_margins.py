"""Tests against a margin whose intervals agree with every adjusted decision."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from pycompare.base.formatting.numbers import percent
from pycompare.base.hypotheses import MARGIN
from pycompare.base.typing import Floats
from pycompare.data.blocks import Blocks
from pycompare.kernels import student
from pycompare.kernels.matched_pairs import least_units
from pycompare.methods.pairs.common import Alternative, pairs_family
from pycompare.methods.pairs.equivalence import MarginKind, interval_side
from pycompare.methods.pairs.last_step import EACH, last_step
from pycompare.methods.pairs.margin_pairs import MarginPairsResult
from pycompare.results.family import Family
from pycompare.results.result import internal, rejected


@dataclass(frozen=True, kw_only=True, eq=False)
class AgreeingMargins(MarginPairsResult):
    """Tests against a margin; each interval lies within it just if its pair is shown.

    The table has ``p_lower`` and ``p_upper`` besides: the p-values that the difference
    is above ``margin_low``, below ``margin_high``.

    Attributes
    ----------
    level : float
        Confidence level of each interval separately: 1 - 2 a for equivalence, one-sided
        1 - a for non-inferiority, with a the raw p-value up to which pairs are shown.
    notes : tuple of str
    """

    level: float
    notes: tuple[str, ...]

    @property
    def remarks(self) -> tuple[str, ...]:
        """Notes for readers of the tests, whatever they show."""
        return self.notes

    @property
    def side(self) -> Alternative:
        """The alternative whose interval is to lie within the margins."""
        return interval_side(self.margin_low, self.margin_high)

    def limits(self, last: float) -> tuple[Floats, Floats]:
        """Return the values not rejected by each one-sided test at level ``last``."""
        raise NotImplementedError

    def following(
        self, columns: dict[str, Any], family: Family
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return decisions, and intervals at the level of the last step."""
        shown, _ = super().following(columns, family)
        raw = np.concatenate([table.as_columns()["p_value"] for table in family.tables])
        decisions = rejected(family.before_gate, self.alpha)
        last = last_step(raw.astype(float), decisions, self.alpha)
        low, high = self.limits(last)
        p_lower, p_upper = (
            self.as_columns()[n].astype(float) for n in ("p_lower", "p_upper")
        )
        low = agreeing_end(low, self.margin_low, p_lower <= last, 1.0)
        high = agreeing_end(high, self.margin_high, p_upper <= last, -1.0)
        sided = self.side != "two-sided"
        level = 1 - last if sided else 1 - 2 * last
        words = "one-sided " * sided + percent(level)
        if family.size > 1:
            words += f" {EACH}"
        fields = {"level": level, "interval": words}
        return shown | {"conf_low": low, "conf_high": high}, fields

    def summary(self, digits: int = 4) -> str:
        """Return the table as text, what its claims must carry, and the notes."""
        lines = (super().summary(digits), *(f"  note: {n}" for n in self.notes))
        return "\n".join(lines)

    def r_arguments(self) -> dict[str, Any]:
        """Return the arguments that the R functions of these tests share."""
        return {
            "margin_low": self.margin_low,
            "margin_high": self.margin_high,
            "alpha": self.alpha,
            "adjust": self.adjust if self.adjusted_here else "none",
            "control": self.control or "",
            "level": math.nan if self.adjusted_here else self.level,
        }

    def r_values(self) -> dict[str, Any]:
        """Return the numeric columns, those of the family only if it is this table."""
        kept = {"algorithm_1", "algorithm_2", "shown", "notes"}
        if not self.adjusted_here:
            kept.add("p_adjusted")
        return self.columns_in_r(*(n for n in self.as_columns() if n not in kept))


class TMargins(AgreeingMargins):
    """Those whose one-sided tests are t tests, or z with infinite ``df``."""

    def limits(self, last: float) -> tuple[Floats, Floats]:
        """Return t limits at level ``last``; NaN without a variance."""
        names = ("estimate", "std_error", "df")
        estimate, error, df = (self.as_columns()[name].astype(float) for name in names)
        half = student.half_widths(error, df, last)
        return estimate - half, estimate + half


@dataclass(frozen=True, kw_only=True, eq=False)
class AgreeingBlockMargins(AgreeingMargins):
    """Those of scores on common blocks."""

    blocks: Blocks = internal()

    @property
    def algorithms(self) -> tuple[str, ...]:
        """All algorithms, in the order of the data."""
        return self.blocks.algorithms

    def r_arguments(self) -> dict[str, Any]:
        """Return the arguments that the R functions of these tests share."""
        return {"x": self.blocks.r_arguments()["x"], **super().r_arguments()}


def agreeing_end(limit: Floats, margin: float, excludes: Any, inward: float) -> Floats:
    """Return limits that leave the margin out just when its test rejects."""
    if math.isinf(margin):
        return np.full_like(limit, margin)
    beyond = inward * (limit - margin) <= 0
    inside = math.nextafter(margin, inward * math.inf)
    limit = np.where(excludes & beyond, inside, limit)
    untested = np.isnan(limit)
    return np.where(~excludes & ~beyond & ~untested, margin, limit)


def decided_side(
    lower: tuple[Floats, Floats], upper: tuple[Floats, Floats]
) -> dict[str, Floats]:
    """Return the columns of both one-sided tests, and of the one with the larger p.

    Parameters
    ----------
    lower, upper : tuple of ndarray
        Statistics and p-values; NaN if a side has no margin.
    """
    (z_lower, p_lower), (z_upper, p_upper) = lower, upper
    lower_decides = np.isnan(p_upper) | (p_lower >= p_upper)
    return {
        "statistic": np.where(lower_decides, z_lower, z_upper),
        "p_lower": p_lower,
        "p_upper": p_upper,
        "p_value": np.where(lower_decides, p_lower, p_upper),
    }


@dataclass(frozen=True, kw_only=True, eq=False)
class AgreeingCaseMargins(AgreeingBlockMargins):
    """Those of cases, which may be in clusters.

    Attributes
    ----------
    n_cases : int
    n_clusters : int or None
        None if cases are independent.
    """

    n_cases: int
    n_clusters: int | None

    @property
    def clustered(self) -> bool:
        """Whether cases of a cluster may depend on each other."""
        return self.n_clusters is not None


def unadjusted_fields(
    blocks: Blocks,
    pairs: Sequence[tuple[int, int]],
    columns: dict[str, Floats],
    *,
    kind: MarginKind,
    margins: tuple[float, float],
    control: str | None,
    alpha: float,
) -> dict[str, Any]:
    """Return the fields of results before any adjustment, whose intervals are open.

    ``columns`` come with ``p_value``; `pairs` are their rows.
    """
    nothing = np.full(len(pairs), math.nan)
    names = np.array(blocks.algorithms, dtype=object)
    first, second = np.array(pairs).T
    table: dict[str, Any] = {
        "algorithm_1": names[first],
        "algorithm_2": names[second],
        "estimate": columns["estimate"],
        "std_error": columns["std_error"],
        "statistic": columns["statistic"],
        "df": columns["df"],
        "p_lower": columns["p_lower"],
        "p_upper": columns["p_upper"],
        "p_value": columns["p_value"],
        "p_adjusted": columns["p_value"],
        "conf_low": nothing,
        "conf_high": nothing,
    }
    table |= {name: column for name, column in columns.items() if name not in table}
    table["shown"] = rejected(columns["p_value"], alpha)
    table["notes"] = np.full(len(pairs), "", dtype=object)
    low, high = margins
    return {
        "table": pd.DataFrame(table),
        "kind": kind,
        "metric": blocks.metric.name,
        "better": blocks.metric.better,
        "margin_low": low,
        "margin_high": high,
        "alpha": alpha,
        "hypotheses": MARGIN,
        "adjust": "none",
        "family": pairs_family(blocks, control),
        "interval": "",
        "control": control,
        "level": math.nan,
        "blocks": blocks,
    }


def few_units(units: float, margin: float, width: float, alpha: float) -> str:
    """Note that equal answers to so few units show no margin; empty if they can.

    ``width`` is the largest possible difference.
    """
    least = least_units(margin / width, alpha)
    if units >= least:
        return ""
    return (
        f"if two algorithms answer all {units:.4g} independent units alike, no valid "
        f"test shows that they are within the margin {margin:.4g} at a one-sided error "
        f"of {alpha:.3g}; that takes {least} units"
    )
