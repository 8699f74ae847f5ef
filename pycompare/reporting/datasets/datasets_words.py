"""Sentences about algorithms over folds of several data sets."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from pycompare.multiplicity.guarantees import Guarantee, Where
from pycompare.plans.plan import Plan, Verdict
from pycompare.plans.post_hoc import described, short_title
from pycompare.procedure.datasets_road import (
    DatasetsAnalysis,
    OnDataset,
    OverDatasets,
)
from pycompare.procedure.decisions import Decision, Disagreement, unable
from pycompare.procedure.group_comparison import GroupComparison
from pycompare.procedure.linear_road import name_of
from pycompare.reporting.common import fold_words, words
from pycompare.reporting.common.error_rates import error_rate
from pycompare.reporting.common.words import direction, listing
from pycompare.reporting.page.numbers import number, p_equals

NAMES: dict[Verdict, str] = {
    "ranks": "ranks of data-set means",
    "sign": "sign tests of wins",
    "means": "analysis of data-set means",
    "model": "one model of all folds",
}
ABOUT: dict[Verdict, str] = {
    "ranks": "Ranks of data-set means ask who is better how often, over data sets like "
    "these; each data set counts the same, and the size of a difference does not "
    "count.",
    "sign": "Sign tests of wins ask on how many data sets one is significantly better "
    "than the other; data sets without a significant difference are split between the "
    "two, so a difference too small to show on its data set counts for neither.",
    "means": "The analysis of data-set means asks for the mean difference over data "
    "sets like these. Its error is how much differences change from data set to data "
    "set (the interaction of algorithm and data set), which is the error that a claim "
    "about new data sets needs; a few data sets with large differences can decide it. "
    "Each pair is tested by the spread of its own differences; Tukey's, Scheffé's and "
    "Dunnett's comparisons pool the spread of all algorithms, and reject too often "
    "where one algorithm varies more than the others.",
    "model": "One model of all folds (score = data set + fold in data set + "
    "algorithm) has an error over folds, mixed with the interaction of algorithm and "
    "data set as if that were one more fold: it is about the mean over these very "
    "data sets, and says nothing about new ones.",
}
WINS = (
    "A win on a data set is a pair that is significant there and has the better mean. "
    "The total counts the data sets on which an algorithm beats at least one other."
)
DATASETS_ARE = (
    "The data sets are the sample: a verdict over them is about data sets like these, "
    "taken as independent of each other. Variants of one data set are not."
)
NEW_DATASETS = (
    "One model of all folds makes the verdict, as planned: its error is over folds, so "
    "that the verdict is about the mean over these very data sets and not about new "
    "ones; the analysis of data-set means beside it is."
)


def two(over: OverDatasets) -> bool:
    """Tell whether there are two algorithms, whose test is that of the pair."""
    return len(over.decisive.algorithms) == 2


def one_pair(over: OverDatasets) -> bool:
    """Tell whether there is a single comparison and nothing to adjust."""
    return two(over) and not over.joint


def method(over: OverDatasets) -> str:
    """Return what decides about pairs."""
    title = name_of(over.decisive)
    if two(over):
        test = {
            "ranks": "Wilcoxon's signed rank test of data-set means",
            "sign": "the sign test of wins",
            "means": "the paired t test of data-set means",
            "model": "the t test of all folds in one model",
        }[over.key]
        return f"{test}, {short_title(over.decisive.adjust)}" if over.joint else test
    on = {
        "ranks": "on mean ranks",
        "sign": "of sign tests of wins",
        "means": "on data-set means",
        "model": "on all folds in one model",
    }[over.key]
    return f"{title} {on}"


def p_of(over: OverDatasets, p: float, alpha: float) -> str:
    """Return ``Holm on mean ranks adjusted p = 0.012``."""
    adjusted = "" if one_pair(over) else " adjusted"
    return f"{method(over)}{adjusted} {p_equals(p, alpha)}"


def scope(over: OverDatasets) -> str:
    """Say what a decision is about: data sets like these, or only these."""
    return "over these data sets" if over.key == "model" else "over data sets"


def positions_name(over: OverDatasets) -> str:
    """Return what the algorithms are compared by."""
    return {
        "ranks": "mean rank",
        "sign": "share of data sets lost to the others",
        "means": f"mean {over.metric.name} over data sets",
        "model": f"mean {over.metric.name} over all folds",
    }[over.key]


def position(over: OverDatasets, name: str) -> float:
    """Return an algorithm's position in its own unit."""
    turned = over.in_unit and over.metric.better == "higher"
    return float((-1 if turned else 1) * over.decisive.positions[name])


