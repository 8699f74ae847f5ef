"""Sentences of the rank analysis: blocks are independent data sets."""

from __future__ import annotations

from typing import Literal

import numpy as np

from pycompare.analyses.analysis import Analysis
from pycompare.analyses.group_comparison import GroupComparison
from pycompare.analyses.rank_tests import RankAnalysis
from pycompare.formatting.numbers import percent
from pycompare.plans.fields import RankTest
from pycompare.plans.post_hoc import FLIPS
from pycompare.reporting.content import wording, words
from pycompare.reporting.content.facts import states

SCOPE = (
    "The conclusions concern data sets like these, taken as independent of one another."
)
UNDECLARED = (
    "No data set column says what the blocks are, so they are taken as independent "
    "data sets. If they are folds of one data set, set --blocks folds."
)
INDEPENDENT = (
    "Blocks are taken as independent. Folds or variants of one data set are not: their "
    "p-values would be too small."
)
_BY_RANKS = (
    "Rank tests ask how often one algorithm is better, not by how much. "
    "Hodges-Lehmann differences estimate by how much; they assume differences that are "
    "symmetric about their median."
)
_OWN_ERROR = (
    "Each pair is tested for exchangeability within blocks, with its own variance. Two "
    "algorithms with equal mean ranks may still differ, for example if one is far less "
    "stable."
)
_COMMON_ERROR = (
    "The standard error of a difference in mean ranks assumes that all algorithms are "
    "alike. If others differ, it may be wrong for two equal ones. Each decision then "
    "depends on all algorithms in the table (Benavoli, Corani and Mangili 2016, JMLR "
    "17(5))."
)
_RANKED = {
    "aligned-ranks": "Each block's mean is subtracted, then all cells are ranked "
    "together (1 = best). Scores must be on one scale",
    "quade": "Algorithms are ranked within each block (1 = best). Blocks are weighted "
    "by the range of their scores, which must be on one scale",
}
_WITHIN = "Algorithms are ranked within each block (1 = best)"
_STD_ERROR = {
    "permutation": "The standard error of a difference in mean ranks is that of "
    "permutations within blocks, corrected for ties as the omnibus test is.",
    "textbook": "The standard error of a difference in mean ranks is the textbook one, "
    "as planned. It is not corrected for ties, and too large with many.",
}
Kind = Literal["exact", "flips", "approximate"]
Reason = Literal["planned", "size", "ranks", "gaps"]
_REASONS: dict[Reason, str] = {
    "planned": "as planned",
    "size": "the rule for tables of this size",
    "ranks": "exact ones are available for Friedman's ranks only",
    "gaps": "exact ones need a complete table, and cells are missing",
}


def scope(comparison: GroupComparison) -> list[str]:
    """Return the scope; warn where nobody said what the blocks are."""
    # Who names a group (of data sets) has said it.
    undeclared = comparison.group is None and _is_undeclared(comparison)
    warning = words.not_equality(words.decided(comparison))
    said = [] if not undeclared else [UNDECLARED]
    return [*words.gaps(comparison.scores), SCOPE, *warning, *said]


def _is_undeclared(comparison: GroupComparison) -> bool:
    """Tell whether neither plan nor columns say that blocks are data sets."""
    return not (
        comparison.plan.average_folds
        or comparison.asked.blocks == "datasets"
        or comparison.scores.datasets is not None
    )


def blocks_are(comparison: GroupComparison) -> str:
    """Say what the blocks are, and who said so."""
    if comparison.plan.average_folds:
        return "Each data set is one block: the mean of its folds is compared."
    if comparison.asked.blocks == "datasets":
        return "Blocks are independent data sets, as planned."
    if comparison.scores.datasets is not None:
        return "Blocks are independent data sets, one block each."
    return UNDECLARED


@states
def ties(decimals: int | None, rank_test: RankTest) -> str:
    """Say how algorithms are ranked."""
    how = (
        f"Scores are rounded to {decimals} decimals first."
        if decimals is not None
        else "Scores within 64 units in the last place tie, so that rounding error "
        "breaks no tie."
    )
    ranked = _RANKED.get(rank_test, _WITHIN)
    return f"{ranked}; tied scores share their mean rank. {how}"


