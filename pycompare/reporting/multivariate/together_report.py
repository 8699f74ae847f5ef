"""All metrics together, as a page tells it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import pandas as pd

from pycompare.analyses import two_algorithms
from pycompare.analyses.group_comparison import GroupComparison
from pycompare.analyses.multivariate import Together
from pycompare.formatting.numbers import degrees, number
from pycompare.linear.hotelling_pairs import HotellingPairsResult
from pycompare.linear.manova import ManovaResult, MultivariateTest
from pycompare.multiplicity.guarantees import NO_CLAIM, NO_TEST, OUTSIDE
from pycompare.plans.plan import Plan
from pycompare.plans.post_hoc import described, short_title
from pycompare.reporting.content import order_figures
from pycompare.reporting.content.error_rates import error_rate, of_blocks, test_rate
from pycompare.reporting.multivariate import together_words
from pycompare.reporting.page import tables
from pycompare.reporting.page.figures import Drawing, drawn
from pycompare.reporting.page.section import Part, Section, pictures, present
from pycompare.reporting.page.tables import (
    MAX_ROWS,
    Cell,
    Table,
    label,
    number_cell,
    p_cell,
    raw_p,
    shortened,
)
from pycompare.reporting.page.underlined import too_many, underlined
from pycompare.results import Test


def section(comparison: GroupComparison, found: Together) -> Section:
    """Return the section about all metrics together."""
    figures = drawn(drawings(comparison, found))
    alpha = comparison.plan.alpha
    return Section(
        title="metrics together",
        prefix="together_",
        verdict=tuple(together_words.verdict_sentences(found, alpha)),
        parts=(*parts(found, alpha), *pictures(figures, no_graph(found))),
        figures=figures,
        tables=csv_tables(found),
        not_in_r=found.not_in_r(),
    )


def methods(comparison: GroupComparison) -> list[tuple[Cell, ...]]:
    """Return the methods for all metrics together, with their sources."""
    found = comparison.together
    if found is None:
        return []
    return [
        *manova_methods(found.manova, comparison.plan),
        *pairs_methods(found.pairs, comparison.plan),
        *sensitivity_methods(found, comparison.plan),
    ]


def sensitivity_methods(found: Together, plan: Plan) -> list[tuple[Cell, ...]]:
    """Return the permutation test and the checks, with their sources."""
    rows = []
    if found.permutation is not None:
        test = found.permutation
        name = test.name[0].upper() + test.name[1:]
        rows.append((name, test_rate(test, plan, of_blocks(plan)), test.reference))
    if found.checks is not None:
        rows += [
            (test.name, f"{OUTSIDE} (a check)", test.reference)
            for test in found.checks.tests.values()
        ]
    return [tuple(map(label, row)) for row in rows]


def pairs_methods(
    test: HotellingPairsResult | None, plan: Plan
) -> list[tuple[Cell, ...]]:
    """Return the method for pairs of mean vectors, with its source."""
    if test is None:
        return []
    method, rate = described(test.adjust), error_rate(test, plan, of_blocks(plan))
    row = (f"{test.method}, {method.title}", rate.text, test.reference)
    return [tuple(map(label, row))]


def manova_methods(test: ManovaResult | None, plan: Plan) -> list[tuple[Cell, ...]]:
    """Return the methods for all mean vectors, with their sources."""
    if test is None:
        return []
    rate = test_rate(test, plan, of_blocks(plan))
    manova = "Multivariate analysis of variance, Wilks' Lambda"
    named = (
        (manova, rate, test.wilks.reference),
        ("Dimensionality", NO_CLAIM, test.dimensionality.reference),
        ("Canonical variates", NO_TEST, test.canonical.reference),
    )
    return [tuple(map(label, row)) for row in named]


def parts(found: Together, alpha: float) -> list[Part]:
    """Return the tables under their headings."""
    refused = [Part("Refused", found.refusals)] if found.refusals else []
    test = found.manova
    of_all = [] if test is None else manova_parts(test, found.blocks, alpha)
    return [
        *of_all,
        *pairs_parts(found, alpha),
        *orders_parts(found),
        *sensitivity_parts(found, alpha),
        *refused,
    ]


def sensitivity_parts(found: Together, alpha: float) -> list[Part]:
    """Return the permutation test and the checks of residuals, where there are any."""
    made = []
    if found.permutation is not None:
        caption = "The same hypothesis without a normal distribution: sensitivity."
        table = tables.tests_table(caption, [found.permutation], alpha)
        made.append(present("Permutation test", table))
    if found.checks is not None:
        tests = list(found.checks.tests.values())
        caption = (
            "Checks of what the multivariate analysis assumes, on its residuals. A "
            "small p speaks against the assumption. They are reported and choose "
            "nothing."
        )
        table = tables.tests_table(caption, tests, alpha)
        made.append(present("Multivariate checks", table))
    return made


def manova_parts(test: ManovaResult, blocks: str, alpha: float) -> list[Part]:
    """Return the tables of the multivariate analysis of variance."""
    return [
        present(
            "Multivariate analysis of variance",
            tests_table(test, blocks, alpha),
            *together_words.dependencies(test),
        ),
        present(
            "Dimensionality",
            dimension_table(test, alpha),
            together_words.dimension(test),
        ),
        present(
            "Canonical variates",
            canonical_table(test),
            variates_table(test),
            together_words.line(test),
        ),
        present("Each metric by itself", univariate_table(test, alpha)),
    ]


def pairs_parts(found: Together, alpha: float) -> list[Part]:
    """Return the pairs of mean vectors, if they were compared."""
    test = found.pairs
    if test is None:
        return []
    groups = "; ".join(", ".join(group) for group in found.cliques)
    groups = f"Largest groups without a significant difference: {groups}."
    return [
        present(
            "Pairs of mean vectors",
            pairs_table(test, alpha),
            groups if found.cliques else None,
            directions_table(test),
        )
    ]


def orders_parts(found: Together) -> list[Part]:
    """Return the algorithms in the order of each metric, groups underlined."""
    if found.orders is None:
        return []
    wide = too_many(
        len(found.orders.alone.orderings[0].algorithms), "together_orderings"
    )
    if wide is not None:
        return [present("Orderings", wide)]
    return [present("Orderings", ORDERED, *underlined(found.orders))]


ORDERED = (
    "Nothing is tested anew here: groups follow from the adjusted p-values of the "
    "verdicts. Two algorithms can differ in all metrics together and in none alone, "
    "and the other way round."
)


def pairs_table(test: HotellingPairsResult, alpha: float) -> Table:
    """Return the T2 test of every pair."""
    ordered = test.table.sort_values(["p_adjusted", "p_value"], kind="stable")
    notes = [note(test, row) for row in ordered.itertuples()]
    rows = tuple(
        (
            label(f"{row.algorithm_1} – {row.algorithm_2}"),
            number_cell(row.t2),
            number_cell(row.statistic),
            Cell(degrees((row.df1, row.df2))),
            number_cell(row.distance),
            raw_p(row.p_value),
            p_cell(row.p_adjusted, alpha),
            *([label(told)] if any(notes) else []),
        )
        for row, told in zip(ordered.itertuples(), notes, strict=True)
    )
    header = (
        *("Pair", "T2", "F", "df", "Mahalanobis distance", "raw p"),
        short_title(test.adjust),
        *(["Note"] if any(notes) else []),
    )
    caption = (
        f"{test.method}, over {test.family} ({test.reference}). A difference of mean "
        f"vectors has no single direction: which algorithm is better, each metric says "
        f"for itself. Bold: at most alpha = {alpha}."
    )
    return Table(shortened(caption, rows, "together_pairs"), header, rows[:MAX_ROWS])


def note(test: HotellingPairsResult, row: Any) -> str:
    """Say why a pair was not tested, or which metrics it leaves out."""
    left_out = "; ".join(found.text for found in test.dropped[row.Index])
    return str(row.reason) or (f"left out: {left_out}" if left_out else "")


def directions_table(test: HotellingPairsResult) -> Table:
    """Return the direction in which each pair differs most."""
    rows = tuple(
        (
            label(f"{first} – {second}"),
            *(number_cell(w) for w in weights),
        )
        for (first, second), weights in zip(
            test.standardised.index, test.standardised.to_numpy(), strict=True
        )
    )
    caption = (
        "Discriminant direction of each pair: weights of the metrics, each over the "
        "standard deviation of its differences, in the combination that tells the two "
        "apart best. 0: the metric depends on those before it."
    )
    header = ("Pair", *map(str, test.standardised.columns))
    file = "together_directions"
    return Table(shortened(caption, rows, file), header, rows[:MAX_ROWS])


def tests_table(result: ManovaResult, blocks: str, alpha: float) -> Table:
    """Return the four tests, and Wilks' Lambda by Bartlett."""
    rows = [test_row(test, alpha) for test in (*result.tests, result.bartlett)]
    return Table(
        f"Equal mean vectors of {', '.join(result.metrics)}: four statistics of one "
        f"analysis, blocked by {blocks}, rank {result.rank}. Wilks' Lambda makes the "
        f"verdict, the others are sensitivity analysis.",
        ("Statistic", "Value", "F or chi2", "df", "p", "p from", "Source and notes"),
        tuple(rows),
    )


