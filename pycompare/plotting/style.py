"""Shared parts of all pictures: fonts, greys, labels, measures, file writing.

Lengths are in points (1/72 inch) unless a name states otherwise.
"""

from __future__ import annotations

import io
import math
import unicodedata
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, wraps
from threading import RLock
from typing import TYPE_CHECKING, Any, Literal, ParamSpec

import numpy as np
from numpy.typing import ArrayLike

from pycompare.base.errors import InputError
from pycompare.base.typing import Floats
from pycompare.plotting import fonts
from pycompare.plotting.drawn_kinds import drawn_kinds, of_kinds
from pycompare.plotting.svg import compact

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D
    from matplotlib.text import Text
    from matplotlib.transforms import TransformedPatchPath

P = ParamSpec("P")

FONT = fonts.FONT
SIZE = 9.0
SMALL = 7.5
LABEL_WIDTH = 32  # columns
MIDDLE = 0.36  # from the baseline to the middle of the letters, in letter sizes
# Beyond so many points a vector file is larger than a reader can open at ease.
MOST_VECTOR_POINTS = 5_000
_MEASURED = 100.0  # size at which letters are measured; others are multiples
LEADING = 1.35  # from line to line, in letter sizes

MARGIN = 10.0
SIDE = 20.0  # right of an axis: half of a long tick label
_TICK_PAD = 3.5  # from a row's name to the axis
BELOW_AXIS = 36.0  # room for tick labels and the axis label
_ROWS_WIDTH = 330.0  # of the axes beside rows of labels
_MOST_LABELS = 0.55  # the share of a narrow figure that labels of rows take
_FEWEST_COLUMNS = 9  # of a label that is shortened to fit

INK = "#000000"
DIM = "#555555"
LINE = "#808080"
FAINT = "#cccccc"
NOT_SHOWN = "#77818b"  # no significant difference
MARGIN_BAND = "#f6e7c1"

# Okabe and Ito's colours, which colour-blind readers tell apart, without yellow.
BLUE = "#0b5fa5"  # significant
RED = "#d55e00"
COLORS = (BLUE, RED, "#009e73", "#cc79a7", INK, "#e69f00", "#56b4e9")
# As many as have no divisor in common with the colours: 56 combinations.
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "p")
MOST_MARKS = len(COLORS) * len(MARKERS)

_RC = {
    "font.family": [FONT],
    "font.size": SIZE,
    "axes.labelsize": SIZE,
    "xtick.labelsize": SIZE,
    "ytick.labelsize": SIZE,
    "axes.linewidth": 0.8,
    "axes.formatter.useoffset": False,
    "axes.formatter.limits": (-5, 6),
    # Names are data: a dollar sign is a dollar sign.
    "text.parse_math": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "pycompare",
}


_in_context = ContextVar("in_context", default=False)
_DRAWING = RLock()
"""Matplotlib's settings are those of the process, so one thread draws at a time."""


@contextmanager
def context() -> Iterator[None]:
    """Draw with Matplotlib's settings for all pictures.

    They are Matplotlib's defaults and ours, not the user's: the same result must give
    the same picture on every machine. Within another such context they hold already.
    Another thread waits until the settings are the user's again.
    """
    if _in_context.get():
        yield
        return
    import matplotlib.figure

    token = _in_context.set(True)
    # Not by matplotlib.style, which reads some thirty style sheets when imported.
    settings: Any = {**matplotlib.rcParamsDefault, **_RC}
    try:
        with _DRAWING:
            # Each that is set is checked again: most are as they have to be.
            changed = {
                name: value
                for name, value in settings.items()
                # A backend is of the process, not of its pictures.
                if not name.startswith("backend") and matplotlib.rcParams[name] != value
            }
            with matplotlib.rc_context(changed):
                yield
    finally:
        _in_context.reset(token)


_captions = ContextVar("captions", default=True)


@contextmanager
def _no_captions() -> Iterator[None]:
    """Draw pictures without the caption below them."""
    token = _captions.set(False)
    try:
        yield
    finally:
        _captions.reset(token)


_for_document = ContextVar("for_document", default=False)


@contextmanager
def for_document() -> Iterator[None]:
    """Draw pictures for a document: it has the captions, and nobody styles its axes."""
    token = _for_document.set(True)
    try:
        with _no_captions():
            yield
    finally:
        _for_document.reset(token)


