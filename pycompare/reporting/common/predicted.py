"""What a page says of predictions that were measured first."""

from __future__ import annotations

from pycompare.analyses.compare import Comparison
from pycompare.analyses.group_comparison import GroupComparison


def prediction_rows(
    comparison: Comparison | GroupComparison,
) -> list[tuple[str, str]]:
    """Return the description of the predictions, or how a table was read."""
    found = comparison.predictions
    if found is None:
        notes = comparison.scores.notes
        return [("Read as", "; ".join(notes))] if notes else []
    return [
        (
            "Predictions",
            f"{found.score.size} scores of cases; positive class {found.positive}, "
            f"negative {found.negative}",
        ),
        ("Measured as", "; ".join(note for note in comparison.scores.notes if note)),
    ]
