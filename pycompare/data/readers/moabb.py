"""MOABB: the results of an evaluation, one row per pipeline, subject and session."""

from __future__ import annotations

import math
from pathlib import Path

from pycompare.base.errors import InputError
from pycompare.base.formatting.counts import counted
from pycompare.base.labels import show
from pycompare.data.readers.formats import Format, Head, Part, Wanted
from pycompare.data.readers.rows import (
    TABLES,
    at_lines,
    chosen,
    number,
    required,
    table_cells,
)

_KEYS = {"score", "subject", "session", "dataset", "pipeline"}


def _matches(head: Head) -> bool:
    """Return whether the header is that of the results of an evaluation."""
    return head.columns >= _KEYS


def _read(path: Path, wanted: Wanted) -> Part:
    """Read the means over sessions of all pipelines."""
    chosen("metric", wanted.metric, ["score"])
    held = dict[tuple[str, str], dict[str, dict[str, float]]]()
    first = dict[tuple[str, tuple[str, str]], dict[str, str]]()
    with at_lines(path, table_cells(path)) as table:
        for row in table:
            dataset, subject = required(row, "dataset"), required(row, "subject")
            session, pipeline = required(row, "session"), required(row, "pipeline")
            sessions = held.setdefault((dataset, subject), {}).setdefault(pipeline, {})
            first.setdefault((pipeline, (dataset, subject)), row)
            value = number(row["score"], "score")
            if session in sessions:
                raise InputError(
                    f"a second score of pipeline {show(pipeline)} in session "
                    f"{show(session)} of {show(f'{dataset}/{subject}')}; keep one (of "
                    "a learning curve one size of the training data)"
                )
            sessions[session] = value
    rows, short, several = wanted.rows(), 0, False
    for (dataset, subject), by in held.items():
        every = {session for sessions in by.values() for session in sessions}
        several |= len(every) > 1
        for pipeline, sessions in by.items():
            whole = {*sessions} == every
            short += not whole
            mean = sum(sessions.values()) / len(sessions) if whole else math.nan
            rows.add(
                pipeline,
                f"{dataset}/{subject}",
                mean,
                group=dataset,
                of=first[pipeline, (dataset, subject)],
            )
    notes = ["sessions of a subject: their mean, as MOABB has it"] * several
    if short:
        told = counted(short, "mean")
        notes.append(f"{told} without one of the subject's sessions: missing")
    return Part(rows, "score", "higher", notes=tuple(notes))


MOABB = Format(
    name="moabb",
    program="MOABB",
    files="evaluation.process(pipelines).to_csv(...)",
    endings=TABLES,
    columns="algorithm: pipeline; block: dataset and subject; score: the mean of score "
    "over sessions",
    block="a subject; several data sets are groups",
    metrics="score (AUC or accuracy, by paradigm) is higher",
    trap="sessions of one subject are not independent: their mean is compared, as "
    "MOABB does, and a pipeline without one of them has no score there. In a "
    "cross-subject evaluation the training sets of subjects overlap",
    items=True,
    matches=_matches,
    read=_read,
)
