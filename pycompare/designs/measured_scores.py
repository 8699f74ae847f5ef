"""From predictions and a plan to the scores that are compared."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from pycompare.base.errors import InputError, Message, Setting, parts_of, spelled
from pycompare.data.measures.request import Request, request
from pycompare.data.predictions import Predictions
from pycompare.data.scores import Scores
from pycompare.designs.plans.plan import Plan
from pycompare.designs.plans.plan_file import PlanFile
from pycompare.designs.plans.plan_text import as_toml
from pycompare.designs.plans.prediction_rules import undefined_values

_RISK_COUNTS = ("fp", "fn")
"""Needs of the risk at a threshold, whatever is tested."""


@dataclass(frozen=True)
class MeasuredScores:
    """Scores of predictions.

    Attributes
    ----------
    scores : Scores
        Named ``tp@0.25`` at several thresholds.
    plan : Plan
        Nothing left open that predictions decide: measures and
        thresholds.
    compared_by : Plan
        The plan of the scores: at one threshold that of a table of scores, and if those
        at several are joined; at several, or with one test set for all training sets,
        ``plan`` itself.
    """

    scores: Scores
    plan: Plan
    compared_by: Plan


def measured(predictions: Predictions, given: Plan | PlanFile) -> MeasuredScores:
    """Measure predictions as planned; reject first all that cannot be.

    Raises
    ------
    PlanError
        With everything that does not fit the predictions.
    InputError
        If a measure is undefined somewhere and nothing is planned for that.
    """
    plan = given.settled(predictions)
    with _as_planned(isinstance(given, PlanFile)):
        scores = predictions.measure(
            _names(plan),
            threshold=plan.theta or None,
            fpr_range=plan.fpr_range,
            undefined=undefined_values(plan),
        )
    if plan.sweeps or plan.generalise is not None:
        return MeasuredScores(scores, plan, plan)
    ordinary = plan.without_predictions()
    if plan.joins:
        names = tuple(metric.name for metric in scores.metrics)
        ordinary = dataclasses.replace(ordinary, metrics=names, together="required")
    settled = (
        given.settled(scores, ordinary)
        if isinstance(given, PlanFile)
        else ordinary.settled(scores)
    )
    return MeasuredScores(scores, plan, settled)


def _names(plan: Plan) -> list[str]:
    """Return the measures of a plan, with those that its risk needs."""
    names = list(plan.metrics)
    if plan.joins:  # a settled plan names them at each threshold
        names = list(dict.fromkeys(name.partition("@")[0] for name in names))
    if plan.sweeps:
        names += [name for name in _RISK_COUNTS if name not in names]
    return names


def measures_of(plan: Plan) -> Request:
    """Return what a settled plan measures of predictions."""
    return request(
        _names(plan),
        threshold=plan.theta or None,
        fpr_range=plan.fpr_range,
        undefined=undefined_values(plan),
    )


@contextmanager
def _as_planned(in_file: bool) -> Iterator[None]:
    """Spell what an error about 0/0 advises as a plan does: one value for all."""
    try:
        yield
    except InputError as error:
        parts = [_one_for_all(part) for part in parts_of(error.message)]
        message = Message(*parts)
        error.args = (spelled(message, as_toml) if in_file else message,)
        raise


def _one_for_all(part: str | Setting) -> str | Setting:
    """Return the value of a measure that is undefined as a plan has it."""
    if isinstance(part, str) or part.name != "undefined":
        return part
    return Setting("undefined", next(iter(part.value.values())))