def plan_sentences(comparison: GroupComparison) -> list[str]:
    """Return the plan in words."""
    [first, *_] = comparison.analyses
    assert isinstance(first, RankAnalysis)
    chosen = words.chosen_by_size(comparison, first.decisive)
    plan = comparison.plan
    return [
        blocks_are(comparison),
        ties(plan.decimals, plan.rank_test),
        words.gate(plan.gate),
        p_value_sentence(comparison),
        *([chosen] if chosen else []),
        _STD_ERROR[plan.std_error],
        *words.exact_form(comparison),
        words.as_it_stands(comparison),
    ]


def p_value_sentence(comparison: GroupComparison) -> str:
    """Say where p-values come from, and why; metrics may differ by missing cells."""
    told: dict[str, list[str]] = {}
    for analysis in comparison.analyses:
        kind = _p_text(comparison, analysis)
        told.setdefault(kind, []).append(analysis.metric.name)
    return _p_values(*((kind, tuple(names)) for kind, names in told.items()))


@states
def _p_values(*kinds: tuple[str, tuple[str, ...]]) -> str:
    if len(kinds) == 1:
        return f"P-values of pairs are {kinds[0][0]}."
    return " ".join(
        f"P-values of pairs in {wording.listing(names)} are {kind}."
        for kind, names in kinds
    )


def _p_text(comparison: GroupComparison, analysis: Analysis) -> str:
    """Return where the p-values of one metric come from, in words."""
    kind, why = p_source(comparison, analysis)
    if kind == "flips":
        assert isinstance(analysis, RankAnalysis)
        found = analysis.decisive
        return f"from the {found.method} ({'; '.join(found.notes)})"
    if kind == "exact":
        return f"exact, from permutations within blocks ({_REASONS[why]})"
    return f"approximate, from the normal distribution ({_REASONS[why]})"


def p_source(comparison: GroupComparison, analysis: Analysis) -> tuple[Kind, Reason]:
    """Return where the p-values of one metric come from, and why."""
    assert isinstance(analysis, RankAnalysis)
    plan, asked = comparison.plan, comparison.asked
    ranked = comparison.compared
    if analysis.decisive.called in FLIPS:
        return "flips", "size" if asked.adjust == asked.defaults else "planned"
    if _is_exact(analysis):
        return "exact", "planned" if plan.p_values == "exact" else "size"
    if plan.p_values == "approximate":
        return "approximate", "planned"
    if plan.rank_test in ("aligned-ranks", "quade"):
        return "approximate", "ranks"
    complete = not np.isnan(ranked.column(analysis.metric.name)).any()
    if not complete and plan.exact_for(ranked.n_blocks, ranked.n_algorithms):
        return "approximate", "gaps"
    return "approximate", "size"


def _is_exact(analysis: Analysis) -> bool:
    """Tell whether the p-values of pairs of mean ranks are exact."""
    if not isinstance(analysis, RankAnalysis):
        return False
    return getattr(analysis.decisive, "p_source", "") == "exact"


def _by_flips(comparison: GroupComparison) -> bool:
    """Tell whether all metrics compare pairs by flips or permutations of blocks."""
    return all(
        isinstance(a, RankAnalysis) and a.decisive.called in FLIPS
        for a in comparison.analyses
    )


def _large_sample(comparison: GroupComparison) -> str:
    """Say which numbers are for large samples, and whether these blocks are few."""
    n = comparison.compared.n_blocks
    what = "Chi-squared and normal p-values"
    if _by_flips(comparison):
        what = "The omnibus tests and Nemenyi's test"
    elif all(map(_is_exact, comparison.analyses)):
        what = (
            "The p-values of the primary analysis are exact. Comparison intervals and "
            "the other omnibus tests"
        )
    return _for_large(what, n if n < words.FEW else None)


@states
def _for_large(what: str, few: int | None) -> str:
    rough = "" if few is None else f"; {few} blocks are few"
    return f"{what} are for large samples{rough}."


def limits(comparison: GroupComparison) -> list[str]:
    """Return what the analysis assumes and what it does not show."""
    gaps = (
        f"{words.GAPS} Aligned ranks, Quade's test, Nemenyi's critical difference and "
        f"win counts need complete tables and are omitted."
    )
    return [
        INDEPENDENT,
        _BY_RANKS,
        _OWN_ERROR if _by_flips(comparison) else _COMMON_ERROR,
        _large_sample(comparison),
        *words.adjustment_limits(comparison),
        *words.doubts(comparison.compared),
        *([] if comparison.compared.complete else [gaps]),
    ]


def level_of(reached: float) -> str:
    """Return a level before the name of its interval, if there is one."""
    return f"{percent(reached)} " if reached > 0 else ""
