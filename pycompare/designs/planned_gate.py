"""The gate of a plan file with the table ``[release]``."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from pycompare.designs.gate_result import GateResult
from pycompare.designs.plans.plan_file import PlanFile
from pycompare.designs.release import gate


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
    slices: dict[str, list[str]] = {}
    scores: Any = None
    for column in release.slices:
        held = planned.grouped_by(column).read_scores(path)
        scores = held if scores is None else scores
        labels = dict(zip(held.blocks, held.groups or (), strict=True))
        slices[column] = [labels[block] for block in scores.blocks]
    if scores is None:
        scores = planned.read_scores(path)
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
        slices=slices or None,
        **options,
    )
    return dataclasses.replace(result, plan_file=planned)
