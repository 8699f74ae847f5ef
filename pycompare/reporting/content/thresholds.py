"""What is stated about predictions at several thresholds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from pycompare.analyses.decisions import decisions
from pycompare.analyses.group_comparison import GroupComparison
from pycompare.analyses.threshold_sweep import ThresholdsAnalysis
from pycompare.plans.post_hoc import short_title
from pycompare.reporting.content.facts import Alternative, Statements, significant
from pycompare.reporting.content.outcomes import outcome
from pycompare.reporting.content.wording import listing
from pycompare.reporting.document.columns import p_equals
from pycompare.results import rejected

ONE = (
    "One data set has no primary conclusion: its thresholds share all their cases and "
    "are no sample, so the wins by the rule over thresholds describe these folds. A "
    "conclusion needs several data sets, or one planned threshold."
)
SIGNS = "independent data sets"


def statements(comparison: GroupComparison, analysis: ThresholdsAnalysis) -> Statements:
    """Return everything that is stated."""
    alpha = comparison.plan.alpha
    first = at_thresholds(analysis, alpha)
    if not analysis.pairs:
        told = (on_the_dataset(analysis), first, ONE)
        return Statements(outcome=None, remarks=told)
    return Statements(
        outcome=outcome(analysis, comparison),
        remarks=(totals(analysis), *wins(analysis), first),
        alternatives=tuple(
            Alternative(
                name=f"{found.method}, {short_title(found.called)}",
                assumes=SIGNS,
                significant=significant(decisions(found, alpha)),
            )
            for found in analysis.pairs[1:]
        ),
    )


def at_thresholds(analysis: ThresholdsAnalysis, alpha: float) -> str:
    """Say at how many thresholds the algorithms differ at all."""
    p = analysis.won.tests["p_value"]
    count, none = int(rejected(p, alpha).sum()), int(p.isna().sum())
    told = (
        f" At {none} nothing can be tested: the algorithms do not differ there, or "
        f"their differences do not vary."
        if none
        else ""
    )
    sets = analysis.won.n_datasets
    places = "pairs of threshold and data set" if sets > 1 else "thresholds"
    return (
        f"MANOVA rejects equal mean vectors of {listing(analysis.won.metrics)} at "
        f"{count} of {len(p)} {places} (p ≤ {alpha} at each, not adjusted).{told}"
    )


def wins(analysis: ThresholdsAnalysis) -> Iterator[str]:
    """Say on how many data sets each significant winner wins and loses."""
    table, n = analysis.won.wins, analysis.won.n_datasets
    for made in analysis.decisions:
        if made.rejected:
            won = table.loc[made.better, made.worse]
            lost = table.loc[made.worse, made.better]
            yield (
                f"{made.better} wins over {made.worse} on {won} and loses on {lost} of "
                f"{n} data sets."
            )


def totals(analysis: ThresholdsAnalysis) -> str:
    """Say how often each algorithm wins."""
    found = analysis.won.totals
    assert found is not None
    ordered = found.sort_values(ascending=False, kind="stable")
    named = ", ".join(f"{name} {int(count)}" for name, count in ordered.items())
    return (
        f"Data sets, of {analysis.won.n_datasets}, on which an algorithm wins over at "
        f"least one other: {named}."
    )


def on_the_dataset(analysis: ThresholdsAnalysis) -> str:
    """Say who wins on the only data set, by the rule over thresholds."""
    won = [row for row in analysis.won.decisions.itertuples() if row.verdict != "tie"]
    if not won:
        return "By the rule over thresholds no algorithm wins over another."
    return f"By the rule over thresholds, {listing([rule_win(r) for r in won])}."


def rule_win(row: Any) -> str:
    """Say how one of a pair wins over thresholds."""
    names, counts = [row.algorithm_1, row.algorithm_2], [row.wins, row.losses]
    p = row.p_adjusted
    if row.verdict == "loss":
        p = row.p_adjusted_other
        names.reverse()
        counts.reverse()
    shown = "" if np.isnan(p) else f"; sign test {p_equals(p)}"
    return (
        f"{names[0]} wins over {names[1]} (at {counts[0]} thresholds against "
        f"{counts[1]}{shown})"
    )
