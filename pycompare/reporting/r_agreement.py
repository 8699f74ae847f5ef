"""What R said while a report was made, as blocks of a document."""

from __future__ import annotations

from pycompare.reporting import document as doc
from pycompare.reporting.content.page import bullets
from pycompare.reporting.evidence.cross_check import CrossCheck

_MOST_SHOWN = 20
"""Numbers that differ and are named on the page."""


def shown(found: CrossCheck) -> tuple[doc.Block, ...]:
    """Return the outcome, how many numbers agree to how many digits, what differs."""
    more = len(found.differs) - _MOST_SHOWN
    named = [(doc.Literal(line),) for line in found.differs[:_MOST_SHOWN]]
    return doc.present(
        doc.Paragraph((doc.Strong("Cross-check: "), found.conclusion)),
        bullets(named),
        doc.Paragraph(f"{more} more differ; see cross_check.json.")
        if more > 0
        else None,
        _table(found) if found.digits else None,
        bullets(list(found.listed)),
    )


def _table(found: CrossCheck) -> doc.Table:
    """Return how many numbers agree to how many digits."""
    columns = (doc.Column("Digits that agree", "count"), doc.Column("Numbers", "count"))
    return doc.Table("Numbers of results.json repeated by R.", columns, found.digits)
