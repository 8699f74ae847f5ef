"""The gate of a plan file with the table ``[release]``."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pycompare.base.errors import Message, PyCompareError, Setting, parts_of
from pycompare.data.scores import Scores
from pycompare.designs.gate_result import GateResult
from pycompare.designs.plans.plan_file import PlanFile
from pycompare.designs.release import gate


def sliced(
    read: Callable[[str | None], Scores], columns: Sequence[str]
) -> tuple[Scores, dict[str, list[str]]]:
    """Return answers, and the label of each item in each column of slices.

    ``read`` reads the answers, with a column of groups if it is given one.
    """
    slices: dict[str, list[str]] = {}
    first: Scores | None = None
    for column in columns or (None,):
        try:
            held = read(column)
        except PyCompareError as error:
            error.args = (_of_slices(error.message),)
            raise
        first = held if first is None else first
        if column is not None:
            labels = dict(zip(held.blocks, held.groups or (), strict=True))
            slices[column] = [labels[block] for block in first.blocks]
    assert first is not None
    return first, slices


def _of_slices(message: str) -> Message:
    """Return a message about a column of groups as one about slices."""
    return Message(
        *(
            Setting("slices", part.value)
            if isinstance(part, Setting) and part.name == "group"
            else part
            for part in parts_of(message)
        )
    )


def gate_of_plan(planned: PlanFile, path: Path | None = None) -> GateResult:
    """Read the answers of a plan file and decide by it.

    Raises
    ------
    PlanError
        If the plan cannot be read with its data.
    DesignError, InputError
        As ``pc.gate``.
    """
    plan, release = planned.plan, planned.release
    assert release is not None

    def read(column: str | None) -> Scores:
        own = planned if column is None else planned.grouped_by(column)
        return own.read_scores(path)

    scores, slices = sliced(read, release.slices)
    options: dict[str, Any] = dict(release.options)
    if release.looks is not None:
        options["looks"] = planned.folder / release.looks
    result = gate(
        scores,
        baseline=str(plan.control),
        candidate=str(release.candidate),
        margin=plan.margin if plan.margin is not None else 0.0,
        metrics=plan.metrics,
        range=plan.range,
        runs="samples" if plan.runs == "samples" else None,
        margin_alpha=plan.margin_error,
        items_scope=plan.items_scope,
        slices=slices or None,
        **options,
    )
    return dataclasses.replace(result, plan_file=planned)