def test_row(test: Test, alpha: float) -> tuple[Cell, ...]:
    """Return one statistic with its approximation."""
    value = test.f if isinstance(test, MultivariateTest) else test.statistic
    name = "F" if isinstance(test, MultivariateTest) else test.statistic_name
    own = test.statistic if isinstance(test, MultivariateTest) else None
    return (
        label(test.name),
        number_cell(own),
        Cell(f"{name} = {number(value)}"),
        Cell(degrees(test.df)),
        raw_p(test.p_value, alpha),
        Cell(test.p_source),
        label("; ".join([test.reference, *test.notes])),
    )


def dimension_table(result: ManovaResult, alpha: float) -> Table:
    """Return Bartlett's test of each number of dimensions."""
    rows = tuple(
        (
            label(f"{row.r} hold all differences"),
            number_cell(row.statistic),
            Cell(degrees(row.df)),
            p_cell(row.p_value, alpha),
        )
        for row in result.dimensionality.table.itertuples()
    )
    return Table(
        f"Bartlett's test of the number of dimensions in which the mean vectors differ "
        f"({result.dimensionality.reference}). Bold: at most alpha = "
        f"{alpha}.",
        ("Hypothesis: so many dimensions", "D2", "df", "p"),
        rows,
    )


def canonical_table(result: ManovaResult) -> Table:
    """Return the coefficients of the canonical variates."""
    rows = tuple(
        (
            label(f"{row.variate}, {row.metric}"),
            number_cell(row.eigenvalue),
            number_cell(row.share, 3),
            number_cell(row.raw),
            number_cell(row.standardised),
            number_cell(row.structure),
        )
        for row in result.canonical.to_frame().itertuples()
    )
    return Table(
        "Canonical variates: the combinations of metrics in which the algorithms "
        f"differ most ({result.canonical.reference}). Raw coefficients are for scores "
        "in their own units, standardised ones for scores over the metric's residual "
        "standard deviation; structure: correlation of metric and variate in the "
        "residuals. The sign of a variate is free.",
        ("Variate, metric", "eigenvalue", "share", "raw", "standardised", "structure"),
        rows,
    )