def omnibus(over: OverDatasets, alpha: float) -> str | None:
    """Return the sentence for the test of all algorithms; None without one."""
    test = over.test
    if test is None or two(over):
        return None
    what = f"{test.name[0].upper()}{test.name[1:]}, {NAMES[over.key]}"
    if math.isnan(test.p_value):
        return f"{what}: no difference can be tested: {words.cause(test.notes[-1])}."
    verdict = (
        "not all algorithms are alike"
        if test.rejected(alpha)
        else "no difference between the algorithms was shown"
    )
    return (
        f"{what}: {words.test_result(test, alpha)} "
        f"{words.sign(test.rejected(alpha))} {alpha}: {verdict}."
    )


def summary(over: OverDatasets, plan: Plan) -> str:
    """Return how many differences are significant over data sets."""
    made = [d for d in over.decisions if d.rejected]
    on = f" in {direction(over.metric)} {scope(over)}"
    start = (
        f"{words.significant(len(made), len(over.decisions), on)} at {plan.alpha} by "
        f"{method(over)}"
    )
    if one_pair(over):
        return f"{start}."
    rate = error_rate_over(over, plan)
    return f"{start}, over {over.decisive.family} ({rate.brief(plan.alpha)})."


def error_rate_over(over: OverDatasets, plan: Plan) -> Guarantee:
    """Return the guarantee of a comparison over data sets."""
    return error_rate(over.decisive, plan, blocks_of(over))


def blocks_of(over: OverDatasets) -> Where:
    """Return what the blocks are: data sets, or the folds of all of them."""
    return "model" if over.key == "model" else "blocks"


def leader(over: OverDatasets) -> list[str]:
    """Say who is best, and who was not shown to differ from it."""
    if over.decisive.control is not None or two(over):
        return []
    positions = over.decisive.positions
    best = positions.index[positions == positions.min()].tolist()
    start = (
        f"{listing(best)} {'has' if len(best) == 1 else 'share'} the "
        f"{'best' if over.in_unit else 'lowest (best)'} {positions_name(over)}, "
        f"{number(position(over, best[0]))}"
    )
    return [words.led_by(start, best, over)]


def decision(over: OverDatasets, made: Decision, alpha: float) -> str:
    """Return the sentence for one rejected pair."""
    values = (
        ""
        if two(over) and over.key in ("ranks", "means")
        else f"{positions_name(over)} {number(position(over, made.better))} and "
        f"{number(position(over, made.worse))}, "
    )
    return (
        f"{made.better} is better than {made.worse} on {direction(over.metric)}, "
        f"{scope(over)}: {values}{p_of(over, made.p_adjusted, alpha)} ≤ {alpha}."
    )


def winner(over: OverDatasets, name: str, made: list[Decision], alpha: float) -> str:
    """Return the sentence for all pairs that one algorithm wins."""
    won = words.beats(name, made)
    largest = max(d.p_adjusted for d in won)
    return (
        f"{name} is better on {direction(over.metric)}, {scope(over)}, than "
        f"{listing([d.worse for d in won])}: {p_of(over, largest, alpha)} ≤ {alpha} "
        f"at most."
    )


def rejections(over: OverDatasets, alpha: float) -> list[str]:
    """Return a sentence for each rejected pair, or for each winner where many are."""
    made = [d for d in over.decisions if d.rejected]
    if len(made) <= words.MANY_PAIRS:
        return [decision(over, d, alpha) for d in made]
    order = over.decisive.positions.sort_values(kind="stable").index
    return [winner(over, n, made, alpha) for n in order if words.beats(n, made)]


def retained(over: OverDatasets, alpha: float) -> list[str]:
    """Return the sentence about the pairs that were not rejected."""
    pairs = [words.pair(d) for d in over.decisions if not d.rejected]
    if not pairs:
        return []
    kind = "" if one_pair(over) else " adjusted"
    return [
        f"No difference was shown for {words.some_pairs(pairs)} ({method(over)}"
        f"{kind} p > {alpha}{words.no_test(over.decisions)}). That is not evidence "
        f"that they are equal."
    ]


