"""Sections as they were before documents; gone when every report yields blocks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pycompare.reporting.content.build import Method
from pycompare.reporting.content.page import Result
from pycompare.reporting.document import (
    Block,
    Bullets,
    Figure,
    Fold,
    Paragraph,
    Section,
)
from pycompare.reporting.page import section as old
from pycompare.reporting.page.tables import Table

OPEN = ("Orderings", "Tests", "Wins over data sets")
"""Parts that are not folded."""


def old_rows(rows: Sequence[Any]) -> list[Method]:
    """Return rows of a table of methods as text."""
    return [tuple(getattr(c, "text", c) for c in row) for row in rows]


def old_blocks(parts: Iterable[Any]) -> Iterable[Block]:
    """Yield parts as blocks, and blocks as they are."""
    for part in parts:
        if not isinstance(part, old.Part):
            yield part
        elif part.heading != "Pictures":
            kind = Section if part.heading in OPEN else Fold
            yield kind(part.heading, tuple(map(block, part.content)), "part")


def block(item: Any) -> Block:
    """Return one item of a part."""
    if isinstance(item, str):
        return Paragraph(item)
    found: Block = item.typed() if hasattr(item, "typed") else item
    return found


def result(section: old.Section | Result, stem: str = "") -> Result:
    """Return a section without facts as a result; ``stem`` begins names of files."""
    if isinstance(section, Result):
        return section
    start, *more = section.verdict
    prefix = f"{stem}{section.prefix}"
    figures = tuple(named(figure, prefix) for figure in section.figures)
    pictures = [Fold(f"Figures ({len(figures)})", figures, "f")] if figures else []
    return Result(
        title=section.title,
        prefix=prefix,
        answer=start,
        blocks=(
            *([Bullets(tuple(more))] if more else []),
            *old_blocks(section.parts),
            *pictures,
        ),
        leading=section.prefix == "family_",
        tables=section.tables,
        not_in_r=section.not_in_r,
    )


def named(figure: Figure, prefix: str) -> Figure:
    """Return a figure under the name of its file."""
    return type(figure)(
        f"{prefix}{figure.name}", figure.draw, figure.caption, figure.alt
    )


__all__ = ["Table", "block", "old_blocks", "old_rows", "result"]
