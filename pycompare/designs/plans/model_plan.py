"""The plan of a linear model: the table ``[model]`` of a plan file, and its keys."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, get_args

from pycompare.base.errors import InputError, PlanError
from pycompare.base.labels import readable, show
from pycompare.data.file_format import FileFormat
from pycompare.data.files import named
from pycompare.designs.plans.column_roles import Roles
from pycompare.designs.plans.keys import (
    Fault,
    NameList,
    Number,
    Text,
    Whole,
    Word,
    declare,
    faults,
)
from pycompare.designs.plans.plan_tables import entries, stated, unknown_tables
from pycompare.designs.plans.plan_text import Finding, PlanText
from pycompare.designs.plans.problems import refuse_any
from pycompare.designs.plans.trail import Entry, sealed_by
from pycompare.methods.models.contrast_family import OWN_ADJUSTMENTS
from pycompare.methods.models.grammar import read_formula, read_terms
from pycompare.methods.models.linear_model import (
    FitMethod,
    LinearModel,
    Missing,
    linear_model,
)
from pycompare.methods.models.mixed import Df
from pycompare.methods.models.tables import read_frame
from pycompare.results.adjust import adjustment

_TABLES = ("data", "model")


@dataclass(frozen=True)
class _Spelled(Text):
    """Text that ``check`` reads; it raises InputError for what cannot be."""

    check: Callable[[str], Any] = str

    def faults(self, value: Any) -> Iterator[Fault]:
        """Yield the problems of the text."""
        faults = list(super().faults(value))
        yield from faults
        if not faults:
            try:
                self.check(value)
            except InputError as error:
                yield None, error.message


def _read_units(text: str) -> Any:
    """Read the units of a model."""
    return read_terms(text, "within")


def _known_adjustment(name: str) -> None:
    """Reject an adjustment that there is not."""
    if name not in OWN_ADJUSTMENTS:
        adjustment(name)


@dataclass(frozen=True, kw_only=True)
class ModelPlan:
    """Decisions about a linear model before a p-value is seen.

    The table ``[model]`` of a plan file; each key is documented if it is declared.

    Raises
    ------
    PlanError
        With all problems.

    Examples
    --------
    >>> from pycompare.designs.plans.model_plan import ModelPlan
    >>> plan = ModelPlan(formula="error ~ learner * scaled", within="data/fold")
    >>> plan.type, plan.method, plan.adjust
    (2, 'auto', 'holm')
    """

    formula: str = declare(
        "",
        _Spelled("a formula such as 'error ~ learner * scaled'", read_formula),
        "score ~ learner * prep; several responses: cbind(error, auc) ~ learner.",
        option="--formula",
        group="Model",
    )
    within: str | None = declare(
        None,
        _Spelled("units such as 'data/fold'", _read_units),
        "Units that rows are measured in, coarsest first: data/fold. Terms are tested "
        "against the units that they vary between.",
        option="--within",
        group="Model",
    )
    type: int = declare(
        2,
        Whole(1, 3, "1, 2 or 3"),
        "Type of sums of squares.",
        option="--type",
        group="Model",
    )
    method: str = declare(
        "auto",
        Word(get_args(FitMethod)),
        "How terms are tested with units: against error strata (balanced data), by a "
        "mixed model (REML), or whichever is exact.",
        option="--method",
        group="Model",
    )
    df: str = declare(
        "kenward-roger",
        Word(get_args(Df)),
        "Denominator degrees of freedom of a mixed model.",
        option="--df",
        group="Model",
    )
    missing: str = declare(
        "error",
        Word(get_args(Missing)),
        "What to do with rows that lack a value.",
        option="--missing",
        group="Model",
    )
    means: tuple[str, ...] = declare(
        (),
        NameList("a list of factors such as ['learner', 'learner:prep']"),
        "Estimated marginal means: learner, or learner:prep.",
        option="--means",
        group="Means",
    )
    contrasts: tuple[str, ...] = declare(
        (),
        NameList("a list of factors such as ['learner', 'learner:prep']"),
        "All pairwise comparisons of these means.",
        option="--contrasts",
        group="Means",
    )
    adjust: str = declare(
        "holm",
        _Spelled("the name of an adjustment", _known_adjustment),
        "Adjustment of the pairwise comparisons, each list a family of its own: a name "
        "of pc.adjust, tukey, or single-step (multivariate t).",
        option="--adjust",
        group="Means",
    )
    level: float = declare(
        0.95,
        Number(0, 1, "a number between 0 and 1"),
        "Confidence level of means and effect sizes.",
        option="--level",
        group="Means",
    )
    alpha: float = declare(
        0.05,
        Number(0, 1, "a number between 0 and 1"),
        "Significance level, from which intervals of comparisons follow.",
        option="--alpha",
        group="Means",
    )
    permutations: int = declare(
        0,
        Whole(0),
        "Permutations of residuals for each term, as a sensitivity analysis; 0: none.",
        option="--permutations",
        group="Model",
    )
    seed: int = declare(
        0,
        Whole(0),
        "Random seed for permutations and multivariate t probabilities.",
        option="--seed",
        group="Means",
    )

    def __post_init__(self) -> None:
        """Reject settings that no data could make valid."""
        refuse_any(faults(self))
        for name in ("means", "contrasts"):
            object.__setattr__(self, name, tuple(getattr(self, name)))

    def fitted(self, path: str | PathLike[str], form: FileFormat) -> LinearModel:
        """Fit the model to the table of a file, which errors name."""
        frame = read_frame(path, self.formula, self.within, form)
        with named(path):
            return self.fitted_to(frame)

    def fitted_to(self, frame: Any) -> LinearModel:
        """Fit the model to a table."""
        return linear_model(
            frame,
            self.formula,
            within=self.within,
            type=self.type,  # type: ignore[arg-type]
            missing=self.missing,  # type: ignore[arg-type]
            level=self.level,
            method=self.method,  # type: ignore[arg-type]
            df=self.df,  # type: ignore[arg-type]
        )


_ROLES = {role.name: role for role in dataclasses.fields(Roles)}


def _as_for_scores(name: str) -> Any:
    """Return the key of a table of scores again."""
    role = _ROLES[name]
    return dataclasses.field(default=role.default, metadata=role.metadata)


@dataclass(frozen=True, kw_only=True)
class ModelData:
    """The table ``[data]`` of a plan of a linear model."""

    file: str = declare(
        "", Text("the file of the data"), "The table, relative to this file."
    )
    sep: str | None = _as_for_scores("sep")
    decimal: str = _as_for_scores("decimal")
    sheet: str | None = _as_for_scores("sheet")
    header: str | None = _as_for_scores("header")

    def __post_init__(self) -> None:
        """Reject anything but a name of a file."""
        refuse_any(faults(self))


@dataclass(frozen=True, kw_only=True, eq=False)
class ModelPlanFile:
    """A plan file with a table ``[model]``; made by ``read_model_plan``.

    Attributes
    ----------
    name : str
    text : str
    folder : Path
        Folder that the path of the data is relative to.
    trail : tuple of Entry
        Who sealed, amended and ran the plan; empty if nobody sealed it.
    data : ModelData
    model : ModelPlan
    """

    name: str
    text: str
    folder: Path
    trail: tuple[Entry, ...] = ()
    data: ModelData = field(init=False)
    model: ModelPlan = field(init=False)

    def __post_init__(self) -> None:
        """Read the text, or reject it with all its problems."""
        read = PlanText(self.text, self.name)
        findings: list[Finding] = list(unknown_tables(read, _TABLES))
        parts = {
            "data": stated(read, "data", ModelData, findings),
            "model": stated(read, "model", ModelPlan, findings),
        }
        read.refuse(findings)
        for name, part in parts.items():
            object.__setattr__(self, name, part)

    @property
    def sha256(self) -> str:
        """Hash of the text in UTF-8, in hexadecimal."""
        return hashlib.sha256(self.text.encode("utf-8")).hexdigest()

    @property
    def path(self) -> Path:
        """The file of the data."""
        return self.folder / self.data.file

    def fitted(self) -> LinearModel:
        """Read the data and fit the model."""
        data, model = self.data, self.model
        form = FileFormat(
            sep=data.sep,
            decimal=data.decimal,
            sheet=data.sheet,
            header=data.header,
        )
        return model.fitted(self.path, form)


def read_model_plan(path: str | PathLike[str]) -> ModelPlanFile | None:
    """Read a plan file with a table ``[model]``; None if it has none.

    Raises
    ------
    PlanError
        With all problems, each with the file, the line and what to do.
    InputError
        If the file cannot be read.
    """
    plan = model_plan_as_written(Path(path))
    if plan is None:
        return None
    content = plan.text.encode("utf-8")
    return dataclasses.replace(plan, trail=sealed_by(Path(path), content))


def model_plan_as_written(path: Path) -> ModelPlanFile | None:
    """Return a plan of a model without its trail; None if it is no such plan."""
    try:
        text = path.read_bytes().decode("utf-8")
    except OSError as error:
        raise InputError(f"cannot read {show(str(path))}: {error.strerror}") from error
    except UnicodeDecodeError:
        return None  # the reader of other plans says where
    try:
        read = PlanText(text, path.name)
    except PlanError:
        return None
    if not entries(read, "model") and "model" not in read.document:
        return None
    return ModelPlanFile(
        name=readable(path.name),
        text=text,
        folder=path.parent,
    )
