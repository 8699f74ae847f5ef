"""The tables of a plan file: their contents and errors."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar, get_args

from pycompare.base.errors import InputError, PlanError
from pycompare.base.labels import closest, nearest, show
from pycompare.base.metric import Direction, Metric
from pycompare.data.measures.registry import MEASURES
from pycompare.designs.plans.column_roles import Roles
from pycompare.designs.plans.fields import PlanFields
from pycompare.designs.plans.keys import Word, keys_of
from pycompare.designs.plans.plan_text import Finding, PlanText, in_table
from pycompare.designs.plans.prediction_rules import (
    of_scores,
    use_predictions,
    why_no_measure,
)

T = TypeVar("T")

_OWNERS: dict[str, type[Roles] | type[PlanFields]] = {"data": Roles, "plan": PlanFields}
TABLES = ("data", "metrics", "plan", "release")
_DIRECTION = Word(get_args(Direction))


def unknown_tables(read: PlanText, tables: tuple[str, ...]) -> Iterable[Finding]:
    """Yield what stands outside the tables."""
    for name, held in read.document.items():
        if name not in tables:
            places = [f"[{table}]" for table in tables]
            where = _home(name)
            hint = f"; put it under [{where}]" if where else nearest(name, tables)
            message = f"there is no {show(name)}{hint}; there are {', '.join(places)}"
            yield Finding(((name,),), message)
        elif not isinstance(held, dict):
            yield Finding(((name,),), f"{name} is a table: write [{name}] on its line")


def _home(name: str) -> str | None:
    """Return the table that has a key."""
    return next((t for t, kind in _OWNERS.items() if name in keys_of(kind)), None)


def entries(read: PlanText, table: str) -> dict[str, Any]:
    """Return the contents of a table; nothing if there is none."""
    content = read.document.get(table, {})
    return content if isinstance(content, dict) else {}


def stated(
    read: PlanText, table: str, kind: type[T], findings: list[Finding]
) -> T | None:
    """Return the contents of a table; None, with the findings, if it is wrong."""
    keys = keys_of(kind)
    given = entries(read, table)
    unknown = [name for name in given if name not in keys]
    findings += [_unknown_key(table, name, keys) for name in unknown]
    # What a misspelled key was meant to say is not missed a second time.
    meant = {near for name in unknown for near in closest(name, keys)}
    try:
        return kind(**{name: given[name] for name in given if name in keys})
    except PlanError as error:
        problems = [p for p in error.problems if not meant & set(p.keys)]
        findings += in_table(table, problems)
        return None


_RENAMED = {
    "verdict": "compares (typical-difference, means, ranks, wins, model or bayes)",
    "aggregates": "run_aggregates (of runs; aggregate is of a ranking of algorithms)",
    "margin_kind": "hypothesis (superiority, non-inferiority or equivalence)",
}
"""Keys of earlier plan files, and their present names."""


def _unknown_key(table: str, name: str, keys: Iterable[str]) -> Finding:
    """Return the message that a table has no such key, and which one is near."""
    where = _home(name)
    hint = f"; put it under [{where}]" if where else nearest(name, keys)
    if name in _RENAMED:
        hint = f"; it is called {_RENAMED[name]}"
    hint = hint or f"; it has {', '.join(keys)}"
    message = f"[{table}] has no key {show(name)}{hint}"
    return Finding(((table, name),), message)


def directions(
    read: PlanText, findings: list[Finding], predictions: bool = False
) -> Iterable[Metric]:
    """Yield the metrics; what is wrong with them goes to the findings.

    Of predictions they are measures, whose direction is known.
    """
    given = entries(read, "metrics")
    if not given and predictions:
        yield from _measures_of_plan(read, findings)
    elif not given:
        message = (
            "[metrics] is missing: name each score and which direction is better, as "
            'in accuracy = "higher"'
        )
        findings.append(Finding((("metrics",),), message))
    for name, better in given.items():
        wrong = [message for _, message in _DIRECTION.faults(better)]
        if isinstance(better, dict):
            wrong = ["a name with a dot goes in quotes"]
        elif predictions:
            wrong += _no_measure(name, better)
        findings += [Finding((("metrics", name),), w, better) for w in wrong]
        if not wrong:
            yield from _metric(name, better, findings)


def _no_measure(name: str, better: Any) -> list[str]:
    """Return why a metric of predictions is no measure, or has another direction."""
    why = why_no_measure(name)
    if why is not None:
        return [why]
    right = MEASURES[name].better
    if better in get_args(Direction) and better != right:
        return [f"{name} is better when {right}: by its definition"]
    return []


def _measures_of_plan(read: PlanText, findings: list[Finding]) -> Iterable[Metric]:
    """Yield the measures that ``metrics`` of [plan] names, if no table does."""
    chosen = entries(read, "plan").get("metrics")
    if not isinstance(chosen, list) or not chosen:
        message = (
            "[metrics] is missing: name the measures of the predictions, as "
            'in error = "lower", or in [plan] metrics = ["error"]'
        )
        findings.append(Finding((("metrics",), ("data", "label")), message))
        return
    for place, name in enumerate(chosen):
        if isinstance(name, str) and name:
            why = why_no_measure(name)
            if why is None:
                yield Metric(name, MEASURES[name].better)
            else:
                findings.append(Finding((("plan", "metrics", place),), why))


def _metric(name: str, better: Any, findings: list[Finding]) -> Iterable[Metric]:
    """Yield the metric, unless its name cannot be."""
    try:
        yield Metric(name, better)
    except InputError as error:
        findings.append(Finding((("metrics", name),), error.message))


def disagreements(read: PlanText, roles: Roles) -> Iterable[Finding]:
    """Yield where the tables of a file do not fit together."""
    names = list(entries(read, "metrics"))
    if (roles.wide or roles.results) and len(names) > 1:
        message = f"a wide table holds one metric, and there are {len(names)}"
        yield Finding(tuple(("metrics", name) for name in names), message)
    for role, column in roles.columns().items():
        if column in names and not roles.wide and not roles.predictions:
            message = f"column {show(column)} has two roles, {role} and metric"
            yield Finding((("data", role), ("metrics", column)), message)


def thresholds_of_scores(plan: PlanFields) -> Iterable[Finding]:
    """Yield keys for predictions if the table holds none."""
    for name in of_scores(plan)[:1]:
        yield Finding((("plan", name),), use_predictions(name))


def metrics_not_named(read: PlanText, predictions: bool) -> Iterable[Finding]:
    """Yield metrics that are to be analysed, and of which no direction is given."""
    names = list(entries(read, "metrics"))
    if predictions and not names:
        return
    chosen = entries(read, "plan").get("metrics")
    for place, name in enumerate(chosen if isinstance(chosen, list) else []):
        if isinstance(name, str) and name and name not in names:
            message = f"[metrics] has no {show(name)}{nearest(name, names)}"
            yield Finding((("plan", "metrics", place),), message)
