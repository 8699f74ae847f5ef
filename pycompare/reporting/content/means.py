"""What is stated about folds of one data set, three algorithms or more."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from pycompare.analyses.blocked_anova import LinearAnalysis, name_of
from pycompare.analyses.decisions import decisions, unable
from pycompare.analyses.group_comparison import GroupComparison
from pycompare.formatting.counts import have
from pycompare.plans.post_hoc import MEANS, short_title
from pycompare.reporting.common import fold_words, words
from pycompare.reporting.content.facts import Alternative, Statements, significant
from pycompare.reporting.content.outcomes import outcome
from pycompare.reporting.content.wording import interval, value
from pycompare.results import PairsResult, rejected

ASSUMED = "The ANOVA assumes independent folds, so its p-value is too small."
FORMS = {
    "anova": "uncorrected F",
    "greenhouse-geisser": "Greenhouse-Geisser",
    "huynh-feldt": "Huynh-Feldt",
}
EQUAL = "independent folds, normal errors, equal variance of all differences"
UNEQUAL = "independent folds, normal errors"
CORRECTED = "normal differences; corrected for shared training data"
RANKS = "independent folds; no distribution of the scores"


def statements(comparison: GroupComparison, analysis: LinearAnalysis) -> Statements:
    """Return everything that is stated about one metric."""
    alpha = comparison.plan.alpha
    facts = outcome(analysis, comparison)
    if words.untested(analysis):
        why = words.cause(analysis.omnibus.notes[-1])
        return Statements(outcome=facts, remarks=(f"Reason: {why}.",))
    return Statements(
        outcome=facts,
        remarks=tuple(remarks(comparison, analysis)),
        alternatives=tuple(alternatives(analysis, alpha)),
    )


def remarks(comparison: GroupComparison, analysis: LinearAnalysis) -> Iterator[str]:
    """Yield effect sizes and warnings."""
    if math.isinf(analysis.omnibus.statistic):
        yield f"Beware of a {analysis.omnibus.notes[-1]}."
        yield from map(words.sentence, analysis.decisive.notes[-2:])
    else:
        yield effect(analysis)
    yield from correction(comparison, analysis)
    yield from at_odds(analysis, comparison.plan.alpha)


def effect(analysis: LinearAnalysis) -> str:
    """Say how much of the variance the algorithms explain."""
    omega2 = analysis.omnibus.omega2
    limits = (omega2.conf_low, omega2.conf_high)
    return (
        f"Algorithms explain about {100 * omega2.estimate:.0f}% of the within-fold "
        f"variance (partial omega squared {value(omega2.estimate)}, "
        f"{interval(limits, omega2.level)})."
    )


def correction(comparison: GroupComparison, analysis: LinearAnalysis) -> Iterator[str]:
    """Yield what the correction for shared training data does."""
    found = analysis.corrected
    if found is None or analysis.variance_ratio is None:
        return
    if analysis.corrected_decides:
        yield ASSUMED
    if analysis.omnibus.fit.design.complete:
        yield (
            f"The correction for shared training data ({fold_words.sizes(comparison)}) "
            f"gives {fold_words.times(analysis.variance_ratio)}."
        )
    constant = int(np.isinf(found.table["statistic"]).sum())
    if constant:
        yield (
            f"{constant} of {len(found.table)} pairs {have(constant)} the same "
            f"difference in all folds, so nothing could be corrected: these p-values "
            f"take folds as independent."
        )


def at_odds(analysis: LinearAnalysis, alpha: float) -> Iterator[str]:
    """Say so if the omnibus test and the pairs point different ways."""
    none = not any(made.rejected for made in analysis.decisions)
    if analysis.corrected_decides and none:
        if analysis.omnibus.rejected(alpha):
            yield (
                "The ANOVA is significant although no corrected comparison is: no "
                "difference remains once shared training data are accounted for."
            )
        return
    told = words.disagreement(analysis, alpha)
    if told:
        yield told


def alternatives(analysis: LinearAnalysis, alpha: float) -> Iterator[Alternative]:
    """Yield the sensitivity analyses."""
    planned = analysis.omnibus.rejected(alpha)
    for form, (_, p) in analysis.forms().items():
        if form != analysis.form and not math.isnan(p):
            yield Alternative(
                name=f"ANOVA, {FORMS[form]}",
                assumes=EQUAL if form == "anova" else UNEQUAL,
                omnibus=(p, bool(rejected(p, alpha)) == planned),
            )
    for pairs in (*analysis.pairs, analysis.corrected):
        if pairs is not None and pairs is not analysis.decisive:
            yield of_pairs(analysis, pairs, alpha)
    ranks = analysis.ranks
    test = ranks.omnibus
    yield Alternative(
        name=f"{test.name}; mean ranks, {short_title(ranks.decisive.called)}",
        assumes=RANKS,
        omnibus=(test.p_value, test.rejected(alpha) == planned),
        significant=significant(ranks.decisions),
        hopeless=frozenset(unable(ranks.decisive, alpha)),
    )


def of_pairs(analysis: LinearAnalysis, pairs: PairsResult, alpha: float) -> Alternative:
    """Return another comparison of the same pairs of means."""
    corrected = pairs is analysis.corrected
    how = name_of(pairs)
    if pairs.adjust not in MEANS and not corrected:
        how = f"t tests, {how}"
    return Alternative(
        name=how,
        assumes=CORRECTED if corrected else EQUAL,
        significant=significant(decisions(pairs, alpha, analysis.metric.better)),
    )
