"""The page of published comparisons."""

from __future__ import annotations

from collections.abc import Sequence

from validation.markdown import table
from validation.published.rows import Number, Row


def page(rows: Sequence[Row]) -> str:
    """Return the page."""
    agreeing = sum(row.agrees for row in rows)
    numbers = [n for row in rows for n in row.numbers]
    exact = sum(n.agrees and not n.error for n in numbers)
    drawn = sum(n.agrees and n.error > 0 for n in numbers)
    return "\n".join(
        [
            "# Published comparisons, recomputed",
            "",
            "Written by `python -m validation.published` from data in the repository. "
            f"**{agreeing} of {len(rows)} comparisons agree**: {exact} of "
            f"{len(numbers)} printed numbers to all printed digits, {drawn} that were "
            "drawn at random within three Monte Carlo standard errors. The last column "
            "has the conclusion of pycompare's default at 0.05.",
            "",
            *table(_summary(rows)),
            *(line for row in rows for line in _details(row)),
            "",
        ]
    )


def _summary(rows: Sequence[Row]) -> list[list[str]]:
    head = ["source", "table", "published", "agrees", "default here"]
    return [
        head,
        *(
            [r.source, r.table, r.published, "yes" if r.agrees else "no", r.default]
            for r in rows
        ),
    ]


def _details(row: Row) -> list[str]:
    return [
        "",
        f"## {row.source}, {row.table}",
        "",
        f"Procedure: {row.procedure}." + f" {row.why}" * bool(row.why),
        "",
        *table([["number", "printed", "here"], *map(_line, row.numbers)]),
    ]


def _line(number: Number) -> list[str]:
    error = f" (Monte Carlo error {number.error:.4f})" if number.error else ""
    same = "" if number.agrees else ", differs"
    return [number.what, number.printed, f"{number.found}{error}{same}"]
