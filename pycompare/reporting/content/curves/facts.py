"""The facts about AUCs, over cases and over folds, of each data set."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations

from pycompare.analyses.curve_comparison import CurveComparison
from pycompare.analyses.decisions import decisions
from pycompare.curves.delong import DeLongResult
from pycompare.metric import Metric
from pycompare.multiplicity.guarantees import guarantee_of
from pycompare.reporting.content.facts import Outcome
from pycompare.reporting.content.outcomes import facts, method, of_one_pair, ordered
from pycompare.results import PairsResult

_AUC = Metric("AUC", "higher")


@dataclass(frozen=True)
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
        """Return every pair, in the order of the algorithms."""
        known = {fact.pair for _, outcome in self.outcomes for fact in outcome.pairs}
        return [p for p in combinations(self.algorithms, 2) if frozenset(p) in known]

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
            outcomes.append((dataset, _outcome(found, comparison)))
            results.append((dataset, found))
    return Way(name, tuple(outcomes), tuple(results), tuple(not_made))


def _outcome(found: PairsResult, comparison: CurveComparison) -> Outcome:
    """Return the facts about the AUCs of one data set."""
    alpha = comparison.alpha
    made = decisions(found, alpha, _AUC.better)
    if isinstance(found, DeLongResult):
        quantity, areas, claim = "AUC", found.area, guarantee_of(found)
        omnibus = found.omnibus if len(found.algorithms) > 2 else None
    else:
        # Positions are mean AUCs with their signs turned: lower is better.
        quantity, areas, omnibus = "mean AUC of folds", found.positions.abs(), None
        shared = () if comparison.n_train is None else ("independent-folds",)
        claim = guarantee_of(found, "folds").where(shared)
    stated = Outcome(
        metric=_AUC,
        quantity=quantity,
        values=ordered(areas, lower=False),
        pairs=tuple(facts(made, found, alpha, _AUC, in_unit=True)),
        omnibus=omnibus,
        method=method(found),
        family=found.family if len(made) > 1 else "",
        guarantee=claim,
        alpha=alpha,
        control=found.control,
    )
    return of_one_pair(stated, found) if len(made) == 1 else stated
