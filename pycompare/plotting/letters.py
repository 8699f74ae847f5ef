"""Matplotlib's SVG, with each kind of text laid out once.

Most texts of a picture are numbers. All digits of the font have the same width, and no
pair of them is moved together, so "0.987" is laid out as "0.000" is. Laying texts out
took a third of the time of small pictures.

``style.to_svg`` names this module as the backend of Matplotlib.
"""

from __future__ import annotations

import codecs
from functools import lru_cache
from typing import Any, NamedTuple

from matplotlib import cbook
from matplotlib.backends.backend_mixed import MixedModeRenderer
from matplotlib.backends.backend_svg import FigureCanvasSVG, RendererSVG
from matplotlib.font_manager import FontProperties
from matplotlib.ft2font import FT2Font
from matplotlib.textpath import TextToPath

from pycompare.plotting.style import FONT

_DIGITS = "0123456789"
_AS_ZERO = str.maketrans(_DIGITS, "0" * len(_DIGITS))
_MOST = 4096
"""Texts whose layout is kept."""


class _Layout(NamedTuple):
    """A text as paths."""

    letters: list[tuple[str, float, float, float]]  # name, place, and scale
    outlines: dict[str, Any]  # vertices and codes of letters by their name


class FigureCanvas(FigureCanvasSVG):
    """A figure that is written as SVG; Matplotlib looks for a class of this name."""

    def print_svg(
        self,
        filename: Any,  # a path, or a file for text or bytes
        *,
        bbox_inches_restore: Any = None,
        metadata: Any = None,
        **_: Any,  # colours, which the figure has by now
    ) -> None:
        """Write the figure."""
        figure = self.figure
        dpi, figure.dpi = figure.dpi, 72
        width, height = figure.get_size_inches()
        with cbook.open_file_cm(filename, "w", encoding="utf-8") as opened:
            if not cbook.file_requires_unicode(opened):
                opened = codecs.getwriter("utf-8")(opened)  # type: ignore[assignment]
            vectors = _Renderer(
                72 * width, 72 * height, opened, image_dpi=dpi, metadata=metadata
            )
            renderer: Any = MixedModeRenderer(
                figure,
                width,
                height,
                dpi,
                vectors,
                bbox_inches_restore=bbox_inches_restore,
            )
            figure.draw(renderer)
            renderer.finalize()


class _Renderer(RendererSVG):
    """Matplotlib's SVG with our texts."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._text2path = _Texts()


class _Texts(TextToPath):
    """Texts as paths, laid out once for all that differ in their digits only."""

    def get_text_width_height_descent(
        self, s: str, prop: FontProperties, ismath: Any
    ) -> tuple[float, float, float]:
        """Measure a text."""
        return _measured(_kind(s, prop.get_family()[0]), prop, ismath)

    def get_glyphs_with_font(
        self,
        font: FT2Font,
        s: str,
        glyph_map: dict[str, Any] | None = None,
        return_new_glyphs_only: bool = False,
        **options: Any,
    ) -> tuple[list[tuple[str, float, float, float]], dict[str, Any], list[Any]]:
        """Return letters, and the outlines of those that were not met before."""
        if any(options.values()):
            return _MATPLOTLIB.get_glyphs_with_font(
                font, s, glyph_map, return_new_glyphs_only, **options
            )
        letters, outlines = _laid_out(font, s)
        known = glyph_map or {}
        new = {name: outlines[name] for name, *_ in letters if name not in known}
        return letters, new if return_new_glyphs_only else known | new, []


_MATPLOTLIB = TextToPath()


def _kind(text: str, family: str) -> str:
    """Return a text that is laid out alike: letters from left to right, zeros."""
    is_plain = text.replace("\N{MINUS SIGN}", "-").isascii()
    return text.translate(_AS_ZERO) if is_plain and family == FONT else text


@lru_cache(_MOST)
def _measured(
    text: str, font: FontProperties, is_math: Any
) -> tuple[float, float, float]:
    """Return width, height and descent of a text."""
    found: tuple[float, float, float] = _MATPLOTLIB.get_text_width_height_descent(
        text, font, is_math
    )
    return found


@lru_cache(_MOST)
def _of_matplotlib(font: FT2Font, text: str) -> _Layout:
    letters, outlines, _ = _MATPLOTLIB.get_glyphs_with_font(font, text)
    return _Layout(letters, outlines)


def _laid_out(font: FT2Font, text: str) -> _Layout:
    """Lay a text out: letters where those of its kind are."""
    kind_of_text = _kind(text, font.family_name)
    kind = _of_matplotlib(font, kind_of_text)
    if kind_of_text == text:
        return kind
    if len(kind.letters) != len(text):  # some letters are joined
        return _of_matplotlib(font, text)
    letters, outlines = list(kind.letters), dict(kind.outlines)
    for place, character in enumerate(text):
        if character in _DIGITS:
            digit = _of_matplotlib(font, character)
            letters[place] = (digit.letters[0][0], *letters[place][1:])
            outlines |= digit.outlines
    return _Layout(letters, outlines)
