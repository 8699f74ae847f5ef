r"""A table as a LaTeX ``tabular`` for an article with nothing but booktabs.

It compiles with pdfLaTeX in its first encoding (OT1), and in any other: letters with
accents are commands, and characters that the standard fonts lack are their code points
(``U+4E2D``). No label can hold a command, a comment or a column mark.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from pycompare.reporting import document as doc
from pycompare.reporting.render import paper
from pycompare.reporting.render.latex import MACROS

_ACCENTS = {
    "\u0300": "`",
    "\u0301": "'",
    "\u0302": "^",
    "\u0303": "~",
    "\u0304": "=",
    "\u0306": "u",
    "\u0307": ".",
    "\u0308": '"',
    "\u030a": "r",
    "\u030b": "H",
    "\u030c": "v",
    "\u0327": "c",
}
"""Commands of accents that every encoding has."""
_LETTERS = {
    "ß": r"\ss{}",
    "æ": r"\ae{}",
    "Æ": r"\AE{}",
    "œ": r"\oe{}",
    "Œ": r"\OE{}",
    "ø": r"\o{}",
    "Ø": r"\O{}",
    "ł": r"\l{}",
    "Ł": r"\L{}",
    "ı": r"\i{}",
    '"': r"\symbol{34}",
}
_ALONE = frozenset("-,[]")
"""Characters that are a ligature with another of their kind, and themselves alone."""
_MATHS = {"−": "$-$", "<": "$<$", ">": "$>$"}


def portable(text: str) -> str:
    r"""Return text that any LaTeX document can hold, and that means nothing to TeX.

    Examples
    --------
    >>> print(portable("García & Šidák_1, 5%"))
    Garc\'{\i}a \& \v{S}id\'{a}k\_1, 5\%
    """
    shown = paper.visible(text)
    following = [*shown[1:], ""]
    return "".join(map(_character, shown, following))


def _character(character: str, following: str) -> str:
    if character in _ALONE and following != character:
        return character
    if character in _LETTERS:
        return _LETTERS[character]
    if character in _MATHS:
        return _MATHS[character]
    if character in MACROS:
        return MACROS[character]
    if character.isascii():
        return character
    plainly = unicodedata.normalize("NFD", character)
    base, mark = plainly[0], plainly[1:]
    if base.isascii() and base.isalpha() and mark in _ACCENTS:
        letter = rf"\{base}" if base in "ij" else base
        return rf"\{_ACCENTS[mark]}{{{letter}}}"
    return f"U+{ord(character):04X}"


def tabular(table: doc.Table) -> str:
    """Return a table as a ``tabular``, with its caption as a comment above it."""
    columns = "".join("r" if column.numeric else "l" for column in table.columns)
    head = [doc.Cell(column.title) for column in table.columns]
    lines = [
        f"% {portable(doc.plain(table.caption))}",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        _row(head),
        r"\midrule",
        *map(_row, table.cells()),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def _row(cells: Sequence[doc.Cell]) -> str:
    shown = (portable(doc.plain(cell.text)) for cell in cells)
    marked = (
        rf"\textbf{{{text}}}" if cell.marked else text
        for cell, text in zip(cells, shown, strict=True)
    )
    row = " & ".join(marked) + r" \\"
    # A star or bracket after the end of the row above would be read as its argument.
    return "{}" + row if row[0] in "*[" else row
