"""Tables of the pages of studies."""

from __future__ import annotations

from collections.abc import Sequence


def table(rows: Sequence[Sequence[str]], *, right: bool = False) -> list[str]:
    """Return the lines of a Markdown table of rows, the first one the head.

    With ``right`` all columns but the first are aligned to the right.
    """
    head, *body = rows
    marks = ["---", *["---:" if right else "---"] * (len(head) - 1)]
    return [f"| {' | '.join(row)} |" for row in (head, marks, *body)]


def spaced_table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return a table between empty lines."""
    return ["", *table(rows), ""]
