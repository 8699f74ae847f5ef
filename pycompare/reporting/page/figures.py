"""Pictures with their captions and texts for those who cannot see them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from pycompare.reporting.document import Figure

Drawing = tuple[str, Callable[[], Any], str, str]
"""Name, function that draws, caption and alternative text of a picture."""


def drawn(drawings: Iterable[Drawing]) -> tuple[Figure, ...]:
    """Return drawings as figures."""
    return tuple(Figure(*drawing) for drawing in drawings)
