"""Sentences about all metrics together."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd

from pycompare.analyses.multivariate import Together
from pycompare.formatting.numbers import degrees, number, p_equals, p_text
from pycompare.linear.manova import ManovaResult
from pycompare.plans.post_hoc import short_title
from pycompare.reporting.content.words import cause, listing, sign, some_pairs
from pycompare.results import rejected

INDEPENDENT = (
    "All tests of the metrics together take folds as independent: none is corrected "
    "for shared training data, so they reject too often."
)


def verdict_sentences(found: Together, alpha: float) -> list[str]:
    """Return the verdict on all metrics together."""
    test = found.manova
    refused = [f"Not computed: {reason}." for reason in found.refusals]
    if test is None:
        others = [*pairs(found, alpha), *permutation(found, alpha)]
        return [
            *others,
            *([INDEPENDENT] if others and found.blocks == "folds" else []),
            *refused,
        ]
    sentences = [omnibus(test, found.blocks, alpha), *gaps(test), *dependencies(test)]
    if math.isnan(test.p_value):
        return sentences
    return [
        *sentences,
        dimension(test),
        *at_odds(test, alpha),
        *([close] if (close := line(test)) else []),
        univariate(test, alpha),
        *pairs(found, alpha),
        *permutation(found, alpha),
        *([INDEPENDENT] if found.blocks == "folds" else []),
        *refused,
    ]


def omnibus(test: ManovaResult, blocks: str, alpha: float) -> str:
    """Return the sentence for the test of equal mean vectors."""
    what = (
        f"Multivariate analysis of variance of {listing(test.metrics)}, blocked by "
        f"{blocks}"
    )
    if math.isnan(test.p_value):
        return f"{what}: no difference can be tested: {cause(test.notes[-1])}."
    differ = (
        "the two algorithms do not have the same mean vector"
        if len(test.means) == 2
        else "not all algorithms have the same mean vector"
    )
    verdict = (
        differ
        if test.rejected(alpha)
        else "no difference between the algorithms was shown"
    )
    exact = "exact" if test.wilks.exact else "approximate"
    return (
        f"{what}: Wilks' Lambda = {number(test.wilks.statistic)}, "
        f"F({degrees(test.df)}) = {number(test.wilks.f)} ({exact}), p = "
        f"{p_text(test.p_value, alpha)} {sign(test.rejected(alpha))} {alpha}: "
        f"{verdict}."
    )


def gaps(test: ManovaResult) -> list[str]:
    """Say how many cells the tests of all metrics do without."""
    present = test.responses.design.present
    absent = int((~present).sum())
    if not absent:
        return []
    return [
        f"A cell that lacks one of the metrics is left out here: {absent} of "
        f"{present.size}."
    ]


def dependencies(test: ManovaResult) -> list[str]:
    """Name the metrics that say nothing that those before them do not."""
    if not test.dropped:
        return []
    told = "; ".join(found.text for found in test.dropped)
    return [
        f"Left out, since they say nothing that the others do not: {told}. The test is "
        f"made of {listing(test.kept)}, rank {test.rank} of {len(test.metrics)}."
        if test.kept
        else f"Left out: {told}. No metric is left."
    ]


def dimension(test: ManovaResult) -> str:
    """Say in how many dimensions the mean vectors differ."""
    sizes = test.dimensionality
    count = len(sizes.table)
    by = f"(Bartlett, alpha = {sizes.alpha})"
    if not sizes.dimension:
        return f"The mean vectors were not shown to differ in any dimension {by}."
    return (
        f"The mean vectors were shown to differ in {sizes.dimension} of {count} "
        f"dimension{'' if count == 1 else 's'} {by}."
    )


def pairs(found: Together, alpha: float) -> list[str]:
    """Say which mean vectors differ; in several metrics none is the better one."""
    test = found.pairs
    if test is None:
        return []
    table = test.table.assign(rejected=test.rejected(alpha))
    apart = [f"{r.algorithm_1} – {r.algorithm_2}" for r in differing(table)]
    lost = [
        f"{r.algorithm_1} – {r.algorithm_2}"
        for r in table[table["p_adjusted"].isna()].itertuples()
    ]
    count = f"{len(apart)} of {len(table)} pairs of mean vectors"
    differ = f"{count} differ" if len(apart) != 1 else f"{count} differs"
    named = f": {some_pairs(apart)}" if apart else ""
    sentences = [
        f"{differ} by paired T2 ({short_title(test.adjust)} adjusted p ≤ {alpha}, over "
        f"{test.family}){named}."
    ]
    if lost:
        sentences.append(f"Not tested by T2: {some_pairs(lost)}; the table says why.")
    return sentences


def permutation(found: Together, alpha: float) -> list[str]:
    """Say what the permutation test decides."""
    test, planned = found.permutation, found.manova
    if test is None or math.isnan(test.p_value):
        return []
    source = test.notes[-1] if test.notes else test.p_source
    start = (
        f"Sensitivity, {test.name}: {p_equals(test.p_value, alpha)} "
        f"{sign(test.rejected(alpha))} {alpha} ({source})"
    )
    if planned is None:
        return [f"{start}."]
    if test.rejected(alpha) == planned.rejected(alpha):
        return [f"{start}: it decides alike."]
    return [f"{start}: it decides otherwise; the verdict stays with the F test."]


def differing(table: pd.DataFrame) -> list[Any]:
    """Return the rejected rows, strongest evidence first."""
    ordered = table.sort_values(["p_adjusted", "p_value"], kind="stable")
    return list(ordered[ordered["rejected"]].itertuples())


def at_odds(test: ManovaResult, alpha: float) -> list[str]:
    """Say so where F and chi2 of one statistic fall on both sides of alpha."""
    if bool(test.dimension) == test.rejected(alpha):
        return []
    return [
        "The F of Wilks' Lambda makes the verdict, the chi2 of the same statistic the "
        "number of dimensions; here the two approximations fall on both sides of alpha."
    ]


def line(test: ManovaResult) -> str | None:
    """Say so where the mean vectors lie close to one line."""
    found = test.canonical
    if len(found.eigenvalues) < 2 or not (found.collinear and test.dimension):
        return None
    return (
        f"The first canonical variate has {100 * found.share.iloc[0]:.1f}% of the "
        f"differences: the mean vectors lie close to one line."
    )


def univariate(test: ManovaResult, alpha: float) -> str:
    """Say which metrics differ by themselves."""
    told = listing([of_metric(row, alpha) for row in test.univariate.itertuples()])
    return f"Each metric by itself, analyses of variance adjusted by Holm: {told}."


def of_metric(row: Any, alpha: float) -> str:
    """Return what the follow-up of one metric says."""
    if math.isnan(row.p_value):
        return f"{row.metric} cannot be tested"
    if math.isnan(row.p_adjusted):
        return f"{row.metric} depends on the others and is not counted"
    return (
        f"{row.metric} adjusted {p_equals(row.p_adjusted, alpha)} "
        f"{sign(bool(rejected(row.p_adjusted, alpha)))} {alpha}"
    )
