"""Pictures with their captions and texts for those who cannot see them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from pycompare.reporting.document import Figure

Drawing = tuple[str, Any, str, str]
"""Name, Matplotlib axes, caption and alternative text of a picture."""


def drawn(drawings: Iterable[Drawing]) -> tuple[Figure, ...]:
    """Turn drawings into figures."""
    from pycompare.plotting import style

    with style.context(), style.no_captions():
        return tuple(
            Figure(name, partial(drawing, axes), caption, alt)
            for name, axes, caption, alt in drawings
        )


def drawing(axes: Any) -> Any:
    """Return what is drawn already."""
    return axes
