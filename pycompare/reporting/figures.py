"""Pictures with their captions and texts for those who cannot see them."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

Drawing = tuple[str, Any, str, str]
"""Name, Matplotlib axes, caption and alternative text of a picture."""


@dataclass(frozen=True)
class Figure:
    """A picture: file stem, SVG text, caption, alternative text."""

    name: str
    svg: str
    caption: str
    alt: str

    @property
    def data_uri(self) -> str:
        """The picture as an address that needs no network."""
        encoded = base64.b64encode(self.svg.encode()).decode()
        return f"data:image/svg+xml;base64,{encoded}"


def drawn(drawings: Iterable[Drawing]) -> tuple[Figure, ...]:
    """Turn drawings into SVG."""
    from pycompare.plotting import style

    with style.context():
        return tuple(
            Figure(name, style.to_svg(axes.figure), caption, alt)
            for name, axes, caption, alt in drawings
        )
