"""A section of sentences, tables and pictures as a result of the page."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence

from pycompare.reporting.content import wording
from pycompare.reporting.content.facts import Statements
from pycompare.reporting.content.page import Result
from pycompare.reporting.content.tables import against_best, sensitivity
from pycompare.reporting.document import (
    Block,
    Bullets,
    Figure,
    Fold,
    Paragraph,
    Section,
    present,
)
from pycompare.reporting.page import section as old
from pycompare.reporting.page.tables import Table
from pycompare.reporting.page.underlined import Underlined

FAMILY = "family_"
"""Prefix of the section about all metrics and groups as one family."""
MOST_FOLDED = 5
"""Data sets in a row that stand by themselves; more are folded once again."""
OPEN = ("Pairs", "Orderings", "Tests", "Wins over data sets")
"""Parts that are not folded."""
FIRST = (
    "critical_difference",
    "mean_differences",
    "sign_grid",
    "paired_histograms",
    "threshold_pairs",
)
"""Pictures that show a conclusion, the best first."""


def result(section: old.Section, stated: Statements | None) -> Result:
    """Return a section as a result; ``stated`` are the facts of its verdict."""
    outcome = None if stated is None else stated.outcome
    figures = {f.name: named(f, section.prefix) for f in section.figures}
    lead = next((name for name in FIRST if name in figures), None)
    shown = figures.pop(lead) if lead is not None and outcome is not None else None
    said = section.verdict if stated is None else stated.remarks
    start, more = ("", said) if outcome is not None else (said[0], said[1:])
    others = () if stated is None else stated.alternatives
    return Result(
        title=section.title,
        prefix=section.prefix,
        answer=start if outcome is None else wording.answer(outcome),
        method="" if outcome is None else wording.method(outcome),
        figure=shown,
        table=None if outcome is None else against_best(outcome),
        blocks=(
            *([Bullets(tuple(more))] if more else []),
            *blocks(section.parts, figures.values()),
        ),
        sensitivity=present(None if outcome is None else sensitivity(outcome, others)),
        leading=stated is not None or section.prefix == FAMILY,
        tables=section.tables,
        not_in_r=section.not_in_r,
    )


def named(figure: Figure, prefix: str) -> Figure:
    """Return a figure under the name of its file."""
    return dataclasses.replace(figure, name=f"{prefix}{figure.name}")


def blocks(parts: Iterable[old.Part], figures: Iterable[Figure]) -> Iterable[Block]:
    """Yield the parts, those that are open first, and the pictures."""
    made = [part for part in parts if part.heading != "Pictures"]
    folded = [part for part in made if part.folded]
    ordered = [part for part in made if not part.folded]
    for part in sorted(ordered, key=lambda p: p.heading not in OPEN):
        kind = Section if part.heading in OPEN else Fold
        yield kind(part.heading, tuple(map(block, part.content)), "part")
    yield from one_by_one(folded)
    notes = [p.content for p in parts if p.heading == "Pictures"]
    more = [Paragraph(c) for content in notes for c in content if isinstance(c, str)]
    drawn = list(figures)
    if drawn or more:
        yield Fold(f"Figures ({len(drawn)})", (*drawn, *more), "figures")


def one_by_one(parts: Sequence[old.Part]) -> Iterable[Block]:
    """Yield parts of the same kind, many folded once again."""
    made = [Fold(p.heading, tuple(map(block, p.content)), "part") for p in parts]
    if len(made) <= MOST_FOLDED:
        yield from made
    else:
        title = f"{made[0].title} to {made[-1].title}, {len(made)} one by one"
        yield Fold(title, tuple(made), "parts")


def block(item: str | Table | Underlined | Figure) -> Block:
    """Return one item of a part."""
    if isinstance(item, str):
        return Paragraph(item)
    if isinstance(item, Figure):
        return item
    return item.typed()
