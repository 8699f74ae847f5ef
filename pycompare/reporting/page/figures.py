"""Pictures with their captions and texts for those who cannot see them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

LINES = re.compile(r"\s*\n\s*")
SAFE = " ='/;,?!@$*+-._~"
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
        """The picture as an address that needs no network.

        Line breaks are spaces, and only what an address may not hold is encoded: a
        fifth shorter than base64.
        """
        return f"data:image/svg+xml,{quote(LINES.sub(' ', self.svg), safe=SAFE)}"


def drawn(drawings: Iterable[Drawing]) -> tuple[Figure, ...]:
    """Turn drawings into SVG."""
    from pycompare.plotting import style

    with style.context():
        return tuple(
            Figure(name, style.to_svg(axes.figure), caption, alt)
            for name, axes, caption, alt in drawings
        )
