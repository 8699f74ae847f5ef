"""The plan of battles: ``[data]`` with the format battles, and ``[plan]``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Any, ClassVar, get_args

from pycompare.base.errors import setting
from pycompare.data.battles import Battles, BothBad, read_battles
from pycompare.data.file_format import FileFormat
from pycompare.designs.plans.analysis_plan import AnalysisPlanFile, TableFile
from pycompare.designs.plans.keys import (
    ERROR_RATE,
    Flag,
    Text,
    Whole,
    Word,
    broken,
    declare,
    faults,
    keys_of,
    rule,
)
from pycompare.designs.plans.problems import refuse_any
from pycompare.designs.plans.statements import ESTIMAND, as_in_plan
from pycompare.methods.battles import fitted, strengths

_FORMAT = "battles"
_ALL_THREE = ("model_1", "model_2", "winner")


def _column(name: str, what: str, about: str) -> Any:
    """Declare the column of a role."""
    return declare(
        None,
        Text(f"the name of the column of {what}", metavar="COLUMN"),
        about,
        option="--" + name.replace("_", "-"),
        group="Columns",
    )


@dataclass(frozen=True, kw_only=True)
class BattlesColumns:
    """Roles of the columns of battles."""

    format: str = declare(
        _FORMAT, Word((_FORMAT,)), "A row is a battle of two models.", group="Columns"
    )
    model_1: str | None = _column(
        "model_1",
        "the models that were shown first",
        "Column of the models that were shown first. Needed, as are model_2 and "
        "winner, unless the columns are those of LMArena, Kaggle or evalica.",
    )
    model_2: str | None = _column(
        "model_2", "the models that were shown second", "Column of the other models."
    )
    winner: str | None = _column(
        "winner",
        "winners",
        "Column of outcomes: model_a, left, first or the model's name; model_b, "
        "right, second or its name; tie; tie (bothbad).",
    )
    voter: str | None = _column(
        "voter",
        "voters",
        "Column of the people who decided: votes of one may depend on each other. "
        "Default: each battle has a voter of its own.",
    )
    group: str | None = _column(
        "group", "groups", "Column of groups, such as languages: each has a ranking."
    )
    both_bad: str = declare(
        "tie",
        Word(get_args(BothBad)),
        "Whether a battle that both models lost is a tie or left out.",
        option="--both-bad",
        group="Columns",
    )


@dataclass(frozen=True, kw_only=True)
class BattlesData(BattlesColumns, TableFile):
    """The table ``[data]`` of a plan of battles."""


@dataclass(frozen=True, kw_only=True)
class BattlesTable:
    """The table ``[plan]`` of a plan of battles."""

    ties: str = declare(
        "davidson",
        Word(get_args(fitted.TiesOfBattles)),
        "Davidson's model of ties; a tie is half a win for either; or ties are left "
        "out. The last two compare another quantity.",
        option="--ties",
    )
    position: str = declare(
        "estimate",
        Word(get_args(fitted.Position)),
        "Whether being shown first has an effect, which is estimated.",
        option="--position",
    )
    unconnected: str = declare(
        "error",
        Word(get_args(fitted.Unconnected)),
        "Sets of models that never met: reject them, or compare the largest set.",
        option="--unconnected",
    )
    control: str | None = declare(
        None,
        Text("the name of a model"),
        "Compare each other model with this one. Default: all pairs.",
        option="--control",
    )
    adjust: str = declare(
        "max-t",
        Word(get_args(fitted.AdjustOfBattles)),
        "Adjustment over the pairs: by the largest difference, or of the p-values of "
        "pairs.",
        option="--adjust",
    )
    family: str | None = declare(
        None,
        Word(get_args(fitted.FamilyOfBattles)),
        "With groups: adjust over the pairs of all groups. Default: each group is a "
        "family of its own.",
        option="--family",
    )
    elo: bool = declare(
        False,
        Flag(),
        "Also give strengths in Elo points, with limits.",
        option="--elo",
    )
    alpha: float = declare(
        0.05,
        ERROR_RATE,
        "Family-wise significance level.",
        option="--alpha",
    )
    seed: int = declare(
        0,
        Whole(0),
        "Random seed for the draws behind adjusted p-values and joint intervals.",
        option="--seed",
    )
    population: str | None = as_in_plan("population")
    treatment: str | None = as_in_plan("treatment")
    variable: str | None = as_in_plan("variable")
    intercurrent_events: str | None = as_in_plan("intercurrent_events")
    summary_measure: str | None = as_in_plan("summary_measure")

    def __post_init__(self) -> None:
        """Reject what no data could make right."""
        refuse_any(faults(self))


@rule(*_ALL_THREE)
def _all_or_none(plan: Any) -> str | None:
    """Reject some of the three columns that go together."""
    absent = [name for name in _ALL_THREE if getattr(plan, name) is None]
    if len(absent) in (0, len(_ALL_THREE)):
        return None
    return (
        setting(absent[0], ...)
        + " is missing: name the columns of both models and of the winner, or none"
    )


@rule("adjust", "control", "family")
def _logic_of_all_pairs(plan: Any) -> str | None:
    """Reject an adjustment for all pairs if other pairs are compared."""
    if plan.adjust != "bergmann-hommel":
        return None
    for name in ("control", "family"):
        if getattr(plan, name) is not None:
            return (
                setting("adjust", plan.adjust)
                + " is for all pairs of one table, not with "
                + setting(name)
                + ": choose "
                + setting("adjust", "holm")
            )
    return None


@rule("family", "group")
def _family_of_groups(plan: Any) -> str | None:
    """Reject a family over groups that there are not."""
    if plan.family is None or plan.group is not None:
        return None
    return (
        setting("family") + " is over groups: name the column, " + setting("group", ...)
    )


@dataclass(frozen=True, kw_only=True)
class BattlesPlan(BattlesTable, BattlesColumns):
    """Decisions about battles before a p-value is seen.

    The keys of both tables, whose declarations document them.

    Raises
    ------
    PlanError
        With all problems.

    Examples
    --------
    >>> from pycompare.designs.plans.battles_plan import BattlesPlan
    >>> BattlesPlan(voter="judge").ties
    'davidson'
    """

    blind: ClassVar[bool] = False
    """Winners may be named by the models: no codes stand for these."""

    def __post_init__(self) -> None:
        """Reject what no data could make right, of all keys together."""
        super().__post_init__()
        rules = (_all_or_none, _logic_of_all_pairs, _family_of_groups)
        refuse_any(broken(rules, self))

    def read(self, path: str | PathLike[str], form: FileFormat) -> Battles:
        """Read the battles."""
        columns: Any = {
            name: getattr(self, name)
            for name in keys_of(BattlesColumns)
            if name != "format"
        }
        return read_battles(
            path,
            **columns,
            sep=form.sep,
            decimal=form.decimal,
            sheet=form.sheet,
            header=form.header,
        )

    def analysed(
        self, battles: Battles
    ) -> strengths.BattlesResult | strengths.GroupedBattlesResult:
        """Return the strengths of the models."""
        keys = (name for name in keys_of(BattlesTable) if name not in ESTIMAND)
        choices: Any = {name: getattr(self, name) for name in keys}
        return strengths.battles(battles, **choices)


@dataclass(frozen=True, kw_only=True, eq=False)
class BattlesPlanFile(AnalysisPlanFile):
    """A plan file whose data have the format ``battles``."""

    tables: ClassVar[Mapping[str, type]] = {"data": BattlesData, "plan": BattlesTable}
    holds: ClassVar[type] = BattlesPlan
    row: ClassVar[str] = "battles need one row per battle of two models"
    data_format: ClassVar[str] = _FORMAT
    to_fill_in: ClassVar[tuple[str, ...]] = _ALL_THREE
    called: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "model_1": ("model_a", "left", "model_1", "model1", "player_a"),
        "model_2": ("model_b", "right", "model_2", "model2", "player_b"),
        "winner": ("winner", "winner_model", "preference", "outcome"),
        "voter": ("judge", "voter", "evaluation_session_id", "user", "annotator"),
        "group": ("language", "category", "group"),
    }
