"""The plan as a file: data and roles, metrics with direction, and what is planned."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

from pycompare.data.files import long_scores, named, read_table, wide_scores
from pycompare.data.labels import nearest, show, show_all
from pycompare.data.metric import Metric
from pycompare.data.scores import Scores, Source
from pycompare.data.table import Table
from pycompare.errors import InputError, PlanError
from pycompare.plans import toml_text
from pycompare.plans.plan import Plan
from pycompare.plans.plan_tables import (
    TABLES,
    directions,
    disagreements,
    metrics_not_named,
    stated,
    strangers,
)
from pycompare.plans.plan_text import Finding, PlanText, as_toml, in_table
from pycompare.plans.roles import Roles

Keys = tuple[str | int, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class PlanFile:
    """A plan file, checked whole when it is made; see ``read_plan``.

    Attributes
    ----------
    content : bytes
        The file as it was read.
    name : str
        Name of the file, for messages and the report.
    folder : Path
        What the path of the data is relative to.
    roles : Roles
        The table ``[data]``.
    metrics : tuple of Metric
        The table ``[metrics]``: name and direction.
    plan : Plan
        The table ``[plan]``.

    Raises
    ------
    PlanError
        With all problems, each with its line.
    """

    content: bytes = field(repr=False)
    name: str = "plan.toml"
    folder: Path = Path()
    roles: Roles = field(init=False)
    metrics: tuple[Metric, ...] = field(init=False)
    plan: Plan = field(init=False)
    read: PlanText = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Read the content, or refuse it."""
        read = PlanText(self.text, self.name)
        findings = list(strangers(read, TABLES))
        roles = stated(read, "data", Roles, findings)
        metrics = tuple(directions(read, findings))
        plan = stated(read, "plan", Plan, findings)
        findings += metrics_not_named(read)
        if roles is not None:
            findings += disagreements(read, roles)
        read.refuse(findings)
        parts = {"read": read, "roles": roles, "metrics": metrics, "plan": plan}
        for name, part in parts.items():
            object.__setattr__(self, name, part)

    @property
    def text(self) -> str:
        """The content as text."""
        try:
            return self.content.decode("utf-8")
        except UnicodeDecodeError as error:
            line = self.content.count(b"\n", 0, error.start) + 1
            message = f"{self.name}, line {line}: this is not UTF-8; save it as UTF-8"
            raise PlanError([], [message]) from None

    @property
    def sha256(self) -> str:
        """Hash of the file's bytes, in hexadecimal."""
        return hashlib.sha256(self.content).hexdigest()

    def to_toml(self) -> str:
        """Return the same plan as text, without comments."""
        metrics = {metric.name: metric.better for metric in self.metrics}
        return "\n".join(
            (
                toml_text.table("data", self.roles),
                "[metrics]\n" + toml_text.lines(metrics),
                toml_text.table("plan", self.plan),
            )
        )

    @property
    def data(self) -> Path | None:
        """The table of scores, if the plan names it."""
        return None if self.roles.file is None else self.folder / self.roles.file

    def read_scores(self, path: str | PathLike[str] | None = None) -> Scores:
        """Read the scores by the roles of the plan.

        Parameters
        ----------
        path : path, optional
            The table of scores; default the plan's, which it may not contradict.

        Raises
        ------
        PlanError
            If the plan names no table or another one, or columns that are not there.
        InputError
            As ``pc.read_scores``.
        """
        path = self.chosen(path)
        with named(path):
            table, source = read_table(path)
        self.read.refuse(self.absent(table.names))
        with as_in_a_plan(), named(path):
            return self.scores(table, source)

    def scores(self, table: Table, source: Source) -> Scores:
        """Return the scores of a table that has all the columns."""
        roles = self.roles
        both: dict[str, Any] = {
            "block": roles.block,
            "group": roles.group,
            "missing": roles.missing,
        }
        if roles.wide:
            [one] = self.metrics
            chosen = roles.algorithms or None
            return wide_scores(table, source, metric=one, algorithms=chosen, **both)
        return long_scores(
            table,
            source,
            algorithm=str(roles.algorithm),
            dataset=roles.dataset,
            replicate=roles.replicate,
            metrics=self.metrics,
            **both,
        )

    def chosen(self, path: str | PathLike[str] | None) -> Path:
        """Return the table of scores, or refuse none and two."""
        if path is None and self.data is None:
            message = "file is missing: name the table of scores, relative to this file"
            self.read.refuse([Finding((("data", "file"),), message)])
        given = None if path is None else Path(path)
        if given and self.data and given.resolve() != self.data.resolve():
            message = f"file = {show(self.roles.file)}, but {show(str(path))} is given"
            hint = "give the same table, or leave one of them out"
            self.read.refuse([Finding((("data", "file"),), f"{message}; {hint}")])
        found = given or self.data
        assert found is not None
        return found

    def absent(self, columns: tuple[str, ...]) -> list[Finding]:
        """Return the columns that the plan names and the table does not have."""
        there = f"; columns: {show_all(columns)}"
        wanted: list[tuple[Keys, str]] = [
            (("data", role), name) for role, name in self.roles.columns().items()
        ]
        wanted += [
            (("data", "algorithms", i), name)
            for i, name in enumerate(self.roles.algorithms)
        ]
        if not self.roles.wide:
            wanted += [(("metrics", m.name), m.name) for m in self.metrics]
        return [
            Finding((path,), f"no column {show(name)}{nearest(name, columns)}{there}")
            for path, name in wanted
            if name not in columns
        ]

    def settled(self, scores: Scores) -> Plan:
        """Return the plan with nothing left open, or refuse one that cannot be.

        Raises
        ------
        PlanError
            With everything that does not fit the scores, each with its line.
        """
        findings = list(self.misread(scores))
        try:
            plan = self.plan.settled(scores)
        except PlanError as error:
            self.read.refuse([*findings, *in_table("plan", error.problems)])
        self.read.refuse(findings)
        return plan

    def misread(self, scores: Scores) -> Iterable[Finding]:
        """Yield where the scores were read otherwise than planned."""
        planned = {metric.name: metric.better for metric in self.metrics}
        given = {metric.name: metric.better for metric in scores.metrics}
        if planned != given:
            yield Finding((("metrics",),), f"the scores were read with {given}")
        if scores.missing != self.roles.missing:
            message = f"the scores were read with missing={scores.missing!r}"
            yield Finding((("data", "missing"),), message, self.roles.missing)
        if (scores.groups is None) != (self.roles.group is None):
            how = "without groups" if scores.groups is None else "with groups"
            yield Finding((("data", "group"),), f"the scores were read {how}")


