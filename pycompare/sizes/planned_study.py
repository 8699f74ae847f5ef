"""Simulated studies of a plan: the truth, and the conclusions of each study."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pycompare.base.formatting.counts import counted
from pycompare.base.parallel.tasks import tasks
from pycompare.base.parallel.unfinished import Unfinished, identity
from pycompare.base.typing import Bools
from pycompare.methods.pairs.common import named_pairs

_CHUNK = 10
"""Studies of one task."""
_NOISE = 1e-12
"""Differences of stated effects are rounded by no more."""

Shown = Mapping[frozenset[str], tuple[tuple[str, str], bool]]
"""Each pair: its order in the test against a margin, and whether that shows it."""


@dataclass(frozen=True)
class TruePairs:
    """How the pairs that a plan compares truly differ, in one metric and group.

    Attributes
    ----------
    metric, group : str
        Empty if there is one.
    pairs : tuple of (str, str)
        The truly better algorithm first.
    differences : tuple of float
        Of each pair, first minus second; or its ratio.
    directed : tuple of bool
        Whether the first of the pair is truly better; otherwise the two are equal.
    vectors : bool
        Whether the pairs are compared in all metrics together: directed pairs differ
        in one of them.
    """

    metric: str
    group: str
    pairs: tuple[tuple[str, str], ...]
    differences: tuple[float, ...]
    directed: tuple[bool, ...]
    vectors: bool = False

    def difference(self, pair: tuple[str, str], null: float) -> float:
        """Return the true difference of a pair in this order, or its ratio."""
        if pair in self.pairs:
            return self.differences[self.pairs.index(pair)]
        value = self.differences[self.pairs.index(pair[::-1])]
        return 1 / value if null else -value


def true_pairs(
    metric: str,
    group: str,
    pairs: Sequence[tuple[str, str]],
    difference: Callable[[str, str], float],
    better: Callable[[str, str], float],
    null: float,
) -> TruePairs:
    """Return true pairs, the better one first.

    ``better`` is positive if the first is truly better; what rounding leaves is none.
    """
    turned, differences, directed = [], [], []
    for a, b in pairs:
        first, second = (a, b) if better(a, b) >= -_NOISE else (b, a)
        turned.append((first, second))
        value = difference(first, second)
        directed.append(abs(better(a, b)) > _NOISE)
        differences.append(
            value if directed[-1] or abs(value - null) > _NOISE else null
        )
    return TruePairs(metric, group, tuple(turned), tuple(differences), tuple(directed))


def _pairs_of_effects(
    pairs: Sequence[tuple[str, str]], effects: Mapping[str, float], null: float
) -> TruePairs:
    """Return true pairs of algorithms whose effects are in a metric, higher better."""

    def difference(a: str, b: str) -> float:
        return effects[a] - effects[b]

    return true_pairs("", "", pairs, difference, difference, null)


def method_words(tests: str, adjust: str) -> str:
    """Return tests and their adjustment, if they have any."""
    return tests if adjust == "none" else f"{tests}, adjusted: {adjust}"


@dataclass(frozen=True)
class Margins:
    """What tests against a margin show in one metric and group."""

    shown: Shown
    low: float
    high: float


@dataclass(frozen=True)
class StudyClaims:
    """What one study concludes in one metric and group.

    Attributes
    ----------
    better : mapping of pair to str
        Of each pair that differs significantly, the better one.
    margins : Margins or None
    """

    better: Mapping[frozenset[str], str]
    margins: Margins | None = None


@dataclass(frozen=True)
class StudyDecisions:
    """Conclusions about each pair of one metric and group over studies."""

    detected: Bools
    """(studies, pairs): the first of the pair is significantly better."""
    wrong: Bools
    """The second one is."""
    within: Bools | None
    """The margin is shown; None without a margin."""
    truly: Bools | None
    """(pairs,) whether it holds."""


class PlannedStudy(ABC):
    """A simulated study: a plan, its algorithms and the assumed truth.

    Attributes
    ----------
    algorithms : tuple of str
    seed : int
    null : float
        A true difference that is none: 0, or 1 of ratios.
    """

    algorithms: tuple[str, ...]
    seed: int
    null: float = 0.0

    @property
    @abstractmethod
    def places(self) -> tuple[TruePairs, ...]:
        """Each metric and group with its pairs."""

    @abstractmethod
    def findings(self, n: int, trial: int) -> tuple[StudyClaims, ...]:
        """Return what one study of n units concludes, for each place."""

    @abstractmethod
    def method(self, n: int) -> str:
        """Return tests and adjustment of n units; reject a plan that does not fit."""

    @abstractmethod
    def words(self, units: str) -> str:
        """Return the assumed truth; ``units`` in the plural."""

    @property
    @abstractmethod
    def units(self) -> str:
        """What n counts, in the plural."""

    @property
    @abstractmethod
    def alpha(self) -> float:
        """Significance level of differences."""

    @property
    @abstractmethod
    def said_metrics(self) -> str:
        """The metrics and the better direction, in words."""

    @property
    def margins(self) -> tuple[str, ...]:
        """The margins of the plan, in words."""
        return ()

    def generator(self, n: int, trial: int) -> np.random.Generator:
        """Return the random numbers of one study."""
        return np.random.default_rng([self.seed, n, trial])


@dataclass(frozen=True)
class AreaStudy(PlannedStudy):
    """A simulated study whose plan compares AUCs; see ``PlannedStudy``.

    Attributes
    ----------
    plan : CurvesPlan or ReadersPlan
    algorithms : tuple of str
        Or modalities.
    effects : tuple of float
        Of the AUC.
    base : float
        The AUC without an effect.
    seed : int
    """

    plan: Any
    algorithms: tuple[str, ...]
    effects: tuple[float, ...]
    base: float
    seed: int

    @property
    def places(self) -> tuple[TruePairs, ...]:
        """The pairs of the one metric."""
        pairs = named_pairs(self.algorithms, self.plan.control)
        effects = dict(zip(self.algorithms, self.effects, strict=True))
        return (_pairs_of_effects(pairs, effects, self.null),)

    @property
    def said_metrics(self) -> str:
        """The metric and the better direction, in words."""
        return "AUC (higher is better)"

    @property
    def margins(self) -> tuple[str, ...]:
        """The margin of the plan, in words."""
        margin = self.plan.margin
        return () if margin is None else (f"margin = {margin:g}",)


def effects_words(
    labels: Sequence[str], effects: Sequence[float], neutral: float, others: str
) -> str:
    """Return the effects of algorithms; those that have none are counted."""
    named = [
        f"{name} {effect:g}"
        for name, effect in zip(labels, effects, strict=True)
        if effect != neutral
    ]
    rest = len(labels) - len(named)
    if rest:
        word = "other" if named else others
        named.append(f"{counted(rest, word)} {neutral:g}")
    return ", ".join(named)


def table_margins(within: Any) -> Margins:
    """Return what a table of tests against a margin shows."""
    rows = within.as_columns()
    ends = zip(rows["algorithm_1"], rows["algorithm_2"], strict=True)
    shown = {
        frozenset(pair): (pair, bool(told))
        for pair, told in zip(ends, rows["shown"], strict=True)
    }
    return Margins(shown, within.margin_low, within.margin_high)


def _decisions(study: PlannedStudy, n: int, trial: int) -> list[StudyDecisions]:
    """Return what one study concludes about each pair of each place."""
    return [
        _of_place(place, findings, study.null)
        for place, findings in zip(study.places, study.findings(n, trial), strict=True)
    ]


def _of_place(place: TruePairs, findings: StudyClaims, null: float) -> StudyDecisions:
    """Return what one study concludes in one metric and group."""
    pairs, better, margins = place.pairs, findings.better, findings.margins
    within = truly = None
    if margins is not None:
        shown = margins.shown
        within = np.array([[shown[frozenset(pair)][1] for pair in pairs]])
        ordered = [shown[frozenset(pair)][0] for pair in pairs]
        truly = np.array(
            [
                _between(margins.low, place.difference(p, null), margins.high)
                for p in ordered
            ]
        )
    return StudyDecisions(
        np.array([[better.get(frozenset(pair)) == pair[0] for pair in pairs]]),
        np.array([[better.get(frozenset(pair)) == pair[1] for pair in pairs]]),
        within,
        truly,
    )


def _between(low: float, value: float, high: float) -> bool:
    """Return whether a true difference is within margins; one at a margin is not."""
    room = _NOISE * max(abs(value), 1.0)
    return low + room < value < high - room


def _task(study: PlannedStudy, part: tuple[int, int, int]) -> list[dict[str, Any]]:
    """Return the conclusions of some studies of one size, for each place."""
    n, start, stop = part
    some = _stacked([_decisions(study, n, trial) for trial in range(start, stop)])
    return [vars(of_place) for of_place in some]


def _stacked(outcomes: Sequence[Sequence[StudyDecisions]]) -> list[StudyDecisions]:
    """Return outcomes of each place one below the other."""
    return [_below_each_other(of_place) for of_place in zip(*outcomes, strict=True)]


def _below_each_other(outcomes: Sequence[StudyDecisions]) -> StudyDecisions:
    """Return outcomes of one place as one."""
    within = [o.within for o in outcomes if o.within is not None]
    return StudyDecisions(
        np.concatenate([outcome.detected for outcome in outcomes]),
        np.concatenate([outcome.wrong for outcome in outcomes]),
        np.concatenate(within) if within else None,
        outcomes[0].truly,
    )


def outcomes_of(
    study: PlannedStudy, sizes: Sequence[int], trials: int
) -> dict[int, list[StudyDecisions]]:
    """Return the conclusions of all studies by size, for each place."""
    parts = [
        (size, start, min(start + _CHUNK, trials))
        for size in sizes
        for start in range(0, trials, _CHUNK)
    ]
    kept = Unfinished(lambda: identity(study, parts), what="power")
    what = f"parts of {_CHUNK} studies"
    outcomes = [
        [StudyDecisions(**of_place) for of_place in some]
        for some in tasks(_task, study, parts, what=what, kept=kept)
    ]
    of_size = [part[0] for part in parts]
    return {
        size: _stacked([o for o, n in zip(outcomes, of_size, strict=True) if n == size])
        for size in sizes
    }
