"""Artists of Matplotlib that do less for the same picture.

Matplotlib's axes make four ticks at once, to copy others from, and its texts lay out a
box of lines. Both took a third of the time of pictures that have many short texts and
no ticks, as most of ours do.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from matplotlib import axes, axis
from matplotlib.artist import Artist, allow_rasterization
from matplotlib.backend_bases import RendererBase
from matplotlib.colors import to_rgba
from matplotlib.text import Text

_SHARES = {"left": 0.0, "center": 0.5, "right": 1.0}
"""Part of a text that is left of its place."""


class _Set:
    """An artist whose ``set`` has no list of all properties: it takes long to write."""

    def set(self, **properties: Any) -> Any:
        return Artist.set(self, **properties)  # type: ignore[arg-type]


class _Ticks(_Set):
    """An axis that makes its first ticks when they are asked for."""

    axes: Any

    def set_tick_params(
        self, which: Any = "major", reset: bool = False, **options: Any
    ) -> None:
        with self._unmade():
            super().set_tick_params(which, reset, **options)  # type: ignore[misc]

    def set_clip_path(self, path: Any, transform: Any = None) -> None:
        with self._unmade():
            super().set_clip_path(path, transform)  # type: ignore[misc]

    @contextmanager
    def _unmade(self) -> Iterator[None]:
        """Change the ticks that there are; an attribute asked for makes its first."""
        unmade = {"majorTicks", "minorTicks"} - vars(self).keys()
        vars(self).update({name: [] for name in unmade})
        try:
            yield
        finally:
            for name in unmade:
                vars(self).pop(name, None)

    def _get_tick(self, major: bool) -> axis.Tick:
        """Make a tick as the options of all ticks say."""
        tick: axis.Tick = super()._get_tick(major)  # type: ignore[misc]
        tick.set_clip_path(self.axes.patch)
        return tick


class _XAxis(_Ticks, axis.XAxis):
    pass


class _YAxis(_Ticks, axis.YAxis):
    pass


class Axes(_Set, axes.Axes):
    """Matplotlib's axes, with the same pictures."""

    def _init_axis(self) -> None:
        """Make the axes of x and y; where Matplotlib says that others may be made."""
        self.xaxis = _XAxis(self, clear=False)
        self.yaxis = _YAxis(self, clear=False)
        for name, one in (("bottom", self.xaxis), ("top", self.xaxis),
                          ("left", self.yaxis), ("right", self.yaxis)):  # fmt: skip
            self.spines[name].register_axis(one)


class Label(_Set, Text):
    """A line of text whose place is on its baseline."""

    @allow_rasterization
    def draw(self, renderer: RendererBase) -> None:
        """Draw the text; Matplotlib does where it has been made more than a line."""
        if not self.get_visible() or not self.get_text():
            return
        x, y = self.get_transform().transform(self.get_unitless_position())
        if not self._is_line() or not math.isfinite(x + y):
            super().draw(renderer)
            return
        text, font, angle = self.get_text(), self.get_fontproperties(), 0.0
        if share := _SHARES[self.get_horizontalalignment()]:
            width, _, _ = renderer.get_text_width_height_descent(text, font, False)
            angle = math.radians(self.get_rotation())
            x -= share * width * math.cos(angle)
            y -= share * width * math.sin(angle)
        if renderer.flipy():
            y = renderer.get_canvas_width_height()[1] - y
        renderer.open_group("text", self.get_gid())
        gc = renderer.new_gc()
        gc.set_foreground(to_rgba(self.get_color()), isRGBA=True)
        gc.set_alpha(self.get_alpha())  # type: ignore[arg-type]
        gc.set_url(self.get_url())
        gc.set_antialiased(self.get_antialiased())
        gc.set_snap(self.get_snap())
        renderer.draw_text(gc, x, y, text, font, self.get_rotation(), mtext=self)
        gc.restore()
        renderer.close_group("text")
        self.stale = False

    def _is_line(self) -> bool:
        return (
            self.get_verticalalignment() == "baseline"
            and (not self.get_rotation() or self.get_rotation_mode() == "anchor")
            and self.get_bbox_patch() is None
            and "\n" not in self.get_text()
            and not self.get_clip_on()
            and not self.get_wrap()
            and not self.get_usetex()
            and not self.get_parse_math()
            and not self.get_path_effects()
        )
