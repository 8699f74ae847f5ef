"""The algorithm that a page is about, and its rivals, the nearest first."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeVar

from pycompare.reporting.content.facts import Outcome, PairFact


def reference(outcome: Outcome) -> str | None:
    """Return the control, or the one algorithm with the best number, if there is one.

    Of two algorithms there is none: the page is about their one difference.
    """
    if len(outcome.pairs) < 2:
        return None
    if outcome.control is not None:
        return outcome.control
    leaders = outcome.leaders
    return leaders[0] if len(leaders) == 1 else None


def against(outcome: Outcome, subject: str) -> list[PairFact]:
    """Return the facts of one algorithm and each rival, the nearest first.

    Each is the algorithm minus its rival; of a control it is the rival minus the
    control, as tests against a control and R have it. Nearest is the least ahead (a
    rival that is ahead itself comes before); if pairs have no estimate, rivals come
    in the order of their own numbers.
    """
    facts = outcome.facts.seen_from(subject)
    places = {name: at for at, name in enumerate(outcome.values)}

    def distance(fact: PairFact) -> tuple[float, float]:
        ahead = fact.ahead
        place = places.get(fact.object, math.inf)
        return (math.inf if math.isnan(ahead) else ahead), place

    nearest = sorted(facts, key=distance)
    if subject != outcome.control:
        return nearest
    return [fact.seen_from(fact.object) for fact in nearest]


def first_and_second(outcome: Outcome, subject: str, rival: str) -> tuple[str, str]:
    """Return which is which in the differences of ``against``; ``rival`` in words."""
    return (rival, subject) if subject == outcome.control else (subject, rival)


_NEAREST, _ALL = 10, 14
"""Rivals of a first table: all if they are few, else the nearest."""


def shown(outcome: Outcome) -> list[PairFact]:
    """Return the facts of the first table: one algorithm and its rivals, or pairs."""
    subject = reference(outcome)
    facts = outcome.pairs if subject is None else against(outcome, subject)
    return first_rows(facts)


_Fact = TypeVar("_Fact")


def first_rows(rows: Sequence[_Fact]) -> list[_Fact]:
    """Return the rows of a first table: all if they are few."""
    return [*rows] if len(rows) <= _ALL else [*rows[:_NEAREST]]


def places(outcome: Outcome) -> int | None:
    """Return how many decimals estimates and limits have, in tables and sentences.

    Two significant digits of the shortest half of an interval (of the smallest
    estimate if there are none), and more if a limit would be 0. None if they
    are too large or too small for plain decimals.
    """
    facts = shown(outcome)
    estimates = [f.estimate for f in facts if f.estimate is not None]
    return decimals_of(estimates, [f.interval for f in facts if f.interval])


def decimals_of(
    estimates: Sequence[float], intervals: Sequence[tuple[float, float]]
) -> int | None:
    """Return how many decimals estimates and their limits have; see ``places``."""
    halves = [(high - low) / 2 for low, high in intervals]
    limits = [x for interval in intervals for x in interval]
    sizes = [x for x in halves if math.isfinite(x) and x > 0]
    sizes = sizes or [abs(x) for x in estimates if math.isfinite(x) and x]
    if not sizes:
        return 3
    exponent = math.floor(math.log10(min(sizes)))
    largest = max(abs(x) for x in [*estimates, *limits] if math.isfinite(x))
    if not -_MOST_PLACES < exponent or largest >= _LARGEST:
        return None
    decimals = max(0, 1 - exponent)
    small = [abs(x) for x in limits if math.isfinite(x) and abs(x) > _NOISE * largest]
    while decimals < _MOST_PLACES and any(round(x, decimals) == 0 for x in small):
        decimals += 1
    return decimals


_MOST_PLACES, _LARGEST, _NOISE = 6, 1e7, 1e-9


def named(names: Sequence[str], most: int = 4) -> str:
    """Join names as English does; those over ``most`` are counted.

    Examples
    --------
    >>> named(["A", "B"]), named(list("ABCDEF"))
    ('A and B', 'A, B, C, D and 2 more')
    """
    shown = list(names[:most])
    if len(names) > most:
        return f"{', '.join(shown)} and {len(names) - most:,} more"
    if len(shown) < 2:
        return "".join(shown)
    return f"{', '.join(shown[:-1])} and {shown[-1]}"
