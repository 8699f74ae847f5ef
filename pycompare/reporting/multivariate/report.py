"""Several metrics at once on folds, or on data-set means, as a page reports them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import pandas as pd

from pycompare import plotting
from pycompare.analyses import two_algorithms
from pycompare.analyses.error_rates import error_rate, of_blocks, test_rate
from pycompare.analyses.group_comparison import GroupComparison
from pycompare.analyses.multivariate import Together
from pycompare.formatting.numbers import degrees
from pycompare.linear.hotelling_pairs import HotellingPairsResult
from pycompare.linear.manova import ManovaResult, MultivariateTest
from pycompare.linear.multivariate_checks import MultivariateChecks
from pycompare.multiplicity.guarantees import NO_CLAIM, NO_TEST, OUTSIDE
from pycompare.plans.post_hoc import described, short_title
from pycompare.plotting.style import MOST_MARKS
from pycompare.reporting import document as doc
from pycompare.reporting.content import build, figures
from pycompare.reporting.content.analysis_report import figures as more_figures
from pycompare.reporting.content.analysis_report import named
from pycompare.reporting.content.build import Field, Method, by_evidence, of_test, table
from pycompare.reporting.content.orderings import orderings
from pycompare.reporting.content.page import Result, bullets
from pycompare.reporting.content.tables import named_by_us
from pycompare.reporting.content.wording import begun, listing, sentence
from pycompare.reporting.multivariate import words
from pycompare.results import Test

_DF = Field("df", "digits", lambda row: degrees((row.df1, row.df2)))


def result(comparison: GroupComparison, found: Together, stem: str = "") -> Result:
    """Return everything about all metrics together."""
    alpha, prefix = comparison.plan.alpha, f"{stem}together_"
    facts = words.facts(found, alpha)
    drawn = tuple(named(one, prefix) for one in figures_of(comparison, found))
    left_out = None if found.pairs is None else figures.left_out(found.pairs)
    return Result(
        title="All metrics together",
        prefix=prefix,
        answer=words.answer(facts),
        method=words.method(comparison, found),
        blocks=doc.present(
            bullets(words.remarks(found, facts)),
            *blocks(found, alpha),
            more_figures(drawn, left_out),
        ),
        sensitivity=tuple(_sensitivity(found, alpha)),
        leading=False,
        tables=_csv_tables(found),
        not_in_r=found.not_in_r(),
    )


def methods(comparison: GroupComparison) -> list[Method]:
    """Return the methods for all metrics together, with their sources."""
    found = comparison.together
    if found is None:
        return []
    plan, where = comparison.plan, of_blocks(comparison.plan)
    rows: list[Method] = []
    if found.manova is not None:
        test = found.manova
        title = "Multivariate analysis of variance, Wilks' Lambda"
        rows = [
            (title, test_rate(test, plan, where), test.wilks.reference),
            ("Dimensionality", NO_CLAIM, test.dimensionality.reference),
            ("Canonical variates", NO_TEST, test.canonical.reference),
        ]
    if found.pairs is not None:
        pairs = found.pairs
        title = f"{pairs.method}, {described(pairs.adjust).title}"
        rate = error_rate(pairs, plan, where).text
        rows.append((title, rate, pairs.reference))
    if found.permutation is not None:
        test_of_all = found.permutation
        rows.append(of_test(test_of_all, plan, where))
    if found.checks is not None:
        rows += [
            (test.name, f"{OUTSIDE} (a check)", test.reference)
            for test in found.checks.tests.values()
        ]
    return rows


def blocks(found: Together, alpha: float) -> Iterator[doc.Block]:
    """Yield the orderings, then the tables, folded."""
    if found.orders is not None:
        yield orderings(found.orders, "together_orderings")
    if found.pairs is not None:
        yield doc.Fold("Pairs of mean vectors", _pair_blocks(found, alpha), "pairs")
    if found.manova is not None:
        yield from _of_manova(found.manova, found.blocks, alpha)
    if found.checks is not None:
        yield doc.Fold("Multivariate checks", tuple(checks(found.checks)), "checks")


def _pair_blocks(found: Together, alpha: float) -> tuple[doc.Block, ...]:
    """Return the T2 tests of pairs, and the directions in which pairs differ most."""
    assert found.pairs is not None
    groups = "; ".join(", ".join(group) for group in found.cliques)
    text = f"Largest groups without a significant difference: {groups}."
    return doc.present(
        _pairs_table(found.pairs, alpha),
        doc.Paragraph(text) if groups else None,
        _directions_table(found.pairs),
    )


def _of_manova(test: ManovaResult, of: str, alpha: float) -> Iterator[doc.Fold]:
    """Yield the tables of the multivariate analysis of variance."""
    dropped = [doc.Paragraph(text) for text in words.dependencies(test)]
    made: list[tuple[str, str, tuple[doc.Block, ...]]] = [
        (
            "Multivariate analysis of variance",
            "manova",
            (_tests_table(test, of), *dropped),
        ),
        ("Each metric by itself", "univariate", (_univariate_table(test, alpha),)),
        ("Dimensionality", "dimensions", (_dimension_table(test, alpha),)),
        (
            "Canonical variates",
            "variates",
            (_canonical_table(test), _variates_table(test)),
        ),
    ]
    for title, key, parts in made:
        yield doc.Fold(title, parts, key)


def _sensitivity(found: Together, alpha: float) -> Iterator[doc.Block]:
    """Yield the permutation test of the same hypothesis."""
    if found.permutation is not None:
        caption = (
            "All metrics together, without assuming normal errors: permutations within "
            f"{found.blocks}. {words.agreement(found, alpha)}"
        )
        yield build.tests(caption, [found.permutation], alpha)


def checks(found: MultivariateChecks) -> Iterator[doc.Block]:
    """Yield the checks of what the multivariate analysis assumes, notes once."""
    made = list(found.tests.values())
    yield table(
        "Checks of the residuals of the multivariate analysis. A small p-value speaks "
        "against the assumption; it changes no analysis.",
        made,
        Field("Test", "label", lambda test: begun(test.name)),
        Field("p", "p", "p_value"),
        Field("statistic", "digits", build.statistic),
        build.DF,
        Field("reference distribution", "text", "p_source"),
        Field("source", "text", "reference"),
        file="checks",
    )
    notes = dict.fromkeys(note for test in made for note in test.notes)
    if notes:
        yield doc.Bullets(tuple(map(sentence, notes)))


def _pairs_table(test: HotellingPairsResult, alpha: float) -> doc.Table:
    notes = {row.Index: _note(test, row) for row in test.table.itertuples()}
    of_note = Field("note", "text", lambda row: notes[row.Index])
    return table(
        f"{test.method}, {short_title(test.adjust)} adjustment over {test.family} "
        f"({test.reference}). A difference of mean vectors has no single direction: "
        f"which algorithm is better, each metric shows by itself. Bold: adjusted p ≤ "
        f"{alpha:g}.",
        by_evidence(test.table),
        build.PAIR,
        Field("adjusted p", "p", "p_adjusted", alpha),
        Field("Mahalanobis distance", "number", "distance"),
        Field("T2", "number", "t2"),
        Field("F", "number", "statistic"),
        _DF,
        Field("raw p", "p", "p_value"),
        *([of_note] if any(notes.values()) else []),
        file="pairs",
    )


def _note(test: HotellingPairsResult, row: Any) -> str:
    """Say why a pair was not tested, or which metrics its test leaves out."""
    left_out = "; ".join(found.text for found in test.dropped[row.Index])
    return str(row.reason) or (f"left out: {left_out}" if left_out else "")


def _directions_table(test: HotellingPairsResult) -> doc.Table:
    weights = test.standardised

    def weight(metric: str) -> Field:
        return Field(
            metric, "number", lambda pair: float(weights.at[pair, metric]), digits=4
        )

    return table(
        "Discriminant direction of each pair: the combination of metrics in which the "
        "two differ most. Weights are per standard deviation of the metric's "
        "differences; 0: the metric depends on those before it.",
        list(weights.index),
        Field("Pair", "label", " – ".join),
        *(weight(str(metric)) for metric in weights.columns),
        file="directions",
    )


def _tests_table(found: ManovaResult, of: str) -> doc.Table:

    def is_f(test: Test) -> bool:
        return isinstance(test, MultivariateTest)

    return table(
        f"Equal mean vectors of {listing(found.metrics)}, blocked by {of} (rank "
        f"{found.rank}). Wilks' Lambda is the primary test; the others are sensitivity "
        f"analyses.",
        [*found.tests, found.bartlett],
        Field("Statistic", "label", "name"),
        Field("p", "p", "p_value"),
        Field("value", "number", lambda t: t.statistic if is_f(t) else None, digits=4),
        Field("F", "number", lambda t: getattr(t, "f", None)),
        Field("chi2", "number", lambda t: None if is_f(t) else t.statistic),
        build.DF,
        Field("reference distribution", "text", "p_source"),
        Field("source and notes", "text", build.notes),
    )


def _dimension_table(found: ManovaResult, alpha: float) -> doc.Table:
    return table(
        f"Bartlett's test of the number of dimensions in which the mean vectors differ "
        f"({found.dimensionality.reference}). Bold: p ≤ {alpha:g}.",
        found.dimensionality.table,
        Field("Hypothesis: at most so many dimensions", "label", lambda r: str(r.r)),
        Field("p", "p", "p_value", alpha),
        Field("D2", "number", "statistic"),
        build.DF,
    )


def _canonical_table(found: ManovaResult) -> doc.Table:
    return table(
        "Canonical variates: the combinations of metrics in which the algorithms "
        f"differ most ({found.canonical.reference}). Raw coefficients are per unit of "
        "the metric, standardised ones per residual standard deviation. Structure: "
        "correlation of metric and variate in the residuals. Signs are arbitrary.",
        found.canonical.to_frame(),
        Field("Variate, metric", "label", lambda row: f"{row.variate}, {row.metric}"),
        Field("eigenvalue", "number", "eigenvalue"),
        Field("share", "number", "share"),
        Field("raw", "number", "raw"),
        Field("standardised", "number", "standardised"),
        Field("structure", "number", "structure"),
        file="canonical_variates",
    )


def _variates_table(found: ManovaResult) -> doc.Table:

    def column(frame: pd.DataFrame, name: Any) -> Field:
        return Field(
            str(name), "number", lambda row: float(frame.at[row, name]), digits=4
        )

    return table(
        "Means of the algorithms, in each metric's own unit and on the canonical "
        "variates (centred, in residual standard deviations).",
        list(found.means.index),
        Field("Algorithm", "label", str),
        *(column(found.means, name) for name in found.means.columns),
        *(column(found.canonical.means, n) for n in found.canonical.means.columns),
        file="means",
    )


def _univariate_table(found: ManovaResult, alpha: float) -> doc.Table:
    """Return the follow-up analyses of variance."""
    others = [name for name in found.metrics if name not in found.kept]
    lost = (
        f" Not counted, because they depend on the others or do not vary: "
        f"{listing(others)}."
        if others
        else ""
    )
    return table(
        f"Analyses of variance of each metric by itself, Holm adjustment over the "
        f"metrics.{lost} They follow up the multivariate test; the primary analysis of "
        f"a metric is its own.",
        found.univariate,
        Field("Metric", "label", "metric"),
        Field("adjusted p", "p", "p_adjusted", alpha),
        Field("F", "number", "statistic"),
        _DF,
        Field("raw p", "p", "p_value"),
        Field("partial eta squared", "number", "partial_eta2"),
        file="univariate",
    )


def figures_of(comparison: GroupComparison, found: Together) -> Iterator[doc.Figure]:
    """Yield two metrics, the canonical variates, and the graph of pairs."""
    yield from _of_vectors(comparison, found)
    if found.pairs is not None:
        pairs = found.pairs
        shown = figures.Shown(
            pairs,
            comparison.plan.alpha,
            f"Mean vectors of {listing(found.metrics)}, "
            f"{comparison.compared.n_blocks} {found.blocks}",
            f"{pairs.method}, {described(pairs.adjust).title}",
        )
        yield from figures.order(shown)


def _of_vectors(comparison: GroupComparison, found: Together) -> Iterator[doc.Figure]:
    """Yield two metrics of each algorithm, and the canonical variates."""
    scores, test = comparison.compared, found.manova
    if test is None or not test.rank or scores.n_algorithms > MOST_MARKS:
        return
    both = tuple((test.kept if len(test.kept) > 1 else found.metrics)[:2])
    yield doc.Figure(
        "ellipses",
        partial(plotting.ellipses, scores, metrics=both),
        f"{listing(both)} of each algorithm: {found.blocks} (small), means "
        f"(large), and ellipses that hold 95% of a normal distribution with the same "
        f"mean and covariance.",
        f"Scatter of {listing(both)} with an ellipse for each algorithm.",
    )
    if scores.n_algorithms == 2 and scores.complete and scores.n_blocks > 2:
        yield _of_two(comparison, found, both)
    yield doc.Figure(
        "canonical_variates",
        partial(plotting.canonical_variates, test),
        "Means of the algorithms on the canonical variates, with 95% circles for each "
        "by itself. Distances are in residual standard deviations.",
        "Means on the canonical variates; the table of means has the numbers.",
    )


def _of_two(
    comparison: GroupComparison, found: Together, both: Sequence[str]
) -> doc.Figure:
    """Return the differences of two algorithms in two metrics."""
    alpha = comparison.plan.alpha
    pair = two_algorithms.order(comparison.compared, comparison.plan)
    return doc.Figure(
        "difference_ellipse",
        partial(
            plotting.difference_ellipse,
            comparison.compared,
            algorithms=pair,
            metrics=both,
            alpha=alpha,
        ),
        f"Differences of {listing(both)} within {found.blocks}, with the confidence "
        f"ellipse of the mean difference. The cross is no difference.",
        "Paired differences in two metrics with a confidence ellipse.",
    )


def _csv_tables(found: Together) -> dict[str, pd.DataFrame]:
    made: dict[str, pd.DataFrame] = {}
    if found.manova is not None:
        test = found.manova
        made = {
            "manova": test.to_frame(),
            "dimensionality": test.dimensionality.to_frame(),
            "canonical_variates": test.canonical.to_frame(),
            "means": named_by_us(test.means, "mean of"),
            "univariate": test.univariate,
        }
    if found.pairs is not None:
        made["pairs"] = found.pairs.to_frame()
        made["differences"] = found.pairs.differences
        made["directions"] = named_by_us(
            found.pairs.directions, "weight of", ("algorithm_1", "algorithm_2")
        )
    if found.orders is not None:
        made["orderings"] = found.orders.to_frame()
    if found.permutation is not None:
        made["permutation"] = Test.to_frame(found.permutation)
    if found.checks is not None:
        made["checks"] = found.checks.to_frame()
    return made
