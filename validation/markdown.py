"""Tables of the pages of studies."""

from __future__ import annotations

from collections.abc import Sequence


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a Markdown table of rows, the first one the head."""
    head, *body = rows
    return [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *body)]


def spaced_table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return a table between empty lines."""
    return ["", *table(rows), ""]
