"""How a number becomes text with so many decimals, by a rule that is named and chosen.

``half-even``
    The decimal nearest to the number as the computer holds it; a tie goes to the even
    digit. So do C, R's ``sprintf`` and Python.
``half-away``
    The number is treated as the shortest decimal that reads back as it; a tie goes away
    from zero. So does SAS.

They differ if the digits to be dropped are a 5 alone: 0.125 is 0.12 or 0.13, and
2.675, which the computer holds as 2.67499..., is 2.67 or 2.68.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from decimal import ROUND_HALF_UP, Decimal, localcontext

from pycompare.base.arguments import check_word

RULES = {
    "half-even": "to the nearest, ties to the even digit (as C, R and Python)",
    "half-away": "to the nearest, ties away from zero (as SAS)",
}
_rule = ContextVar("rounding", default="half-even")
_DIGITS = 800
"""More than any number of double precision has."""


def check_rounding(rule: str) -> str:
    """Return the name of a rule.

    Raises
    ------
    InputError
        If there is no such rule.
    """
    check_word("rounding", rule, RULES)
    return rule


@contextmanager
def rounded(rule: str) -> Iterator[None]:
    """Write numbers by a rule."""
    token = _rule.set(check_rounding(rule))
    try:
        yield
    finally:
        _rule.reset(token)


def rule_in_words() -> str:
    """Return the rule in use, as a report names it."""
    return RULES[_rule.get()]


def fixed(value: float, places: int) -> str:
    """Return a finite number with so many decimals; zero has no sign.

    Examples
    --------
    >>> fixed(0.125, 2), fixed(-2.675, 2), fixed(-0.001, 2)
    ('0.12', '-2.67', '0.00')
    >>> with rounded("half-away"):
    ...     fixed(0.125, 2), fixed(-2.675, 2)
    ('0.13', '-2.68')
    """
    if _rule.get() == "half-even":
        return f"{value:z.{places}f}"
    with localcontext() as context:
        context.prec = _DIGITS
        decimal = Decimal(repr(float(value)))
        return f"{decimal.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP):zf}"


def scientific(value: float, digits: int) -> str:
    """Return a finite number other than 0 as ``1.23e-08``.

    Examples
    --------
    >>> scientific(1.25e-8, 2)
    '1.2e-08'
    >>> with rounded("half-away"):
    ...     scientific(1.25e-8, 2)
    '1.3e-08'
    """
    if _rule.get() == "half-even":
        return f"{value:.{digits - 1}e}"
    return f"{_half_away(value, digits):.{digits - 1}e}"


def significant(value: float, digits: int) -> str:
    """Return a finite number to so many digits, without zeros at its end.

    Examples
    --------
    >>> significant(0.1265, 3)
    '0.127'
    >>> significant(2.5, 1), significant(2.5, 4)
    ('2', '2.5')
    >>> with rounded("half-away"):
    ...     significant(2.5, 1)
    '3'
    """
    if _rule.get() == "half-away":
        value = _half_away(value, digits)
    return f"{value:z.{digits}g}"


def _half_away(value: float, digits: int) -> float:
    """Return the double nearest to a number that is rounded to ``digits``."""
    with localcontext() as context:
        context.prec, context.rounding = digits, ROUND_HALF_UP
        return float(+Decimal(repr(float(value))))
