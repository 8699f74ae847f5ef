"""Sentences about algorithms over folds of several data sets."""

from __future__ import annotations

from collections.abc import Mapping

from pycompare.analyses.group_comparison import GroupComparison
from pycompare.plans.fields import Verdict
from pycompare.plans.post_hoc import described
from pycompare.reporting.content import fold_words, words
from pycompare.reporting.content.facts import stated
from pycompare.reporting.content.outcomes import NAMES

ASKS: dict[Verdict, str] = {
    "ranks": "Ranks of data-set means ask how often one algorithm is better on data "
    "sets like these. Each data set counts the same, and the size of a difference does "
    "not count.",
    "sign": "Sign tests of wins ask on how many data sets one algorithm is "
    "significantly better. Data sets without a significant difference are split "
    "between the two.",
    "means": "Data-set means ask for the mean difference over data sets like these. "
    "The error is the change of differences between data sets, as a claim about new "
    "data sets needs. A few data sets with large differences can determine the result. "
    "Paired tests use the variance of each pair; Tukey, Scheffé and Dunnett pool all "
    "variances, and reject too often if one algorithm varies more.",
    "model": "One model of all folds asks for the mean difference on these very data "
    "sets: score = data set + fold in data set + algorithm. Its error mixes folds and "
    "interaction, so it does not extend to new data sets.",
}
_WINS = (
    "A win on a data set is a significant pair; the winner has the better mean. The "
    "total counts the data sets on which an algorithm beats at least one other."
)
_CONTROL = "{control} is compared with each other algorithm; no two others are."
_ALONE = (
    "Each data set has its own blocked ANOVA of folds and {method} comparison of "
    "{family}{paired}."
)
_CORRECTED = (
    "Each data set has its own blocked ANOVA of folds and corrected resampled t tests "
    "of {tests}. {method} comparison, which assumes independent folds, is a "
    "sensitivity analysis there."
)
DATASETS_ARE = (
    "The conclusions concern data sets like these, taken as independent of one "
    "another; variants of one data set are not independent."
)
NEW_DATASETS = (
    "The planned model of all folds concerns the mean over these very data sets, not "
    "new ones. The analysis of data-set means does."
)


def scope(comparison: GroupComparison) -> list[str]:
    """Return the scope of the conclusions, and what limits them."""
    by_model = comparison.plan.verdict == "model"
    start = [NEW_DATASETS] if by_model else [DATASETS_ARE]
    warning = words.not_equality(words.decided(comparison))
    return [*start, *warning, *fold_words.within_data_sets(comparison)]


def plan_sentences(comparison: GroupComparison) -> list[str]:
    """Return the plan in words."""
    plan, asked = comparison.plan, comparison.asked
    assert plan.verdict is not None
    chosen = "the default, whatever the scores; set verdict for another"
    by = f"{NAMES[plan.verdict]} ({'as planned' if asked.verdict else chosen})"
    alone = comparison.scores.n_algorithms == 2 and plan.family != "all"
    return [
        _blocks_are(comparison),
        _of_each(comparison),
        _WINS,
        f"The primary comparison over data sets is {by}. The other three are "
        f"sensitivity analyses.",
        *([words.ONE_PAIR] if alone else []),
        *words.f_alone(comparison),
        *words.so_many(comparison),
        words.gate(plan.gate, "the test of all algorithms"),
        *([] if plan.control is None else [stated(_CONTROL, control=plan.control)]),
        *_together(comparison),
        words.as_it_stands(comparison),
    ]


def _of_each(comparison: GroupComparison) -> str:
    """Say how each data set is analysed by itself."""
    plan, n = comparison.plan, comparison.scores.n_algorithms
    family = "all pairs" if plan.control is None else f"{plan.control} with the others"
    method = "Tukey's" if plan.control is None else "Dunnett's"
    if not plan.corrects:
        paired = ", which is the paired t test for two" * (n == 2)
        return stated(_ALONE, method=method, family=family, paired=paired)
    adjusted = "" if n == 2 else f", adjusted by {described(plan.t_method(n)).title}"
    tests = f"{family}{adjusted} ({_sizes(comparison)})"
    return stated(_CORRECTED, tests=tests, method=method)


def _sizes(comparison: GroupComparison) -> str:
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


def _blocks_are(comparison: GroupComparison) -> str:
    """Say what the blocks are, and who said so."""
    planned = comparison.asked.blocks == "folds-of-datasets"
    who = "planned" if planned else "the data set column says"
    n, many = comparison.scores.n_blocks, comparison.compared.n_blocks
    return stated(
        "Blocks are {n} folds of {many} data sets, as {who}.", n=n, many=many, who=who
    )


def _together(comparison: GroupComparison) -> list[str]:
    """Say what is done with several metrics at once."""
    if comparison.together is None:
        return []
    return [
        "All metrics together are compared by a multivariate ANOVA of the data sets' "
        "mean vectors and paired T2 tests. This is a question of its own."
    ]


def limits(comparison: GroupComparison) -> list[str]:
    """Return what the analysis assumes and what it does not show."""
    scores = comparison.compared
    multivariate = (
        "The multivariate tests assume multivariate normal mean vectors of data sets; "
        "each data set counts as one block."
    )
    return [
        fold_words.SHARED,
        fold_words.WITHIN_CORRECTED
        if comparison.plan.corrects
        else fold_words.WITHIN_UNCORRECTED,
        "Ranks and the analysis of data-set means use each data set's mean alone, so "
        "shared training data do not affect them.",
        "Sign tests of wins are valid if equally good algorithms win equally often, "
        "even if the tests on each data set are not exact.",
        "The ANOVAs assume normal errors of equal variance; Tukey and Dunnett also "
        "assume equal variance of all differences. Paired t tests assume normal "
        "differences, each pair with its own variance; ranks assume neither.",
        *words.few(scores.n_blocks),
        *words.adjustment_limits(comparison),
        *([] if comparison.together is None else [multivariate]),
        *words.doubts(scores),
    ]
