"""The tables of the analysis of means."""

from __future__ import annotations

import dataclasses

import pandas as pd

from pycompare.analyses.analysis import Analysis
from pycompare.analyses.blocked_anova import LinearAnalysis
from pycompare.analyses.group_comparison import GroupComparison
from pycompare.formatting.numbers import degrees, number, p_text, percent
from pycompare.multiplicity.guarantees import OUTSIDE
from pycompare.plans.fields import MeanTest
from pycompare.plans.plan import Plan
from pycompare.plans.post_hoc import described, short_title
from pycompare.reporting.common.error_rates import error_rate, test_rate
from pycompare.reporting.common.words import sentence
from pycompare.reporting.multivariate.together_report import methods as together_methods
from pycompare.reporting.page.tables import (
    MAX_ROWS,
    METHODS_HEADER,
    Cell,
    Table,
    estimates,
    estimates_header,
    interval,
    label,
    number_cell,
    p_cell,
    raw_p,
    shortened,
    tests_table,
)
from pycompare.results import PairsResult, Test


def means_table(analysis: LinearAnalysis) -> Table:
    """Return the algorithms by mean, with the letters of their groups."""
    order = analysis.pairs[0].positions.sort_values(kind="stable").index
    means, ranks = analysis.omnibus.means, analysis.ranks.decisive.positions
    letters = analysis.letters
    adjusted = "" if analysis.omnibus.fit.design.complete else ", adjusted for folds"
    rows = tuple(
        (
            label(name),
            number_cell(means[name]),
            number_cell(ranks[name]),
            *(() if letters is None else (Cell(letters[name]),)),
        )
        for name in order
    )
    by = analysis.verdict_by
    groups = (
        ""
        if letters is None
        else f" Algorithms that share a letter were not shown to differ ({by})."
    )
    header = ("Algorithm", f"mean {analysis.metric.name}", "mean rank")
    return Table(
        f"Algorithms by mean {analysis.metric.name}{adjusted}, best first.{groups}",
        (*header, *(() if letters is None else ("letters",))),
        rows,
    )


def anova_table(analysis: LinearAnalysis, alpha: float) -> Table:
    """Return the analysis of variance."""
    test = analysis.omnibus
    rows = tuple(
        (
            label("fold" if row.term == "block" else str(row.term)),
            Cell(degrees(row.df)),
            number_cell(row.sum_sq),
            number_cell(row.mean_sq),
            Cell("" if row.term == "residual" else number(row.statistic)),
            Cell("" if row.term == "residual" else p_text(row.p_value, alpha)),
        )
        for row in test.table.itertuples()
    )
    notes = " ".join(map(sentence, test.notes))
    return Table(
        f"Analysis of variance of {analysis.metric.name}, algorithms adjusted for "
        f"folds ({test.reference}). {notes}".rstrip(),
        ("Term", "df", "Sum of squares", "Mean square", "F", "p"),
        rows,
    )


def effects_table(analysis: LinearAnalysis) -> Table:
    """Return the shares of variance that the algorithms explain."""
    test = analysis.omnibus
    sizes = (test.partial_eta2, test.omega2, test.generalised_eta2)
    rows = tuple(
        (
            label(size.name),
            number_cell(size.estimate),
            interval(size.conf_low, size.conf_high),
        )
        for size in sizes
    )
    return Table(
        "Effect sizes: the share of the variance that differences between the "
        "algorithms' true means explain, with intervals from noncentral F (Steiger "
        "2004). Partial eta2 and partial omega2 estimate the same share, that of the "
        "variance within folds, and have the same interval; generalised eta2 counts "
        "the variance between folds as well. Both eta2 are too large on average and "
        "may lie above their intervals.",
        ("Effect size", "Estimate", f"{percent(test.level)} interval"),
        rows,
    )


def sphericity_table(analysis: LinearAnalysis, alpha: float) -> Table | None:
    """Return F's p-value for differences that vary unequally over folds."""
    found = analysis.forms()
    if not found:
        return None
    rows = tuple(
        (
            label(f"{title}, planned" if form == analysis.form else title),
            number_cell(found[form][0]),
            raw_p(found[form][1], alpha),
            label(source),
        )
        for form, title, source in FORMS
    )
    return Table(
        "The same F with its degrees of freedom times epsilon: for differences of "
        "algorithms that vary unequally (epsilon 1: all alike). The planned one is the "
        "verdict's, the others are sensitivity analysis.",
        ("Form", "epsilon", "p", "Source"),
        rows,
    )


FORMS: tuple[tuple[MeanTest, str, str], ...] = (
    (
        "anova",
        "F itself",
        "Montgomery (2017) Design and Analysis of Experiments, sec. 4.1",
    ),
    (
        "greenhouse-geisser",
        "Greenhouse-Geisser",
        "Greenhouse & Geisser (1959) Psychometrika 24, 95-112",
    ),
    (
        "huynh-feldt",
        "Huynh-Feldt",
        "Huynh & Feldt (1976) J. Educ. Statist. 1, 69-82",
    ),
)


def checks(analysis: LinearAnalysis) -> list[Test]:
    """Return the checks of the assumptions."""
    found = list(analysis.checks.tests.values())
    if analysis.omnibus.sphericity is not None:
        found.append(analysis.omnibus.sphericity)
    return found


