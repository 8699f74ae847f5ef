"""How a check is made of a method that returns a result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import pycompare as pc
from pycompare.results.result import Result

from .agreement import Case, Check, Wanted

CLOSED = Wanted(12, "closed form")
TAIL = Wanted(11, "tail of a distribution: the last digit of the statistic, magnified")
Makers = Mapping[str, Callable[[], pc.Scores]]


def of_results(makers: Makers, method: Callable[[pc.Scores], Result]) -> Iterator[Case]:
    """Make one case per data set from a function that returns a result."""
    for name, make in makers.items():
        result = method(make())
        call = result.r_call()
        assert call is not None, f"{name} has no R call"
        yield Case(name, call, result.r_values())


def check(
    statistic: str,
    reference: str,
    makers: Makers,
    method: Callable[[pc.Scores], Result],
    /,
    **wanted: Wanted,
) -> Check:
    """Make the check of a method that returns a result."""
    rules = {"*": CLOSED, "p_value": TAIL, "p_adjusted": TAIL} | wanted
    cases = partial(of_results, makers, method)
    return Check(statistic, reference, cases, rules)
