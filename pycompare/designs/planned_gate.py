"""The gate of a plan file with the table ``[release]``."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Sequence
from typing import Any

from pycompare.base.errors import (
    InputError,
    Message,
    PyCompareError,
    Setting,
    parts_of,
    setting,
)
from pycompare.data.files import tables_read_once
from pycompare.data.readers.named_labels import joined
from pycompare.data.scores import Scores
from pycompare.designs.gate_result import GateResult
from pycompare.designs.plans.plan_file import PlanFile
from pycompare.designs.release import gate


def sliced(
    read: Callable[[str | None], Scores], columns: Sequence[str], *, is_table: bool
) -> tuple[Scores, dict[str, list[str]]]:
    """Return answers, and the label of each item in each column of slices.

    ``read`` reads the answers, with a column of groups if it is given one. Files are
    read once: tables are held, and results have all columns as one.
    """
    columns = tuple(dict.fromkeys(columns))
    try:
        if not columns:
            return read(None), {}
        if is_table:
            with tables_read_once():
                each = {column: read(column) for column in columns}
            first = each[columns[0]]
            return first, {c: _labels(s, c, first.blocks) for c, s in each.items()}
        if len(columns) == 1:
            held = read(columns[0])
            return held, {columns[0]: _labels(held, columns[0], held.blocks)}
        held = read(joined(columns))
        lists = [json.loads(s) for s in _labels(held, columns[0], held.blocks)]
    except PyCompareError as error:
        error.args = (_of_slices(error.message),)
        raise
    slices = {c: [labels[at] for labels in lists] for at, c in enumerate(columns)}
    return dataclasses.replace(held, groups=None), slices


def _labels(scores: Scores, column: str, blocks: Sequence[str]) -> list[str]:
    """Return the group of each block."""
    if scores.groups is None:  # results of one group have none
        raise InputError(
            setting("slices", (column,))
            + " has one value: the slice is the whole; leave it out"
        )
    labels = dict(zip(scores.blocks, scores.groups, strict=True))
    return [labels[block] for block in blocks]


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


def gate_of_plan(planned: PlanFile) -> GateResult:
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
        return own.read_scores()

    is_table = not planned.roles.results
    scores, slices = sliced(read, release.slices, is_table=is_table)
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
