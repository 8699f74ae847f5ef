"""Simulated studies of a plan: tables from a truth, and what ``compare`` concludes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from pycompare.base.errors import InputError
from pycompare.base.metric import Metric
from pycompare.base.parallel.tasks import tasks
from pycompare.base.parallel.unfinished import ARRAYS, Form, Unfinished, identity
from pycompare.base.typing import Bools
from pycompare.data.scores import Scores
from pycompare.designs.analysis import Analysis
from pycompare.designs.compare import analyse
from pycompare.designs.plans.plan import Plan
from pycompare.designs.two_algorithms import TwoAnalysis
from pycompare.methods.pairs.common import family_pairs
from pycompare.sizes.score_truth import ScoreTruth

_CHUNK = 10
"""Studies of one task."""
_NOISE = 1e-12
"""Differences of stated effects are rounded by no more."""


@dataclass(frozen=True)
class PlannedStudy:
    """The simulated study: a plan, its algorithms and the assumed truth.

    Attributes
    ----------
    plan : Plan
        As it is for a table of n blocks.
    algorithms : tuple of str
    metric : Metric
    truth : ScoreTruth
    seed : int
    """

    plan: Plan
    algorithms: tuple[str, ...]
    metric: Metric
    truth: ScoreTruth
    seed: int

    def scores(self, n: int, trial: int) -> Scores:
        """Return the table of n blocks, or clusters, of one simulated study."""
        rng = np.random.default_rng([self.seed, n, trial])
        values = self.truth.draw(rng, n)
        size = self.truth.clusters.size
        clusters = tuple(f"cluster {i // size + 1}" for i in range(len(values)))
        return Scores(
            values=values[..., None],
            blocks=tuple(f"block {i + 1}" for i in range(len(values))),
            algorithms=self.algorithms,
            metrics=(self.metric,),
            clusters=clusters if size > 1 else None,
        )

    def analysis(self, n: int, trial: int) -> Analysis:
        """Return what ``compare`` makes of that table."""
        comparison = analyse(self.scores(n, trial), self.plan)
        if not comparison.plan.claims:
            raise InputError(
                "this plan has no tests of pairs that make a claim over folds: set "
                "protocol and the sizes of training and test sets"
            )
        return comparison.analyses[0]

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """All pairs that the plan compares, the truly better algorithm first."""
        names, effects = self.algorithms, self.truth.effects
        toward = 1.0 if self.metric.better == "higher" else -1.0
        return [
            (names[i], names[j])
            if toward * (effects[i] - effects[j]) >= 0
            else (names[j], names[i])
            for i, j in family_pairs(names, self.plan.control)
        ]

    def difference(self, algorithm_1: str, algorithm_2: str) -> float:
        """Return the true difference of two algorithms, or their ratio."""
        at = self.algorithms.index
        a, b = self.truth.effects[at(algorithm_1)], self.truth.effects[at(algorithm_2)]
        return a / b if self.plan.as_ratios else a - b


@dataclass(frozen=True)
class StudyDecisions:
    """Conclusions about each pair: counts over studies, or of one."""

    detected: Bools
    """(studies, pairs): the first of the pair is significantly better."""
    wrong: Bools
    """The second one is."""
    within: Bools | None
    """The margin is shown; None without a margin."""
    truly: Bools | None
    """(pairs,) whether it holds."""


def _written(outcome: StudyDecisions) -> bytes:
    held = {name: getattr(outcome, name) for name in _FIELDS}
    return ARRAYS.write({name: x for name, x in held.items() if x is not None})


def _read(content: bytes) -> StudyDecisions:
    held = ARRAYS.read(content)
    return StudyDecisions(*(held.get(name) for name in _FIELDS))


_FIELDS = tuple(field.name for field in fields(StudyDecisions))
_DECISIONS = Form(_written, _read)


def _task(study: PlannedStudy, part: tuple[int, int, int]) -> StudyDecisions:
    """Return the conclusions of some studies of one size."""
    n, start, stop = part
    outcomes = [_one(study, n, trial) for trial in range(start, stop)]
    return _stacked(outcomes)


def _stacked(outcomes: Sequence[StudyDecisions]) -> StudyDecisions:
    """Return outcomes one below the other."""
    return StudyDecisions(
        np.concatenate([outcome.detected for outcome in outcomes]),
        np.concatenate([outcome.wrong for outcome in outcomes]),
        None
        if outcomes[0].within is None
        else np.concatenate(
            [outcome.within for outcome in outcomes if outcome.within is not None]
        ),
        outcomes[0].truly,
    )


def _one(study: PlannedStudy, n: int, trial: int) -> StudyDecisions:
    """Return what one study concludes."""
    analysis = study.analysis(n, trial)
    better = {d.pair: d.better for d in analysis.decisions if d.rejected}
    pairs = study.pairs
    detected = [better.get(frozenset(pair)) == pair[0] for pair in pairs]
    wrong = [better.get(frozenset(pair)) == pair[1] for pair in pairs]
    margin = _margin_of(analysis)
    within = truly = None
    if margin is not None:
        shown, low, high = margin
        within = np.array([[shown[frozenset(pair)][1] for pair in pairs]])
        ordered = [shown[frozenset(pair)][0] for pair in pairs]
        truly = np.array([_between(low, study.difference(*p), high) for p in ordered])
    return StudyDecisions(np.array([detected]), np.array([wrong]), within, truly)


def _between(low: float, value: float, high: float) -> bool:
    """Return whether a true difference is within margins; one at a margin is not."""
    room = _NOISE * max(abs(value), 1.0)
    return low + room < value < high - room


Shown = dict[frozenset[str], tuple[tuple[str, str], bool]]


def _margin_of(analysis: Analysis) -> tuple[Shown, float, float] | None:
    """Return each pair in the order of its test, if it is shown, and the margins."""
    within = analysis.within_margin
    if within is not None:
        rows = within.as_columns()
        ends = zip(rows["algorithm_1"], rows["algorithm_2"], strict=True)
        shown = {
            frozenset(pair): (pair, bool(told))
            for pair, told in zip(ends, rows["shown"], strict=True)
        }
        return shown, within.margin_low, within.margin_high
    alone = analysis.equivalence if isinstance(analysis, TwoAnalysis) else None
    if alone is None:
        return None
    algorithm_1, algorithm_2 = alone.blocks.algorithms
    told = {
        frozenset((algorithm_1, algorithm_2)): (
            (algorithm_1, algorithm_2),
            alone.rejected(alone.alpha),
        )
    }
    return told, alone.margin_low, alone.margin_high


def outcomes_of(
    study: PlannedStudy, sizes: Sequence[int], trials: int
) -> dict[int, StudyDecisions]:
    """Return the conclusions of all studies, by size."""
    parts = [
        (size, start, min(start + _CHUNK, trials))
        for size in sizes
        for start in range(0, trials, _CHUNK)
    ]
    kept = Unfinished.of_job(
        lambda: identity(study, parts),
        what="power",
        form=_DECISIONS,
    )
    outcomes = list(
        tasks(_task, study, parts, what=f"parts of {_CHUNK} studies", kept=kept)
    )
    of_size = [part[0] for part in parts]
    return {
        size: _stacked([o for o, n in zip(outcomes, of_size, strict=True) if n == size])
        for size in sizes
    }