@dataclass(frozen=True)
class Room:
    """How wide a new figure is to be, in points; ``exact``, or at most so wide."""

    width: float
    exact: bool


_room: ContextVar[Room | None] = ContextVar("room", default=None)
_NARROWEST, _WIDEST = 2.0, 40.0  # inches


@contextmanager
def room_of(width: float | None, *, exact: bool = True) -> Iterator[None]:
    """Draw new figures ``width`` inches wide, or at most so wide; None: as they are."""
    if width is not None and not _NARROWEST <= width <= _WIDEST:
        raise InputError(
            f"width={width!r}: give a width in inches, {_NARROWEST:g} to {_WIDEST:g}"
        )
    room = _room.get() if width is None else Room(72 * width, exact)
    token = _room.set(room)
    try:
        yield
    finally:
        _room.reset(token)


def sized(draw: Callable[P, Axes]) -> Callable[P, Axes]:
    """Let a picture's parameters take effect, and reject results of other kinds."""
    kinds = drawn_kinds(draw)

    @wraps(draw)
    def drawn(*args: P.args, **options: P.kwargs) -> Axes:
        width: Any = options.get("width")
        if width is not None and options.get("ax") is not None:
            raise InputError("width is of a new figure: leave it out, or leave ax out")
        with ExitStack() as stack:
            stack.enter_context(room_of(width))
            if not options.get("footnote", True):
                stack.enter_context(_no_captions())
            stack.enter_context(of_kinds(draw, kinds, args, options))
            return draw(*args, **options)

    return drawn


def inner(natural: float, fixed: float, least: float = 90.0) -> float:
    """Return the width of the part of a figure that can be of any width.

    ``natural`` is its own need, ``fixed`` that of the rest of the
    figure.
    """
    room = _room.get()
    if room is None:
        return natural
    left = max(least, room.width - fixed)
    return left if room.exact else min(natural, left)


def footnote_width(natural: float) -> float:
    """Return the least width of a figure that its footnote asks for."""
    return inner(natural, 2 * MARGIN) if _captions.get() else 0.0


