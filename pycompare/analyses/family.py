"""One family of hypotheses over the pairs of all metrics and groups."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pycompare.analyses.analysis import Analysis, Compared
from pycompare.analyses.group_comparison import GroupComparison
from pycompare.formatting.counts import counted
from pycompare.interop.r_call import RCall
from pycompare.kernels.binomial import smallest_p
from pycompare.multiplicity.adjust import adjust_family, adjustment
from pycompare.pairs.superiority import SuperiorityResult
from pycompare.plans.plan import Plan
from pycompare.results import Result
from pycompare.tables import Table

if TYPE_CHECKING:
    import pandas as pd


Parts = tuple[GroupComparison, ...]
ALL_GROUPS = "all groups together"


@dataclass(frozen=True, kw_only=True, eq=False)
class FamilyResult(Result):
    """Pairs of all metrics and groups whose p-values were adjusted together.

    Attributes
    ----------
    table : DataFrame
        One row a hypothesis: ``group`` (None: no groups, or all of them together),
        ``metric``, ``algorithm_1``, ``algorithm_2``, the raw ``p_value``,
        ``p_adjusted`` by the first of ``adjust``, as the verdict has it (with
        ``gate="omnibus"`` the larger of that and its table's omnibus p-value), and
        ``p_NAME`` for each of ``adjust``, without the gate.
    method : str
        The tests behind the raw p-values.
    adjust : tuple of str
    family : str
        What the hypotheses are, in words.
    decides : bool
        Whether it is the primary analysis; otherwise a sensitivity analysis.
    """

    table: pd.DataFrame
    method: str
    adjust: tuple[str, ...]
    family: str
    decides: bool

    def to_frame(self) -> pd.DataFrame:
        """Return a copy of the table."""
        return self.table.copy()

    def r_call(self) -> RCall:
        """Return the call that adjusts the raw p-values in R."""
        p = self.table["p_value"].to_numpy(float)
        arguments = {"p": p, "adjust": list(self.adjust)}
        return RCall(("adjust", "family"), "family_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return the adjusted p-values by name."""
        names = [f"p_{name}" for name in self.adjust]
        return {name: self.table[name].to_numpy(float) for name in names}


@dataclass(frozen=True)
class Place:
    """An analysis and where it stands."""

    part: int
    group: str | None
    analysis: Analysis


def one_family(parts: Parts, plan: Plan) -> tuple[Parts, tuple[FamilyResult, ...]]:
    """Adjust the pairs of all metrics and groups together, and decide by that.

    Each comparison of the plan's pairs (the deciding one, and those beside it) has its
    raw p-values of all tables adjusted at once; what follows from them (decisions,
    cliques, letters) is made again.

    Returns
    -------
    parts : tuple of GroupComparison
    families : tuple of FamilyResult
        The deciding one first.
    """
    before = list(_places(parts))
    slots = dict.fromkeys(slot for one in before for slot in one.analysis.compared())
    level = plan.confidence
    made = {slot: _adjusted_together(before, slot, level) for slot in slots}
    after = [
        dataclasses.replace(one, analysis=one.analysis.decided_by(found, plan))
        for at, one in enumerate(before)
        if (found := {slot: here[at] for slot, here in made.items() if at in here})
    ]
    families = tuple(
        _family_of(after, slot, decides=place == 0) for place, slot in enumerate(slots)
    )
    return _put_back(parts, after), families


def _places(parts: Parts) -> Iterator[Place]:
    """Yield the analyses of all parts."""
    for at, part in enumerate(parts):
        for analysis in part.analyses:
            yield Place(at, part.group, analysis)


def _put_back(parts: Parts, after: Sequence[Place]) -> Parts:
    """Return the parts with the analyses as they were decided together."""
    return tuple(
        dataclasses.replace(
            part, analyses=tuple(one.analysis for one in after if one.part == at)
        )
        for at, part in enumerate(parts)
    )


def _adjusted_together(
    before: Sequence[Place], slot: str, level: float
) -> dict[int, tuple[Compared, ...]]:
    """Return one comparison of each table, with p-values adjusted over all tables."""
    found = {
        at: one.analysis.compared()[slot]
        for at, one in enumerate(before)
        if slot in one.analysis.compared()
    }
    words = _family_words([before[at] for at in found], next(iter(found.values()))[0])
    columns = [
        _over_tables([pairs[k] for pairs in found.values()], words, level)
        for k in range(len(next(iter(found.values()))))
    ]
    return dict(zip(found, zip(*columns, strict=True), strict=True))


def _over_tables(
    tables: Sequence[Compared], words: str, level: float
) -> list[Compared]:
    """Return tables by one method with p-values adjusted over all of them.

    ``level`` is that of all their intervals together.
    """
    whole = adjustment(tables[0].adjust)
    ends = np.cumsum([len(found.table) for found in tables])[:-1]
    # Sign tests have the smallest p-values that their blocks allow as well.
    raw = {"p_adjusted": [found.table["p_value"] for found in tables]}
    if all("p_smallest" in found.table for found in tables):
        raw["p_smallest"] = [smallest_p(trials(found.table)) for found in tables]
    made = {
        name: np.split(adjust_family(np.concatenate(p), 0, whole), ends)
        for name, p in raw.items()
    }
    return [
        dataclasses.replace(
            found,
            table=found.table.assign(**{name: own[at] for name, own in made.items()}),
            family=words,
            adjusted_here=False,
            **_intervals(found, level),
        )
        for at, found in enumerate(tables)
    ]


def trials(signs: Table) -> NDArray[Any]:
    """Return how many blocks each sign test counts; each table names them its way."""
    used = signs["n_used"] if "n_used" in signs else signs["wins"] + signs["losses"]
    return np.asarray(used)


def _intervals(found: Compared, level: float) -> dict[str, Any]:
    """Say how the intervals of one table go with those of the whole family."""
    if isinstance(found, SuperiorityResult) or found.table["conf_low"].isna().all():
        return {}
    return {
        "interval": f"{found.interval}, at {100 * found.level:.10g}% in this table, so "
        f"that those of the whole family hold together at {100 * level:.10g}%"
    }


def _family_words(among: Sequence[Place], first: Compared) -> str:
    """Say which hypotheses are adjusted together."""
    rows = len(first.table)
    metrics = len({one.analysis.metric.name for one in among})
    parts = {one.part: one.group for one in among}
    control = getattr(first, "control", None)
    each = (
        counted(rows, "pair")
        if control is None
        else f"{counted(rows, 'comparison')} with the control {control}"
    )
    start = f"the family of {counted(rows * len(among), 'hypothesis', 'hypotheses')}"
    if metrics * len(parts) != len(among):
        return f"{start}, {each} in each of {len(among)} tables"
    factors = [each]
    if metrics > 1:
        factors.append(f"{metrics} metrics")
    factors += _groups_words(parts)
    return f"{start}, {' x '.join(factors)}"


def _groups_words(parts: dict[int, str | None]) -> list[str]:
    """Say how many groups there are, and whether all together are one more."""
    groups = [name for name in parts.values() if name is not None]
    if not groups:
        return []
    if len(groups) == len(parts):
        return [counted(len(groups), "group")]
    return [f"({counted(len(groups), 'group')} + all of them together)"]


def _family_of(after: Sequence[Place], slot: str, *, decides: bool) -> FamilyResult:
    """Return one comparison of all tables as one family."""
    import pandas as pd

    found = [
        (one, pairs) for one in after if (pairs := one.analysis.compared().get(slot))
    ]
    frames = [_rows_of(one, pairs) for one, pairs in found]
    table = pd.concat(frames, ignore_index=True)
    names = tuple(pairs.adjust for pairs in found[0][1])
    p = table["p_value"].to_numpy(float)
    for name in names:
        table[f"p_{name}"] = adjust_family(p, 0, adjustment(name))
    methods = dict.fromkeys(_method_of(pairs[0]) for _, pairs in found)
    return FamilyResult(
        table=table,
        method="; ".join(methods),
        adjust=names,
        family=_family_words([one for one, _ in found], found[0][1][0]),
        decides=decides,
    )


def _method_of(found: Compared) -> str:
    """Return the test behind the raw p-values of one table."""
    if isinstance(found, SuperiorityResult):  # its method is that of its intervals
        return "exact sign tests of the two algorithms alone"
    return found.method


def _rows_of(one: Place, pairs: tuple[Compared, ...]) -> pd.DataFrame:
    """Return the rows of one table in the table of the family."""
    import pandas as pd

    columns = ["algorithm_1", "algorithm_2", "p_value", "p_adjusted"]
    rows = pairs[0].table[columns].copy()
    rows.insert(0, "metric", one.analysis.metric.name)
    rows.insert(0, "group", pd.Series([one.group] * len(rows), dtype=object))
    return rows
