"""The plan as a file: data and roles, metrics with direction, and the plan."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from pycompare.base.checked import checked
from pycompare.base.errors import (
    DoubtError,
    InputError,
    PlanError,
    Setting,
    respell,
    setting,
)
from pycompare.base.labels import nearest, readable, show, show_all
from pycompare.base.metric import Metric
from pycompare.data.files import long_scores, named, read_table, wide_scores
from pycompare.data.missing import BOUNDS, OF_A_GATE
from pycompare.data.percent import ALL
from pycompare.data.prediction_files import read_rows
from pycompare.data.predictions import Predictions, from_table
from pycompare.data.reading.answers import Answers
from pycompare.data.reading.tables import is_part
from pycompare.data.reading.worst import LAST, Worst, of_failures
from pycompare.data.roles import RoleColumns
from pycompare.data.scores import Scores
from pycompare.data.source import Source
from pycompare.data.table import DataTable
from pycompare.designs.plans import toml_text
from pycompare.designs.plans.column_roles import PREDICTIONS, Roles
from pycompare.designs.plans.plan import Plan
from pycompare.designs.plans.plan_tables import (
    TABLES,
    directions,
    disagreements,
    entries,
    metrics_not_named,
    stated,
    thresholds_of_scores,
    unknown_tables,
)
from pycompare.designs.plans.plan_text import Finding, PlanText, as_toml, in_table
from pycompare.designs.plans.trail import Entry, sealed_by

if TYPE_CHECKING:
    from pycompare.designs.plans.release_keys import Release

Keys = tuple[str | int, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class PlanFile:
    """A plan file with its text, hash and contents; made by ``read_plan``.

    Attributes
    ----------
    content : bytes
        The file as it was read.
    name : str
        Name of the file, for messages and the report.
    folder : Path
        Folder that the path of the data is relative to.
    trail : tuple of Entry
        Who sealed, amended and ran the plan (``pycompare plan --seal``); empty if
        nobody sealed it.
    roles : Roles
        The table ``[data]``.
    metrics : tuple of Metric
        The table ``[metrics]``: name and direction.
    plan : Plan
        The table ``[plan]``.
    release : Release or None
        The table ``[release]``: the plan is that of a gate.

    Raises
    ------
    PlanError
        With all problems, each with its line.

    Examples
    --------
    >>> import pycompare as pc
    >>> plan = pc.read_plan(pc.example_path("predictions-plan"))
    >>> plan.name, plan.metrics[0].name, plan.plan.thresholds
    ('predictions.toml', 'tp', 21)
    """

    content: bytes = field(repr=False)
    name: str = "plan.toml"
    folder: Path = Path()
    trail: tuple[Entry, ...] = ()
    roles: Roles = field(init=False)
    metrics: tuple[Metric, ...] = field(init=False)
    plan: Plan = field(init=False)
    release: Release | None = field(init=False)
    read: PlanText = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Read the content, or reject it."""
        read = PlanText(self.text, self.name)
        findings = list(unknown_tables(read, TABLES))
        roles = stated(read, "data", Roles, findings)
        # Of roles that are refused, whether they are predictions' is plain as well.
        predictions = bool(set(PREDICTIONS) & set(entries(read, "data")))
        metrics = tuple(directions(read, findings, predictions))
        plan = stated(read, "plan", Plan, findings)
        findings += metrics_not_named(read, predictions)
        if roles is not None:
            findings += disagreements(read, roles)
        if plan is not None and not predictions:
            findings += thresholds_of_scores(plan)
        release = None
        if "release" in read.document:
            release = self._release(read, roles, plan, findings)
        elif roles is not None and roles.missing == BOUNDS:
            findings.append(Finding((("data", "missing"),), OF_A_GATE))
        read.refuse(findings)
        parts: dict[str, object] = {"read": read, "roles": roles, "metrics": metrics}
        parts |= {"plan": plan, "release": release}
        for name, part in parts.items():
            object.__setattr__(self, name, part)

    def _release(
        self,
        read: PlanText,
        roles: Roles | None,
        plan: Plan | None,
        findings: list[Finding],
    ) -> Release | None:
        """Return the table of a gate; what is wrong with it goes to the findings."""
        from pycompare.designs.plans.release_keys import Release, unfit

        release = stated(read, "release", Release, findings)
        if release is not None and roles is not None and plan is not None:
            findings += unfit(release, plan, roles)
        return release

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
        more = "" if self.release is None else toml_text.table("release", self.release)
        whole = toml_text.plan_text(self.roles, self.metrics, self.plan)
        return f"{whole}\n{more}" if more else whole

    @property
    def data(self) -> Path | None:
        """The table of scores, if the plan names it."""
        return None if self.roles.file is None else self.folder / self.roles.file

    @property
    def data_files(self) -> dict[str, Path]:
        """The files of data, by the keys that name them."""
        return {} if self.data is None else {"file": self.data}

    def read_data(
        self, path: str | PathLike[str] | None = None
    ) -> Scores | Predictions:
        """Read the data of the plan: a table of scores, or predictions."""
        return (
            self.read_predictions(path)
            if self.roles.predictions
            else self.read_scores(path)
        )

    def read_scores(self, path: str | PathLike[str] | None = None) -> Scores:
        """Read the scores by the roles of the plan.

        Parameters
        ----------
        path : path, optional
            The table of scores; default the plan's, which it may not contradict.

        Raises
        ------
        PlanError
            If the plan names no table or another one, or columns that are not there,
            or is one of predictions.
        InputError
            As ``pc.read_scores``.
        """
        if self.roles.predictions:
            message = "this table holds predictions: read it with read_predictions()"
            self.read.refuse([Finding((("data", "label"),), message)])
        path = self.chosen(path)
        if self.roles.results:
            return self.results(path)
        with named(path):
            table, source = read_table(path, self.roles.file_format)
        self.read.refuse(self.absent(table.names))
        with _as_in_a_plan(self.roles), named(path):
            return self.scores(table, source)

    def read_predictions(self, path: str | PathLike[str] | None = None) -> Predictions:
        """Read the predictions by the roles of the plan.

        Parameters
        ----------
        path : path, optional
            The table of predictions, or a folder of Parquet files; default the plan's,
            which it may not contradict.

        Raises
        ------
        PlanError
            If the plan names no table or another one, or columns that are not there,
            or is one of scores.
        InputError
            As ``pc.read_predictions``.
        """
        roles = self.roles
        if not roles.predictions:
            message = (
                "this table holds scores: read it with read_scores(), or name label, "
                "score and positive if a row is a prediction of one case"
            )
            self.read.refuse([Finding((("data",),), message)])
        path = self.chosen(path)
        columns = RoleColumns(**roles.columns())
        with _as_in_a_plan(self.roles), named(path):
            table, source = read_rows(
                path, columns, roles.file_format, roles.algorithms
            )
        self.read.refuse(self.absent(table.names))
        with _as_in_a_plan(self.roles), named(path):
            return from_table(
                table,
                columns,
                positive=roles.positive,
                rest=roles.rest,
                classes=roles.classes or None,
                one_class="error",
                missing=roles.missing,
                source=source,
                algorithms=roles.algorithms or None,
            )

    @property
    def answers(self) -> Answers:
        """Statements of the plan about doubtful parts of the table, and of ranges."""
        return replace(self.roles.answers, range=self.plan.range)

    def scores(self, table: DataTable, source: Source) -> Scores:
        """Return the scores of a table that has all the columns."""
        roles = self.roles
        columns, missing = RoleColumns(**roles.columns()), roles.missing
        worst = self.worst
        if roles.wide:
            [metric] = self.metrics
            chosen = roles.algorithms or None
            return wide_scores(
                *(table, source, columns),
                metric=metric,
                algorithms=chosen,
                missing=missing,
                given=self.answers,
                transpose=roles.transpose,
                worst=worst,
            )
        return long_scores(
            *(table, source, columns),
            metrics=self.metrics,
            missing=missing,
            given=self.answers,
            worst=worst,
        )

    @property
    def worst(self) -> Worst:
        """The worst score of failures; those that are only ranked need none."""
        given, ranked = self.roles.worst, self.plan.ranks_failures
        return of_failures(self.roles.missing, given, ranked=ranked)

    def grouped_by(self, column: str) -> PlanFile:
        """Return the plan with groups in a column, as a gate reads its slices."""
        other = dataclasses.replace(self)
        roles = dataclasses.replace(self.roles, group=column)
        object.__setattr__(other, "roles", roles)
        return other

    def results(self, path: Path) -> Scores:
        """Return the scores of results of another program."""
        from pycompare.data.readers.read_results import read_results

        roles, [metric] = self.roles, self.metrics
        with _as_in_a_plan(self.roles):
            return read_results(
                path,
                roles.results_format,
                metric=metric.name,
                better=metric.better,
                filter=roles.filter,
                algorithm=roles.algorithm,
                block=roles.block,
                dataset=roles.dataset,
                replicate=roles.replicate,
                group=roles.group,
                cluster=roles.cluster,
                missing=roles.missing,
                worst=self.worst,
                range=self.plan.range,
                leave_out=roles.leave_out,
            )

    def chosen(self, path: str | PathLike[str] | None) -> Path:
        """Return the table of scores, or reject none and two."""
        if path is None and self.data is None:
            message = "file is missing: name the table of scores, relative to this file"
            self.read.refuse([Finding((("data", "file"),), message)])
        given = None if path is None else Path(path)
        if given and self.data and given.resolve() != self.data.resolve():
            message = f"file = {show(self.roles.file)}, but {show(str(path))} is given"
            hint = "give the same table, or leave one of them out"
            self.read.refuse([Finding((("data", "file"),), f"{message}; {hint}")])
        table = given or self.data
        assert table is not None
        return table

    def absent(self, columns: tuple[str, ...]) -> list[Finding]:
        """Return the columns that the plan names and the table does not have."""
        there = f"; columns: {show_all(columns)}"
        wanted: list[tuple[Keys, str]] = [
            (("data", role), name)
            for role, name in self.roles.columns().items()
            if not is_part(name, columns)
        ]
        wanted += [
            (("data", "algorithms", i), name)
            for i, name in enumerate(self.roles.algorithms)
        ]
        wanted += [
            (("data", "percent", i), name)
            for i, name in enumerate(self.roles.percent)
            if name != ALL
        ]
        in_rows = {
            name: getattr(self.roles, name)
            for name in ("metric_column", "value", "truth")
            if getattr(self.roles, name) is not None
        }
        wanted += [(("data", key), name) for key, name in in_rows.items()]
        if not (self.roles.wide or self.roles.predictions or self.roles.value):
            wanted += [(("metrics", m.name), m.name) for m in self.metrics]
        return [
            Finding((path,), f"no column {show(name)}{nearest(name, columns)}{there}")
            for path, name in wanted
            if name not in columns
        ]

    def measured(self) -> Plan:
        """Return the plan with the measures that the predictions need, named."""
        names = self.plan.metrics or tuple(metric.name for metric in self.metrics)
        return dataclasses.replace(self.plan, metrics=names)

    def settled(self, data: Scores | Predictions, plan: Plan | None = None) -> Plan:
        """Return the plan with nothing left open, or reject one that cannot be.

        ``plan`` stands in the place of the file's own for scores that the predictions
        were measured as.

        Raises
        ------
        PlanError
            With everything that does not fit the data, each with its line.
        """
        findings = []
        if self.release is not None:
            message = "the plan is of a gate: pycompare run, or pycompare gate --plan"
            self.read.refuse([Finding((("release",),), message)])
        if plan is None:
            self.read.refuse(self.of_other_kind(data))
            findings = list(self.misread(data))
            plan = self.measured() if self.roles.predictions else self.plan
        try:
            chosen = plan.settled(data)
        except PlanError as error:
            self.read.refuse([*findings, *in_table("plan", error.problems)])
        self.read.refuse(findings)
        return chosen

    def of_other_kind(self, data: Scores | Predictions) -> Iterable[Finding]:
        """Yield that the data are scores and not predictions, or the other way."""
        kinds = {True: "predictions", False: "a table of scores"}
        given = isinstance(data, Predictions)
        if given != self.roles.predictions:
            message = (
                f"the plan is about {kinds[not given]}, and {kinds[given]} came; read "
                f"the data with read_data()"
            )
            yield Finding((("data",),), message)

    def misread(self, data: Scores | Predictions) -> Iterable[Finding]:
        """Yield where the data were read otherwise than planned."""
        if isinstance(data, Predictions):
            if data.positive != self.roles.positive:
                message = "the predictions were read with " + setting(
                    "positive", data.positive
                )
                yield Finding((("data", "positive"),), message, self.roles.positive)
        else:
            planned = {metric.name: metric.better for metric in self.metrics}
            given = {metric.name: metric.better for metric in data.metrics}
            if planned != given:
                yield Finding((("metrics",),), f"the scores were read with {given}")
        # Failures that only rank may have no score.
        ranked = self.worst == LAST and data.missing == "model"
        if data.missing != self.roles.missing and not ranked:
            message = "the data were read with " + setting("missing", data.missing)
            yield Finding((("data", "missing"),), message, self.roles.missing)
        groups = data.groups
        if (groups is None) != (self.roles.group is None):
            how = "without groups" if groups is None else "with groups"
            yield Finding((("data", "group"),), f"the scores were read {how}")
        clusters = data.clusters or None  # predictions: none is ()
        if (clusters is None) != (self.roles.cluster is None):
            how = "without clusters" if clusters is None else "with clusters"
            yield Finding((("data", "cluster"),), f"the scores were read {how}")
        for name, held in (
            ("judge", isinstance(data, Scores) and data.judge is not None),
            ("stratum", isinstance(data, Scores) and data.strata is not None),
        ):
            if held != (getattr(self.roles, name) is not None):
                how = f"with a column of {name}" if held else f"without {name}"
                yield Finding((("data", name),), f"the scores were read {how}")