@contextmanager
def quiet_glyphs() -> Iterator[None]:
    """Silence only the warning that the font has no glyph for a character."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        yield


def to_svg(figure: Figure, *, letters: Literal["paths", "text"] = "paths") -> str:
    """Write a figure as SVG, the same figure always as the same bytes.

    Letters are paths, so that no reader needs the font; or text in a common font. Ours
    is wider than these, and so measures enough room for them.
    """
    file = io.StringIO()
    with context():
        import matplotlib

        from pycompare.plotting.plain_axis import unmeasured

        as_paths = matplotlib.rc_context({"svg.fonttype": "path"})
        with as_paths if letters == "paths" else unmeasured():
            _write(figure, file, "svg", {"Date": None}, backend="svg")
    return compact(file.getvalue())


def to_png(figure: Figure, *, dpi: float = 200) -> bytes:
    """Write a figure as PNG."""
    return _written(figure, "png", {"Software": None}, dpi=dpi)


def to_pdf(figure: Figure) -> bytes:
    """Write a figure as PDF."""
    dates = {"CreationDate": None, "Creator": None, "Producer": None}
    return _written(figure, "pdf", dates)


def _written(
    figure: Figure, kind: str, metadata: dict[str, None], **options: Any
) -> bytes:
    file = io.BytesIO()
    _write(figure, file, kind, metadata, **options)
    return file.getvalue()


def _write(
    figure: Figure,
    file: io.BytesIO | io.StringIO,
    kind: str,
    metadata: dict[str, None],
    **options: Any,
) -> None:
    with context(), quiet_glyphs():
        figure.savefig(file, format=kind, metadata=metadata, **options)


def short_labels(names: Sequence[str], width: int = LABEL_WIDTH) -> list[str]:
    """Shorten names for pictures and keep them distinct.

    Parameters
    ----------
    names : sequence of str
        All names of the picture, in the order of the data.
    width : int
        Columns at most; wide characters (CJK, emoji) take two.

    Returns
    -------
    list of str
        Names with an ellipsis in the middle if they were too long. Those that then
        read alike are numbered, ``#1``, ``#2``, ..., in the order given.
    """
    plain = [printable(name) for name in names]
    labels = [shorten(name, width) for name in plain]
    taken = set(labels)
    for label, count in Counter(labels).items():
        if count == 1:
            continue
        alike = [i for i, other in enumerate(labels) if other == label]
        number = 0
        for i in alike:
            while (numbered := _numbered(plain[i], number + 1, width)) in taken:
                number += 1
            labels[i] = numbered
            taken.add(numbered)
    return labels


def _numbered(name: str, number: int, width: int) -> str:
    suffix = f" #{number}"
    return shorten(name, width - len(suffix)) + suffix


def printable(name: str) -> str:
    """Replace what cannot be drawn on one line, and drop invisible marks.

    A character that the font lacks is written as its code point, not drawn as a box.
    """
    kept = []
    for character in name:
        if character.isprintable() and not character.isascii():
            missing = fonts.is_missing(character)
            kept.append(f"[{fonts.code_point(character)}]" if missing else character)
        elif character.isprintable():
            kept.append(character)
        elif character.isspace():
            kept.append(" ")
        elif unicodedata.category(character) != "Cf":
            kept.append("\N{REPLACEMENT CHARACTER}")
    return "".join(kept).strip()


def shorten(text: str, width: int) -> str:
    """Put an ellipsis in the middle of a text of more than ``width`` columns."""
    if sum(map(_columns, text)) <= width:
        return text
    head = _fitting(text, width // 2)
    tail = _fitting(text[::-1], width - 1 - width // 2)[::-1]
    while unicodedata.combining(tail[0]):  # an accent without its letter
        tail = tail[1:]
    return f"{head.rstrip()}\N{HORIZONTAL ELLIPSIS}{tail.lstrip()}"


def _columns(character: str) -> int:
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _fitting(text: str, width: int) -> str:
    """Return the longest beginning of the text within ``width`` columns."""
    used = np.cumsum([_columns(character) for character in text])
    return text[: int(np.searchsorted(used, width, side="right"))]


_AS_WIDE = str.maketrans("123456789", "0" * 9)
"""All digits of the font have the width of a zero, and no pair is moved together."""


def text_width(text: str, size: float = SIZE, weight: str = "normal") -> float:
    """Measure a text in points."""
    return size * _width(text.translate(_AS_WIDE), weight)


@lru_cache(maxsize=4096)
def _width(text: str, weight: str) -> float:
    """Measure a text in letter sizes: a text of numbers once for all of its kind."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextToPath

    font = FontProperties(family=[FONT], size=_MEASURED, weight=weight)
    with quiet_glyphs():
        measured = TextToPath().get_text_width_height_descent(text, font, False)
    return float(measured[0]) / _MEASURED


def widest(texts: Sequence[str], size: float = SIZE, weight: str = "normal") -> float:
    """Measure the widest of some texts in points."""
    return max(text_width(text, size, weight) for text in texts)


def wrap(text: str, width: float) -> list[str]:
    """Break a caption into lines no wider than ``width``, at spaces.

    None if captions are left to the document (``_no_captions``).
    """
    if not _captions.get():
        return []
    return broken(text, width, SMALL)


def broken(text: str, width: float, size: float = SIZE) -> list[str]:
    """Break a text into lines no wider than ``width``, at spaces."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, size) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def wrap_all(paragraphs: Sequence[str], width: float) -> list[str]:
    """Break each paragraph into lines; empty ones vanish."""
    return [line for text in paragraphs if text for line in wrap(text, width)]


@dataclass(frozen=True)
class AxisUnits:
    """How numbers are written on an axis: ``(value - offset) / 10**exponent``.

    Matplotlib fails on numbers near the ends of the float range, and writes the offset
    of nearly equal ones across the axis label.
    """

    offset: float = 0.0
    offset_text: str = ""
    exponent: int = 0

    def values(self, values: ArrayLike) -> Floats:
        """Return numbers to draw."""
        return self.lengths(np.asarray(values, dtype=float) - self.offset)

    def lengths(self, lengths: ArrayLike) -> Floats:
        """Return differences to draw."""
        # In two steps, since 10**324 overflows.
        half = self.exponent // 2
        return np.asarray(lengths) / 10.0**half / 10.0 ** (self.exponent - half)

    @property
    def text(self) -> str:
        """The addition to the quantity's name in the label of the axis."""
        sign = "+" if self.offset < 0 else "\N{MINUS SIGN}"
        shift = f" {sign} {self.offset_text}" if self.offset else ""
        cross = "\N{MULTIPLICATION SIGN}"
        return f"{shift} ({cross} 1e{self.exponent})" if self.exponent else shift


