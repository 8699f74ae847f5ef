"""Pictures as PGF, for documents in LaTeX.

Matplotlib's own PGF asks LaTeX for the size of every letter and hands labels to it as
code. Here letters are paths: no LaTeX is needed, and a label is never executed.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from pycompare.plotting import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_PAGE = r"""% Made by pycompare. In the preamble: \usepackage{{pgf}}
\begingroup%
\makeatletter%
\begin{{pgfpicture}}%
\pgfpathrectangle{{\pgfpointorigin}}{{\pgfqpoint{{{width:.6f}in}}{{{height:.6f}in}}}}%
\pgfusepath{{use as bounding box, clip}}%
{drawing}\end{{pgfpicture}}%
\makeatother%
\endgroup%
"""


def to_pgf(figure: Figure) -> str:
    """Write a figure as PGF; nothing of it is a bitmap, and letters are paths."""
    file = io.StringIO()
    bitmaps = [a for a in figure.findobj() if a.get_rasterized()]
    for artist in bitmaps:
        artist.set_rasterized(False)
    try:
        with style.context(), style.quiet_glyphs():
            figure.draw(_renderer(figure, file))
    finally:
        for artist in bitmaps:
            artist.set_rasterized(True)
    width, height = figure.get_size_inches()
    return _PAGE.format(width=width, height=height, drawing=file.getvalue())


def _renderer(figure: Figure, file: io.StringIO) -> Any:
    """Return Matplotlib's renderer of PGF with its letters as paths."""
    from matplotlib.backend_bases import RendererBase
    from matplotlib.backends.backend_pgf import RendererPgf

    class Paths(RendererPgf):
        draw_text = RendererBase.draw_text
        get_text_width_height_descent = RendererBase.get_text_width_height_descent

    return Paths(figure, file)
