"""Labels and axes of a document, drawn in a fifth of the time of Matplotlib's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from matplotlib.artist import Artist
from matplotlib.axis import XAxis
from matplotlib.backend_bases import RendererBase
from matplotlib.lines import Line2D
from matplotlib.markers import TICKDOWN, MarkerStyle
from matplotlib.text import Text
from matplotlib.transforms import ScaledTranslation, Transform

_unmeasured = ContextVar("unmeasured", default=False)


@contextmanager
def unmeasured() -> Iterator[None]:
    """Write labels as text that its reader aligns: their widths are not needed."""
    token = _unmeasured.set(True)
    try:
        yield
    finally:
        _unmeasured.reset(token)


class Label(Text):
    """One line of text on its baseline."""

    def draw(self, renderer: RendererBase) -> None:
        """Draw the text; within :func:`unmeasured` without its layout."""
        if not _unmeasured.get():
            super().draw(renderer)
        elif self.get_text():
            renderer.open_group("text", self.get_gid())
            x, y = self.get_transform().transform(self.get_position())
            gc = renderer.new_gc()
            gc.set_foreground(self.get_color())
            _, height = renderer.get_canvas_width_height()
            renderer.draw_text(
                gc,
                x,
                height - y,
                self.get_text(),
                self.get_fontproperties(),
                self.get_rotation(),
                mtext=self,
            )
            gc.restore()
            renderer.close_group("text")
        self.stale = False


_TICK, _WIDTH = 3.5, 0.8
_NUMBERS, _TITLE, _LINE = 13.83, 26.83, 10.8
"""Points from the axis down to the baselines of its numbers and of its title."""
_INSIDE = 1e-9
"""Share of the axis by which a tick may lie beyond its ends."""


class PlainAxis(Artist):
    """The ticks, numbers and title of a linear x axis, at places that are known.

    Numbers are not measured, as Matplotlib does to find the place of the title. Another
    scale is drawn by Matplotlib.
    """

    zorder = 2.5

    def __init__(self, axis: XAxis, size: float) -> None:
        super().__init__()
        self._axis, self._size = axis, size
        axis.set_visible(False)

    def draw(self, renderer: RendererBase) -> None:
        """Draw the axis below its axes."""
        if self._axis.get_scale() != "linear":
            self._axis.set_visible(True)
            self._axis.draw(renderer)
            self._axis.set_visible(False)
            return
        axes, places = self._axis.axes, self._axis.get_majorticklocs()
        numbers = self._axis.get_major_formatter().format_ticks(places.tolist())
        low, high = sorted(self._axis.get_view_interval())
        room = _INSIDE * (high - low)
        inside = (low - room <= places) & (places <= high + room)
        at_axis = axes.get_xaxis_transform()
        ticks = Line2D(
            places[inside],
            [0.0] * int(inside.sum()),
            linestyle="none",
            marker=MarkerStyle(TICKDOWN),
            markersize=_TICK,
            markeredgewidth=_WIDTH,
            color="black",
            transform=at_axis,
        )
        ticks.set_figure(axes.figure)
        ticks.draw(renderer)
        for place, number, shown in zip(places, numbers, inside, strict=True):
            if shown:
                self._write(renderer, place, number, _NUMBERS, at_axis)
        for at, line in enumerate(self._axis.get_label_text().split("\n")):
            down = _TITLE + at * _LINE
            self._write(renderer, 0.5, line, down, axes.transAxes)

    def _write(
        self, renderer: RendererBase, x: float, text: str, down: float, place: Transform
    ) -> None:
        """Write a text below the axis, around ``x``."""
        figure = self._axis.axes.figure
        label = Label(
            x,
            0,
            text,
            fontsize=self._size,
            horizontalalignment="center",
            transform=place + ScaledTranslation(0, -down / 72, figure.dpi_scale_trans),
            parse_math=False,
        )
        label.set_figure(figure)
        label.draw(renderer)