def units_of(*arrays: ArrayLike) -> AxisUnits:
    """Choose units for an axis that holds all the numbers given.

    No offset unless the numbers agree in more than three digits; no exponent between a
    thousandth and a million.
    """
    values = np.concatenate([np.ravel(np.asarray(a, dtype=float)) for a in arrays])
    values = values[np.isfinite(values)]
    largest = float(np.abs(values).max(initial=0.0))
    if largest == 0:
        return AxisUnits()
    with np.errstate(over="ignore"):
        span = float(np.ptp(values))
    offset, text = 0.0, ""
    if 0 < span < 1e-3 * largest:
        text = f"{float(np.median(values)):.{math.ceil(math.log10(largest / span))}g}"
        offset, text = float(text), text.lstrip("-")
        largest = float(np.abs(values - offset).max())
    exponent = math.floor(math.log10(largest))
    return AxisUnits(offset, text, 0 if -3 <= exponent < 6 else exponent)


def tick_texts(ticks: ArrayLike) -> list[str]:
    """Write numbers with as many digits as distinguish them, from 4 to 12."""
    values = np.asarray(ticks, dtype=float).tolist()
    for digits in range(4, 13):
        texts = [f"{value:.{digits}g}" for value in values]
        if len(set(texts)) == len(set(values)):
            break
    return [text.replace("-", "\N{MINUS SIGN}") for text in texts]


@dataclass(frozen=True)
class Sheet:
    """Axes laid out in points that keep the subject's own coordinates.

    A picture is planned in points, x to the right and y down. ``scale`` shrinks or
    magnifies letters and lines together with the plan when the axes that were given
    have another size, so that what does not collide in one size collides in none.

    Attributes
    ----------
    ax : Axes
    scale : float
    x_zero, x_unit, y_zero, y_unit : float
        Data value at 0 points, and points per data unit.
    """

    ax: Axes
    scale: float
    x_zero: float
    x_unit: float
    y_zero: float
    y_unit: float

    @cached_property
    def _patch(self) -> TransformedPatchPath:
        """The background of the axes; each text would make its own."""
        from matplotlib.transforms import TransformedPatchPath

        return TransformedPatchPath(self.ax.patch)

    def x(self, points: ArrayLike) -> Any:
        """Turn points into data coordinates."""
        return self.x_zero + np.asarray(points, dtype=float) / self.x_unit

    def y(self, points: ArrayLike) -> Any:
        """Turn points into data coordinates."""
        return self.y_zero + np.asarray(points, dtype=float) / self.y_unit

    def line(
        self,
        x: ArrayLike,
        y: ArrayLike,
        *,
        width: float = 0.8,
        color: str = INK,
        marker: str = "",
        size: float = 0.0,
        **options: Any,
    ) -> Line2D:
        """Draw a line, or markers if ``width`` is 0."""
        from matplotlib.lines import Line2D

        options.setdefault("solid_capstyle", "butt")
        line = Line2D(
            self.x(x),
            self.y(y),
            color=color,
            linewidth=width * self.scale,
            linestyle="-" if width else "none",
            marker=marker,
            markersize=size * self.scale,
            markeredgewidth=0.9 * self.scale,
            clip_path=self._patch,
            clip_on=False,
            **options,
        )
        # Not as ``add_line``: the sheet has its limits.
        self.ax.add_artist(line)
        return line

    def text(
        self, x: float, y: float, text: str, *, size: float = SIZE, **options: Any
    ) -> Text:
        """Write a text as it is; ``y`` is the height of the middle of its letters."""
        # From the baseline: other middles depend on which letters a text has.
        return self._label(x, y + MIDDLE * size, text, size, **options)

    def upright(
        self, x: float, y: float, text: str, *, size: float = SIZE, **options: Any
    ) -> Text:
        """Write a text that starts at ``y`` and runs upwards."""
        return self._label(x + MIDDLE * size, y, text, size, rotation=90, **options)

    def _label(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        *,
        ha: Literal["left", "center", "right"] = "left",
        weight: str = "normal",
        color: str = INK,
        rotation: float = 0.0,
        gid: str | None = None,
    ) -> Text:
        """Write a text from, around or up to a point of its baseline."""
        from matplotlib.font_manager import FontProperties

        from pycompare.plotting.plain_axis import Label

        label = Label(
            self.x_zero + x / self.x_unit,
            self.y_zero + y / self.y_unit,
            text,
            color=color,
            horizontalalignment=ha,
            fontproperties=FontProperties(size=size * self.scale, weight=weight),
            rotation=rotation,
            rotation_mode="anchor",
            parse_math=False,
        )
        label.set_gid(gid)
        label.set_clip_path(self._patch)
        label.set_clip_on(False)
        self.ax.add_artist(label)
        return label

    def caption(self, x: float, y: float, lines: Sequence[str]) -> None:
        """Write lines of small text from ``y`` downwards."""
        for i, line in enumerate(lines):
            y_line = y + (i + 0.5) * LEADING * SMALL
            self.text(x, y_line, line, size=SMALL, gid=f"caption-{i + 1}")


