"""Pictures that know how to draw themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pycompare.reporting.document.inline import Inline

_PAGE_WIDTH = 5.3
"""Inches at most: beside a text, and readable on a telephone."""


@contextmanager
def _on_page() -> Iterator[None]:
    """Draw pictures for a document: no wider than its text, captions left to it."""
    from pycompare.plotting import style

    with style.context(), style.no_captions(), style.room_of(_PAGE_WIDTH, exact=False):
        yield


@dataclass(frozen=True, eq=False)
class Figure:
    """A picture with its caption, drawn when a renderer asks for it."""

    name: str  # stem of its files; never the user's text
    draw: Callable[[], Any]  # draws the picture and returns its Matplotlib axes
    caption: Inline  # stands below the picture, and nowhere in it
    alt: str  # what the picture shows, for readers who cannot see it

    @cached_property
    def drawing(self) -> Any:
        """The Matplotlib figure, without a caption of its own."""
        with _on_page():
            return self.draw().figure

    def drawn(self, width: float) -> Any:
        """Return the Matplotlib figure laid out for ``width`` inches."""
        from pycompare.plotting import style

        with style.no_captions(), style.room_of(width):
            return self.draw().figure

    @property
    def width(self) -> float:
        """Natural width in inches, at which letters have their planned size."""
        return float(self.drawing.get_size_inches()[0])

    @property
    def height(self) -> float:
        """Natural height in inches."""
        return float(self.drawing.get_size_inches()[1])

    def fitted(self, widest: float, highest: float) -> float:
        """Return the width in inches at which the picture has room, natural at most."""
        return min(self.width, widest, highest * self.width / self.height)

    @cached_property
    def svg(self) -> str:
        """The picture as SVG, the same figure always as the same bytes."""
        from pycompare.plotting import style

        return style.to_svg(self.drawing)

    def png(self, width: int) -> bytes:
        """Return the picture as PNG, ``width`` pixels wide."""
        from pycompare.plotting import style

        return style.to_png(self.drawing, dpi=width / self.width)

    def pdf(self, width: float | None = None) -> bytes:
        """Return the picture as PDF, ``width`` inches wide (natural by default)."""
        from pycompare.plotting import style

        made = self.drawing if width is None else self.drawn(width)
        return style.to_pdf(made)
