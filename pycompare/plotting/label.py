"""Texts of a sheet, which know their place without being measured."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from matplotlib.backend_bases import RendererBase
from matplotlib.text import Text

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