def caption_height(lines: Sequence[str]) -> float:
    """Return the height of a caption."""
    return len(lines) * LEADING * SMALL


@dataclass(frozen=True)
class Box:
    """Ends of a plan, in points."""

    left: float
    right: float
    top: float
    bottom: float


def open_sheet(
    ax: Axes | None,
    box: Box,
    *,
    x_zero: float = 0.0,
    x_unit: float = 1.0,
    y_zero: float = 0.0,
    y_unit: float = 1.0,
) -> Sheet:
    """Lay a plan out on the axes given, or on a new figure of just its size."""
    scale = 1.0
    if ax is None:
        box, scale = _fitted(box)
        size = scale * (box.right - box.left), scale * (box.bottom - box.top)
        ax = new_axes(*size, (0, 0, 1, 1))
    else:
        width, height = box.right - box.left, box.bottom - box.top
        given = ax.get_window_extent()
        dots = ax.figure.dpi / 72
        scale = min(given.width / width, given.height / height) / dots
    sheet = Sheet(ax, scale, x_zero, x_unit, y_zero, y_unit)
    ax.set_axis_off()
    ax.set_xlim(*sheet.x([box.left, box.right]))
    ax.set_ylim(*sheet.y([box.bottom, box.top]))
    ax.set_aspect(y_unit / x_unit)
    return sheet


def _fitted(box: Box) -> tuple[Box, float]:
    """Return a plan as wide as the figure is to be, and how far it is scaled down."""
    room, width = _room.get(), box.right - box.left
    if room is None or (width <= room.width and not room.exact):
        return box, 1.0
    if width > room.width:
        return box, room.width / width
    more = (room.width - width) / 2
    return replace(box, left=box.left - more, right=box.right + more), 1.0


