"""Options of the command line beside a plan file: none may state otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pycompare.base.labels import show
from pycompare.designs.pair_methods import method_name
from pycompare.designs.plans.column_roles import Roles
from pycompare.designs.plans.keys import keys_of
from pycompare.designs.plans.plan import Plan
from pycompare.designs.plans.plan_file import PlanFile
from pycompare.designs.plans.plan_text import Finding

_APART = ("file", "metrics")
"""Keys whose options mean something else, or are checked if the file is read."""


def refuse_contradictions(planned: PlanFile, given: Mapping[str, Any]) -> None:
    """Reject options that do not agree with the plan, all of them at once.

    Parameters
    ----------
    planned : PlanFile
    given : mapping
        The choices on the command line, by the option's name in Python.

    Raises
    ------
    PlanError
        With the option, the line of the plan, and both values.
    """
    planned.read.refuse(_contradictions(planned, given))


def _contradictions(planned: PlanFile, given: Mapping[str, Any]) -> Iterable[Finding]:
    """Yield where an option and the plan differ."""
    for name, value in given.items():
        for table, keys, held in (
            ("data", keys_of(Roles), planned.roles),
            ("plan", keys_of(Plan), planned.plan),
        ):
            if name in keys and name not in _APART:
                option, says = keys[name].option, getattr(held, name)
                if _normal(name, value) != says:
                    yield _contradiction((table, name), option, value, says)
    directions = {metric.name: metric.better for metric in planned.metrics}
    if "metrics" in given and given["metrics"] != directions:
        yield _contradiction(("metrics",), "--metric", given["metrics"], directions)
    if "wide" in given and not planned.roles.wide:
        yield _contradiction(("data", "format"), "--wide", "wide", planned.roles.format)


def _normal(name: str, value: Any) -> Any:
    """Return an option's value as the plan keeps it."""
    if name == "adjust":
        return tuple(dict.fromkeys(map(method_name, value)))
    return value


def _contradiction(
    path: tuple[str, ...], option: str, value: Any, says: Any
) -> Finding:
    """Return the message that an option and the plan differ."""
    name = path[-1]
    planned = f"{name} is left open" if says in (None, ()) else f"{name} = {show(says)}"
    message = f"{planned} in the plan, and {option} is {show(value)}"
    return Finding((path,), f"{message}; leave the option out, or change the plan")
