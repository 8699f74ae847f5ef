"""What a gate with so many items cannot pass: known before there are answers."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite
from typing import Any, Literal

import numpy as np

from pycompare.base.errors import InputError, setting
from pycompare.base.metric import Metric
from pycompare.data.reading.worst import whole_range
from pycompare.data.scores import Scores
from pycompare.designs.plans.plan_file import PlanFile
from pycompare.designs.reach import check_countable
from pycompare.methods.cases.loss_tests import (
    LossTestName,
    fewest_units,
    loss_test,
)

_AnswerKind = Literal["right/wrong", "graded"]


@dataclass(frozen=True, kw_only=True)
class GateReach:
    """The test of a gate for one metric and kind of answers, and its fewest items.

    Attributes
    ----------
    n : int
    answers : {"right/wrong", "graded"}
    metric : str
    margin : float
    test : str
        As ``LossTest.test``; empty if graded answers need a range.
    level : float
        One-sided, of one gate of the budget.
    fewest : int
        The fewest items with which equal answers can pass; 0 if none is known.
    """

    n: int
    answers: _AnswerKind
    metric: str
    margin: float
    test: LossTestName | Literal[""]
    level: float
    fewest: int


def reach_of_gate(
    plan_file: PlanFile, n: int, n_algorithms: int | None = None
) -> tuple[GateReach, ...]:
    """Return what n items can show by the gate of a plan file.

    Raises
    ------
    InputError
        For another number of models than two, or what depends on the data: clusters
        or runs.
    """
    check_countable(plan_file, n)
    if n_algorithms not in (None, 2):
        raise InputError(
            setting("n_algorithms", n_algorithms)
            + ": a gate compares two models; leave it out"
        )
    return tuple(_reaches(plan_file, n))


def _reaches(plan_file: PlanFile, n: int) -> Iterator[GateReach]:
    """Yield the test of each metric, of right/wrong answers and of graded ones."""
    plan, release = plan_file.plan, plan_file.release
    assert release is not None
    level = plan.margin_error / release.budget
    kinds: tuple[_AnswerKind, ...] = ("right/wrong", "graded")
    for metric in plan_file.metrics:
        margin = plan.margin_of(metric.name)
        if margin is None or (plan.metrics and metric.name not in plan.metrics):
            continue
        limits = plan.range_of(metric.name) or whole_range(metric.name, np.zeros(0))
        for kind in kinds:
            reach = GateReach(
                n=n,
                answers=kind,
                metric=metric.name,
                margin=margin,
                test="",
                level=level,
                fewest=0,
            )
            low, high = limits or (0.0, 1.0)
            if kind == "graded" and limits is None and release.decided_by != "t":
                yield reach
                continue
            if kind == "right/wrong" and limits not in (None, (0.0, 1.0)):
                continue
            value = 0.0 if kind == "right/wrong" else (low + high) / 3
            options: dict[str, Any] = {
                "margin": margin,
                "alpha": level,
                "decided_by": release.decided_by,
                "limits": limits,
            }
            tested = loss_test(_alike(metric, n, value), **options)
            fewest = fewest_units(tested.test, margin, tested.width, level)
            yield dataclasses.replace(
                reach,
                test=tested.test,
                fewest=fewest if isfinite(tested.width) else 0,
            )


def _alike(metric: Metric, n: int, value: float) -> Scores:
    """Return n items that both models answer alike."""
    return Scores(
        values=np.full((n, 2, 1), value),
        blocks=tuple(f"item {i + 1}" for i in range(n)),
        algorithms=("baseline", "candidate"),
        metrics=(metric,),
    )
