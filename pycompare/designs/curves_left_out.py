"""Claims about a margin of AUCs when each case, or cluster, is left out in turn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pycompare.base.errors import DesignError, InputError
from pycompare.base.typing import Bools
from pycompare.data.measures.cases import Cases
from pycompare.designs.curve_comparison import CurveAnalysis, CurveComparison
from pycompare.designs.firmness import LeftOut
from pycompare.designs.leave_one_out import too_many
from pycompare.designs.margins import ADJUST
from pycompare.methods.curves.auc_margins import auc_margin_tests
from pycompare.methods.pairs.margin_pairs import MarginPairsResult


def claims_left_out(
    comparison: CurveComparison, analysis: CurveAnalysis
) -> LeftOut | None:
    """Return which claims over cases change without one case, or cluster.

    None without tests over cases against a margin.
    """
    tests, pairs = analysis.margin_over_cases, analysis.over_cases
    if tests is None or isinstance(pairs, str):
        return None
    cases = pairs.cases
    unit = "case" if cases.cluster is None else "cluster"
    of = np.arange(len(cases.truth)) if cases.cluster is None else cases.cluster
    units = np.unique(of)
    many = too_many(len(units), len(tests.as_columns()))
    if many:
        return LeftOut(unit=unit, n_units=0, changes={}, why_not=many)
    planned = _shown(tests)
    changes: dict[frozenset[str], list[str]] = {}
    for k in units.tolist():
        try:
            own = _shown(_again(comparison, _taken(cases, of != k)))
        except (DesignError, InputError) as error:
            why = f"not possible without one {unit}: {error}"
            return LeftOut(unit=unit, n_units=0, changes={}, why_not=why)
        for pair, shown in planned.items():
            if own[pair] != shown:
                changes.setdefault(pair, []).append(str(k + 1))
    return LeftOut(
        unit=unit,
        n_units=len(units),
        changes={pair: tuple(places) for pair, places in changes.items()},
    )


def stricter_claims(tests: MarginPairsResult) -> tuple[int, int] | None:
    """Return how many claims keep by Bonferroni's adjustment, and of how many.

    None with one pair.
    """
    table = tests.as_columns()
    n = len(table)
    if n < 2:
        return None
    shown = np.asarray(table["shown"], bool)
    stricter = n * np.asarray(table["p_value"], float) <= tests.alpha
    return int((stricter == shown).sum()), n


def _again(comparison: CurveComparison, cases: Cases) -> MarginPairsResult:
    """Return the planned tests of other cases."""
    asked, level = comparison, comparison.margin_alpha
    assert asked.margin is not None and level is not None  # there are claims
    assert asked.hypothesis in ("non-inferiority", "equivalence")
    tests = auc_margin_tests(
        cases,
        margin=asked.margin,
        kind=asked.hypothesis,
        control=asked.control,
        alpha=level,
    )
    adjusted: MarginPairsResult = tests.adjusted(ADJUST)
    return adjusted


def _taken(cases: Cases, kept: Bools) -> Cases:
    """Return some of the cases."""
    cluster = None
    if cases.cluster is not None:
        cluster = np.unique(cases.cluster[kept], return_inverse=True)[1]
    return replace(
        cases, truth=cases.truth[kept], score=cases.score[:, kept], cluster=cluster
    )


def _shown(tests: MarginPairsResult) -> dict[frozenset[str], bool]:
    """Return whether each pair is within the margin."""
    table = tests.as_columns()
    rows = zip(table["algorithm_1"], table["algorithm_2"], table["shown"], strict=True)
    return {frozenset((str(a), str(b))): bool(shown) for a, b, shown in rows}
