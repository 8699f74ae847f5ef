"""Numbers as text. A rounded p-value never contradicts its verdict."""

from __future__ import annotations

import math
from collections.abc import Callable

from pycompare.base.formatting.rounding import fixed, scientific

_UNDEFINED = "undefined"
_ALMOST_ONE = 0.999


def number(value: float | None, digits: int = 4) -> str:
    """Return a number to ``digits`` significant digits, plainly if it can be."""
    if value is None:
        return ""
    if not math.isfinite(value):
        return _UNDEFINED if math.isnan(value) else ("∞" if value > 0 else "−∞")
    if value == 0:
        return "0"
    if 1e-4 <= abs(value) < 1e7:
        return _fixed(value, digits)
    return _scientific(value, digits)


def _fixed(value: float, digits: int) -> str:
    """Return decimal notation with at least ``digits`` significant digits."""
    exponent = math.floor(math.log10(abs(value)))
    return fixed(value, max(0, digits - 1 - exponent)).replace("-", "−")


def _scientific(value: float, digits: int) -> str:
    """Return ``1.23e-08`` as ``1.23e−8``."""
    mantissa, exponent = scientific(value, digits).split("e")
    return f"{mantissa}e{int(exponent)}".replace("-", "−")


def p_text(p: float, alpha: float | None = None, digits: int = 3) -> str:
    """Return a p-value as text, with more digits if rounding would cross alpha.

    ``0.05000012`` with alpha 0.05 is shown as ``0.0500001``, not as ``0.05``. Larger
    values than 0.999 are shown as such, and only 1 as 1.
    """
    if math.isnan(p):
        return _UNDEFINED
    if p == 0:
        return "0 (below 5e−324)"
    if p == 1:
        return "1"
    if p > _ALMOST_ONE and (alpha is None or alpha < _ALMOST_ONE):
        return f">{_ALMOST_ONE}"
    return on_its_side(p, alpha, lambda more: number(p, more), digits)


def on_its_side(
    p: float, alpha: float | None, write: Callable[[int], str], digits: int
) -> str:
    """Return a p-value in the fewest digits, ``digits`` or more, that show its side.

    It stays below 1, and on its side of alpha: of pages, texts and figures alike.
    ``write`` returns it with a number of digits.
    """
    for more in range(digits, 18):
        text = write(more)
        shown = float(text.replace("−", "-"))
        if shown < 1 and (alpha is None or (shown <= alpha) == (p <= alpha)):
            return text
    return repr(p)


def p_equals(p: float, alpha: float | None = None, digits: int = 3) -> str:
    """Return ``p = 0.0311``, or ``p > 0.999``."""
    text = p_text(p, alpha, digits)
    return f"p > {text[1:]}" if text.startswith(">") else f"p = {text}"


def percent(level: float) -> str:
    """Return a confidence level as ``95%``, ``99.9%``, ``90.723%``.

    Five digits, and more if five would round it to 100%.
    """
    texts = (f"{100 * level:.{digits}g}" for digits in range(5, 18))
    return next(text for text in texts if level >= 1 or float(text) < 100) + "%"


def degrees(df: float | tuple[float, ...] | None) -> str:
    """Return degrees of freedom as ``4``, ``4, 116`` or ``2, 8.03``."""
    if df is None:
        return ""
    values = df if isinstance(df, tuple) else (df,)
    if any(math.isnan(d) for d in values):
        return _UNDEFINED
    return ", ".join(map(_of_freedom, values))


def _of_freedom(df: float) -> str:
    """Return one number of degrees of freedom; two decimals if it is not whole."""
    if math.isinf(df):
        return "∞"
    return f"{df:.2g}" if df < 1 else f"{round(df, 2):.12g}"


def interval(
    low: float, high: float, level: float, digits: int = 4, kind: str = ""
) -> str:
    """Return ``95% interval [0.1, 0.3]``; ``kind`` stands before the word."""
    limits = f"[{number(low, digits)}, {number(high, digits)}]"
    return f"{percent(level)} {kind}interval {limits}"
