"""The record of the gates that were made with some items and a baseline.

One line per gate of other answers or arguments, in a file to which lines are only
added. Each has the hash of the line before, so that one that was edited, taken out or
moved is found.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pycompare.base.errors import InputError, setting
from pycompare.base.parallel.file_errors import about
from pycompare.data.scores import Scores


@dataclass(frozen=True, kw_only=True)
class GateLook:
    """One gate of the record.

    Attributes
    ----------
    number : int
        From 1 on.
    baseline, answers : str
        SHA-256 of the items with the baseline's answers, and of both models' answers
        with the arguments of the gate.
    candidate : str
    budget : int
    verdict : str
    clock : str
        Time of the machine, UTC by ISO 8601.
    previous : str or None
        SHA-256 of the line before.
    """

    number: int
    baseline: str
    answers: str
    candidate: str
    budget: int
    verdict: str
    clock: str
    previous: str | None

    @property
    def line(self) -> str:
        """The entry as the file holds it."""
        return json.dumps(asdict(self))

    @property
    def sha256(self) -> str:
        """Hash of the line, without its end."""
        return hashlib.sha256(self.line.encode("ascii")).hexdigest()


@dataclass(frozen=True)
class GateRecord:
    """The record of a file, beside the answers of a gate that is to be made.

    ``earlier``: the same gate of the same answers, made before; None if it is new.
    """

    path: Path
    looks: tuple[GateLook, ...]
    baseline: str
    answers: str
    budget: int
    earlier: GateLook | None

    @property
    def used(self) -> int:
        """Gates of the budget that are used with this one."""
        return len(self.looks) + (self.earlier is None)

    def add(self, candidate: str, verdict: str) -> None:
        """Add the gate, unless the same was made before."""
        if self.earlier is not None:
            return
        look = GateLook(
            number=self.used,
            baseline=self.baseline,
            answers=self.answers,
            candidate=candidate,
            budget=self.budget,
            verdict=verdict,
            clock=datetime.now(UTC).isoformat(timespec="seconds"),
            previous=self.looks[-1].sha256 if self.looks else None,
        )
        with about(self.path):
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
            descriptor = os.open(self.path, flags, 0o644)
            with os.fdopen(descriptor, "a", encoding="ascii") as file:
                file.write(look.line + "\n")


def record_of(
    path: Path, pair: Scores, budget: int, asked: Mapping[str, Any]
) -> GateRecord:
    """Return the record of a file, or reject one gate more than it has room for.

    ``pair`` has the answers of the baseline, then those of the candidate; ``asked`` the
    arguments of the gate: another margin is another gate.

    Raises
    ------
    InputError
        If the record is not as it was written, is of other items, another baseline or
        another budget, or its budget is used up.
    """
    looks = _read(path)
    baseline, answers = _hash(pair, 1, {}), _hash(pair, 2, asked)
    for look in looks:
        if look.baseline != baseline:
            raise InputError(
                setting("looks", str(path))
                + " is the record of other items or of another baseline; begin another "
                "one"
            )
        if look.budget != budget:
            raise InputError(
                setting("budget", budget)
                + f": the record {path} was begun with a budget of {look.budget}, at "
                "which each gate has its level; give that one"
            )
    earlier = next((look for look in looks if look.answers == answers), None)
    if earlier is None and len(looks) >= budget:
        raise InputError(
            setting("budget", budget)
            + f" is used up: {path} records {len(looks)}; another gate would exceed "
            "the error rate. New items begin a new record"
        )
    return GateRecord(path, looks, baseline, answers, budget, earlier)


def _hash(pair: Scores, n_models: int, asked: Mapping[str, Any]) -> str:
    """Return the hash of items, metrics and the answers of the first models.

    The order of items in the file is none of their properties.
    """
    held = pair.values if pair.runs is None else pair.runs
    order = sorted(range(pair.n_blocks), key=pair.blocks.__getitem__)
    blocks = [pair.blocks[at] for at in order]
    labels = {
        column: [values[at] for at in order]
        for column, values in asked.get("slices", {}).items()
    }
    metrics = [(metric.name, metric.better) for metric in pair.metrics]
    head = json.dumps(
        [blocks, metrics, {**asked, "slices": labels}], sort_keys=True, default=float
    )
    content = head.encode() + held[order, :n_models].astype("<f8").tobytes()
    return hashlib.sha256(content).hexdigest()


def _read(path: Path) -> tuple[GateLook, ...]:
    """Return the entries of a record; none of a file that is not there."""
    if not path.exists():
        return ()
    with about(path):
        lines = path.read_text(encoding="ascii", errors="replace").splitlines()
    looks: list[GateLook] = []
    for at, line in enumerate(lines, start=1):
        try:
            look = GateLook(**json.loads(line))
        except (ValueError, TypeError):
            look = None
        before = looks[-1].sha256 if looks else None
        whole = look is not None and look.line == line
        if look is None or not whole or (look.previous, look.number) != (before, at):
            raise InputError(
                setting("looks", str(path))
                + f": line {at} is not as pycompare wrote it; restore the record"
            )
        looks.append(look)
    return tuple(looks)