def checks_table(analysis: LinearAnalysis, alpha: float) -> Table:
    """Return the checks of the assumptions."""
    return tests_table(
        "Checks of what the analysis of variance assumes, on its residuals. A small p "
        "speaks against the assumption. They are reported and choose nothing.",
        checks(analysis),
        alpha,
    )


def corrected_table(analysis: LinearAnalysis, alpha: float) -> Table | None:
    """Return the corrected resampled t tests; None without them."""
    corrected = analysis.corrected
    if corrected is None:
        return None
    ordered = corrected.table.sort_values(["p_adjusted", "p_value"], kind="stable")
    rows = tuple(
        (*estimates(row), Cell(degrees(row.df)), p_cell(row.p_adjusted, alpha))
        for row in ordered.itertuples()
    )
    notes = "".join(f" {sentence(note)}" for note in corrected.notes)
    who = (
        "They make the verdict."
        if analysis.corrected_decides
        else f"The verdict is made by {analysis.verdict_by}, not by them."
    )
    caption = (
        f"Corrected resampled t tests, two-sided, over {corrected.family}, with "
        f"n_test/n_train = {corrected.overlap:.6g} "
        f"({corrected.reference}). Each pair has its own variance. Intervals are "
        f"{corrected.interval}. Bold: at most alpha = {alpha}. {who}{notes}"
    )
    header = (*estimates_header(corrected), "df", short_title(corrected.adjust))
    return Table(shortened(caption, rows, "corrected"), header, rows[:MAX_ROWS])


def cliques_text(analysis: LinearAnalysis) -> str:
    """Say which groups have no significant difference."""
    control = analysis.decisive.control
    if control is not None:
        return f"Algorithms are compared with {control} only."
    if not analysis.cliques:
        return "Every pair differs significantly: no group without a difference."
    groups = "; ".join(", ".join(group) for group in analysis.cliques)
    return f"Largest groups without a significant difference: {groups}."


def methods_table(comparison: GroupComparison) -> Table:
    """Return the error rate of each method of the plan, and its source."""
    named = [row for a in comparison.analyses for row in methods(comparison, a)]
    # Metrics share their methods, but for those that need complete tables.
    rows = [tuple(map(label, row)) for row in dict.fromkeys(named)]
    rows += together_methods(comparison)
    return Table("Methods of the plan.", METHODS_HEADER, tuple(rows))


Row = tuple[str, str, str]


def methods(comparison: GroupComparison, analysis: Analysis) -> list[Row]:
    """Return the methods of one metric: title, error rate, source."""
    assert isinstance(analysis, LinearAnalysis)
    test, ranks = analysis.omnibus, analysis.ranks.omnibus
    plan = comparison.plan
    rates = [test_rate(found, plan, "folds") for found in (test, ranks)]
    return [
        ("Analysis of variance, blocked", rates[0], test.reference),
        *(pairs_method(found, plan) for found in analysis.pairs),
        *corrected_method(analysis, plan),
        *((c.name, f"{OUTSIDE} (a check)", c.reference) for c in checks(analysis)),
        (f"Ranks: {ranks.name}", rates[1], ranks.reference),
    ]


def pairs_method(found: PairsResult, plan: Plan) -> Row:
    """Return a comparison of pairs by one method of the plan."""
    method = described(found.called)
    return method.title, error_rate(found, plan, "folds").text, method.reference


def corrected_method(analysis: LinearAnalysis, plan: Plan) -> list[Row]:
    """Return the corrected resampled t test, if there is one."""
    test = analysis.corrected
    if test is None:
        return []
    title = f"Corrected resampled t, {described(test.adjust).title}"
    return [(title, error_rate(test, plan, "folds").text, test.reference)]


def csv_tables(analysis: LinearAnalysis) -> dict[str, pd.DataFrame]:
    """Return the analysis' tables for CSV files, full precision."""
    test = analysis.omnibus
    sizes = (test.partial_eta2, test.omega2, test.generalised_eta2)
    found = {
        "anova": test.to_frame(),
        "effect_sizes": pd.concat([s.to_frame() for s in sizes], ignore_index=True),
        "pairs": analysis.pairs_table(),
        "means": means_frame(analysis),
        "checks": analysis.checks.to_frame(),
    }
    if test.sphericity is not None:
        found["sphericity"] = sphericity_frame(analysis)
    if analysis.corrected is not None:
        found["corrected"] = analysis.corrected.to_frame()
    return found


def means_frame(analysis: LinearAnalysis) -> pd.DataFrame:
    """Return the means, with letters where there are any."""
    means = analysis.omnibus.means
    frame = means.rename("mean").rename_axis("algorithm").reset_index()
    if analysis.letters is not None:
        frame["letters"] = [analysis.letters[name] for name in means.index]
    return frame


def sphericity_frame(analysis: LinearAnalysis) -> pd.DataFrame:
    """Return Mauchly's test and the corrected p-values, one row."""
    found = analysis.omnibus.sphericity
    assert found is not None
    own = [f.name for f in dataclasses.fields(found) if "_" in f.name]
    extra = {n: getattr(found, n) for n in own if "greenhouse" in n or "huynh" in n}
    return found.to_frame().assign(**extra)
