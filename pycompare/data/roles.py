"""Roles of the columns of a table, declared once for plans, options and readers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from pycompare.base.labels import label_text

TableKind = Literal["long", "wide", "predictions", "results"]
"""Long: one row per score. Wide: one column per algorithm. Predictions: one row per
case. Results: files that another program wrote."""


@dataclass(frozen=True, kw_only=True)
class Role:
    """What a column can hold.

    Attributes
    ----------
    name : str
        The argument in Python and the key in plan files; ``--name`` is its option.
    holds : str
        What a message states that the column is of.
    about : str
        Its explanation in plan files and help.
    of_predictions : str
        Its explanation in the help of commands for predictions; default ``about``.
    tables, required : tuple of TableKind
        Tables that can have such a column, and those that must.
    called : tuple of str
        Names of columns that are proposed for the role, in lower case.
    """

    name: str
    holds: str
    about: str
    tables: tuple[TableKind, ...]
    required: tuple[TableKind, ...] = ()
    of_predictions: str = ""
    called: tuple[str, ...] = ()

    @property
    def option(self) -> str:
        """Its option on the command line."""
        return f"--{self.name}"


_DECLARED = (
    Role(
        name="algorithm",
        holds="algorithms",
        about="Column of algorithms.",
        of_predictions="Column of algorithms, with --score.",
        tables=("long", "predictions", "results"),
        required=("long", "predictions"),
        called=(
            *("algorithm", "classifier", "learner", "method", "model", "framework"),
            *("estimator", "system"),
        ),
    ),
    Role(
        name="block",
        holds="blocks",
        about="Column of blocks: data sets, or folds. Default in a wide table: its "
        "first column.",
        of_predictions="Column of folds or test sets. Default: all cases are of one "
        "test set.",
        tables=("long", "wide", "predictions", "results"),
        required=("long",),
        called=(
            *("block", "fold", "split", "item", "question", "problem", "query"),
            *("task", "topic", "instance", "series", "corpus", "env", "environment"),
            "game",
        ),
    ),
    Role(
        name="label",
        holds="true classes",
        about="Column of true classes, if the table holds predictions.",
        of_predictions="Column of true classes.",
        tables=("predictions",),
        required=("predictions",),
        called=(
            *("label", "class", "truth", "target", "true", "y_true", "true_class"),
            *("ground_truth", "groundtruth", "gold", "actual"),
        ),
    ),
    Role(
        name="score",
        holds="scores of cases",
        about="Column of scores of cases, higher for the positive class.",
        of_predictions="Column of scores, higher for the positive class.",
        tables=("predictions",),
        required=("predictions",),
        called=("score", "probability"),
    ),
    Role(
        name="dataset",
        holds="data sets",
        about="Column of data sets, if the blocks are folds.",
        of_predictions="Column of data sets.",
        tables=("long", "wide", "predictions", "results"),
        called=("dataset", "data set", "data_set", "data"),
    ),
    Role(
        name="case",
        holds="cases",
        about="Column of cases. Every algorithm must have scored the same cases.",
        tables=("predictions",),
        called=("case", "instance", "id"),
    ),
    Role(
        name="replicate",
        holds="runs",
        about="Column of runs (seeds), if each algorithm has several runs on the same "
        "training and test set, the same number everywhere. Repetitions of a cross-"
        "validation are further blocks, not runs.",
        of_predictions="Column of runs on the same cases of a block.",
        tables=("long", "predictions", "results"),
        called=("replicate", "run", "seed"),
    ),
    Role(
        name="group",
        holds="groups",
        about="Column of groups (domains) of data sets. Each group is analysed "
        "separately.",
        of_predictions="Column of groups (domains) of data sets.",
        tables=("long", "wide", "predictions", "results"),
        called=("group", "domain"),
    ),
    Role(
        name="cluster",
        holds="clusters",
        about="Column of clusters of dependent blocks: the text that cases are about, "
        'or the family of data sets. Needs blocks = "cases" or "datasets".',
        of_predictions="Column of clusters of dependent cases, such as the patient.",
        tables=("long", "wide", "predictions", "results"),
    ),
    Role(
        name="judge",
        holds="the judge's scores",
        about="Column of the scores of a judge (a model) that scored every answer. The "
        "metric has the labels of people, blank on items that nobody labelled. Needs "
        "labels.",
        tables=("long",),
    ),
    Role(
        name="stratum",
        holds="strata",
        about="Column of strata from which labelled items were drawn, known before "
        "they were labelled: a benchmark, the judge's verdict. Needs labels = "
        '"strata".',
        tables=("long",),
    ),
)
ROLES = {role.name: role for role in _DECLARED}
"""All roles, by name."""


def roles_of(kind: TableKind) -> tuple[str, ...]:
    """Return the roles that columns of a table can have."""
    return tuple(role.name for role in _DECLARED if kind in role.tables)


def required_of(kind: TableKind) -> tuple[str, ...]:
    """Return the roles without which a table cannot be read."""
    return tuple(role.name for role in _DECLARED if kind in role.required)


LONG_ONLY = tuple(r for r in roles_of("long") if r not in roles_of("wide"))
"""What a table with a column for each algorithm cannot have."""
CASES_ONLY = tuple(r for r in roles_of("predictions") if r not in roles_of("long"))
"""What only predictions have."""


class RoleColumns(NamedTuple):
    """Which column has which role; None: no column has it."""

    algorithm: str | None = None
    block: str | None = None
    label: str | None = None
    score: str | None = None
    dataset: str | None = None
    case: str | None = None
    replicate: str | None = None
    group: str | None = None
    cluster: str | None = None
    judge: str | None = None
    stratum: str | None = None

    def given(self) -> dict[str, str]:
        """Return the columns that have a role, as they were named."""
        return {role: name for role, name in self._asdict().items() if name is not None}

    def roles(self, kind: TableKind) -> dict[str, str]:
        """Return the label of each column that has a role in such a table."""
        named, required = self._asdict(), required_of(kind)
        return {
            role: label_text(named[role])
            for role in roles_of(kind)
            if role in required or named[role] is not None
        }
