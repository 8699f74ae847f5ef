"""Plan files of one analysis: what those of readers, curves, ... share."""

from __future__ import annotations

import dataclasses
import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from pycompare.base.errors import InputError, PlanError, respell
from pycompare.data.file_format import FileFormat
from pycompare.data.files import read_table
from pycompare.data.reading.called import CALLED, proposals
from pycompare.data.table import DataTable
from pycompare.designs.plans import toml_text
from pycompare.designs.plans.column_roles import Roles
from pycompare.designs.plans.keys import Text, declare, faults, keys_of
from pycompare.designs.plans.plan_tables import stated, unknown_tables
from pycompare.designs.plans.plan_text import Finding, PlanText, as_toml
from pycompare.designs.plans.problems import PlanProblem, refuse_any
from pycompare.designs.plans.trail import Entry
from pycompare.methods.models.contrast_family import OWN_ADJUSTMENTS
from pycompare.results.adjust import adjustment


class BlindablePlan(ABC):
    """A plan whose analysis may have codes for names."""

    @abstractmethod
    def renamed(self, names: Mapping[str, str]) -> BlindablePlan:
        """Return the plan with other names; unknown ones are left."""


_ROLES = {role.name: role for role in dataclasses.fields(Roles)}


def as_for_scores(name: str) -> Any:
    """Return the key of a table of scores again."""
    role = _ROLES[name]
    return dataclasses.field(default=role.default, metadata=role.metadata)


@dataclass(frozen=True, kw_only=True)
class TableFile:
    """The table ``[data]`` of a plan whose columns have their roles elsewhere."""

    file: str = declare(
        "", Text("the file of the data"), "The table, relative to this file."
    )
    sep: str | None = as_for_scores("sep")
    decimal: str = as_for_scores("decimal")
    sheet: str | None = as_for_scores("sheet")
    header: str | None = as_for_scores("header")

    def __post_init__(self) -> None:
        """Reject all but names of files."""
        refuse_any(faults(self))

    @property
    def form(self) -> FileFormat:
        """How the file is written."""
        return FileFormat(
            sep=self.sep, decimal=self.decimal, sheet=self.sheet, header=self.header
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Opening:
    """How a starter plan begins for a file of data.

    Attributes
    ----------
    data : DataTable
        The contents of the file.
    to_fill_in : tuple of str
        Keys that are left open.
    given : dict
        Values of keys that the kind of file settles.
    left_out : tuple of str
        Keys that such a file has no use for.
    """

    data: DataTable
    to_fill_in: tuple[str, ...]
    given: Mapping[str, Any] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, eq=False)