def new_figure(width: float, height: float) -> Figure:
    """Make a figure that belongs to nobody else (pyplot would keep it)."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width / 72, height / 72))


def new_axes(
    width: float, height: float, box: tuple[float, float, float, float]
) -> Axes:
    """Make axes on a new figure: left, bottom, width and height as shares of it."""
    return new_figure(width, height).add_axes(box)


_WIDE_RATIOS = 4.0
"""Highest over lowest ratio from which ticks are 1, 2 and 5 times powers of ten."""


def ticks_of_ratios(ax: Axes) -> None:
    """Write ratios as plain numbers: 0.5, 1, 2 over decades, else at equal steps."""
    from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator

    low, high = ax.get_xlim()
    wide = high / low > _WIDE_RATIOS
    locator = (
        LogLocator(subs=(1.0, 2.0, 5.0))
        if wide
        else MaxNLocator(6, steps=[1, 2, 5, 10])
    )
    ax.xaxis.set_major_locator(locator)
    ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_major_formatter("{x:g}")


def open_rows(
    ax: Axes | None,
    labels: Sequence[str],
    x_label: str,
    caption: Sequence[str],
    *,
    row: float,
) -> Axes:
    """Prepare axes with one row per label from top to bottom, row i at y = i.

    Axes that were given keep their place; ``row`` is the height of one on a new figure.
    Each paragraph of the caption is wrapped to the width.
    """
    x_label = printable(x_label)
    left = 0.0
    if ax is None:
        labels = within(labels, inner(math.inf, 2 * MARGIN + SIDE) * _MOST_LABELS)
        left = widest(labels) * 1.02 + 12.0
        ax = _rows_figure(labels, left, x_label, caption, row)
    dots = ax.figure.dpi / 72
    across = ax.get_window_extent().width / dots
    title = broken(x_label, max(across, least_title(x_label)))
    ax.set_ylim(len(labels) - 0.4, -0.6)
    if not _for_document.get():
        ax.set_yticks(range(len(labels)), labels, parse_math=False)
        ax.tick_params(axis="y", length=0)
    else:
        from pycompare.plotting.plain_axis import PlainAxis

        _name_rows(ax, labels)
        ax.add_artist(PlainAxis(ax.xaxis, SIZE))
    ax.set_xlabel("\n".join(title), parse_math=False)
    ax.spines[["left", "right", "top"]].set_visible(False)
    annotate_below(ax, wrap_all(caption, left + across), left, len(title))
    return ax


def _name_rows(ax: Axes, labels: Sequence[str]) -> None:
    """Write the name of row i at y = i, as ticks would, in a tenth of their time.

    For pictures of documents: those of a user have ticks, which can be styled.
    """
    from matplotlib.ticker import FixedFormatter, FixedLocator
    from matplotlib.transforms import ScaledTranslation

    from pycompare.plotting.plain_axis import Label

    ax.yaxis.set_major_locator(FixedLocator(range(len(labels))))
    ax.yaxis.set_major_formatter(FixedFormatter(labels))
    ax.yaxis.set_visible(False)
    inch = ax.figure.dpi_scale_trans
    moved = ScaledTranslation(-_TICK_PAD / 72, -MIDDLE * SIZE / 72, inch)
    place = ax.get_yaxis_transform() + moved
    for row, label in enumerate(labels):
        ax.add_artist(
            Label(
                0,
                row,
                label,
                fontsize=SIZE,
                horizontalalignment="right",
                transform=place,
                parse_math=False,
                clip_on=False,
            )
        )


def within(labels: Sequence[str], width: float, size: float = SIZE) -> list[str]:
    """Return labels shortened to ``width`` points, still distinct."""
    fitting, columns = list(labels), max(map(len, labels))
    while columns > _FEWEST_COLUMNS and widest(fitting, size) * 1.02 > width:
        columns -= 1
        fitting = short_labels(labels, columns)
    return fitting


def annotate_below(
    ax: Axes, lines: Sequence[str], left: float, titles: int = 1, more: float = 0.0
) -> None:
    """Write a caption below an axis, from ``left`` points left of it.

    ``titles``: lines of the axis label; ``more``: points of what else is below it.
    """
    ax.annotate(
        "\n".join(lines),
        (0, 0),
        (-left, -below_axis(titles) - more),
        xycoords="axes fraction",
        textcoords="offset points",
        fontsize=SMALL,
        linespacing=LEADING,
        va="top",
        parse_math=False,
        annotation_clip=False,
        gid="caption",
    )


def _rows_figure(
    labels: Sequence[str],
    left: float,
    x_label: str,
    caption: Sequence[str],
    row: float,
) -> Axes:
    """Make a figure with room for the labels on the left and the caption below."""
    natural = max(_ROWS_WIDTH, text_width(x_label) * 1.02)
    across = inner(natural, MARGIN + left + SIDE)
    width = MARGIN + left + across + SIDE
    lines = wrap_all(caption, left + across)
    title = broken(x_label, max(across, least_title(x_label)))
    height = row * (len(labels) + 0.2)
    below = below_axis(len(title)) + caption_height(lines) + MARGIN
    total = MARGIN + height + below
    box = (MARGIN + left) / width, below / total, across / width, height / total
    return new_axes(width, total, box)


def least_title(title: str) -> float:
    """Return the width below which an axis label is not broken on purpose."""
    return 0.0 if _room.get() else 1.05 * text_width(title)


def below_axis(titles: int) -> float:
    """Return the room for tick labels and ``titles`` lines of an axis label."""
    return BELOW_AXIS + (titles - 1) * LEADING * SIZE
