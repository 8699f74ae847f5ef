"""The decision log of a comparison of ROC curves."""

from __future__ import annotations

from collections.abc import Iterator

from pycompare.analyses.curve_comparison import CurveComparison
from pycompare.formatting.counts import counted
from pycompare.reporting.content.curves.facts import Way, ways
from pycompare.reporting.evidence.manifest import Step


def curve_steps(comparison: CurveComparison) -> list[Step]:
    """Return every step of a comparison of ROC curves."""
    held = comparison.predictions
    read = Step(
        step="Read the predictions",
        why="the call or the options",
        decided=f"{counted(held.score.size, 'score')}, "
        f"{counted(held.n_algorithms, 'algorithm')}, "
        f"{counted(len(comparison.analyses), 'data set')}",
    )
    tests = [s for way in ways(comparison) for s in _of_way(way, comparison.alpha)]
    described = [
        Step(step=title, why="description", decided="no decision")
        for title, result in comparison.results()
        if not hasattr(result, "adjust")
    ]
    return [read, *tests, *described]


def _of_way(way: Way, alpha: float) -> Iterator[Step]:
    """Yield the comparison of each data set, or why there is none."""
    for name, outcome in way.outcomes:
        n, pairs = len(outcome.significant), counted(len(outcome.pairs), "pair")
        yield Step(
            step=f"{way.name}: {name}",
            why="primary analysis",
            decided=f"{n} of {pairs} significant at alpha = {alpha:g}",
        )
    for name, why in way.not_made:
        yield Step(step=f"{way.name}: {name}", why="primary analysis", decided=why)
