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

import matplotlib as mpl
from matplotlib import cbook
from matplotlib.backend_bases import GraphicsContextBase
from matplotlib.backends.backend_mixed import MixedModeRenderer
from matplotlib.backends.backend_svg import FigureCanvasSVG, RendererSVG
from matplotlib.colors import rgb2hex
from matplotlib.font_manager import FontProperties
from matplotlib.text import Text
from matplotlib.textpath import TextToPath

from pycompare.plotting.fonts import FONT

_DIGITS = "0123456789"
_AS_ZERO = str.maketrans(_DIGITS, "0" * len(_DIGITS))
_MOST = 4096
"""Texts whose layout is kept."""
_SPECIAL = ("get_fontfeatures", "get_language")
"""What says, since Matplotlib 3.11, how else a text is set."""


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

    def __init__(self, width: float, height: float, file: Any, **options: Any) -> None:
        super().__init__(width, height, file, **options)
        self._file = file

    def get_text_width_height_descent(
        self, s: str, prop: FontProperties, ismath: Any
    ) -> tuple[float, float, float]:
        """Measure a text."""
        if ismath:
            return super().get_text_width_height_descent(s, prop, ismath)
        scale = prop.get_size_in_points() / TextToPath.FONT_SCALE
        width, height, descent = measured(_kind(s, prop), _cut(prop.copy()))
        return width * scale, height * scale, descent * scale

    def draw_text(
        self,
        gc: GraphicsContextBase,
        x: float,
        y: float,
        s: str,
        prop: FontProperties,
        angle: float,
        ismath: Any = False,
        mtext: Text | None = None,
    ) -> None:
        """Write a text."""
        if ismath or not _is_plain(gc, mtext):
            super().draw_text(gc, x, y, s, prop, angle, ismath, mtext)
            return
        text = _written(s, _cut(prop.copy()))
        self.writer.comment(s)
        place = _place(x, y, angle, prop.get_size_in_points() / TextToPath.FONT_SCALE)
        self._file.write(f"<g{_style(gc)}{place}>\n")
        known = self._glyph_map
        if not text.outlines.keys() <= known.keys():
            self._update_glyph_map_defs(
                {name: o for name, o in text.outlines.items() if name not in known}
            )
        self._file.write(f"{text.letters}</g>\n")


def _is_plain(gc: GraphicsContextBase, text: Text | None) -> bool:
    """Tell whether a text is neither cut off, nor a link, nor set in another way."""
    return (
        gc.get_clip_rectangle() is None
        and gc.get_clip_path()[0] is None
        and gc.get_url() is None
        and mpl.rcParams["svg.fonttype"] == "path"
        and not any(getattr(text, name, lambda: None)() for name in _SPECIAL)
    )


# ---- attributes ----------------------------------------------------------------------


def _style(gc: GraphicsContextBase) -> str:
    """Return colour and opacity of a text, if they are not the usual ones."""
    rgba = gc.get_rgb()
    return _colored(tuple(rgba), gc.get_alpha() if gc.get_forced_alpha() else rgba[3])


@lru_cache(_MOST)
def _colored(rgba: tuple[Any, ...], opacity: float) -> str:
    color = rgb2hex(rgba)
    said = [f"fill: {color}"] if color != "#000000" else []
    if opacity != 1:
        said.append(f"opacity: {_short(opacity)}")
    return f' style="{"; ".join(said)}"' if said else ""


def _place(x: float, y: float, angle: float, scale: float) -> str:
    """Return place, direction and size of a text."""
    moved = f"translate({_short(x)} {_short(y)}) " if x or y else ""
    turned = f"rotate({_short(-angle)}) " if angle else ""
    return f' transform="{moved}{turned}scale({_short(scale)} {_short(-scale)})"'


def _place_in_text(x: float, y: float, scale: float) -> str:
    """Return place and size of a letter in its text."""
    parts = [f"translate({_short(x)} {_short(y)})"] if x or y else []
    if scale != 1:
        parts.append(f"scale({_short(scale)})")
    return f' transform="{" ".join(parts)}"' if parts else ""


def _short(number: float) -> str:
    return f"{number:f}".rstrip("0").rstrip(".")


# ---- layout --------------------------------------------------------------------------


class _Layout(NamedTuple):
    """Letters of a text."""

    names: list[str]
    places: list[str]
    outlines: dict[str, Any]  # vertices and codes by name


class _Written(NamedTuple):
    """A text as SVG."""

    letters: str
    outlines: dict[str, Any]  # in the order of the letters


_MATPLOTLIB = TextToPath()


@lru_cache(_MOST)
def _cut(font: FontProperties) -> FontProperties:
    """Return a font in the size in which all texts are laid out."""
    cut = font.copy()
    cut.set_size(TextToPath.FONT_SCALE)
    return cut


def _kind(text: str, font: FontProperties) -> str:
    """Return a text that is laid out alike: letters from left to right, zeros."""
    is_plain = text.replace("\N{MINUS SIGN}", "-").isascii()
    is_ours = font.get_family()[0] == FONT and font.get_file() is None
    return text.translate(_AS_ZERO) if is_plain and is_ours else text


@lru_cache(_MOST)
def measured(text: str, cut: FontProperties) -> tuple[float, float, float]:
    """Return width, height and descent of a text in the size of a font."""
    found: tuple[float, float, float] = _MATPLOTLIB.get_text_width_height_descent(
        text, cut, False
    )
    return found


@lru_cache(_MOST)
def _written(text: str, cut: FontProperties) -> _Written:
    """Write the letters of a text where those of its kind are."""
    layout = _laid_out(text, cut)
    letters = zip(layout.names, layout.places, strict=True)
    return _Written(
        "".join(f'<use xlink:href="#{name}"{place}/>\n' for name, place in letters),
        {name: layout.outlines[name] for name in layout.names},
    )


def _laid_out(text: str, cut: FontProperties) -> _Layout:
    kind_of_text = _kind(text, cut)
    kind = _of_matplotlib(kind_of_text, cut)
    if kind_of_text == text:
        return kind
    if len(kind.names) != len(text):  # some letters are joined
        return _of_matplotlib(text, cut)
    names, outlines = list(kind.names), dict(kind.outlines)
    for i, character in enumerate(text):
        if character in _DIGITS:
            digit = _of_matplotlib(character, cut)
            names[i] = digit.names[0]
            outlines |= digit.outlines
    return _Layout(names, kind.places, outlines)


@lru_cache(_MOST)
def _of_matplotlib(text: str, cut: FontProperties) -> _Layout:
    font = _MATPLOTLIB._get_font(cut)  # type: ignore[attr-defined]
    letters, outlines, _ = _MATPLOTLIB.get_glyphs_with_font(font, text)
    places = [_place_in_text(*place) for _, *place in letters]
    return _Layout([name for name, *_ in letters], places, outlines)
