"""What a page says of predictions that were measured first."""

from __future__ import annotations

from pycompare.analyses.compare import Comparison
from pycompare.analyses.group_comparison import GroupComparison


def prediction_rows(
    comparison: Comparison | GroupComparison,
) -> list[tuple[str, str]]:
    """Return the description of the predictions; nothing for a table of scores."""
    found = comparison.predictions
    if found is None:
        return []
    return [
        (
            "Predictions",
            f"{found.score.size} scores of cases; positive class {found.positive}, "
            f"negative {found.negative}",
        ),
        ("Measured as", "; ".join(note for note in comparison.scores.notes if note)),
    ]
