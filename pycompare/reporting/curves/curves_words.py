"""Sentences about AUCs compared over cases and over folds."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from pycompare.curves.auc_pr_pairs import AucPrPairsResult
from pycompare.curves.delong import DeLongResult
from pycompare.plans.post_hoc import short_title
from pycompare.procedure.curve_comparison import (
    MOST_RESAMPLED,
    CurveAnalysis,
    CurveComparison,
)
from pycompare.reporting.common import fold_words, words
from pycompare.reporting.common.words import listing
from pycompare.reporting.page.numbers import degrees, number, p_equals, p_text, percent
from pycompare.results import PairsResult

MOST_NAMED = 12
FIXED = (
    "Over cases: DeLong's test and the intervals of cases take the trained classifiers "
    "as they are. They are about new cases of the same kind for these classifiers, not "
    "about the algorithms trained anew, and not about other data sets."
)
POOLED = (
    "The scores of several folds are pooled for DeLong's test and the intervals of "
    "cases, though each fold's classifier has a scale of its own: a pooled AUC is not "
    "the mean AUC of the folds. The cross-validated AUC compares scores within folds "
    "only."
)
NOT_BOTH = (
    "No test here takes cases and training sets as random both: over cases a "
    "difference may hang on these training sets, over folds on these cases. A "
    "difference that is shown one way only is not shown for both."
)
SEVERAL = (
    "Each data set, and each of the two tests, is a family of its own: p-values are "
    "adjusted over its pairs, not over data sets."
)


def question(comparison: CurveComparison) -> str:
    """Return the question that the page answers."""
    found = comparison.predictions
    n = len(comparison.analyses)
    where = "" if n == 1 else f" on each of {n} data sets"
    return (
        f"Do the areas under the ROC curves of {found.n_algorithms} algorithms differ"
        f"{where}? The positive class is {found.positive}."
    )


def plan(comparison: CurveComparison) -> list[str]:
    """Return the plan in words."""
    name = short_title(comparison.adjust)
    sentences = [
        "Pairs of AUCs are compared over cases by DeLong's test and over folds by t "
        f"tests; p-values are adjusted by {name} over all pairs. The verdict of each "
        f"is: adjusted p-value at most alpha = {comparison.alpha}.",
        f"Intervals have {percent(comparison.level)} confidence.",
        SEVERAL,
        sizes(comparison),
    ]
    if comparison.threshold is not None:
        sentences.append(
            f"The Cortes-Mohri interval counts the errors at threshold "
            f"{number(comparison.threshold)}."
        )
    return sentences


def sizes(comparison: CurveComparison) -> str:
    """Say how the folds' common training cases are treated."""
    if comparison.n_train is None or comparison.n_test is None:
        return "The t tests of folds are not corrected for common training cases."
    return (
        "The t tests of folds are corrected for common training cases (Nadeau and "
        f"Bengio 2003), n_train = {comparison.n_train:.10g}, n_test = "
        f"{comparison.n_test:.10g}."
    )


def caveats(comparison: CurveComparison) -> list[str]:
    """Return what nobody should read a verdict without."""
    cases = any(not isinstance(a.over_cases, str) for a in comparison.analyses)
    pooled = any(
        not isinstance(a.over_cases, str) and len(a.blocks) > 1
        for a in comparison.analyses
    )
    folds = any(not isinstance(a.over_folds, str) for a in comparison.analyses)
    sentences = [FIXED] if cases else []
    sentences += [POOLED] if pooled else []
    if folds:
        sentences += [f"Over folds: {fold_words.GENERALISES}", fold_words.SHARED]
        sentences += [fold_words.GIVE_SIZES] if comparison.n_train is None else []
    return [*sentences, NOT_BOTH]


def limits(comparison: CurveComparison) -> list[str]:
    """Return what the analysis rests on."""
    sentences = [
        "DeLong's test is normal in large samples; with few cases of a class, or AUCs "
        "near 1, its p-values are too small.",
        "The seven intervals answer different questions: Agarwal's and Cortes-Mohri's "
        "hold for any distribution and are wide; the t of folds is about training sets "
        "on these data.",
        "Bands of the pictures take folds as independent.",
        words.NOT_EQUALITY,
    ]
    n = max(a.n_positive + a.n_negative for a in comparison.analyses)
    if n > MOST_RESAMPLED:
        sentences.insert(
            1, f"With more than {MOST_RESAMPLED} cases no bootstrap interval is made."
        )
    return sentences


def verdict(analysis: CurveAnalysis, alpha: float) -> Iterator[str]:
    """Yield the verdicts over cases, then over folds."""
    if isinstance(analysis.over_cases, str):
        yield f"Over cases: not tested, since {analysis.over_cases}."
    else:
        yield from cases_sentences(analysis.over_cases, alpha)
    if isinstance(analysis.over_folds, str):
        yield f"Over folds: not tested, since {analysis.over_folds}."
    else:
        yield from pair_sentences(analysis.over_folds, alpha, "Over folds")


def cases_sentences(found: DeLongResult, alpha: float) -> Iterator[str]:
    """Yield DeLong's verdicts, all together and by pairs."""
    test = found.omnibus
    if len(found.algorithms) > 2 and test.p_value == test.p_value:
        yield (
            f"Over cases, all {len(found.algorithms)} AUCs: chi2({degrees(test.df)}) = "
            f"{number(test.statistic)}, {p_equals(test.p_value, alpha)} "
            f"{words.sign(test.rejected(alpha))} {alpha} (DeLong)."
        )
    yield from pair_sentences(found, alpha, "Over cases")


def pair_sentences(found: PairsResult, alpha: float, how: str) -> Iterator[str]:
    """Yield a sentence for each pair that differs, one for those that do not."""
    shown = found.rejected(alpha).to_numpy(bool)
    told = found.table[shown]
    by = short_title(found.adjust)
    for row in told.head(MOST_NAMED).itertuples():
        better, worse = row.algorithm_1, row.algorithm_2
        if row.estimate < 0:
            better, worse = worse, better
        size = abs(float(row.estimate))
        p = p_text(float(row.p_adjusted), alpha)
        yield (
            f"{how}: {better} has a larger AUC than {worse}, by {number(size, 3)}; "
            f"adjusted p = {p} ≤ {alpha} ({by})."
        )
    if len(told) > MOST_NAMED:
        yield f"{how}: {len(told) - MOST_NAMED} more pairs differ; the table has them."
    untested = found.table["p_value"].isna().to_numpy()
    rest = found.table[~shown & ~untested]
    if len(rest):
        yield (
            f"{how}: no difference was shown for {named_pairs(rest)}. That is not "
            "evidence that they are equal."
        )
    if untested.any():
        yield f"{how}: could not be tested: {named_pairs(found.table[untested])}."


def precision_recall(analysis: CurveAnalysis, found: AucPrPairsResult) -> str:
    """Say what the comparison of precision-recall areas is, and what it is not."""
    n = analysis.n_positive + analysis.n_negative
    return (
        f"{found.resamples} resamples of the cases, within each class, seed "
        f"{found.seed}: p-values change a little with the seed, so this stands beside "
        f"the verdicts and makes none. Such an area depends on the share of positive "
        f"cases, {percent(round(analysis.n_positive / n, 3))} here, and so does the "
        f"comparison."
    )


def named_pairs(table: pd.DataFrame) -> str:
    """Name the first pairs, and count the others."""
    pairs = [f"{r.algorithm_1} – {r.algorithm_2}" for r in table.itertuples()]
    more = len(pairs) - MOST_NAMED
    return listing(pairs[:MOST_NAMED] + ([f"{more} more"] if more > 0 else []))
