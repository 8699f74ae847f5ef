"""Sentences about AUCs: conclusions, scope, plan and assumptions."""

from __future__ import annotations

from pycompare.analyses.curve_comparison import MOST_RESAMPLED, CurveComparison
from pycompare.formatting.numbers import number, percent
from pycompare.plans.post_hoc import short_title
from pycompare.reporting.common import fold_words, words
from pycompare.reporting.content import wording
from pycompare.reporting.content.curves.facts import Way
from pycompare.reporting.document import Inline, Strong

FIXED = (
    "Over cases: DeLong's test and the intervals of cases take the trained classifiers "
    "as fixed. Their conclusions concern new cases for these classifiers, not the "
    "algorithms trained anew, and not other data sets."
)
POOLED = (
    "DeLong's test and the intervals of cases pool the scores of several folds, "
    "although each fold's classifier has its own scale. A pooled AUC is not the mean "
    "AUC of the folds; the cross-validated AUC compares scores within folds only."
)
NOT_BOTH = (
    "No test here generalises to new cases and new training sets at once. A difference "
    "that is significant only over cases may depend on these training sets; one that "
    "is significant only over folds may depend on these cases."
)
SEVERAL = (
    "Each data set and each of the two tests is a family of its own: p-values are "
    "adjusted over its pairs, not over data sets."
)
LARGE_SAMPLE = (
    "DeLong's test relies on a normal approximation: with few cases of a class, or "
    "AUCs near 1, its p-values are too small."
)
INTERVALS = (
    "The interval methods have different targets: Agarwal's and Cortes and Mohri's "
    "hold for any distribution and are wide; the t interval of folds concerns training "
    "sets from these data."
)
BANDS = "Bands in the figures assume independent folds."
MOST_PAIRS = 3
"""Pairs that one algorithm's conclusion names."""


def conclusion(way: Way) -> Inline:
    """Return who has the larger AUC than whom, on how many data sets."""
    if not way.outcomes:
        reasons = dict.fromkeys(why for _, why in way.not_made)
        return f"No test: {'; '.join(reasons)}."
    if len(way.outcomes) + len(way.not_made) == 1:
        return wording.answer(way.outcomes[0][1])
    n, won = len(way.outcomes), way.wins()
    if not won:
        return (
            Strong(f"no pair differs significantly on any of {n} data sets"),
            ".",
        )
    told: list[str] = []
    for name in way.algorithms:
        beaten = sorted(
            ((k, b) for (a, b), k in won.items() if a == name),
            key=lambda one: -one[0],
        )
        if not beaten:
            continue
        named = [f"than {b} on {k}" for k, b in beaten[:MOST_PAIRS]]
        named[0] += "" if told else f" of {n} data sets"
        more = len(beaten) - MOST_PAIRS
        told.append(
            f"{name} has a significantly larger AUC {wording.listing(named)}"
            + (f" (and than {more} more)" if more > 0 else "")
        )
    shown = told[:MOST_PAIRS]
    rest = len(told) - len(shown)
    end = f"; {rest} more algorithms win somewhere." if rest else "."
    return (Strong(shown[0]), "; ".join(["", *shown[1:]]) + end)


def method(way: Way) -> str:
    """Return how one way compares."""
    if not way.outcomes:
        return ""
    if len(way.outcomes) == 1:
        return wording.method(way.outcomes[0][1])
    one = way.outcomes[0][1]
    return (
        f"{one.method} over all pairs of a data set; on each "
        f"{one.guarantee.stated(one.alpha)}."
    )


def plan(comparison: CurveComparison) -> list[Inline]:
    """Return the plan."""
    name = short_title(comparison.adjust)
    found: list[Inline] = [
        "Pairs of AUCs are compared over cases by DeLong's test and over folds by t "
        f"tests; p-values are adjusted by {name} over all pairs. A pair differs "
        f"significantly if its adjusted p-value is at most alpha = "
        f"{comparison.alpha}.",
        f"Intervals have {percent(comparison.level)} confidence.",
        SEVERAL,
        sizes(comparison),
    ]
    if comparison.threshold is not None:
        found.append(
            f"The Cortes-Mohri interval counts the errors at threshold "
            f"{number(comparison.threshold)}."
        )
    return found


def sizes(comparison: CurveComparison) -> str:
    """Say whether the t tests of folds are corrected."""
    if comparison.n_train is None or comparison.n_test is None:
        return "The t tests of folds are not corrected for shared training data."
    return (
        "The t tests of folds are corrected for shared training data (Nadeau and "
        f"Bengio 2003), n_train = {comparison.n_train:.10g}, n_test = "
        f"{comparison.n_test:.10g}."
    )


def scope(comparison: CurveComparison) -> list[Inline]:
    """Return what the conclusions are about."""
    made = [a for a in comparison.analyses if not isinstance(a.over_cases, str)]
    folds = any(not isinstance(a.over_folds, str) for a in comparison.analyses)
    found: list[Inline] = [FIXED] if made else []
    found += [POOLED] if any(len(a.blocks) > 1 for a in made) else []
    if folds:
        found += [f"Over folds: {fold_words.GENERALISES}", fold_words.SHARED]
        found += [fold_words.GIVE_SIZES] if comparison.n_train is None else []
    return [*found, NOT_BOTH]


def assumptions(comparison: CurveComparison) -> list[Inline]:
    """Return what the analysis rests on."""
    n = max(a.n_positive + a.n_negative for a in comparison.analyses)
    many = f"With more than {MOST_RESAMPLED} cases no bootstrap interval is made."
    return [
        LARGE_SAMPLE,
        *([many] if n > MOST_RESAMPLED else []),
        INTERVALS,
        BANDS,
        words.NOT_EQUALITY,
    ]
