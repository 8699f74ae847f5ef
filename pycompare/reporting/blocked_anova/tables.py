"""The tables of the analysis of means over folds."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import pandas as pd

from pycompare.analyses.blocked_anova import LinearAnalysis
from pycompare.analyses.group_comparison import GroupComparison
from pycompare.formatting.numbers import percent
from pycompare.plans.fields import MeanTest
from pycompare.reporting.content import build, fold_words
from pycompare.reporting.content.build import Field
from pycompare.reporting.content.wording import sentence
from pycompare.reporting.document import Block, Fold, Paragraph, Section, Table, present
from pycompare.reporting.rank_tests import tables as rank_tables
from pycompare.results import Estimate, Test

FORMS: dict[MeanTest, tuple[str, str]] = {
    "anova": (
        "uncorrected F",
        "Montgomery (2017) Design and Analysis of Experiments, sec. 4.1",
    ),
    "greenhouse-geisser": (
        "Greenhouse-Geisser",
        "Greenhouse & Geisser (1959) Psychometrika 24, 95-112",
    ),
    "huynh-feldt": ("Huynh-Feldt", "Huynh & Feldt (1976) J. Educ. Statist. 1, 69-82"),
}
_AS_INDEPENDENT = "Folds are taken as independent (sensitivity)."


def blocks(
    comparison: GroupComparison, analysis: LinearAnalysis, alpha: float
) -> Iterator[Block]:
    """Yield pairs, means, analysis of variance and checks; then the ranks."""
    primary, other = pairs(comparison, analysis, alpha)
    yield Section("Pairwise comparisons", (primary,), "")
    yield Fold("Means and effect sizes", (means(analysis), _effects(analysis)), "")
    variance = present(anova(analysis), sphericity(analysis, alpha))
    yield Fold("Analysis of variance", variance, "")
    title = "Corrected for shared training data"
    if analysis.corrected_decides:
        title = "Folds taken as independent"
    yield Fold(f"Pairwise comparisons: {title[:1].lower()}{title[1:]}", (other,), "")
    yield Fold("Checks of assumptions", (checks(analysis, alpha),), "")
    ranks = rank_tables.blocks(analysis.ranks, alpha, "Sensitivity analysis.", "ranks_")
    yield Fold("Rank analysis (sensitivity)", tuple(ranks), "")


def pairs(
    comparison: GroupComparison, analysis: LinearAnalysis, alpha: float
) -> tuple[Table, Block]:
    """Return the primary comparison of pairs, and the other one."""
    corrected = analysis.corrected
    role = _AS_INDEPENDENT if analysis.corrected_decides else ""
    plain = build.pairs(analysis, alpha, role)
    if corrected is None:
        return plain, Paragraph(fold_words.no_correction(comparison))
    table = build.of_pairs(
        (corrected,),
        alpha,
        better_is_negative=analysis.metric.better == "lower",
        role=" ".join(
            [
                f"Corrected for shared training data (n_test/n_train = "
                f"{corrected.overlap:.4g}).",
                *map(sentence, corrected.notes),
            ]
        ),
        file="corrected",
    )
    return (table, plain) if analysis.corrected_decides else (plain, table)


def means(analysis: LinearAnalysis) -> Table:
    """Return the algorithms by mean, with the letters of their groups."""
    order = analysis.pairs[0].positions.sort_values(kind="stable").index
    ranks, letters = analysis.ranks.decisive.positions, analysis.letters
    adjusted = "" if analysis.omnibus.fit.design.complete else ", adjusted for folds"
    caption = f"Algorithms by mean {analysis.metric.name}{adjusted}, best first."
    more = [Field("mean rank", "number", lambda name: ranks[name])]
    if letters is not None:
        caption += " Algorithms that share a letter do not differ significantly."
        more.append(Field("letters", "digits", lambda name: letters[name]))
    title = f"mean {analysis.metric.name}"
    return build.positions(caption, analysis.omnibus.means[order], title, *more)


def anova(analysis: LinearAnalysis) -> Table:
    """Return the analysis of variance."""
    caption = f"ANOVA of {analysis.metric.name}, algorithms adjusted for folds"
    return build.anova(analysis.omnibus, caption, {"block": "fold"})


def _effects(analysis: LinearAnalysis) -> Table:
    """Return the shares of variance that the algorithms explain."""
    return build.table(
        "Share of variance explained by the algorithms, with intervals from the "
        "noncentral F distribution (Steiger 2004). Partial eta2 and omega2 are shares "
        "of the within-fold variance; generalised eta2 includes the variance between "
        "folds. Both eta2 are too large on average and may exceed their intervals.",
        _sizes(analysis),
        Field("Effect size", "label", "name"),
        Field("estimate", "estimate", "estimate"),
        Field(f"{percent(analysis.omnibus.level)} CI", "interval", build.limits_of),
        file="effect_sizes",
    )


def _sizes(analysis: LinearAnalysis) -> tuple[Estimate, ...]:
    test = analysis.omnibus
    return test.partial_eta2, test.omega2, test.generalised_eta2


def sphericity(analysis: LinearAnalysis, alpha: float) -> Table | None:
    """Return F's p-value corrected for differences that vary unequally."""
    found = analysis.forms()
    if not found:
        return None

    def title(form: MeanTest) -> str:
        return f"{FORMS[form][0]}{', planned' if form == analysis.form else ''}"

    return build.table(
        "Sphericity corrections: the degrees of freedom of F times epsilon (1 if all "
        "differences vary equally).",
        list(found),
        Field("Form", "label", title),
        Field("p", "p", lambda form: found[form][1]),
        Field("epsilon", "number", lambda form: found[form][0]),
        Field("source", "text", lambda form: FORMS[form][1]),
    )


def checked(analysis: LinearAnalysis) -> list[Test]:
    """Return the checks of assumptions."""
    found = list(analysis.checks.tests.values())
    if analysis.omnibus.sphericity is not None:
        found.append(analysis.omnibus.sphericity)
    return found


def checks(analysis: LinearAnalysis, alpha: float) -> Table:
    """Return the checks of assumptions."""
    caption = (
        "Checks of the residuals. A small p-value is evidence against the assumption. "
        "The checks change no analysis."
    )
    return build.tests(caption, checked(analysis), alpha)


def csv_tables(analysis: LinearAnalysis) -> dict[str, pd.DataFrame]:
    """Return the analysis' tables for CSV files, full precision."""
    test, means = analysis.omnibus, analysis.omnibus.means
    frame = means.rename("mean").rename_axis("algorithm").reset_index()
    if analysis.letters is not None:
        frame["letters"] = [analysis.letters[name] for name in means.index]
    found = {
        "anova": test.to_frame(),
        "effect_sizes": pd.concat(
            [size.to_frame() for size in _sizes(analysis)], ignore_index=True
        ),
        "pairs": analysis.pairs_table(),
        "means": frame,
        "checks": analysis.checks.to_frame(),
    }
    if test.sphericity is not None:
        own = [f.name for f in dataclasses.fields(test.sphericity)]
        more = [n for n in own if "_" in n and ("greenhouse" in n or "huynh" in n)]
        extra: dict[str, Any] = {n: getattr(test.sphericity, n) for n in more}
        found["sphericity"] = test.sphericity.to_frame().assign(**extra)
    if analysis.corrected is not None:
        found["corrected"] = analysis.corrected.to_frame()
    ranks = rank_tables.csv_tables(analysis.ranks)
    return found | {f"ranks_{name}": table for name, table in ranks.items()}
