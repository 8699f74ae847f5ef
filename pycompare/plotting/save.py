"""Pictures as files: SVG, PDF, PNG, PGF."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pycompare.base.errors import InputError
from pycompare.plotting import style
from pycompare.plotting.pgf import to_pgf

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_KINDS = {
    ".svg": lambda figure: style.to_svg(figure).encode(),
    ".pdf": style.to_pdf,
    ".png": style.to_png,
    ".pgf": lambda figure: to_pgf(figure).encode(),
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