def at_odds(over: OverDatasets, alpha: float) -> list[str]:
    """Say so if the test of all algorithms and the pairs point different ways."""
    if over.test is None or two(over) or math.isnan(over.test.p_value):
        return []
    any_pair, all_of_them = (
        any(d.rejected for d in over.decisions),
        over.test.rejected(alpha),
    )
    if any_pair == all_of_them:
        return []
    if any_pair:
        return [
            "The test of all algorithms is not significant although a pair is: the two "
            "were planned side by side; report both."
        ]
    return [
        "The test of all algorithms is significant although no single pair is: some "
        "difference exists, and these data do not tell which."
    ]


def totals(analysis: DatasetsAnalysis) -> str:
    """Say how often each algorithm wins."""
    found = analysis.wins.totals
    assert found is not None
    count = sum(made.rejected for on in analysis.each for made in on.decisions)
    every = sum(len(on.decisions) for on in analysis.each)
    ordered = found.sort_values(ascending=False, kind="stable")
    named = ", ".join(f"{name} {int(wins)}" for name, wins in ordered.items())
    return (
        f"Data set by data set, {count} of {every} comparisons of pairs are "
        f"significant. Data sets, of {analysis.wins.n_datasets}, on which an algorithm "
        f"beats at least one other: {named}."
    )


def interaction(analysis: DatasetsAnalysis, alpha: float) -> str:
    """Say whether differences change from data set to data set."""
    test = analysis.interaction
    start = "Do differences change from data set to data set, beyond the folds?"
    if math.isnan(test.p_value):
        return f"{start} That cannot be tested: {test.notes[0]}."
    how = " (corrected for shared training data)" if test.notes else ""
    told = (
        f"{start} {words.test_result(test, alpha)} "
        f"{words.sign(test.rejected(alpha))} {alpha}{how}"
    )
    if test.rejected(alpha):
        return (
            f"{told}: they do, so what one model of all folds shows need not hold on "
            f"other data sets."
        )
    return f"{told}: no change was shown, which does not show that there is none."


def agreement(analysis: DatasetsAnalysis, alpha: float) -> list[str]:
    """Say where the other comparisons over data sets decide otherwise."""
    told = []
    for other in analysis.over:
        if other.key != analysis.verdict:
            cannot = unable(other.decisive, alpha)
            if len(cannot) < len(analysis.decisions):
                found = analysis.disagree[other.key]
                told.append(compared(analysis, other, found, alpha))
            start = f"Beside it, {method(other)}:"
            told += beyond_reach(other, start, alpha, again="It")
    return told


def beyond_reach(
    over: OverDatasets, start: str, alpha: float, *, again: str = ""
) -> list[str]:
    """Say which pairs an exact test of so few data sets cannot find significant.

    ``again`` is what the test is called where it was named for other pairs before.
    """
    cannot = unable(over.decisive, alpha)
    pairs = [words.pair(d) for d in over.decisions if d.pair in cannot]
    if not pairs:
        return []
    named = [] if len(pairs) == len(over.decisions) else pairs
    start = (named and again) or start
    table = over.decisive.table
    return [words.out_of_reach(start, named, table, alpha, "data set")]


def compared(
    analysis: DatasetsAnalysis,
    other: OverDatasets,
    found: Sequence[Disagreement],
    alpha: float,
) -> str:
    """Say on which pairs another comparison decides otherwise, the better one first."""
    count = len(analysis.decisions) - len(unable(other.decisive, alpha))
    start = f"Beside it, {method(other)}"
    able = "" if count == len(analysis.decisions) else " that it could reject"
    if not found:
        alike = "on the one pair" if count == 1 else f"on all {count} pairs"
        return f"{start}: decides alike {alike}{able}."
    told = {
        "significant there alone": [
            d.other for d in found if d.other.rejected and not d.opposite
        ],
        "significant in the verdict alone": [
            d.planned for d in found if d.planned.rejected and not d.opposite
        ],
        "significant in both, there in favour of the first": [
            d.other for d in found if d.opposite
        ],
    }
    named = [
        f"{what}: {words.some_pairs([words.pair(made) for made in pairs])}"
        for what, pairs in told.items()
        if pairs
    ]
    return (
        f"{start}: decides otherwise on "
        f"{'the one pair' if count == 1 else f'{len(found)} of {count} pairs'}{able}; "
        f"{'; '.join(named)} (p-values in the table "
        f"of agreement). It asks another question, and the verdict stays with "
        f"{method(analysis.planned)}."
    )


