"""Statements of a plan about the study: printed as given; no number changes."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from pycompare.base.errors import setting
from pycompare.designs.plans.fields import PlanFields
from pycompare.designs.plans.keys import rule

_FIELDS = {field.name: field for field in dataclasses.fields(PlanFields)}
ESTIMAND = (
    *("population", "treatment", "variable", "intercurrent_events"),
    "summary_measure",
)
"""Attributes of an estimand (ICH E9(R1)) that only the user knows."""
MARGIN = ("margin_reason", "margin_source")
"""Statements about a margin."""


def as_in_plan(name: str) -> Any:
    """Return a key of ``[plan]`` again, for a table of another analysis."""
    field = _FIELDS[name]
    return dataclasses.field(default=field.default, metadata=field.metadata)


@rule("margin", *MARGIN)
def statements_of_no_margin(plan: Any) -> str | None:
    """Reject the reason or the source of a margin that there is not."""
    if plan.margin is not None:
        return None
    for name in MARGIN:
        if getattr(plan, name) is not None:
            return setting(name) + " is about a margin: give " + setting("margin")
    return None


def statements(plan: Any) -> Iterator[str]:
    """Yield all texts that a plan states."""
    given = (getattr(plan, name, None) for name in (*ESTIMAND, *MARGIN))
    return (text for text in given if text is not None)


def of_estimand(plan: Any) -> dict[str, str]:
    """Return the attributes of the estimand that a plan states.

    ``population`` is population_stated there: the design implies a population, too.
    """
    given = {name: getattr(plan, name) for name in ESTIMAND}
    names = {"population": "population_stated"}
    return {names.get(n, n): text for n, text in given.items() if text is not None}
