"""Tiers of many algorithms, from the decisions on their pairs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pycompare.plotting.tiers import Tier
from pycompare.plotting.tiers import tiers as drawn
from pycompare.reporting import document as doc
from pycompare.reporting.content.facts import Outcome
from pycompare.reporting.content.figures import MOST_IN_DIAGRAM

MOST_DRAWN = 150
"""Algorithms that have a bar each; with more, the first and the last tiers have."""
_FIRST, _LAST = 5, 2


def tiers(outcome: Outcome) -> list[list[str]]:
    """Return the tiers: the best algorithm left, and all not separated from it.

    Two members of one tier may differ.
    """
    left, groups = list(outcome.values), []
    while left:
        leader = left[0]
        worse = set(outcome.beaten_by(leader))
        groups.append([name for name in left if name not in worse])
        left = [name for name in left if name in worse]
    return groups


def of_many(outcome: Outcome) -> Iterator[doc.Figure]:
    """Yield the figure of tiers if algorithms are too many for a diagram."""
    drawing = figure(outcome) if len(outcome.values) > MOST_IN_DIAGRAM else None
    if drawing is not None:
        yield drawing


def figure(outcome: Outcome) -> doc.Figure | None:
    """Return the ranks that the decisions leave open, tier by tier."""
    if outcome.control is not None or not outcome.values or outcome.untested:
        return None
    n = len(outcome.values)
    wins, losses = outcome.wins_and_losses()
    order = {name: place for place, name in enumerate(outcome.values, start=1)}
    groups = tiers(outcome)
    rows = [
        Tier(
            str(place),
            tier[0],
            len(tier),
            [(1 + losses.get(a, 0), n - wins.get(a, 0), order[a]) for a in tier],
        )
        for place, tier in enumerate(groups, start=1)
    ]
    left_out = ""
    if n > MOST_DRAWN and len(rows) > _FIRST + _LAST:
        hidden = rows[_FIRST:-_LAST]
        count = sum(tier.count for tier in hidden)
        words = f"{len(hidden)} tiers are not drawn"
        rows = [*rows[:_FIRST], Tier("…", words, count, []), *rows[-_LAST:]]
        left_out = f" {words}: {count} {outcome.nouns}."
    caption = (
        f"All {n} {outcome.nouns}. Bar: the ranks that the decisions on "
        f"{len(outcome.pairs):,} pairs leave open; dot: place by {outcome.quantity}. "
        "A tier is the best algorithm left and all that do not differ significantly "
        "from it; two members of a tier may differ. Grey: first tier; blue: "
        f"significantly worse than {groups[0][0]}.{left_out}"
    )
    named = "; ".join(
        f"tier {t.place}: {t.count}, led by {t.leader}" for t in rows if t.ranks
    )
    return doc.Figure("tiers", partial(drawn, rows, n), caption, named, full=True)