def variates_table(result: ManovaResult) -> Table:
    """Return the means of the algorithms, in metrics and on the variates."""
    means, places = result.means, result.canonical.means
    rows = tuple(
        (
            label(str(name)),
            *(number_cell(v) for v in means.loc[name]),
            *(number_cell(v) for v in places.loc[name]),
        )
        for name in means.index
    )
    return Table(
        "Means of the algorithms, in each metric's own unit and on the canonical "
        "variates (centred, in residual standard deviations).",
        ("Algorithm", *map(str, means.columns), *map(str, places.columns)),
        rows,
    )


def left_out(result: ManovaResult) -> str:
    """Say which metrics Holm's adjustment does not count."""
    if len(result.kept) == len(result.metrics):
        return ""
    others = [name for name in result.metrics if name not in result.kept]
    return (
        f" that are tested ({', '.join(others)}: no adjusted p-value, for what depends "
        "on the others or does not vary is no part of the family)"
    )


def univariate_table(result: ManovaResult, alpha: float) -> Table:
    """Return the follow-up analyses of variance."""
    rows = tuple(
        (
            label(row.metric),
            number_cell(row.statistic),
            Cell(degrees((row.df1, row.df2))),
            raw_p(row.p_value),
            p_cell(row.p_adjusted, alpha),
            number_cell(row.partial_eta2, 3),
        )
        for row in result.univariate.itertuples()
    )
    return Table(
        "Follow-up analyses of variance, one a metric, adjusted by Holm over the "
        f"metrics{left_out(result)}. The verdict on a metric stands in its own "
        "section.",
        ("Metric", "F", "df", "raw p", "Holm", "partial eta2"),
        rows,
    )


