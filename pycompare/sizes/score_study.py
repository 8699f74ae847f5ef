"""Simulated tables of scores, each compared as a plan specifies."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from scipy import optimize, special

from pycompare.base.errors import InputError
from pycompare.base.metric import Metric
from pycompare.base.typing import Floats
from pycompare.data.scores import Scores
from pycompare.designs.compare import Comparison, analyse
from pycompare.designs.family import ALL_GROUPS
from pycompare.designs.plans.plan import Plan
from pycompare.designs.quantity import RANKS, TYPICAL_DIFFERENCE
from pycompare.designs.two_algorithms import TwoAnalysis
from pycompare.methods.pairs.common import named_pairs
from pycompare.results.result import rejected
from pycompare.sizes.dependence import (
    INDEPENDENT,
    BlockGroups,
    Dependence,
    FoldNoise,
    root_of_equal,
)
from pycompare.sizes.planned_study import (
    Margins,
    PlannedStudy,
    StudyClaims,
    TruePairs,
    effects_words,
    method_words,
    table_margins,
    true_pairs,
)
from pycompare.sizes.score_truth import NormalScores, ScoreTruth

_ALL_METRICS = "all metrics together"


@dataclass(frozen=True)
class ScoreStudy(PlannedStudy):
    """A simulated study of scores; see ``PlannedStudy``.

    Attributes
    ----------
    plan : Plan
        As it is for a table of n blocks.
    algorithms : tuple of str
    metrics : tuple of Metric
    truths : mapping of (group, metric) to ScoreTruth
        The group is None without groups.
    seed : int
    dependence : Dependence
    groups : BlockGroups or None
    folds : FoldNoise or None
        Of several data sets, if their folds are drawn.
    joint : bool
        Whether ``compare`` also tests all metrics together.
    """

    plan: Plan
    algorithms: tuple[str, ...]
    metrics: tuple[Metric, ...]
    truths: Mapping[tuple[str | None, str], ScoreTruth]
    seed: int
    dependence: Dependence = INDEPENDENT
    groups: BlockGroups | None = None
    folds: FoldNoise | None = None
    joint: bool = False

    @property
    def null(self) -> float:  # type: ignore[override]
        """A true difference that is none."""
        return 1.0 if self.plan.as_ratios else 0.0

    # ---- what is drawn -------------------------------------------------------------

    def scores(self, n: int, trial: int) -> Scores:
        """Return the table of n blocks, or clusters, of one simulated study."""
        rng = self.generator(n, trial)
        runs = self._runs(rng, n)
        count, size = len(runs), self.dependence.clusters.size
        of_folds = 1 if self.folds is None else self.folds.count
        groups = self._groups_of(n, count)
        labels = [f"block {i + 1}" for i in range(count)]
        datasets = None
        if self.folds is not None:
            datasets = tuple(f"data set {i // of_folds + 1}" for i in range(count))
            labels = [f"{d}/{i % of_folds + 1}" for i, d in enumerate(datasets)]
        several = self.dependence.runs.count > 1
        return Scores(
            values=runs.mean(axis=3),
            blocks=tuple(labels),
            algorithms=self.algorithms,
            metrics=self.metrics,
            datasets=datasets,
            clusters=tuple(f"cluster {i // size + 1}" for i in range(count))
            if size > 1
            else None,
            groups=groups,
            runs=runs if several else None,
            replicates=tuple(str(r + 1) for r in range(runs.shape[3]))
            if several
            else None,
        )

    def _runs(self, rng: np.random.Generator, n: int) -> Floats:
        """Draw scores of all runs, shape (blocks, algorithms, metrics, runs)."""
        common = int(any(truth.common for truth in self.truths.values()))
        k = len(self.algorithms)
        normals = self.dependence.draw(rng, n, k + common)
        variance = 1 - self.dependence.fixed_share
        owner = np.array(self._groups_of(n, len(normals.whole)) or (None,), object)
        values = np.empty((len(normals.whole), k, *normals.whole.shape[2:]))
        for m, metric in enumerate(self.metrics):
            for group in self._drawn_groups:
                truth = self.truths[group, metric.name]
                start = 0 if truth.common else common
                rows = owner == group if group is not None else slice(None)
                values[rows, :, m] = truth.scores(
                    normals.fixed[:, start:, m],
                    normals.whole[rows, start:, m],
                    variance,
                )
        return values if self.folds is None else self._in_folds(rng, values)

    def _in_folds(self, rng: np.random.Generator, values: Floats) -> Floats:
        """Return the folds of data sets whose means are ``values``."""
        assert self.folds is not None
        n, k = values.shape[:2]
        dependence = self.folds.dependence(self.dependence.metric_correlation)
        noise = dependence.draw(rng, n, k).whole
        folds = np.repeat(values, self.folds.count, axis=0)
        for m, metric in enumerate(self.metrics):
            truth = self.truths[self._drawn_groups[0], metric.name]
            assert isinstance(truth, NormalScores)
            root = self.folds.spreads[m] * root_of_equal(truth.correlation, k)
            folds[:, :, m] += np.einsum("bkr,kl->blr", noise[:, :, m], root)
        return folds

    def _groups_of(self, n: int, count: int) -> tuple[str, ...] | None:
        """Return the group of each of ``count`` blocks of n units."""
        if self.groups is None:
            return None
        sizes = self.groups.sizes(n)
        names = np.repeat(np.array(self.groups.names, object), sizes)
        return tuple(np.repeat(names, count // n).tolist())

    @property
    def _drawn_groups(self) -> tuple[str | None, ...]:
        """The groups that blocks are drawn of; None without groups."""
        return (None,) if self.groups is None else self.groups.names

    # ---- what is true --------------------------------------------------------------

    @property
    def _compared_groups(self) -> tuple[str | None, ...]:
        """The groups that are compared, in the order of the comparison."""
        if self.groups is None or self.plan.groups == "all":
            return (None,)
        if self.plan.groups == "each":
            return self.groups.names
        if self.plan.design.of_cases:
            return (None, *self.groups.names)
        return (*self.groups.names, None)

    @property
    def places(self) -> tuple[TruePairs, ...]:
        """Each metric and group with its pairs, then all metrics together."""
        single = tuple(
            self._place(group, metric)
            for group, metric in product(self._compared_groups, self.metrics)
        )
        if not self.joint:
            return single
        return (*single, self._vectors(single))

    def _pairs(self) -> list[tuple[str, str]]:
        """Return all pairs that the plan compares."""
        return named_pairs(self.algorithms, self.plan.control)

    def _place(self, group: str | None, metric: Metric) -> TruePairs:
        """Return the pairs of one metric in one group, or in all together."""
        truth = _Mixture(self, group, metric.name)
        toward = 1.0 if metric.better == "higher" else -1.0

        def better(a: str, b: str) -> float:
            return toward * truth.direction(self._at(a), self._at(b), toward)

        def difference(a: str, b: str) -> float:
            return truth.difference(self._at(a), self._at(b))

        place = group
        if group is None:
            place = "" if self.groups is None else ALL_GROUPS
        name = metric.name if len(self.metrics) > 1 else ""
        return true_pairs(
            name, place or "", self._pairs(), difference, better, self.null
        )

    def _vectors(self, single: tuple[TruePairs, ...]) -> TruePairs:
        """Return the pairs of all metrics together: whether any differs."""
        pairs = tuple(self._pairs())
        differ = {
            frozenset(pair)
            for place in single
            for pair, directed in zip(place.pairs, place.directed, strict=True)
            if directed
        }
        directed = tuple(frozenset(pair) in differ for pair in pairs)
        unknown = (math.nan,) * len(pairs)
        return TruePairs(_ALL_METRICS, "", pairs, unknown, directed, vectors=True)

    def _at(self, algorithm: str) -> int:
        return self.algorithms.index(algorithm)

    # ---- what is concluded ---------------------------------------------------------

    def comparison(self, n: int, trial: int) -> Comparison:
        """Return what ``compare`` makes of the table of one study."""
        return require_claims(analyse(self.scores(n, trial), self.plan))

    def findings(self, n: int, trial: int) -> tuple[StudyClaims, ...]:
        """Return what one study concludes, for each place."""
        comparison = self.comparison(n, trial)
        single = findings_of(comparison)
        if not self.joint:
            return single
        return (*single, self._joint_findings(comparison))

    def _joint_findings(self, comparison: Comparison) -> StudyClaims:
        """Return which mean vectors differ; those of a table too small do not."""
        together, place = comparison.together, self.places[-1]
        alpha = self.plan.alpha
        if together is not None and together.pairs is not None:
            rows = together.pairs.as_columns()
            ends = zip(rows["algorithm_1"], rows["algorithm_2"], strict=True)
            told = rejected(rows["p_adjusted"], alpha)
            different = {frozenset(e) for e, t in zip(ends, told, strict=True) if t}
        elif together is not None and together.manova is not None:
            both = frozenset(self.algorithms)
            different = {both} if together.manova.rejected(alpha) else set()
            different = different if len(both) == 2 else set()
        else:
            different = set()
        return StudyClaims(
            {
                frozenset(pair): pair[0]
                for pair in place.pairs
                if frozenset(pair) in different
            }
        )

    def method(self, n: int) -> str:
        """Return tests and adjustment of n units."""
        self.plan.settled(self.scores(n, 0))
        return method_of(self.comparison(n, 0))

    # ---- words ---------------------------------------------------------------------

    @property
    def units(self) -> str:
        """What n counts, in the plural."""
        if self.dependence.clusters.size > 1:
            return "clusters"
        return f"{self.plan.design.unit}s"

    @property
    def alpha(self) -> float:
        """Significance level of differences."""
        return self.plan.alpha

    @property
    def said_metrics(self) -> str:
        """The metrics and the better direction, in words."""
        return ", ".join(f"{m.name} ({m.better} is better)" for m in self.metrics)

    @property
    def margins(self) -> tuple[str, ...]:
        """The margins of the plan, in words."""
        of = {m.name: self.plan.margin_of(m.name) for m in self.metrics}
        several = len(self.metrics) > 1
        return tuple(
            f"margin of {name} = {margin:g}" if several else f"margin = {margin:g}"
            for name, margin in of.items()
            if margin is not None
        )

    def words(self, units: str) -> str:
        """Return the assumed truth."""
        what = "ratio of" if self.plan.as_ratios else "effect on"
        said = []
        for metric in self.metrics:
            effects = self._effects_words(metric.name)
            truth = self.truths[self._drawn_groups[0], metric.name]
            said.append(f"{what} {metric.name}: {effects}; {truth.words(units)}")
        more = self.dependence.words + (self.folds.words if self.folds else "")
        if self.groups is not None:
            shares = zip(self.groups.names, self.groups.weights, strict=True)
            listed = ", ".join(f"{name} {share:.3g}" for name, share in shares)
            more += f"; share of {units} in each group: {listed}"
        return "; ".join(said) + more

    def _effects_words(self, metric: str) -> str:
        """Return the effects on one metric, by groups if they differ."""
        by_group = {
            group: effects_words(
                self.algorithms,
                self.truths[group, metric].effects,
                self.null,
                "algorithm",
            )
            for group in self._drawn_groups
        }
        if len(set(by_group.values())) == 1:
            return next(iter(by_group.values()))
        return "; ".join(f"in {group} {words}" for group, words in by_group.items())


class _Mixture:
    """The truth of one metric in one group, or in the mixture of all groups."""

    def __init__(self, study: ScoreStudy, group: str | None, metric: str) -> None:
        groups = study.groups
        within = groups is not None and group is None
        names = groups.names if groups is not None and within else (group,)
        self.truths = [study.truths[name, metric] for name in names]
        self.weights = np.ones(1)
        if groups is not None and within:
            self.weights = np.array(_weights(study.plan, groups))
        self.plan = study.plan

    def difference(self, a: int, b: int) -> float:
        """Return the difference in the quantity of the plan, or the ratio."""
        shifts = self._shifts(a, b)
        if self.plan.quantity == TYPICAL_DIFFERENCE and np.ptp(shifts) > 0:
            value = self._pseudomedian(shifts)
        else:
            value = float(self.weights @ shifts)
        return math.exp(value) if self.plan.as_ratios else value

    def direction(self, a: int, b: int, toward: float) -> float:
        """Return a positive number if a's scores are higher, in the plan's quantity."""
        if self.plan.quantity == RANKS and len(self.truths) > 1:
            return toward * (self._mean_rank(b, toward) - self._mean_rank(a, toward))
        value = self.difference(a, b)
        return math.log(value) if self.plan.as_ratios else value

    def _shifts(self, a: int, b: int) -> Floats:
        """Return the difference of two algorithms in each group."""
        each = [truth.effects for truth in self.truths]
        if self.plan.as_ratios:
            return np.array([math.log(e[a] / e[b]) for e in each])
        return np.array([e[a] - e[b] for e in each])

    def _spread(self) -> float:
        """Return the standard deviation of a difference within a group."""
        truth = self.truths[0]
        assert isinstance(truth, NormalScores)  # over data sets all are
        return truth.sd_difference

    def _pseudomedian(self, shifts: Floats) -> float:
        """Return the median of the mean of two differences, of data sets at random."""
        middle = np.add.outer(shifts, shifts) / 2
        weights = np.outer(self.weights, self.weights)
        sd = self._spread() / math.sqrt(2)

        def above(value: float) -> float:
            return float((weights * special.ndtr((middle - value) / sd)).sum()) - 0.5

        return float(optimize.brentq(above, shifts.min(), shifts.max(), xtol=1e-14))

    def _mean_rank(self, a: int, toward: float) -> float:
        """Return the mean rank of an algorithm, 1 the best, less 1."""
        sd, k = self._spread(), len(self.truths[0].effects)
        ahead = [
            special.ndtr(toward * self._shifts(c, a) / sd) for c in range(k) if c != a
        ]
        return float(self.weights @ np.sum(ahead, axis=0))


def _weights(plan: Plan, groups: BlockGroups) -> tuple[float, ...]:
    """Return the weight of each group in the comparison of all together."""
    if isinstance(plan.weights, Mapping):
        total = sum(plan.weights.values())
        return tuple(plan.weights[name] / total for name in groups.names)
    if plan.weights == "equal":
        return (1 / len(groups.names),) * len(groups.names)
    return groups.weights


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
