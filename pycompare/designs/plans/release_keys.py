"""The table ``[release]`` of a plan: the gate that it describes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args

from pycompare.base.errors import setting
from pycompare.base.typing import DecidedBy, SmallSets
from pycompare.designs.plans.keys import (
    NameList,
    Number,
    NumberBy,
    PlanRule,
    Text,
    Whole,
    Word,
    broken,
    declare,
    faults,
    rule,
)
from pycompare.designs.plans.plan_text import Finding
from pycompare.designs.plans.problems import refuse_any

if TYPE_CHECKING:
    from pycompare.designs.plans.column_roles import Roles
    from pycompare.designs.plans.plan import Plan

_OF_GATES = "gates"


@dataclass(frozen=True, kw_only=True)
class Release:
    """Keys of the table ``[release]``; see ``pc.gate``.

    The baseline is the control of ``[plan]``, which also has the margin.
    """

    candidate: str | None = declare(
        None,
        Text("the name of a model"),
        "The model that may replace the baseline. On the command line: if one file "
        "holds both.",
        applies_to=_OF_GATES,
        option="--candidate",
        group="Data",
    )
    slices: tuple[str, ...] = declare(
        (),
        NameList(),
        "Columns whose values are slices of the items.",
        applies_to=_OF_GATES,
        option="--slices",
        group="Data",
    )
    slice_margin: float | Mapping[str, float] | None = declare(
        None,
        NumberBy(Number(0, expected="the largest acceptable loss"), "slice"),
        "Largest acceptable loss on slices; of a table default holds for the others. "
        "Default: the margin.",
        applies_to=_OF_GATES,
        option="--slice-margin",
        group="Gate",
    )
    small: SmallSets = declare(
        "reject",
        Word(get_args(SmallSets)),
        "Items with which equal answers cannot pass: rejected, or tested anyway "
        "(report).",
        applies_to=_OF_GATES,
        option="--small",
        group="Gate",
    )
    decided_by: DecidedBy = declare(
        "scores",
        Word(get_args(DecidedBy)),
        "Tests. scores: score tests of right and wrong answers, bounded means of "
        "graded ones.",
        applies_to=_OF_GATES,
        option="--decided-by",
        group="Gate",
    )
    budget: int = declare(
        1,
        Whole(1, expected="a whole number of gates, 1 or more"),
        "Gates that are to be made with these items and this baseline, which share the "
        "error rate.",
        applies_to=_OF_GATES,
        option="--budget",
        group="Gate",
    )
    looks: str | None = declare(
        None,
        Text("the path of a file", metavar="FILE"),
        "Record of the gates of a budget; it is begun if it is not there.",
        applies_to=_OF_GATES,
        option="--looks",
        group="Gate",
    )
    target: float = declare(
        0.8,
        Number(
            0.5,
            0.9999,
            "a probability of a pass of at least 0.5 and below 0.9999",
            with_low=True,
        ),
        "Probability of a pass that the items needed give.",
        applies_to=_OF_GATES,
        option="--target",
        group="Gate",
    )

    def __post_init__(self) -> None:
        """Reject settings that no data could make valid."""
        problems = faults(self)
        bad = {key for problem in problems for key in problem.keys}
        refuse_any((*problems, *broken(_RULES, self, skip=bad)))
        object.__setattr__(self, "slices", tuple(self.slices))

    @property
    def options(self) -> dict[str, Any]:
        """What ``pc.gate`` takes besides models, margin and slices."""
        names = (
            "slice_margin",
            "small",
            "decided_by",
            "budget",
            "target",
        )
        return {name: getattr(self, name) for name in names}


def of_no_slices(slice_margin: Any) -> str:
    """Return that a margin is of slices that there are not."""
    return (
        setting("slice_margin", slice_margin)
        + " is of slices: give "
        + setting("slices", ...)
    )


@rule("slices", "slice_margin")
def _margin_of_no_slices(release: Release) -> str | None:
    """Reject a margin of slices that there are not."""
    if release.slice_margin is None or release.slices:
        return None
    return of_no_slices(release.slice_margin)


_RULES: tuple[PlanRule, ...] = (_margin_of_no_slices,)


def unfit(release: Release, plan: Plan, roles: Roles) -> Iterator[Finding]:
    """Yield what a gate needs of the other tables of its plan file."""
    if release.candidate is None:
        yield Finding((("release", "candidate"),), "candidate is missing: name it")
    wanted = {
        "blocks": (plan.blocks == "cases", 'blocks = "cases"'),
        "hypothesis": (
            plan.hypothesis == "non-inferiority",
            'hypothesis = "non-inferiority"',
        ),
        "control": (plan.control is not None, "control, the baseline"),
        "margin": (plan.margin is not None, "margin, the largest acceptable loss"),
    }
    for key, (holds, what) in wanted.items():
        if not holds:
            yield Finding((("plan", key),), f"a gate needs {what}")
    if plan.blind:
        message = "a gate names both models; leave blind out"
        yield Finding((("plan", "blind"),), message)
    if plan.weights is not None:
        message = "a gate has slices in the place of weights; leave weights out"
        yield Finding((("plan", "weights"),), message)
    if roles.group is not None:
        message = "name the column among slices of [release]"
        yield Finding((("data", "group"),), message)
    if roles.predictions:
        message = "a gate takes answers, one row for each model and item"
        yield Finding((("data",),), message)