@contextmanager
def as_in_a_plan() -> Iterator[None]:
    """Spell what an error advises as a plan file does."""
    try:
        yield
    except InputError as error:
        error.args = (as_toml(str(error)),)
        raise


def read_plan(path: str | PathLike[str]) -> PlanFile:
    """Read a plan file, and check all of it before anything is computed.

    Parameters
    ----------
    path : path
        TOML, UTF-8: tables ``[data]``, ``[metrics]`` and ``[plan]``. ``pycompare plan
        DATA`` writes one to fill in.

    Returns
    -------
    PlanFile
        ``read_scores()`` reads its data; ``pc.compare(scores, plan_file)`` compares as
        planned and keeps the file's text and hash for the report.

    Raises
    ------
    PlanError
        With all problems, each with the file, the line and what to do.
    InputError
        If the file cannot be read.
    """
    path = Path(path)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {show(str(path))}: {error.strerror}") from error
    return PlanFile(content=content, name=path.name, folder=path.parent)


def plan_only(text: str) -> Plan:
    """Read a plan from text that holds the table ``[plan]`` and no other."""
    read = PlanText(text, "plan")
    findings = list(strangers(read, ("plan",)))
    plan = stated(read, "plan", Plan, findings)
    read.refuse(findings)
    assert plan is not None
    return plan