def verdict_sentences(
    comparison: GroupComparison, analysis: DatasetsAnalysis
) -> list[str]:
    """Return the whole verdict on one metric."""
    alpha, over = comparison.plan.alpha, analysis.planned
    first = omnibus(over, alpha)
    sentences = [] if first is None else [first]
    if words.untested(over):
        return [
            *sentences,
            f"No difference in {direction(over.metric)} can be tested over data sets.",
            totals(analysis),
        ]
    return [
        *sentences,
        summary(over, comparison.plan),
        *leader(over),
        *rejections(over, alpha),
        *retained(over, alpha),
        *at_odds(over, alpha),
        *beyond_reach(over, "The planned sign tests", alpha),
        *agreement(analysis, alpha),
        interaction(analysis, alpha),
        totals(analysis),
    ]


def on_dataset(found: OnDataset, alpha: float) -> str:
    """Return what the folds of one data set say, in one paragraph."""
    test = found.omnibus
    if math.isnan(test.p_value):
        return f"{found.n_folds} folds; no difference can be tested: {test.notes[-1]}."
    made = [d for d in found.decisions if d.rejected]
    told = (
        f"{found.n_folds} folds; analysis of variance: "
        f"{words.test_result(test, alpha)} {words.sign(test.rejected(alpha))} {alpha}."
    )
    if not made:
        return f"{told} No pair differs significantly."
    wins = [
        f"{name} over {listing([d.worse for d in words.beats(name, made)])}"
        for name in dict.fromkeys(d.better for d in made)
    ]
    return f"{told} Significant wins: {'; '.join(wins)}."


def plan_sentences(comparison: GroupComparison) -> list[str]:
    """Return the plan in words."""
    plan = comparison.plan
    assert plan.verdict is not None
    said = (
        "as planned"
        if comparison.asked.verdict is not None
        else "the default, whatever the scores; plan verdict='sign', 'means' or "
        "'model' for another"
    )
    sentences = [
        blocks_are(comparison),
        on_each(comparison),
        WINS,
        f"The verdict over data sets is made by {NAMES[plan.verdict]} ({said}); the "
        f"other three stand beside it and change nothing.",
        *ABOUT.values(),
        verdict_rule(comparison),
        *words.f_alone(plan),
        *words.so_many(comparison),
        gate(comparison),
    ]
    if plan.control is not None:
        sentences.append(
            f"{plan.control} is compared with each other algorithm, over data sets, on "
            f"each data set and in the table of wins; no two others are."
        )
    return [*sentences, *together(comparison), words.as_it_stands(comparison)]


def on_each(comparison: GroupComparison) -> str:
    """Say how each data set is analysed by itself."""
    plan = comparison.plan
    start = (
        "Each data set is analysed by itself: a blocked analysis of variance of its "
        "folds and"
    )
    family = "all pairs" if plan.control is None else f"{plan.control} with the others"
    method = "Tukey's" if plan.control is None else "Dunnett's"
    two = comparison.scores.n_algorithms == 2
    if not plan.corrects:
        paired = ", which is the paired t test for two" if two else ""
        return f"{start} {method} comparison of {family}{paired}."
    adjusted = "" if two else f", adjusted by {described(t_method(comparison)).title}"
    return (
        f"{start} corrected resampled t tests of {family}{adjusted} "
        f"({sizes(comparison)}), which decide who wins there; {method} comparison, "
        f"which takes folds as independent, stands beside them."
    )


def t_method(comparison: GroupComparison) -> str:
    """Return the adjustment of corrected t tests."""
    return comparison.plan.t_method(comparison.scores.n_algorithms)


def sizes(comparison: GroupComparison) -> str:
    """Return the sizes of the sets in words."""
    plan, names = comparison.plan, dict.fromkeys(comparison.scores.datasets or ())
    if plan.n_train is None:
        found = [sizes for name in names if (sizes := plan.sizes(name)) is not None]
        return fold_words.of_folds([int(sizes["n_train"]) + 1 for sizes in found])
    told = []
    for name in ("n_train", "n_test"):
        given = getattr(comparison.plan, name)
        if isinstance(given, Mapping):
            low, high = (fold_words.number_of(f(given.values())) for f in (min, max))
            told.append(f"{name} from {low} to {high} by data set")
        else:
            told.append(f"{name} = {fold_words.number_of(given)}")
    return ", ".join(told)


