"""Sentences about algorithms over folds of several data sets."""

from __future__ import annotations

import math
from collections.abc import Mapping

from pycompare.analyses.blocked_anova import name_of
from pycompare.analyses.group_comparison import GroupComparison
from pycompare.analyses.multiple_datasets import (
    DatasetsAnalysis,
    OnDataset,
    OverDatasets,
)
from pycompare.multiplicity.guarantees import Guarantee, Where
from pycompare.plans.fields import Verdict
from pycompare.plans.plan import Plan
from pycompare.plans.post_hoc import described, short_title
from pycompare.reporting.common import fold_words, words
from pycompare.reporting.common.error_rates import error_rate
from pycompare.reporting.common.words import listing
from pycompare.reporting.content.outcomes import NAMES

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


def error_rate_over(over: OverDatasets, plan: Plan) -> Guarantee:
    """Return the guarantee of a comparison over data sets."""
    return error_rate(over.decisive, plan, blocks_of(over))


def blocks_of(over: OverDatasets) -> Where:
    """Return what the blocks are: data sets, or the folds of all of them."""
    return "model" if over.key == "model" else "blocks"


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
