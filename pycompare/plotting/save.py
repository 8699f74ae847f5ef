"""Pictures as files: SVG, PDF, PNG, PGF."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pycompare.base.errors import InputError
from pycompare.plotting import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


_KINDS = {
    ".svg": lambda figure: style.to_svg(figure).encode(),
    ".pdf": style.to_pdf,
    ".png": style.to_png,
    ".pgf": lambda figure: _to_pgf(figure).encode(),
}


def save(ax: Axes, path: str | Path) -> Path:
    r"""Write a picture as a file; the ending selects the kind.

    Letters are paths in SVG and PGF, so that no reader needs the font, and the same
    picture always gives the same bytes.

    Parameters
    ----------
    ax : Axes
        From any picture; its whole figure is written.
    path : str or Path
        Ends in ``.svg``, ``.pdf``, ``.png`` (200 dots per inch) or ``.pgf`` (for
        ``\input`` in LaTeX, with ``\usepackage{pgf}``).

    Returns
    -------
    Path

    Raises
    ------
    InputError
        For another ending.

    Examples
    --------
    >>> import pycompare as pc, tempfile
    >>> result = pc.nemenyi(pc.example())
    >>> ax = pc.plotting.critical_difference(result, width=3.4, footnote=False)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     pc.plotting.save(ax, f"{folder}/ranks.pdf").name
    'ranks.pdf'
    """
    path = Path(path)
    write = _KINDS.get(path.suffix.lower())
    if write is None:
        raise InputError(
            f"{path.name!r}: pictures are written as {', '.join(_KINDS)}; give the "
            f"file one of these endings"
        )
    path.write_bytes(write(ax.figure))
    return path


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


def _to_pgf(figure: Figure) -> str:
    """Write a figure as PGF; nothing of it is a bitmap, and letters are paths.

    Matplotlib's own PGF asks LaTeX for the size of every letter and hands labels to it
    as code. Here no LaTeX is needed, and a label is never executed.
    """
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
