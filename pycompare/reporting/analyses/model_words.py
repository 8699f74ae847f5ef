"""What a linear model showed, in the past tense of a paper."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from pycompare.methods.models.anova import RESIDUALS
from pycompare.reporting.analyses.models import (
    ModelReport,
    adjusted_by,
    interactions,
    sized,
    within_title,
)
from pycompare.reporting.content import wording
from pycompare.reporting.content.paper_words import MOST_LISTED
from pycompare.reporting.document import Column, cells, p_equals, plain
from pycompare.results.result import rejected

if TYPE_CHECKING:
    from pycompare.methods.models.emmeans import Contrasts
    from pycompare.methods.models.linear_model import TermManova


def reported(report: ModelReport, response: str) -> str:
    """Return the tests of terms, then differences of means that they support."""
    return " ".join([*_terms(report, response), *_differences(report, response)])


def _terms(report: ModelReport, response: str) -> Iterator[str]:
    """Yield which terms had an effect, with its size and test."""
    model, alpha = report.model, report.plan.alpha
    own = model.anova[model.anova["response"] == response]
    apart = own["term"].isin(list(model.tested_at))
    terms = own[(own["term"] != RESIDUALS) & ~apart]
    parts = interactions(report, response)
    apart |= own["term"].map(lambda t: any({*t.split(":")} < {*of} for of in parts))
    tested = own[(own["term"] != RESIDUALS) & ~apart & own["p_value"].notna()]
    small = rejected(tested["p_value"], alpha)
    for _, row in tested[small].iterrows():
        size = sized(row, model.level)
        yield f"The effect of {row['term']} was significant ({size})."
    others = [
        f"{r['term']} ({sized(r, model.level)})" for _, r in tested[~small].iterrows()
    ]
    if others:
        yield f"No significant effect was found of {'; '.join(others)}."
    without_p = dict.fromkeys(terms["term"][terms["p_value"].isna()])
    lost = [term for term in without_p if term not in set(tested["term"])]
    if lost:
        yield f"Not testable: {', '.join(lost)}."


def _differences(report: ModelReport, response: str) -> Iterator[str]:
    """Yield the differences of means; none of a factor that interacts with another."""
    interacting = _interacting(report, response)
    for (of, names), contrasts in report.contrasts.items():
        if of != response or interacting.get(names):
            continue
        yield from _of(contrasts, names, report.plan.alpha)
    if response in report.within:
        within = report.within[response]
        yield from _of(within, within_title(within), report.plan.alpha)
    apart = [f"{name} ({', '.join(by)})" for name, by in interacting.items() if by]
    if apart:
        yield (
            f"Differences over all levels are not reported of factors with a "
            f"significant interaction: {'; '.join(apart)}."
        )


def _interacting(report: ModelReport, response: str) -> dict[str, list[str]]:
    """Return the significant interactions that each set of factors is a part of."""
    parts = interactions(report, response)
    return {
        names: [":".join(of) for of in parts if {*names.split(":")} < {*of}]
        for _, names in report.contrasts
    }


def _of(contrasts: Contrasts, names: str, alpha: float) -> Iterator[str]:
    """Yield the numbers of the comparisons, smallest adjusted p-values first."""
    table = contrasts.as_columns()
    table = table.where(~np.isnan(table["p_adjusted"]))
    if not len(table):
        return
    shown = table.sorted_by("p_adjusted").head(MOST_LISTED)
    estimates = cells(Column("", "estimate"), list(shown["estimate"]))
    limits = list(zip(shown["conf_low"], shown["conf_high"], strict=True))
    intervals = cells(Column("", "interval"), limits)
    by = [name for name in contrasts.means.factors if name in shown]
    told = []
    for place, row in enumerate(shown.records()):
        at = ", ".join(str(row[name]) for name in by)
        name = f"{row['contrast']} ({at})" if at else str(row["contrast"])
        p = p_equals(float(row["p_adjusted"]), alpha)
        numbers = f"{plain(estimates[place].text)} {plain(intervals[place].text)}"
        told.append(f"{name}: {numbers}, {p}")
    n, every = int(rejected(table["p_adjusted"], alpha).sum()), len(table)
    more = f"; the {len(shown)} with the smallest p-values" * (len(shown) < every)
    if every == 1:
        head = f"The difference by {names} was {'' if n else 'not '}significant"
    else:
        many, verb = n or "None", "was" if n < 2 else "were"
        head = f"{many} of {every} comparisons by {names} {verb} significant"
    yield (
        f"{head} ({adjusted_by(contrasts)}, intervals "
        f"{contrasts.interval}{more}): {'; '.join(told)}."
    )


def reported_together(tests: dict[str, TermManova], alpha: float) -> str:
    """Return which terms had an effect on all responses together."""
    told = []
    for name, test in tests.items():
        row = test.as_columns().row(test="pillai")
        p = float(row.p_value)
        no = "" if rejected(p, alpha) else "not "
        value = wording.value(float(row.statistic))
        told.append(
            f"{name} was {no}significant (Pillai {value}, {p_equals(p, alpha)})"
        )
    return f"For all responses together, {'; '.join(told)}." if told else ""
