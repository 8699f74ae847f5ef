"""Sentences about AUCs: conclusions, scope, plan and assumptions."""

from __future__ import annotations

from collections.abc import Sequence

from pycompare.analyses.curve_comparison import MOST_RESAMPLED, CurveComparison
from pycompare.formatting.numbers import number, percent
from pycompare.plans.post_hoc import short_title
from pycompare.reporting.content import wording, words
from pycompare.reporting.content.curves.facts import Way, ways
from pycompare.reporting.document import Inline, Strong, joined, spans

_CASES = (
    "Over cases: the conclusions concern new cases for these trained classifiers, not "
    "newly trained ones, and not other data sets."
)
_FOLDS = (
    "Over folds: the conclusions concern new training sets from the same data, tested "
    "on the same cases, and not other data sets."
)
_NOT_BOTH = (
    "No test here generalises to new cases and new training sets at once. A difference "
    "that is significant only over cases may depend on these training sets, and one "
    "only over folds on these cases."
)
_NOT_CORRECTED = (
    "The t tests over folds are not corrected for shared training data, so their "
    "p-values are too small. Set n_train and n_test (--train N --test N)."
)
_POOLED = (
    "DeLong's test pools the scores of several folds, although each fold's classifier "
    "has its own scale. A pooled AUC is not the mean AUC of the folds; the "
    "cross-validated AUC compares scores within folds only."
)
_SEVERAL = (
    "Each data set and each of the two tests is a family of its own: p-values are "
    "adjusted over its pairs, not over data sets."
)
_LARGE_SAMPLE = (
    "DeLong's test relies on a normal approximation. With few cases of a class, or "
    "AUCs near 1, its p-values are too small."
)
_INTERVALS = (
    "The interval methods have different targets. Those of Agarwal and of Cortes and "
    "Mohri hold for any distribution and are wide. The t interval of folds concerns "
    "training sets from these data."
)
_BANDS = "Bands in the figures assume independent folds."
_MOST_PAIRS = 3
"""Pairs that one algorithm's conclusion names."""


def answer(found: Sequence[Way]) -> Inline:
    """Return the conclusions over cases and over folds."""
    return joined(
        *((Strong(f"{way.name}: "), *spans(conclusion(way))) for way in found)
    )


def conclusion(way: Way) -> Inline:
    """Return who has the larger AUC than whom, on how many data sets."""
    if not way.outcomes:
        reasons = dict.fromkeys(why for _, why in way.not_made)
        return f"no test, because {'; '.join(reasons)}."
    if len(way.outcomes) + len(way.not_made) == 1:
        return wording.answer(way.outcomes[0][1])
    n, won = len(way.outcomes), way.wins()
    if not won:
        where = f"any of the {n} data sets" if n > 1 else "the one data set tested"
        return f"no pair differs significantly in AUC on {where}."
    told: list[str] = []
    for name in way.algorithms:
        beaten = [(b, k) for (a, b), k in won.most_common() if a == name]
        if not beaten:
            continue
        named = [f"than {b} on {k}" for b, k in beaten[:_MOST_PAIRS]]
        named[0] += "" if told else f" of {n} data sets"
        more = f" (and than {len(beaten) - _MOST_PAIRS} more)"
        verb = "is better " if told else "is significantly better "
        end = more * (len(beaten) > _MOST_PAIRS)
        told.append(f"{name} {verb}{wording.listing(named)}{end}")
    shown = told[:_MOST_PAIRS]
    rest = len(told) - len(shown)
    end = f"; {rest} more algorithms are better somewhere." if rest else "."
    return (Strong(shown[0]), "; ".join(["", *shown[1:]]) + end)


def method(found: Sequence[Way]) -> str:
    """Return how the ways compare."""
    return " ".join(
        f"{way.name}: {_of_way(way)}" if len(found) > 1 else _of_way(way)
        for way in found
        if way.outcomes
    )


def _of_way(way: Way) -> str:
    """Return how one way compares."""
    one = way.outcomes[0][1]
    each = " on each data set" if len(way.outcomes) > 1 else ""
    over = f", over {len(one.pairs)} pairs" if len(one.pairs) > 1 else ""
    rate = wording.begun(one.guarantee.stated(one.alpha))
    return f"{one.method}{over}{each}. {rate}."


def plan(comparison: CurveComparison) -> list[Inline]:
    """Return the plan."""
    name, theta = short_title(comparison.adjust), comparison.threshold
    corrected = "are not corrected for shared training data"
    if comparison.n_train is not None and comparison.n_test is not None:
        corrected = (
            "are corrected for shared training data (Nadeau and Bengio 2003; n_train = "
            f"{comparison.n_train:.10g}, n_test = {comparison.n_test:.10g})"
        )
    counted = "The Cortes-Mohri interval counts the errors at threshold"
    return [
        "AUCs of pairs are compared over cases (DeLong's test) and over folds (t "
        f"tests). Adjustment: {name}, over all pairs. Significant: adjusted p ≤ "
        f"{comparison.alpha}.",
        f"Intervals have {percent(comparison.level)} confidence.",
        _SEVERAL,
        f"The t tests over folds {corrected}.",
        *([] if theta is None else [f"{counted} {number(theta)}."]),
    ]


def scope(comparison: CurveComparison) -> list[Inline]:
    """Return what the conclusions are about."""
    cases, folds = (bool(way.outcomes) for way in ways(comparison))
    uncorrected = folds and comparison.n_train is None
    return [
        *[_CASES] * cases,
        *[_FOLDS] * folds,
        *[_NOT_CORRECTED] * uncorrected,
        _NOT_BOTH,
    ]


def assumptions(comparison: CurveComparison) -> list[Inline]:
    """Return what the analysis rests on."""
    large = any(
        a.n_positive + a.n_negative > MOST_RESAMPLED for a in comparison.analyses
    )
    many = f"With more than {MOST_RESAMPLED} cases no bootstrap interval is made."
    pooled = any(
        len(a.blocks) > 1 and not isinstance(a.over_cases, str)
        for a in comparison.analyses
    )
    facts = [f for way in ways(comparison) for _, o in way.outcomes for f in o.pairs]
    retained = not all(fact.significant for fact in facts)
    return [
        _LARGE_SAMPLE,
        *[_POOLED] * pooled,
        *[many] * large,
        _INTERVALS,
        _BANDS,
        *[words.NOT_EQUALITY] * retained,
    ]
