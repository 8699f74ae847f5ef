"""Sentences of the road of means: folds of one data set, analysis of variance."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from pycompare.counts import have
from pycompare.plans.post_hoc import MEANS, described, short_title
from pycompare.procedure.decisions import Decision, Disagreement
from pycompare.procedure.group_comparison import GroupComparison
from pycompare.procedure.linear_road import LinearAnalysis, name_of
from pycompare.reporting.common import fold_words, words
from pycompare.reporting.common.error_rates import error_rate
from pycompare.reporting.common.words import direction, listing, sentence
from pycompare.reporting.page.numbers import number, p_equals, percent
from pycompare.reporting.ranks import rank_words
from pycompare.results import rejected

MOST_SENTENCES = 50
"""With more pairs on which two methods disagree, the tables tell of the rest."""
UNCORRECTED = (
    "The analysis of variance takes folds as independent, and so rejects too often: "
    "only the comparisons of pairs are corrected for shared training data."
)


def omnibus(analysis: LinearAnalysis, alpha: float) -> str:
    """Return the sentence for the test of equal means."""
    test = analysis.omnibus
    what = f"Analysis of variance of {direction(analysis.metric)}, blocked by folds"
    if analysis.form != "anova":
        what += f", degrees of freedom by {FORMS[analysis.form]}"
    if math.isnan(test.p_value):
        return f"{what}: no difference can be tested: {words.cause(test.notes[-1])}."
    verdict = (
        "not all algorithms have the same mean"
        if test.rejected(alpha)
        else "no difference between the algorithms was shown"
    )
    return (
        f"{what}: {words.test_result(test, alpha)} "
        f"{words.sign(test.rejected(alpha))} {alpha}: {verdict}."
    )


def effect(analysis: LinearAnalysis) -> str:
    """Say how much of the variance the algorithms explain."""
    eta2, omega2 = analysis.omnibus.partial_eta2, analysis.omnibus.omega2
    return (
        f"Share of the variance within folds that the algorithms explain: partial "
        f"eta2 = {number(eta2.estimate)} in these scores, too large on average; "
        f"partial omega2 = {number(omega2.estimate)} allows for that, "
        f"{percent(omega2.level)} interval [{number(omega2.conf_low)}, "
        f"{number(omega2.conf_high)}] ({omega2.method})."
    )


FORMS = {
    "anova": "F itself",
    "greenhouse-geisser": "Greenhouse-Geisser",
    "huynh-feldt": "Huynh-Feldt",
}


def sphericity(analysis: LinearAnalysis, alpha: float) -> list[str]:
    """Say what the p-value is where differences vary unequally, or alike."""
    found = analysis.forms()
    other = {
        FORMS[form]: p
        for form, (_, p) in found.items()
        if form != analysis.form and not math.isnan(p)
    }
    if not other:
        return []
    told = listing([f"{n} {p_equals(p, alpha)}" for n, p in other.items()])
    planned = analysis.omnibus.rejected(alpha)
    alike = all(bool(rejected(p, alpha)) == planned for p in other.values())
    start = (
        "Corrected for differences that vary unequally over folds"
        if analysis.form == "anova"
        else "With other degrees of freedom"
    )
    return [f"{start}: {told} (sensitivity; {decides(len(other), alike)})."]


def decides(count: int, alike: bool) -> str:
    """Say whether one correction, or all, decide as the planned test does."""
    if count == 1:
        return "it decides alike" if alike else "it decides otherwise"
    return "they decide alike" if alike else "not all decide alike"


def means_name(analysis: LinearAnalysis) -> str:
    """Return what the algorithms are compared by."""
    adjusted = "" if analysis.omnibus.fit.design.complete else "adjusted "
    return f"{adjusted}mean {analysis.metric.name}"


def leader(analysis: LinearAnalysis) -> list[str]:
    """Say who has the best mean, and who was not shown to differ from it."""
    if analysis.decisive.control is not None:
        return []
    positions, means = analysis.pairs[0].positions, analysis.omnibus.means
    best = positions.index[positions == positions.min()].tolist()
    has = "has" if len(best) == 1 else "share"
    start = (
        f"{listing(best)} {has} the best {means_name(analysis)}, "
        f"{number(means[best[0]])}"
    )
    return [words.led_by(start, best, analysis)]


def decision(analysis: LinearAnalysis, made: Decision, alpha: float) -> str:
    """Return the sentence for one rejected pair."""
    means = analysis.omnibus.means
    both = (
        f"{means_name(analysis)} {number(means[made.better])} and "
        f"{number(means[made.worse])}, "
    )
    if analysis.corrected_decides and not analysis.omnibus.fit.design.complete:
        both = "over the folds that both have, "
    return (
        f"{made.better} is better than {made.worse} on {direction(analysis.metric)}: "
        f"{both}{interval(analysis, made)}"
        f"{words.adjusted_p(analysis, made.p_adjusted, alpha)} ≤ {alpha}."
    )


def interval(analysis: LinearAnalysis, made: Decision) -> str:
    """Return the difference, with the interval where it goes with the verdict."""
    pairs = analysis.decisive
    square = {c: pairs.matrix(c) for c in ("estimate", "conf_low", "conf_high")}
    found = {c: m.loc[made.better, made.worse] for c, m in square.items()}
    text = f"difference {number(found['estimate'])}"
    if pairs.adjust not in MEANS:
        return f"{text}, "
    return (
        f"{text}, simultaneous {percent(pairs.level)} interval "
        f"[{number(found['conf_low'], 3)}, {number(found['conf_high'], 3)}], "
    )


def rejections(analysis: LinearAnalysis, alpha: float) -> list[str]:
    """Return a sentence for each rejected pair, or for each winner where many are."""
    made = [d for d in analysis.decisions if d.rejected]
    if len(made) <= words.MANY_PAIRS:
        return [decision(analysis, d, alpha) for d in made]
    return words.winners(analysis, made, alpha)


def p_of_other(name: str, other: Decision, alpha: float) -> str:
    """Return what another method found about a pair."""
    if math.isnan(other.p_adjusted):
        return f"{name} cannot test it"
    return (
        f"{name} adjusted {p_equals(other.p_adjusted, alpha)} "
        f"{words.sign(other.rejected)} {alpha}"
    )


def disagreement(found: Disagreement, mine: str, other: str, alpha: float) -> str:
    """Return the sentence for a pair on which two methods decide otherwise."""
    planned = found.planned
    start = (
        f"{words.pair(planned)}: {p_of_other(mine, planned, alpha)}, but "
        f"{p_of_other(other, found.other, alpha)}"
    )
    if found.opposite:
        return f"{start}, in favour of {found.other.better}."
    return f"{start}."


def rank_name(analysis: LinearAnalysis) -> str:
    """Return the decisive method of the rank analysis."""
    return f"{short_title(analysis.ranks.decisive.adjust)} on mean ranks"


def ranks(analysis: LinearAnalysis, alpha: float) -> list[str]:
    """Say where the rank analysis decides otherwise, pair by pair."""
    test = analysis.ranks.omnibus
    start = (
        f"Sensitivity, ranks: {words.test_result(test, alpha)} ({test.name}); "
        f"{rank_name(analysis)}"
    )
    found, other = analysis.ranks_disagree, rank_name(analysis)
    advice = "the verdict stays with the planned test, and rests on its assumptions"
    return compared(start, analysis, found, other, advice, alpha)


def compared(
    start: str,
    analysis: LinearAnalysis,
    found: Sequence[Disagreement],
    other: str,
    advice: str,
    alpha: float,
) -> list[str]:
    """Say that another method decides alike, or where it does not."""
    count = len(analysis.decisions)
    if not found:
        alike = "on the one pair" if count == 1 else f"on all {count} pairs"
        return [f"{start} decides alike {alike}."]
    mine = words.method_title(analysis)
    return [
        f"{start} decides otherwise on {len(found)} of {count} pairs; {advice}.",
        *(disagreement(d, mine, other, alpha) for d in found[:MOST_SENTENCES]),
        *more(len(found) - MOST_SENTENCES),
    ]


def more(count: int) -> list[str]:
    """Say how many sentences are left out."""
    return [f"And so on {count} more pairs; see the tables."] if count > 0 else []


def corrected(
    comparison: GroupComparison, analysis: LinearAnalysis, alpha: float
) -> list[str]:
    """Say what the correction for shared training data changes, pair by pair."""
    if analysis.corrected is None or analysis.variance_ratio is None:
        return []
    complete = analysis.omnibus.fit.design.complete
    times = f": {fold_words.times(analysis.variance_ratio)}" if complete else ""
    sizes = f"{fold_words.sizes(comparison)}{times}"
    made = without_correction(analysis, sizes, alpha)
    if not analysis.corrected_decides:
        name = name_of(analysis.corrected)
        start = (
            f"Corrected for shared training data ({sizes}), the resampled t test, "
            f"{short_title(analysis.corrected.adjust)} adjusted,"
        )
        advice = (
            "a difference that it does not show is significant only if folds are taken "
            "as independent, which they are not"
        )
        found = analysis.other_disagrees
        made = compared(start, analysis, found, name, advice, alpha)
    constant = int(np.isinf(analysis.corrected.table["statistic"]).sum())
    if constant:
        made.append(
            f"{constant} of {len(analysis.corrected.table)} pairs "
            f"{have(constant)} the same difference in all folds, so that nothing could "
            "be corrected: such p-values take folds as independent."
        )
    return made


def without_correction(analysis: LinearAnalysis, sizes: str, alpha: float) -> list[str]:
    """Say how the pairs would be decided if folds were independent."""
    title = short_title(analysis.pairs[0].adjust)
    start = (
        f"The verdict is corrected for shared training data ({sizes}). With folds "
        f"taken as independent, {title}"
    )
    advice = (
        "the verdict stays with the corrected tests, in which each pair has its own "
        "variance"
    )
    found = analysis.other_disagrees
    name = f"{title} of independent folds"
    return compared(start, analysis, found, name, advice, alpha)


def corrected_disagreement(analysis: LinearAnalysis, alpha: float) -> str | None:
    """Say so if the uncorrected omnibus test and corrected pairs differ."""
    any_pair = any(d.rejected for d in analysis.decisions)
    if any_pair == analysis.omnibus.rejected(alpha):
        return None
    if any_pair:
        return words.disagreement(analysis, alpha)
    return (
        "The analysis of variance is significant although no corrected comparison is: "
        "no difference was shown once shared training data are allowed for."
    )


def verdict_sentences(
    comparison: GroupComparison, analysis: LinearAnalysis
) -> list[str]:
    """Return the whole verdict on one metric."""
    alpha = comparison.plan.alpha
    sentences = [omnibus(analysis, alpha)]
    if words.untested(analysis):
        return sentences
    if math.isinf(analysis.omnibus.statistic):
        sentences.append(f"Beware of a {analysis.omnibus.notes[-1]}.")
        sentences += map(sentence, analysis.decisive.notes[-2:])
        sentences.append(words.summary_line(analysis, comparison.plan))
        sizes = []
    else:
        sentences.append(words.summary_line(analysis, comparison.plan))
        sizes = [effect(analysis), *sphericity(analysis, alpha)]
        if analysis.corrected_decides:
            sizes.append(UNCORRECTED)
    # What is decided comes first, then how large it is and what else is said of it.
    sentences += leader(analysis)
    sentences += rejections(analysis, alpha)
    sentences.append(words.retained(analysis, alpha))
    sentences += sizes
    sentences += corrected(comparison, analysis, alpha)
    sentences += ranks(analysis, alpha)
    tell = corrected_disagreement if analysis.corrected_decides else words.disagreement
    extra = tell(analysis, alpha)
    return [*sentences, extra] if extra else sentences


def verdict_rule(comparison: GroupComparison) -> str:
    """Say what makes the verdict."""
    plan = comparison.plan
    decisive = described(plan.decisive)
    by_correction = plan.overlap is not None and plan.decisive not in MEANS
    how = "" if plan.decisive in MEANS else " t tests with the model's error,"
    if by_correction:
        how = f" corrected resampled t tests ({fold_words.sizes(comparison)}),"
    [first, *_] = comparison.analyses
    assert isinstance(first, LinearAnalysis)
    return (
        f"The verdict on a pair is:{how} {decisive.title} adjusted p-value at most "
        f"alpha = {plan.alpha}. Error rate: "
        f"{error_rate(first.decisive, plan, 'folds').text}."
    )


def plan_sentences(comparison: GroupComparison) -> list[str]:
    """Return the plan in words."""
    plan = comparison.plan
    sentences = [
        fold_words.blocks_are(comparison),
        "Three algorithms or more on folds of one data set are compared by a blocked "
        "analysis of variance: score = fold + algorithm. It asks whether any mean "
        f"differs. {words.gate(comparison)}",
        verdict_rule(comparison),
    ]
    sentences += words.f_alone(plan)
    if len(plan.adjust) > 1:
        sentences.append(words.sensitivity_titles(plan.adjust[1:]))
    sentences += words.so_many(comparison)
    if form := words.exact_form(comparison):
        sentences.append(form)
    if plan.overlap is not None and plan.decisive in MEANS:
        beside = described(plan.t_method(comparison.scores.n_algorithms)).title
        sentences.append(
            f"Corrected resampled t tests ({fold_words.sizes(comparison)}) stand "
            f"beside the verdict, adjusted by {beside}."
        )
    sentences.append(
        "The whole rank analysis (decisive there: "
        f"{described(plan.rank_adjust[0]).title}) is sensitivity analysis; every pair "
        "on which it decides otherwise is named. "
        f"{rank_words.ties(comparison)}"
    )
    if plan.decimals is not None:
        sentences.append(
            "Only ranks are of rounded scores; means and their tests are "
            "of the scores as they are."
        )
    return [
        *sentences,
        *fold_words.together(comparison),
        words.as_it_stands(comparison),
    ]


def limits(comparison: GroupComparison) -> list[str]:
    """Return what the analysis rests on and what it does not say."""
    scores = comparison.compared
    sentences = [
        "The analysis of variance takes errors as normal, of equal spread, and folds "
        "as adding the same to every algorithm; Tukey, Scheffé, Dunnett and the t "
        "tests with the model's error take all differences of two algorithms to vary "
        "alike (sphericity).",
        fold_words.READ_AS_NORMAL,
        *words.adjustment_limits(comparison),
        *fold_words.together_limits(comparison),
        *words.doubts(scores),
        words.NOT_EQUALITY,
    ]
    if not scores.complete:
        sentences.append(
            f"{words.GAPS} The algorithms are adjusted for the folds that they have "
            "(exact general linear model), Tukey's p-values are then conservative "
            "(Kramer); sphericity needs complete folds and is left out."
        )
    return sentences