class AnalysisPlanFile:
    """A plan file with tables of one analysis; made by ``read_analysis_plan``.

    Attributes
    ----------
    name : str
    text : str
    folder : Path
        The folder that the path of the data is relative to.
    trail : tuple of Entry
        Who sealed, amended and ran the plan; empty if nobody sealed it.
    stated : dict
        The contents of each table, by its name.
    plan
        The decisions of all tables; without the file and how it is written.

    Raises
    ------
    PlanError
        With all problems, each with its line.
    """

    tables: ClassVar[Mapping[str, type]]
    """The tables of such a file, ``data`` first, and what each holds."""
    holds: ClassVar[type]
    """The contents of all tables, without the file."""
    row: ClassVar[str]
    """The rows that the analysis needs, as a starter plan states them."""
    to_fill_in: ClassVar[tuple[str, ...]]
    """Keys that a starter plan leaves open."""
    called: ClassVar[Mapping[str, tuple[str, ...]]] = CALLED
    """Names of columns that show their roles."""
    files: ClassVar[tuple[str, ...]] = ("file",)
    """Keys that name files of data."""
    data_format: ClassVar[str] = ""
    """The ``format`` of ``[data]`` that shows such a file, if no table does."""

    name: str
    text: str = field(repr=False)
    folder: Path = Path()
    trail: tuple[Entry, ...] = ()
    stated: Mapping[str, Any] = field(init=False)
    plan: Any = field(init=False)

    @classmethod
    def opening(cls, path: Path, form: FileFormat, *, marks: bool) -> Opening:
        """Read a file of data for its starter plan; only readers have marks."""
        del marks
        return Opening(data=read_table(path, form)[0], to_fill_in=cls.to_fill_in)

    @classmethod
    def proposed(cls, names: Iterable[str]) -> dict[str, str]:
        """Return the values of a starter plan that the names of columns show."""
        return proposals(names, cls.called)

    def __post_init__(self) -> None:
        """Read the text, or reject it with all its problems."""
        read = PlanText(self.text, self.name)
        findings: list[Finding] = list(unknown_tables(read, tuple(self.tables)))
        parts = {
            name: stated(read, name, owner, findings)
            for name, owner in self.tables.items()
        }
        read.refuse(findings)
        object.__setattr__(self, "stated", parts)
        object.__setattr__(self, "plan", self._together(read))

    def _together(self, read: PlanText) -> Any:
        """Return the contents of all tables, or reject them."""
        given = {
            key: getattr(part, key)
            for part in self.stated.values()
            for key in keys_of(type(part))
            if key not in keys_of(TableFile)
        }
        try:
            return self.holds(**given)
        except PlanError as error:
            read.refuse([self._placed(problem) for problem in error.problems])
            raise AssertionError("a plan that is rejected has a problem") from error

    def _placed(self, problem: PlanProblem) -> Finding:
        """Return a problem with the tables that its keys belong to."""
        homes = {key: name for name, t in self.tables.items() for key in keys_of(t)}
        paths = tuple((homes[key], key) for key in problem.keys)
        return Finding(paths, problem.message, problem.value)

    @property
    def content(self) -> bytes:
        """The bytes of the file."""
        return self.text.encode("utf-8")

    @property
    def sha256(self) -> str:
        """Hash of the text in UTF-8, in hexadecimal."""
        return hashlib.sha256(self.content).hexdigest()

    @property
    def path(self) -> Path:
        """The file of the data."""
        return self.folder / self.stated["data"].file

    @property
    def data_files(self) -> dict[str, Path]:
        """The files of data, by the keys that name them."""
        given = {k: v for part in self.stated.values() for k, v in vars(part).items()}
        return {key: self.folder / given[key] for key in self.files if given[key]}

    @property
    def form(self) -> FileFormat:
        """How the file of the data is written."""
        form: FileFormat = self.stated["data"].form
        return form

    @property
    def blind(self) -> bool:
        """Whether codes stand for the names of algorithms or modalities."""
        return bool(self.plan.blind)

    def with_names(self, names: Mapping[str, str], name: str) -> AnalysisPlanFile:
        """Return the plan with other names, as a file without its comments."""
        plan = self.plan.renamed(names)
        kept = {key: getattr(self.stated["data"], key) for key in keys_of(TableFile)}
        values = vars(plan) | kept
        hidden = (key for key in self.files if values[key] is not None)
        values |= dict.fromkeys(hidden, _HIDDEN_DATA)
        texts = []
        for table, owner in self.tables.items():
            part = owner(**{key: values[key] for key in keys_of(owner)})
            texts.append(toml_text.table(table, part))
        return dataclasses.replace(self, text="\n".join(texts), name=name)


_HIDDEN_DATA = "blinded"
"""In the place of the file of the data, whose name may reveal the algorithms."""


@contextmanager
def as_in_a_file() -> Iterator[None]:
    """Spell what an error advises as a plan file does."""
    try:
        yield
    except InputError as error:
        if not isinstance(error, PlanError):
            respell(error, as_toml)
        raise


def known_adjustment(name: str) -> None:
    """Reject an adjustment that there is not."""
    if name not in OWN_ADJUSTMENTS:
        adjustment(name)
