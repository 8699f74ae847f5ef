"""What a simulated comparison concludes: its decisions, margins and methods."""

from __future__ import annotations

from typing import Any

from pycompare.base.errors import InputError
from pycompare.designs.compare import Comparison
from pycompare.designs.two_algorithms import TwoAnalysis
from pycompare.sizes.planned_study import (
    Margins,
    StudyClaims,
    method_words,
    table_margins,
)


def require_claims(comparison: Comparison) -> Comparison:
    """Return the comparison; reject one without tests that make a claim."""
    if not comparison.plan.claims:
        raise InputError(
            "this plan has no tests of pairs that make a claim over folds: set "
            "protocol and the sizes of training and test sets"
        )
    return comparison


def findings_of(comparison: Comparison) -> tuple[StudyClaims, ...]:
    """Return the conclusions about each metric of each group."""
    return tuple(
        StudyClaims(
            {frozenset(d.pair): d.better for d in analysis.decisions if d.rejected},
            _margins_of(analysis),
        )
        for part in comparison.parts
        for analysis in part.analyses
    )


def method_of(comparison: Comparison) -> str:
    """Return tests and adjustment, each once."""
    decisive = [a.decisive for part in comparison.parts for a in part.analyses]
    words = (method_words(pairs.tests, pairs.adjust) for pairs in decisive)
    return "; ".join(dict.fromkeys(words))


def _margins_of(analysis: Any) -> Margins | None:
    """Return the results of the tests of an analysis against its margin."""
    if analysis.within_margin is not None:
        return table_margins(analysis.within_margin)
    if not isinstance(analysis, TwoAnalysis) or analysis.equivalence is None:
        return None
    alone = analysis.equivalence
    algorithm_1, algorithm_2 = alone.blocks.algorithms
    pair = (algorithm_1, algorithm_2)
    shown = {frozenset(pair): (pair, bool(alone.rejected(alone.alpha)))}
    return Margins(shown, alone.margin_low, alone.margin_high)