@contextmanager
def _as_in_a_plan(roles: Roles) -> Iterator[None]:
    """Spell what an error advises as a plan file does, whose keys stand once."""

    def spell(part: Setting) -> str:
        if part.name not in _ENTRIES or not isinstance(part.value, tuple):
            return as_toml(part)
        return as_toml(Setting(part.name, _joined(getattr(roles, part.name), part)))

    try:
        yield
    except DoubtError as error:
        several = "".join(f"; {spell(advice)}" for advice in _said_twice(error))
        respell(error, spell)
        if several:
            told = " (a key stands once, so the plan has all of its entries in one line"
            told += f"{several})"
            error.lines = (*error.lines[:-1], error.lines[-1] + told)
            error.args = (error.message + told,)
        raise
    except InputError as error:
        respell(error, spell)
        raise


_ENTRIES = ("leave_out", "confirmed", "na")
"""Keys whose answers are added to those that the plan has."""


def _joined(held: tuple[str, ...], more: Setting) -> tuple[str, ...]:
    """Return the entries of a key and those that are advised."""
    return tuple(dict.fromkeys((*held, *more.value)))


def _said_twice(error: DoubtError) -> Iterator[Setting]:
    """Yield the keys that answer several doubts, with all of their entries."""
    answers = {
        "leave_out": [doubt.leave_out for doubt in error.doubts],
        "confirmed": [doubt.entries for doubt in error.doubts if doubt.confirmable],
    }
    for name, every in answers.items():
        if sum(map(bool, every)) > 1:
            yield Setting(name, tuple(entry for entries in every for entry in entries))


@checked
def read_plan(path: str | PathLike[str]) -> PlanFile:
    """Read a plan file and check all of it before anything is computed.

    Parameters
    ----------
    path : path
        TOML, UTF-8: tables ``[data]``, ``[metrics]`` and ``[plan]``. ``pycompare plan
        DATA`` writes one to fill in.

    Returns
    -------
    PlanFile
        ``read_data()`` reads its data, scores or predictions;
        ``pc.compare(data, plan_file)`` compares as planned and keeps the file's text
        and hash for the report.

    Raises
    ------
    PlanError
        With all problems, each with the file, the line and what to do.
    InputError
        If the file cannot be read.

    Examples
    --------
    >>> import pycompare as pc
    >>> plan = pc.read_plan(pc.example_path("predictions-plan"))
    >>> plan.plan.thresholds
    21
    """
    path = Path(path)
    plan = plan_as_written(path)
    return dataclasses.replace(plan, trail=sealed_by(path, plan.content))


def plan_as_written(path: Path) -> PlanFile:
    """Return a plan file without its trail: it may have been changed since its seal."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {show(str(path))}: {error.strerror}") from error
    return PlanFile(content=content, name=readable(path.name), folder=path.parent)
