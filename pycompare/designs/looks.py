"""The record of the gates that were made with some items and a baseline.

One line per gate of other answers or arguments: a chain (`base/parallel/chain.py`) as
the trail of a plan is one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pycompare.base.errors import InputError, setting
from pycompare.data.scores import Scores
from pycompare.designs.plans import chain
from pycompare.designs.plans.chain import ChainEntry


@dataclass(frozen=True, kw_only=True)
class GateLook(ChainEntry):
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

    def add(self, candidate: str, verdict: str) -> str:
        """Add the gate, unless the same was made before; return the last hash.

        Raises
        ------
        InputError
            If another gate was added since the record was read.
        """
        if self.earlier is not None:
            return self.looks[-1].sha256
        look = GateLook(
            number=self.used,
            baseline=self.baseline,
            answers=self.answers,
            candidate=candidate,
            budget=self.budget,
            verdict=verdict,
            clock=chain.now(),
            previous=chain.head(self.looks),
        )
        with chain.alone(self.path, f"the record {self.path}"):
            if looks_of(self.path) != self.looks:
                raise InputError(
                    setting("looks", str(self.path))
                    + ": another gate was added in the meantime; run this one again"
                )
            chain.write_lines(self.path, (*self.looks, look))
        return look.sha256


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
    looks = looks_of(path)
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


def looks_of(path: Path) -> tuple[GateLook, ...]:
    """Return the entries of a record; none of a file that is not there."""
    lines = chain.read_lines(path)
    links = [chain.link_of(line, GateLook) for line in lines]
    problems = list(chain.broken(links))
    looks = tuple(link for link in links if link is not None)
    if not problems and [look.number for look in looks] != [*range(1, len(looks) + 1)]:
        problems = ["entries are not numbered from 1 on"]
    if problems:
        raise InputError(
            setting("looks", str(path))
            + f" is not whole: {chain.told(problems)}; restore it from a copy"
        )
    return looks