def blocks_are(comparison: GroupComparison) -> str:
    """Say what the blocks are, and who said so."""
    read = comparison.scores
    text = (
        f"Blocks are {read.n_blocks} folds of {comparison.compared.n_blocks} data sets"
    )
    if comparison.asked.blocks == "folds-of-datasets":
        return f"{text}, as planned."
    return f"{text}, as the data set column says."


def verdict_rule(comparison: GroupComparison) -> str:
    """Say what makes the verdict on a pair."""
    plan = comparison.plan
    if comparison.scores.n_algorithms == 2 and plan.family != "all":
        return (
            f"The verdict is: p-value at most alpha = {plan.alpha}. There is one pair "
            f"for each metric, so nothing is adjusted."
        )
    decisive = described(plan.decisive)
    [first, *_] = comparison.analyses
    assert isinstance(first, DatasetsAnalysis)
    rate, within = error_rate_over(first.planned, plan), first.each[0].decisive
    return (
        f"The verdict on a pair is: {decisive.title} adjusted p-value at most alpha = "
        f"{plan.alpha}. Error rate: {rate.text}. Beside it, each "
        f"other comparison has its own default adjustment; each data set is a family "
        f"of its own, adjusted by {short_title(within.adjust)}."
    )


def gate(comparison: GroupComparison) -> str:
    """Say whether pairs wait for the test of all algorithms."""
    if comparison.plan.gate == "omnibus":
        return (
            "As planned (gate = omnibus), a pair is decided only where the test of all "
            "algorithms rejects as well, over data sets and on each of them: adjusted "
            "p-values are the larger of the two. Sign tests of wins have no test of "
            "all algorithms over data sets; their wins have one on each."
        )
    return "Pairs do not wait for a test of all algorithms (gate = none)."


def together(comparison: GroupComparison) -> list[str]:
    """Say what is done with several metrics at once."""
    if comparison.together is None:
        return []
    return [
        "All metrics together are compared over data sets: a multivariate analysis of "
        "variance of the data sets' mean vectors and paired T2 tests of them. It is a "
        "question of its own, and no metric's verdict waits for it."
    ]


def caveats(comparison: GroupComparison) -> list[str]:
    """Return what a verdict over data sets is about."""
    model = [NEW_DATASETS] if comparison.plan.verdict == "model" else []
    return [DATASETS_ARE, *model, *fold_words.within_data_sets(comparison)]


def limits(comparison: GroupComparison) -> list[str]:
    """Return what the analysis rests on and what it does not say."""
    scores = comparison.compared
    return [
        f"Within a data set: {fold_words.SHARED} {rest_on(comparison)}; ranks and the "
        f"analysis of data-set means do not, since they use each data set's mean "
        f"alone.",
        "Sign tests of wins do not need the tests on each data set to be exact, but "
        "for both algorithms to win equally often where they are equally good.",
        "The analyses of variance take errors as normal and of equal spread, and "
        "Tukey's and Dunnett's comparisons take all differences to vary alike; paired "
        "t tests take each pair's differences as normal, with a spread of their own. "
        "Scores of hard and easy data sets seldom vary alike; ranks do not ask for it.",
        "A data set's mean counts as one score, however many folds are behind it.",
        *([few(scores.n_blocks)] if scores.n_blocks < 10 else []),
        *words.adjustment_limits(comparison),
        *together_limits(comparison),
        *words.doubts(scores),
        words.NOT_EQUALITY,
    ]


def rest_on(comparison: GroupComparison) -> str:
    """Say what rests on tests that take folds as independent."""
    if not comparison.plan.corrects:
        return (
            "Wins, their sign tests, the model of all folds and the interaction rest "
            "on such tests"
        )
    return (
        "Wins and their sign tests, the model of all folds and the interaction are "
        "corrected for that; the analysis of variance of each data set is not and "
        "rests on such a test"
    )


def few(count: int) -> str:
    """Say that few data sets say little."""
    return (
        f"{count} data sets are few: an exact sign test of them, or Wilcoxon's, has no "
        f"two-sided p-value below {0.5 ** (count - 1):g} before any adjustment, and "
        f"approximate p-values are rough."
    )


def together_limits(comparison: GroupComparison) -> list[str]:
    """Return what the tests of several metrics at once rest on."""
    if comparison.together is None:
        return []
    return [
        "The multivariate tests take the data sets' mean vectors as multivariate "
        "normal around the algorithms' effects; each data set counts as one block."
    ]
