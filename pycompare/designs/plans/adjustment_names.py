"""Names of adjustments that plans of readers, curves and models may have."""

from __future__ import annotations

from pycompare.methods.models.contrast_family import OWN_ADJUSTMENTS
from pycompare.results.adjust import adjustment


def known_adjustment(name: str) -> None:
    """Reject an adjustment that there is not."""
    if name not in OWN_ADJUSTMENTS:
        adjustment(name)
