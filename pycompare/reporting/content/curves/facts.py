"""The facts about AUCs, over cases and over folds, of each data set."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import pandas as pd

from pycompare.analyses.curve_comparison import CurveAnalysis, CurveComparison
from pycompare.analyses.decisions import decisions
from pycompare.curves.delong import DeLongResult
from pycompare.formatting.counts import counted
from pycompare.metric import Metric
from pycompare.multiplicity.guarantees import Guarantee, guarantee_of
from pycompare.reporting.content.facts import Outcome
from pycompare.reporting.content.outcomes import facts, method, ordered
from pycompare.results import PairsResult, Test

_AUC = Metric("AUC", "higher")


@dataclass(frozen=True, kw_only=True)
class Way:
    """One way to compare AUCs, over the data sets."""

    name: str  # "Over cases" or "Over folds"
    # Of each data set where the tests were made.
    outcomes: tuple[tuple[str, Outcome], ...]
    results: tuple[tuple[str, PairsResult], ...]  # of the same data sets
    not_made: tuple[tuple[str, str], ...]  # data sets without tests, with the reason

    def wins(self) -> Counter[tuple[str, str]]:
        """Count the data sets on which the first is significantly better."""
        return Counter(
            (fact.subject, fact.object)
            for _, outcome in self.outcomes
            for fact in outcome.significant
        )

    def pairs(self) -> list[tuple[str, str]]:
        """Return every pair, in the order of the data."""
        named: dict[frozenset[str], tuple[str, str]] = {}
        for _, outcome in self.outcomes:
            for fact in outcome.pairs:
                found = sorted((fact.subject, fact.object), key=self.place)
                named.setdefault(fact.pair, (found[0], found[1]))
        order = {name: i for i, name in enumerate(self.algorithms)}
        return sorted(named.values(), key=lambda p: (order[p[0]], order[p[1]]))

    @property
    def algorithms(self) -> list[str]:
        """Every algorithm, the one with the most wins first."""
        won = self.wins()
        names = dict.fromkeys(
            name for _, o in self.outcomes for f in o.pairs for name in f.pair
        )

        def net(name: str) -> int:
            return sum(n * ((a == name) - (b == name)) for (a, b), n in won.items())

        return sorted(sorted(names), key=net, reverse=True)

    def place(self, name: str) -> int:
        """Return the place of an algorithm among them."""
        return self.algorithms.index(name)


def ways(comparison: CurveComparison) -> list[Way]:
    """Return the comparisons over cases and over folds."""
    return [
        _way("Over cases", comparison, "over_cases"),
        _way("Over folds", comparison, "over_folds"),
    ]


def _way(name: str, comparison: CurveComparison, attribute: str) -> Way:
    outcomes, results, not_made = [], [], []
    for analysis in comparison.analyses:
        found: PairsResult | str = getattr(analysis, attribute)
        dataset = analysis.dataset or ""
        if isinstance(found, str):
            not_made.append((dataset, found))
        else:
            outcomes.append((dataset, _outcome(analysis, found, comparison)))
            results.append((dataset, found))
    return Way(
        name=name,
        outcomes=tuple(outcomes),
        results=tuple(results),
        not_made=tuple(not_made),
    )


def _claim(comparison: CurveComparison, found: PairsResult) -> Guarantee:
    """Return the guarantee of a comparison of AUCs over cases, or over folds."""
    if isinstance(found, DeLongResult):
        return guarantee_of(found)
    shared = () if comparison.n_train is None else ("independent-folds",)
    return guarantee_of(found, "folds").where(shared)


def _outcome(
    analysis: CurveAnalysis, found: PairsResult, comparison: CurveComparison
) -> Outcome:
    """Return the facts about the AUCs of one data set."""
    alpha = comparison.alpha
    cases = isinstance(found, DeLongResult)
    made = decisions(found, alpha, _AUC.better)
    return Outcome(
        metric=_AUC,
        quantity="AUC" if cases else "mean AUC of folds",
        values=ordered(_area_of(found), lower=False),
        pairs=tuple(facts(made, found, alpha, _AUC, in_unit=True)),
        omnibus=_omnibus(found),
        method=method(found),
        family=found.family,
        guarantee=_claim(comparison, found),
        alpha=alpha,
        control=found.control,
        sample=f"{analysis.n_positive} positive and {analysis.n_negative} negative "
        f"cases"
        if cases
        else counted(len(analysis.blocks), "fold"),
    )


def _area_of(found: PairsResult) -> pd.Series:
    if isinstance(found, DeLongResult):
        return found.area
    return found.positions.abs()  # the mean AUC with its sign turned, lower is better


def _omnibus(found: PairsResult) -> Test | None:
    """Return the test of all AUCs, where there are more than two."""
    if isinstance(found, DeLongResult) and len(found.algorithms) > 2:
        return found.omnibus
    return None
