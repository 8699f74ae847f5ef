"""Several metrics at once on folds, or on data-set means, as a page reports them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from pycompare import plotting
from pycompare.base.formatting.numbers import degrees
from pycompare.base.formatting.rounding import fixed
from pycompare.base.tables import AnyTable
from pycompare.designs import two_algorithms
from pycompare.designs.error_rates import error_rate, of_plan, test_rate
from pycompare.designs.group_comparison import GroupComparison
from pycompare.designs.multivariate import Together
from pycompare.designs.pair_methods import described, short_title
from pycompare.methods.linear.hotelling_pairs import HotellingPairsResult
from pycompare.methods.linear.manova import ManovaResult, MultivariateTest
from pycompare.methods.linear.multivariate_checks import MultivariateChecks
from pycompare.plotting.style import MOST_MARKS
from pycompare.reporting import document as doc
from pycompare.reporting.content import build
from pycompare.reporting.content.analysis_report import drawn
from pycompare.reporting.content.build import Field, Method, by_evidence, of_test, table
from pycompare.reporting.content.orderings import orderings
from pycompare.reporting.content.page import PageResult, bullets
from pycompare.reporting.content.tables import named_by_us
from pycompare.reporting.content.wording import (
    begun,
    count,
    in_words,
    listed_metrics,
    listing,
    sentence,
    value,
)
from pycompare.reporting.document import fold, p_equals
from pycompare.results.guarantees import NO_CLAIM, NO_TEST, OUTSIDE
from pycompare.results.result import Test, rejected

INDEPENDENT = (
    "The tests of several metrics assume independent folds, so their p-values are too "
    "small."
)
_MOST_PAIRS = 12
"""More pairs than these are counted, not named."""
_DF = Field("df", "digits", lambda row: degrees((row.df1, row.df2)))


def result(
    comparison: GroupComparison, together: Together, stem: str = ""
) -> PageResult:
    """Return everything about all metrics together."""
    alpha, prefix = comparison.plan.alpha, f"{stem}together_"
    stated = facts(together, alpha)
    test = together.permutation
    caption = (
        "All metrics together, without assuming normal errors: permutations within "
        f"{together.blocks}. {_agreement(together, alpha)}"
    )
    return PageResult(
        title="All metrics together",
        prefix=prefix,
        answer=_answer(stated),
        method=_method(comparison, together),
        blocks=doc.present(
            bullets(_remarks(together, stated)),
            *_blocks(together, alpha),
            drawn(figures_of(comparison, together), prefix),
        ),
        sensitivity=() if test is None else (build.tests(caption, [test]),),
        leading=False,
        tables=_csv_tables(together),
        not_in_r=together.not_in_r(),
    )


def methods(comparison: GroupComparison) -> Iterator[Method]:
    """Yield the methods for all metrics together, with their sources."""
    together, plan = comparison.together, comparison.plan
    units = of_plan(plan)
    if together is None:
        return
    if together.manova is not None:
        test = together.manova
        title = "Multivariate analysis of variance, Wilks' Lambda"
        yield title, test_rate(test, plan, units), test.wilks.reference
        yield "Dimensionality", NO_CLAIM, test.dimensionality.reference
        yield "Canonical variates", NO_TEST, test.canonical.reference
    if together.pairs is not None:
        pairs = together.pairs
        title = f"{pairs.method}, {described(pairs.adjust).title}"
        yield title, error_rate(pairs, plan, units).text, pairs.reference
    if together.permutation is not None:
        yield of_test(together.permutation, plan, units)
    if together.checks is not None:
        for check in together.checks.tests.values():
            yield check.name, f"{OUTSIDE} (a check)", check.reference


# ---- sentences


@dataclass(frozen=True, kw_only=True)
class VectorFacts:
    """Decisions about the mean vectors of the algorithms."""

    metrics: tuple[str, ...]
    test: ManovaResult | None
    alpha: float
    # Whether equal mean vectors are rejected; None where that is not tested.
    differ: bool | None
    # Pairs whose mean vectors differ, strongest evidence first; those without a test.
    significant: tuple[tuple[str, str], ...]
    untested: tuple[tuple[str, str], ...]
    n_pairs: int


def facts(together: Together, alpha: float) -> VectorFacts:
    """Return the decisions."""
    test, n = together.manova, 0
    significant: list[tuple[str, str]] = []
    untested: list[tuple[str, str]] = []
    if together.pairs is not None:
        table = by_evidence(together.pairs.as_columns())
        marked = rejected(table["p_adjusted"], alpha)
        significant = _named_in(table.where(marked))
        untested = _named_in(table.where(np.isnan(table["p_adjusted"])))
        n = len(table)
    tested = test is not None and not math.isnan(test.p_value)
    return VectorFacts(
        metrics=together.metrics,
        test=test,
        alpha=alpha,
        differ=test.rejected(alpha) if test is not None and tested else None,
        significant=tuple(significant),
        untested=tuple(untested),
        n_pairs=n,
    )


def _named_in(rows: pd.DataFrame) -> list[tuple[str, str]]:
    """Return the two algorithms of each row."""
    return [(str(r.algorithm_1), str(r.algorithm_2)) for r in rows.itertuples()]


def _answer(facts: VectorFacts) -> doc.Inline:
    """Return whether the algorithms differ in several metrics at once."""
    names, test = listed_metrics(facts.metrics), facts.test
    if test is None:
        head, end = f"The algorithms were not compared in {names} together", "."
    elif facts.differ is None:
        head, end = f"No difference in {names} together can be tested", "."
    else:
        verb = "differ" if facts.differ else "do not differ"
        head = f"The algorithms {verb} significantly in {names} together"
        how = "" if test.wilks.exact else ", approximate"
        end = (
            f" (Wilks' Lambda = {value(test.wilks.statistic)}, F({degrees(test.df)}) = "
            f"{value(test.wilks.f)}{how}, {p_equals(test.p_value, facts.alpha)})."
        )
    return (doc.Strong(head), end + _tally(facts))


def _tally(facts: VectorFacts) -> str:
    """Count the pairs whose mean vectors differ."""
    n, every = len(facts.significant), facts.n_pairs
    if not every:
        return ""
    if not n:
        return f" None of the {count(every)} pairs of mean vectors differs."
    if n == every:
        return f" So do all {count(every)} pairs of mean vectors."
    verb = "differs" if n == 1 else "differ"
    return f" {begun(count(n))} of the {count(every)} pairs of mean vectors {verb}."


def _method(comparison: GroupComparison, together: Together) -> str:
    """Return how the answer was found."""
    parts = []
    if comparison.plan.joins:
        thresholds = in_words(len(comparison.plan.theta), "threshold")
        parts.append(f"metrics at {thresholds} joined to one vector per fold")
    if together.manova is not None:
        parts.append(f"multivariate analysis of variance, blocked by {together.blocks}")
    if together.pairs is not None:
        plan, pairs = comparison.plan, together.pairs
        rate = error_rate(pairs, plan, of_plan(plan)).stated(plan.alpha)
        parts.append(
            f"{pairs.method}, {short_title(pairs.adjust)} adjustment, over "
            f"{pairs.family}. {begun(rate)}"
        )
    return f"Method: {'. '.join(map(begun, parts))}." if parts else ""


def _remarks(together: Together, stated: VectorFacts) -> list[str]:
    """Return the notes for readers besides the answer."""
    test = together.manova
    remarks = []
    if stated.significant:
        pairs = some(stated.significant)
        remarks.append(f"Pairs with significantly different mean vectors: {pairs}.")
    if stated.untested:
        remarks.append(
            f"Not tested: {some(stated.untested)}; the table gives the reasons."
        )
    if test is not None and stated.differ is None:
        remarks.append(sentence(f"reason: {test.notes[-1]}"))
    elif test is not None:
        remarks += [_dimension(test), *_at_odds(test, stated), *_line(test)]
    if test is not None:
        remarks += [*_gaps(test), *_dependencies(test)]
    tested = test is not None or together.permutation is not None or stated.n_pairs
    if tested and together.design.one_dataset:
        remarks.append(INDEPENDENT)
    return [*remarks, *(f"Not computed: {reason}." for reason in together.refusals)]


def some(pairs: tuple[tuple[str, str], ...]) -> str:
    """Name pairs, or count them if they are many."""
    if len(pairs) > _MOST_PAIRS:
        return f"{len(pairs)} pairs"
    return "; ".join(map(" – ".join, pairs))


def _gaps(test: ManovaResult) -> Iterator[str]:
    """Count the cells that the tests of all metrics leave out."""
    present = test.responses.design.present
    absent = int((~present).sum())
    if absent:
        yield (
            f"{absent} of {present.size} cells lack one of the metrics and are left "
            f"out here."
        )


def _dependencies(test: ManovaResult) -> Iterator[str]:
    """Name the metrics that are determined by those before them."""
    if test.dropped:
        told = "; ".join(dependency.text for dependency in test.dropped)
        kept = (
            f"The test uses {listed_metrics(test.kept)}"
            if test.kept
            else "None is left"
        )
        yield (
            f"Left out, because the other metrics determine them: {told}. {kept} (rank "
            f"{test.rank} of {len(test.metrics)})."
        )


def _dimension(test: ManovaResult) -> str:
    """Return in how many dimensions the mean vectors differ."""
    sizes = test.dimensionality
    n = len(sizes.as_columns())
    how = f"(Bartlett's test, alpha = {sizes.alpha:g})"
    if not sizes.dimension:
        return f"The mean vectors differ significantly in no dimension {how}."
    return (
        f"The mean vectors differ significantly in {count(sizes.dimension)} of "
        f"{count(n)} {'dimension' if n == 1 else 'dimensions'} {how}."
    )


def _at_odds(test: ManovaResult, stated: VectorFacts) -> Iterator[str]:
    """Yield a note if two approximations of one statistic disagree."""
    if bool(test.dimension) != stated.differ:
        yield (
            "The F approximation of Wilks' Lambda is the primary test. The chi-squared "
            "one, which gives the number of dimensions, is on the other side of alpha."
        )


def _line(test: ManovaResult) -> Iterator[str]:
    """Yield a note if the mean vectors lie close to one line."""
    canonical = test.canonical
    if len(canonical.eigenvalues) > 1 and canonical.collinear and test.dimension:
        share = fixed(100 * canonical.share.iloc[0], 1)
        yield (
            f"The first canonical variate holds {share}% of "
            f"the differences: the mean vectors lie close to one line."
        )


def _agreement(together: Together, alpha: float) -> str:
    """Return whether the permutation test agrees with the primary one."""
    test, planned = together.permutation, together.manova
    if test is None or planned is None or math.isnan(test.p_value):
        return ""
    if test.rejected(alpha) == planned.rejected(alpha):
        return "It agrees with the primary test."
    return "It disagrees with the primary test, which remains the primary analysis."


def sentences(comparison: GroupComparison, together: Together) -> list[str]:
    """Return everything that is stated, as plain sentences."""
    told = facts(together, comparison.plan.alpha)
    test = together.permutation
    sensitivity = []
    if test is not None and not math.isnan(test.p_value):
        sensitivity = [
            f"Sensitivity analysis, {test.name}: "
            f"{p_equals(test.p_value, comparison.plan.alpha)}. "
            f"{_agreement(together, comparison.plan.alpha)}".strip()
        ]
    return [
        doc.plain(_answer(told)),
        _method(comparison, together),
        *_remarks(together, told),
        *sensitivity,
    ]


# ---- tables


def _blocks(together: Together, alpha: float) -> Iterator[doc.Block]:
    """Yield the orderings, then the tables, folded."""
    if together.orders is not None:
        yield orderings(together.orders, "orderings")
    if together.pairs is not None:
        groups = "; ".join(", ".join(group) for group in together.cliques or ())
        text = f"Largest groups without a significant difference: {groups}."
        yield fold(
            "Pairs of mean vectors",
            _pairs_table(together.pairs, alpha),
            doc.Paragraph(text) if groups else None,
            _directions_table(together.pairs),
        )
    if together.manova is not None:
        test = together.manova
        dropped = map(doc.Paragraph, _dependencies(test))
        tests = _tests_table(test, together.blocks)
        yield fold("Multivariate analysis of variance", tests, *dropped)
        yield fold("Each metric separately", _univariate_table(test, alpha))
        yield fold("Dimensionality", _dimension_table(test, alpha))
        tables = _canonical_table(test), _variates_table(test)
        yield fold("Canonical variates", *tables)
    if together.checks is not None:
        yield fold("Multivariate checks", *_checks(together.checks))


def _checks(checks: MultivariateChecks) -> Iterator[doc.Block]:
    """Yield the checks of the assumptions of the multivariate analysis, notes once."""
    tests = list(checks.tests.values())
    yield table(
        "Checks of the residuals of the multivariate analysis. A small p-value speaks "
        "against the assumption; it changes no analysis.",
        tests,
        Field("Test", "label", lambda test: begun(test.name)),
        Field("p", "p", "p_value"),
        Field("statistic", "digits", build.statistic),
        build.DF,
        Field("reference distribution", "text", "p_source"),
        Field("source", "text", "reference"),
        file="checks",
    )
    notes = dict.fromkeys(note for test in tests for note in test.notes)
    if notes:
        yield doc.Bullets(tuple(map(sentence, notes)))


def _pairs_table(test: HotellingPairsResult, alpha: float) -> doc.Table:

    def note(row: Any) -> str:
        """Return why a pair was not tested, or which metrics its test leaves out."""
        left_out = "; ".join(dependency.text for dependency in test.dropped[row.Index])
        return str(row.reason) or (f"left out: {left_out}" if left_out else "")

    noted = any(map(note, test.as_columns().itertuples()))
    return table(
        f"{test.method}, {short_title(test.adjust)} adjustment over {test.family} "
        f"({test.reference}). A difference of mean vectors has no single direction: "
        f"which algorithm is better, each metric shows separately. Bold: adjusted p ≤ "
        f"{alpha:g}.",
        by_evidence(test.as_columns()),
        build.PAIR,
        Field("Mahalanobis distance", "number", "distance"),
        Field("adjusted p", "p", "p_adjusted", alpha),
        Field("T2", "number", "t2"),
        Field("F", "number", "statistic"),
        _DF,
        Field("raw p", "p", "p_value"),
        *([Field("note", "text", note)] if noted else []),
        file="pairs",
    )


def _directions_table(test: HotellingPairsResult) -> doc.Table:
    weights = test.standardised
    return table(
        "Discriminant direction of each pair: the combination of metrics in which the "
        "two differ most. Weights are per standard deviation of the metric's "
        "differences; 0: the metric depends on those before it.",
        list(weights.index),
        Field("Pair", "label", " – ".join),
        *(_column(weights, metric) for metric in weights.columns),
        file="directions",
    )


def _tests_table(manova: ManovaResult, of: str) -> doc.Table:

    def is_f(test: Test) -> bool:
        return isinstance(test, MultivariateTest)

    return table(
        f"Equal mean vectors of {listed_metrics(manova.metrics)}, blocked by {of} "
        f"(rank {manova.rank}). Wilks' Lambda is the primary test; the others are "
        f"sensitivity analyses.",
        [*manova.tests, manova.bartlett],
        Field("Statistic", "label", "name"),
        Field("p", "p", "p_value"),
        Field("value", "number", lambda t: t.statistic if is_f(t) else None, digits=4),
        Field("F", "number", lambda t: t.f if is_f(t) else None),
        Field("chi2", "number", lambda t: None if is_f(t) else t.statistic),
        build.DF,
        Field("reference distribution", "text", "p_source"),
        Field("source and notes", "text", build.notes),
    )


def _dimension_table(manova: ManovaResult, alpha: float) -> doc.Table:
    return table(
        f"Bartlett's test of the number of dimensions in which the mean vectors differ "
        f"({manova.dimensionality.reference}). Bold: p ≤ {alpha:g}.",
        manova.dimensionality.as_columns(),
        Field("Hypothesis: at most so many dimensions", "label", lambda r: str(r.r)),
        Field("p", "p", "p_value", alpha),
        Field("D2", "number", "statistic"),
        build.DF,
    )


def _canonical_table(manova: ManovaResult) -> doc.Table:
    return table(
        "Canonical variates: the combinations of metrics in which the algorithms "
        f"differ most ({manova.canonical.reference}). Raw coefficients are per unit of "
        "the metric, standardised ones per residual standard deviation. Structure: "
        "correlation of metric and variate in the residuals. Signs are arbitrary.",
        manova.canonical.as_columns(),
        Field("Variate, metric", "label", lambda row: f"{row.variate}, {row.metric}"),
        Field("eigenvalue", "number", "eigenvalue"),
        Field("share", "number", "share"),
        Field("raw", "number", "raw"),
        Field("standardised", "number", "standardised"),
        Field("structure", "number", "structure"),
        file="canonical_variates",
    )


def _column(frame: pd.DataFrame, name: Any) -> Field:
    """Return one column of a frame whose index are the rows of a table."""
    return Field(str(name), "number", lambda row: float(frame.at[row, name]), digits=4)


def _variates_table(manova: ManovaResult) -> doc.Table:
    return table(
        "Means of the algorithms, in each metric's own unit and on the canonical "
        "variates (centred, in residual standard deviations).",
        list(manova.means.index),
        Field("Algorithm", "label", str),
        *(_column(manova.means, name) for name in manova.means),
        *(_column(manova.canonical.means, name) for name in manova.canonical.means),
        file="means",
    )


def _univariate_table(manova: ManovaResult, alpha: float) -> doc.Table:
    """Return the follow-up analyses of variance."""
    others = listed_metrics(
        [name for name in manova.metrics if name not in manova.kept]
    )
    lost = " Not counted, because they depend on the others or do not vary: "
    lost = f"{lost}{others}." if others else ""
    return table(
        f"Analyses of variance of each metric separately, Holm adjustment over the "
        f"metrics.{lost} They follow up the multivariate test; the primary analysis of "
        f"a metric is its own.",
        manova.univariate,
        Field("Metric", "label", "metric"),
        Field("partial eta squared", "number", "partial_eta2"),
        Field("adjusted p", "p", "p_adjusted", alpha),
        Field("F", "number", "statistic"),
        _DF,
        Field("raw p", "p", "p_value"),
        file="univariate",
    )


# ---- figures and files


def figures_of(comparison: GroupComparison, together: Together) -> Iterator[doc.Figure]:
    """Yield two metrics of each algorithm, and the canonical variates."""
    scores, test = comparison.compared, together.manova
    if test is None or not test.rank or scores.n_algorithms > MOST_MARKS:
        return
    both = tuple((test.kept if len(test.kept) > 1 else together.metrics)[:2])
    yield doc.Figure(
        "ellipses",
        partial(plotting.ellipses, scores, metrics=both),
        f"{listing(both)} of each algorithm: {together.blocks} (small), means "
        f"(large), and ellipses that contain 95% of a normal distribution with the "
        f"same mean and covariance.",
        f"Scatter of {listing(both)} with an ellipse for each algorithm.",
    )
    if scores.n_algorithms == 2 and scores.complete and scores.n_blocks > 2:
        plan = comparison.plan
        pair = two_algorithms.control_last(scores, plan)
        yield doc.Figure(
            "difference_ellipse",
            partial(
                plotting.difference_ellipse,
                scores,
                algorithms=pair,
                metrics=both,
                alpha=plan.alpha,
            ),
            f"Differences of {listing(both)} within {together.blocks}, with the "
            f"confidence ellipse of the mean difference. The cross is no difference.",
            "Paired differences in two metrics with a confidence ellipse.",
        )
    yield doc.Figure(
        "canonical_variates",
        partial(plotting.canonical_variates, test),
        "Means of the algorithms on the canonical variates, with 95% circles for each "
        "separately. Distances are in residual standard deviations.",
        "Means on the canonical variates; the table of means has the numbers.",
    )


def _csv_tables(together: Together) -> dict[str, AnyTable]:
    test, pairs, permuted = together.manova, together.pairs, together.permutation
    tables: dict[str, AnyTable] = {}
    if test is not None:
        tables = build.frames(
            manova=test,
            dimensionality=test.dimensionality,
            canonical_variates=test.canonical,
            means=named_by_us(test.means, "mean of"),
            univariate=test.univariate,
        )
    if pairs is not None:
        both, name = ("algorithm_1", "algorithm_2"), "weight of"
        directions = named_by_us(pairs.directions, name, both)
        own = {"differences": pairs.differences, "directions": directions}
        tables |= build.frames(pairs=pairs, **own)
    permutation = None if permuted is None else permuted.as_row()
    more = build.frames(
        orderings=together.orders, permutation=permutation, checks=together.checks
    )
    return tables | more