def drawings(comparison: GroupComparison, found: Together) -> Iterator[Drawing]:
    """Yield the graph of pairs, two metrics, and the canonical variates."""
    yield from of_pairs(comparison, found)
    yield from of_vectors(comparison, found)


def of_pairs(comparison: GroupComparison, found: Together) -> Iterator[Drawing]:
    """Yield the graph of pairs of mean vectors, which have no direction."""
    if found.pairs is not None:
        yield from order_figures.of_order(
            found.pairs,
            comparison.plan.alpha,
            on=f"{', '.join(found.metrics)} together, no direction, "
            f"{comparison.compared.n_blocks} {found.blocks}",
            by=f"{found.pairs.method}, {described(found.pairs.adjust).title}",
        )


def no_graph(found: Together) -> str | None:
    """Say which pictures there are not, because algorithms are too many."""
    return None if found.pairs is None else order_figures.left_out(found.pairs)


def of_vectors(comparison: GroupComparison, found: Together) -> Iterator[Drawing]:
    """Yield two metrics of each algorithm, and the canonical variates."""
    from pycompare import plotting
    from pycompare.plotting.style import MOST_MARKS

    scores, test = comparison.compared, found.manova
    if test is None or not test.rank or scores.n_algorithms > MOST_MARKS:
        return
    first, second = (test.kept if len(test.kept) > 1 else found.metrics)[:2]
    yield (
        "ellipses",
        partial(plotting.ellipses, scores, metrics=(first, second)),
        f"{first} and {second} of each algorithm: {found.blocks}, means, and the "
        f"ellipse that holds 95% of a normal distribution with the same mean and "
        f"covariance.",
        f"Scatter of {first} and {second} with an ellipse per algorithm.",
    )
    if scores.n_algorithms == 2 and scores.complete and scores.n_blocks > 2:
        one, other = two_algorithms.order(scores, comparison.plan)
        yield (
            "difference_ellipse",
            partial(
                plotting.difference_ellipse,
                scores,
                algorithms=(one, other),
                metrics=(first, second),
                alpha=comparison.plan.alpha,
            ),
            f"Differences of {first} and {second} within {found.blocks}; the origin is "
            f"no difference, the ellipse is the confidence region of the mean "
            f"difference.",
            "Paired differences in two metrics with a confidence ellipse.",
        )
    yield (
        "canonical_variates",
        partial(plotting.canonical_variates, test),
        "Means of the algorithms on the canonical variates with 95% circles, each by "
        "itself; distances are in residual standard deviations.",
        "Means on the canonical variates; the table of means has the numbers.",
    )


def csv_tables(found: Together) -> dict[str, pd.DataFrame]:
    """Return the tables for CSV files, full precision."""
    made = {} if found.manova is None else manova_tables(found.manova)
    if found.pairs is not None:
        made["pairs"] = found.pairs.to_frame()
        made["differences"] = found.pairs.differences
        made["directions"] = found.pairs.directions.reset_index()
    if found.orders is not None:
        made["orderings"] = found.orders.to_frame()
    if found.permutation is not None:
        made["permutation"] = Test.to_frame(found.permutation)
    if found.checks is not None:
        made["checks"] = found.checks.to_frame()
    return made


def manova_tables(test: ManovaResult) -> dict[str, pd.DataFrame]:
    """Return the tables of the multivariate analysis of variance."""
    return {
        "manova": test.to_frame(),
        "dimensionality": test.dimensionality.to_frame(),
        "canonical_variates": test.canonical.to_frame(),
        "means": test.means.rename_axis("algorithm").reset_index(),
        "univariate": test.univariate,
    }
