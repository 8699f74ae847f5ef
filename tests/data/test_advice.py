"""What a question advises is followed: to a report, or to another question.

A sample here; ``DOOR=200`` in the environment tries as many of each (`make study`).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.errors import Setting, parts_of
from tests.data.door_tables import Known, faulty, good

MANY = int(os.environ.get("DOOR", "0"))
LISTS = ("leave_out", "confirmed", "na", "percent", "algorithms")
OF_PLANS = ("blocks", "replicates")
STEPS = 3


def answered(given: dict[str, Any], name: str, value: Any) -> None:
    """Add an answer to those that are given."""
    if name in LISTS:
        more = [value] if isinstance(value, str) else [*value]
        given[name] = [*dict.fromkeys([*given.get(name, ()), *more])]
    else:
        if name == "dataset" and given.get("block") == value:
            del given["block"]  # the column has one role, as the message says
        given[name] = value


def filled(known: Known, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return proposed arguments with what only the owner knows filled in."""
    given = dict(arguments)
    better = known.answers["better"]
    if given.get("better") == "higher|lower":
        given["better"] = better
    if "metrics" in given:
        given["metrics"] = {
            name: better if "|" in direction else direction
            for name, direction in given["metrics"].items()
        }
    for name, value in arguments.items():
        placeholder = value == "COLUMN" or (name == "one_is" and "|" in value)
        if placeholder and name in known.answers:
            given[name] = known.answers[name]
    return given


def advised(known: Known, message: str) -> Iterator[tuple[str, Any]]:
    """Yield the settings that a message advises; those to choose as the owner would."""
    for part in parts_of(message):
        if isinstance(part, Setting):
            if part.value is ...:
                if part.name in known.answers:
                    yield part.name, known.answers[part.name]
                elif part.name == "worst":
                    yield "worst", -1.0
            elif isinstance(part.value, str | tuple | list | bool | int | float):
                yield part.name, part.value


def read(path: str, given: dict[str, Any]) -> None:
    """Read a file and settle a plan for its scores."""
    of_plan = {name: given[name] for name in OF_PLANS if name in given}
    roles = {name: value for name, value in given.items() if name not in OF_PLANS}
    pc.Plan(**of_plan).settled(pc.read_scores(path, **roles))


def follow(path: Any, known: Known, random: np.random.Generator) -> tuple[str, int]:
    """Follow advice; return how it ended and after how many steps."""
    reading = pc.propose(path)
    given = filled(known, reading.arguments)
    seen: list[str] = []
    for message in reading.open:
        for name, value in advised(known, message):
            if name in known.answers and name not in given:
                answered(given, name, value)
    if reading.table == "predictions":
        return "question", 0
    for step in range(1, STEPS + 2):
        try:
            read(path, given)
        except pc.DoubtError as error:
            told = str(error)
            for doubt in error.doubts:
                changes = [*advised(known, doubt.change)] if doubt.change else []
                ways = [("leave_out", doubt.leave_out)] if doubt.leave_out else []
                ways += changes
                ways += [("confirmed", doubt.entries)] if doubt.confirmable else []
                if not ways:
                    return "question", step  # correct the file
                answered(given, *ways[int(random.integers(len(ways)))])
        except (pc.InputError, pc.PlanError) as error:
            told = str(error)
            problems = getattr(error, "problems", ()) or (error,)
            ways = [
                (name, value)
                for one in problems
                for name, value in advised(known, getattr(one, "message", one))
                if given.get(name) != value
            ]
            if not ways:
                return f"no advice: {told}", step
            answered(given, *ways[int(random.integers(len(ways)))])
        else:
            return "report", step
        if told in seen:
            return f"circle: {told}", step
        seen.append(told)
    return "question", STEPS


def ends_of(tmp_path: Any, seed: int) -> tuple[str, int]:
    """Return how following the advice about one input ends."""
    known = faulty(seed)
    path = tmp_path / "t.csv"
    known.frame.to_csv(path, index=False)
    try:
        return follow(path, known, np.random.default_rng(seed))
    except pc.InputError as error:
        return f"not read: {error}", 0


@pytest.mark.parametrize("seed", range(MANY or 40))
def test_advice_ends_in_a_report_or_another_question(tmp_path, seed):
    end, _ = ends_of(tmp_path, seed)
    assert end in ("report", "question"), faulty(seed).kind


def test_good_tables_raise_few_doubts(tmp_path):
    doubted = {}
    for seed in range(max(MANY, 80)):
        frame, options = good(seed)
        path = tmp_path / "g.csv"
        frame.to_csv(path, index=False)
        try:
            pc.read_scores(path, **options)
        except pc.DoubtError as error:
            doubted[seed] = str(error)
    assert len(doubted) <= 3 * max(MANY, 80) / 80, doubted
