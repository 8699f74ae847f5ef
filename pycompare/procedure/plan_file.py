"""The plan as a file: data and roles, metrics with direction, and what is planned."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar, get_args

from pycompare.data.files import long_scores, named, read_table, wide_scores
from pycompare.data.labels import closest, nearest, show, show_all
from pycompare.data.metric import Direction, Metric
from pycompare.data.scores import Scores, Source
from pycompare.data.table import Table
from pycompare.errors import InputError, PlanError
from pycompare.procedure import toml_text
from pycompare.procedure.keys import Word, keys_of
from pycompare.procedure.plan import Plan
from pycompare.procedure.plan_text import Finding, PlanText, as_toml, in_table
from pycompare.procedure.roles import Roles

T = TypeVar("T", Roles, Plan)
Keys = tuple[str | int, ...]

OWNERS: dict[str, type[Roles] | type[Plan]] = {"data": Roles, "plan": Plan}
TABLES = ("data", "metrics", "plan")
DIRECTION = Word(get_args(Direction))
NOT_YET = {
    "thresholds": "a table of scores has no thresholds: they need predictions, which "
    "this version does not read; leave the key out",
}
"""Keys that a user may well look for, and why there are none."""


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
        both: dict[str, Any] = {"block": roles.block, "missing": roles.missing}
        if roles.wide:
            [one] = self.metrics
            chosen = roles.algorithms or None
            return wide_scores(table, source, metric=one, algorithms=chosen, **both)
        return long_scores(
            table,
            source,
            algorithm=str(roles.algorithm),
            dataset=roles.dataset,
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


def strangers(read: PlanText, tables: tuple[str, ...]) -> Iterable[Finding]:
    """Yield what stands outside the tables."""
    for name, held in read.document.items():
        if name not in tables:
            places = [f"[{table}]" for table in tables]
            where = home(name)
            hint = f"; put it under [{where}]" if where else nearest(name, tables)
            message = f"there is no {show(name)}{hint}; there are {', '.join(places)}"
            yield Finding(((name,),), NOT_YET.get(name, message))
        elif not isinstance(held, dict):
            yield Finding(((name,),), f"{name} is a table: write [{name}] on its line")


def home(name: str) -> str | None:
    """Return the table that has a key."""
    return next((t for t, kind in OWNERS.items() if name in keys_of(kind)), None)


def held(read: PlanText, table: str) -> dict[str, Any]:
    """Return what a table holds; nothing if there is none."""
    found = read.document.get(table, {})
    return found if isinstance(found, dict) else {}


def stated(
    read: PlanText, table: str, kind: type[T], findings: list[Finding]
) -> T | None:
    """Return what a table says; None, with the findings, if it cannot be."""
    keys = keys_of(kind)
    given = held(read, table)
    unknown = [name for name in given if name not in keys]
    findings += [stranger(table, name, keys) for name in unknown]
    # What a misspelled key was meant to say is not missed a second time.
    meant = {closest(name, keys) for name in unknown}
    try:
        return kind(**{name: given[name] for name in given if name in keys})
    except PlanError as error:
        problems = [p for p in error.problems if not meant & set(p.keys)]
        findings += in_table(table, problems)
        return None


def stranger(table: str, name: str, keys: Iterable[str]) -> Finding:
    """Say that a table has no such key, and which one is near."""
    where = home(name)
    hint = f"; put it under [{where}]" if where else nearest(name, keys)
    message = f"[{table}] has no key {show(name)}{hint}; it has {', '.join(keys)}"
    return Finding(((table, name),), NOT_YET.get(name, message))


def directions(read: PlanText, findings: list[Finding]) -> Iterable[Metric]:
    """Yield the metrics; what is wrong with them goes to the findings."""
    given = held(read, "metrics")
    if not given:
        message = (
            "[metrics] is missing: name each score and which direction is better, as "
            'in accuracy = "higher"'
        )
        findings.append(Finding((("metrics",),), message))
    for name, better in given.items():
        wrong = [message for _, message in DIRECTION.faults(better)]
        if isinstance(better, dict):
            wrong = ["a name with a dot goes in quotes"]
        findings += [Finding((("metrics", name),), w, better) for w in wrong]
        if not wrong:
            yield from metric(name, better, findings)


def metric(name: str, better: Any, findings: list[Finding]) -> Iterable[Metric]:
    """Yield the metric, unless its name cannot be."""
    try:
        yield Metric(name, better)
    except InputError as error:
        findings.append(Finding((("metrics", name),), str(error)))


def disagreements(read: PlanText, roles: Roles) -> Iterable[Finding]:
    """Yield where the tables of a file do not fit together."""
    names = list(held(read, "metrics"))
    if roles.wide and len(names) > 1:
        message = f"a wide table holds one metric, and there are {len(names)}"
        yield Finding(tuple(("metrics", name) for name in names), message)
    for role, column in roles.columns().items():
        if column in names and not roles.wide:
            message = f"column {show(column)} has two roles, {role} and metric"
            yield Finding((("data", role), ("metrics", column)), message)


def metrics_not_named(read: PlanText) -> Iterable[Finding]:
    """Yield metrics that are to be analysed, and of which no direction is given."""
    names = list(held(read, "metrics"))
    chosen = held(read, "plan").get("metrics")
    for place, name in enumerate(chosen if isinstance(chosen, list) else []):
        if isinstance(name, str) and name and name not in names:
            message = f"[metrics] has no {show(name)}{nearest(name, names)}"
            yield Finding((("plan", "metrics", place),), message)
