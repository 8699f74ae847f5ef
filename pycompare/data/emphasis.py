"""Scores as papers print them: in bold, starred, and with a spread beside them."""

from __future__ import annotations

import re

_MARKS = re.compile(
    r"\*+|[†‡§]|\$|</?(?:b|strong|em|i|u)>|__"
    r"|\\(?:text(?:bf|it)|mathbf|underline|emph|bm)\b|[{}]"
)
_NUMBER = r"[+-]?(?:\d[\d.,]*|[.,]\d+)(?:[eE][+-]?\d+)?\s*%?"
_BARE = re.compile(_NUMBER)
_SPREAD = re.compile(
    rf"(?P<score>{_NUMBER})\s*"
    rf"(?:[_^]?\s*(?:±|\+/-|\+-|\\pm)\s*{_NUMBER}|\(\s*(?:±|\+/-)?\s*{_NUMBER}\)"
    rf"|\[\s*{_NUMBER}\s*[,;–-]\s*{_NUMBER}\s*\])"
)


def unmarked(cell: str) -> str | None:
    """Return a number, or one with a spread, less its marks of emphasis, or None."""
    bare = _MARKS.sub("", cell).strip()
    if bare != cell and (_BARE.fullmatch(bare) or _SPREAD.fullmatch(bare)):
        return bare
    return None


def is_written_number(cell: str) -> bool:
    """Return whether a cell is a number, however it is written.

    Examples
    --------
    >>> [is_written_number(cell) for cell in ("95%", "**0,9**", "0.9 ± 0.1", "v1.2")]
    [True, True, True, False]
    """
    bare = _MARKS.sub("", cell).strip()
    return any(form.fullmatch(bare) for form in (_BARE, _SPREAD))


def without_spread(cell: str) -> str | None:
    """Return the score beside which a spread stands; None if there is no spread."""
    match = _SPREAD.fullmatch(cell)
    return None if match is None else match["score"].strip()


def has_spread(cell: str) -> bool:
    """Return whether a second number stands beside a score."""
    return without_spread(unmarked(cell) or cell) is not None
