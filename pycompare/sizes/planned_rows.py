"""The table of a plan's power: a row for each size and conclusion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pycompare.base.typing import Bools
from pycompare.kernels import binomial
from pycompare.sizes.planned_study import PlannedStudy, StudyDecisions, TruePairs

_LEVEL = 0.95
"""Of the Monte Carlo interval of a share."""
DIFFERENCE, _NO_DIFFERENCE, MARGIN = "better", "no difference", "within margin"
VECTORS = "vectors differ"
ANY, ALL, _WRONG = "any of these", "all of these", "any wrong one"
_EVERYWHERE = ("", "")
"""Metric and group of rows about all metrics and groups."""


@dataclass(frozen=True)
class _Counter:
    """Makes rows of one size, from which studies conclude what."""

    n: int
    trials: int

    def row(
        self,
        place: tuple[str, str],
        conclusion: str,
        hits: Bools,
        true: bool,
        pair: tuple[str, str] = ("", ""),
        difference: float = float("nan"),
    ) -> dict[str, Any]:
        """Return one row of the table; ``place`` is metric and group."""
        count = int(np.sum(hits))
        low, high = binomial.clopper_pearson(
            count, self.trials - count, "two-sided", _LEVEL
        )
        return {
            "n": self.n,
            "metric": place[0],
            "group": place[1],
            "conclusion": conclusion,
            "algorithm_1": pair[0],
            "algorithm_2": pair[1],
            "difference": difference,
            "true": true,
            "share": count / self.trials,
            "conf_low": float(low),
            "conf_high": float(high),
            "studies": self.trials,
        }


def rows_of_size(
    study: PlannedStudy, n: int, outcomes: Sequence[StudyDecisions], trials: int
) -> Iterator[dict[str, Any]]:
    """Yield the rows of one size: each metric and group, then all of them."""
    counter = _Counter(n, trials)
    places = study.places
    for place, outcome in zip(places, outcomes, strict=True):
        yield from _rows_of_place(counter, place, outcome)
    single = [
        (place, outcome)
        for place, outcome in zip(places, outcomes, strict=True)
        if not place.vectors
    ]
    if len(single) > 1:
        yield from _rows_of_all(counter, [_true_and_wrong(*each) for each in single])


def _rows_of_place(
    counter: _Counter, place: TruePairs, outcome: StudyDecisions
) -> Iterator[dict[str, Any]]:
    """Yield the rows of one metric and group."""
    at = (place.metric, place.group)
    name = VECTORS if place.vectors else DIFFERENCE
    differ, both = np.array(place.directed), outcome.detected | outcome.wrong
    for i, pair in enumerate(place.pairs):
        hits = outcome.detected[:, i] if differ[i] else both[:, i]
        conclusion = name if differ[i] else _NO_DIFFERENCE
        yield counter.row(
            at, conclusion, hits, bool(differ[i]), pair, place.differences[i]
        )
    true, wrong = _true_and_wrong(place, outcome)
    yield from _any_and_all(counter, at, name, true, wrong)
    if outcome.within is None or outcome.truly is None:
        return
    truly = outcome.truly
    for i, pair in enumerate(place.pairs):
        hits = outcome.within[:, i]
        yield counter.row(at, MARGIN, hits, bool(truly[i]), pair, place.differences[i])
    if truly.any():
        shown = outcome.within[:, truly]
        yield counter.row(at, f"{MARGIN}: {ANY}", _any(shown), True)
        yield counter.row(at, f"{MARGIN}: {ALL}", _all(shown), True)
    if not truly.all():
        wrongly = _any(outcome.within[:, ~truly])
        yield counter.row(at, f"{MARGIN}: {_WRONG}", wrongly, False)


def _true_and_wrong(place: TruePairs, outcome: StudyDecisions) -> tuple[Bools, Bools]:
    """Return which true differences a study finds, and whether any wrong one."""
    differ, both = np.array(place.directed), outcome.detected | outcome.wrong
    wrong = _any(np.where(differ, outcome.wrong, both))
    return outcome.detected[:, differ], wrong


def _any(hits: Bools) -> Bools:
    """Return which studies draw a conclusion about any pair."""
    return np.asarray(hits.any(axis=1))


def _all(hits: Bools) -> Bools:
    """Return which studies draw it about all pairs."""
    return np.asarray(hits.all(axis=1))


def _any_and_all(
    counter: _Counter, at: tuple[str, str], name: str, true: Bools, wrong: Bools
) -> Iterator[dict[str, Any]]:
    """Yield the rows about several pairs."""
    if true.shape[1]:
        yield counter.row(at, f"{name}: {ANY}", _any(true), True)
        yield counter.row(at, f"{name}: {ALL}", _all(true), True)
    yield counter.row(at, _WRONG, wrong, False)


def _rows_of_all(
    counter: _Counter, parts: Sequence[tuple[Bools, Bools]]
) -> Iterator[dict[str, Any]]:
    """Yield the rows about the pairs of all metrics and groups."""
    true = np.concatenate([true for true, _ in parts], axis=1)
    wrong = _any(np.stack([wrong for _, wrong in parts], axis=1))
    yield from _any_and_all(counter, _EVERYWHERE, DIFFERENCE, true, wrong)


def said(rows: Sequence[Any]) -> Iterator[str]:
    """Yield the conclusions of one size, metric and group about several pairs."""
    of: Mapping[str, Any] = {row.conclusion: row for row in rows if not row.algorithm_1}
    for kind, single, every, some in (
        (
            DIFFERENCE,
            "finds the true difference in",
            "finds all true differences in",
            "any of them in",
        ),
        (
            VECTORS,
            "finds that the mean vectors differ in",
            "finds all mean vectors that differ in",
            "any of them in",
        ),
        (
            MARGIN,
            "shows the margin in",
            "shows the margin for all pairs within it in",
            "for any of them in",
        ),
    ):
        alone = sum(row.conclusion == kind and row.true for row in rows) == 1
        if f"{kind}: {ALL}" in of:
            yield f"{single if alone else every} {_share(of[f'{kind}: {ALL}'])}"
            if not alone:
                yield f"{some} {_share(of[f'{kind}: {ANY}'])}"
    yield f"finds a wrong difference in {_share(of[_WRONG])}"
    if f"{MARGIN}: {_WRONG}" in of:
        wrong = of[f"{MARGIN}: {_WRONG}"]
        yield f"shows the margin for a pair that is not within it in {_share(wrong)}"


def _share(row: Any) -> str:
    """Return a share with its limits."""
    return f"{row.share:.1%} ({row.conf_low:.1%} to {row.conf_high:.1%})"
