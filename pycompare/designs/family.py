"""One family of hypotheses over the pairs of all metrics and groups."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pycompare.base.formatting.counts import counted
from pycompare.base.interop.r_call import RCall
from pycompare.designs.analysis import Analysis, Compared, adjusted_source
from pycompare.designs.draft import Draft
from pycompare.designs.planned_pairs import joint_family
from pycompare.designs.plans.plan import Plan
from pycompare.methods.pairs.superiority import SuperiorityResult
from pycompare.results.family import Family
from pycompare.results.result import NumberSource, Result, internal, rows_of

if TYPE_CHECKING:
    import pandas as pd


ALL_GROUPS = "all groups together"


@dataclass(frozen=True, kw_only=True, eq=False)
class FamilyResult(Result):
    """Pairs of all metrics and groups whose p-values were adjusted together.

    Attributes
    ----------
    table : DataFrame
        One row per hypothesis: ``group`` (None: no groups, or all of them together),
        ``metric``, ``algorithm_1``, ``algorithm_2``, the raw ``p_value``,
        ``p_adjusted`` by the first of ``adjust``, as the verdict has it (with
        ``gate="omnibus"`` the larger of that and its table's omnibus p-value), and
        ``p_NAME`` for each of ``adjust``, without the gate.
    method : str
        The tests behind the raw p-values.
    adjust : tuple of str
    family : str
        The hypotheses, in words.
    decides : bool
        Whether it is the primary analysis; otherwise a sensitivity analysis.
    against_margin : bool
        Whether the hypotheses are differences of at least a margin.
    """

    table: pd.DataFrame
    method: str
    adjust: tuple[str, ...]
    family: str
    decides: bool
    against_margin: bool = False
    families: tuple[Family, ...] = internal()

    def members(self) -> Iterator[tuple[int, Any]]:
        """Yield each table with the place of its first hypothesis, from 0."""
        for family in self.families:
            start = 0
            for member in family.members:
                yield start, member
                start += len(member.as_columns())

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values; raw p-values are those of the tables."""
        fields = Result.to_dict(self)
        owners = [
            [
                member
                for member in family.members
                for _ in range(len(member.as_columns()))
            ]
            for family in self.families
        ]

        def of_row(at: int, row: Mapping[str, Any]) -> dict[str, NumberSource]:
            own = owners[0][at]
            adjusted = {
                f"p_{name}": NumberSource(tables[at], "p_adjusted")
                for name, tables in zip(self.adjust, owners, strict=True)
            }
            return {
                "p_value": NumberSource(own.tested_by, "p_value"),
                "p_adjusted": adjusted_source(own),
                **adjusted,
            }

        fields["table"] = rows_of(
            fields["table"], ("algorithm_1", "algorithm_2"), of_row
        )
        return fields

    def r_call(self) -> RCall:
        """Return the call that adjusts the raw p-values in R."""
        p = self.as_columns()["p_value"].astype(float)
        arguments = {"p": p, "adjust": list(self.adjust)}
        return RCall(("adjust", "family"), "family_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return the adjusted p-values by name."""
        names = [f"p_{name}" for name in self.adjust]
        return self.columns_in_r(*names)


@dataclass(frozen=True)
class Place:
    """A table of scores, and the comparison planned in it."""

    part: int
    group: str | None
    metric: str
    draft: Draft


def one_family(
    places: Sequence[Place], plan: Plan
) -> tuple[list[Analysis], tuple[FamilyResult, ...]]:
    """Adjust the pairs of all metrics and groups together, and decide by that.

    Each comparison of the plan's pairs (the deciding one, and those beside it) has its
    raw p-values of all tables adjusted at once; so have tests against margins.

    Returns
    -------
    analyses : list of Analysis
    families : tuple of FamilyResult
        The deciding one first, then those of several tables.
    """
    keys = dict.fromkeys(key for place in places for key in place.draft.tables)
    decided: list[dict[str, tuple[Any, ...]]] = [{} for _ in places]
    results: list[FamilyResult] = []
    for key in keys:
        at = [i for i, place in enumerate(places) if key in place.draft.tables]
        among = [places[i] for i in at]
        planned = [place.draft.tables[key] for place in among]
        words = _family_words(among, planned[0][0].tests)
        families = [
            joint_family(k, words, 1 - plan.alpha) for k in zip(*planned, strict=True)
        ]
        for i, tables in zip(
            at, zip(*(f.members for f in families), strict=True), strict=True
        ):
            decided[i][key] = tables
        margin = key in among[0].draft.margins
        # Of a single table the adjustment is its own, unless it decides.
        if len(among) > 1 or not (margin or results):
            kind = {"decides": not results, "against_margin": margin}
            results.append(_result_of(among, families, **kind))
    analyses = [
        place.draft.decided(here) for place, here in zip(places, decided, strict=True)
    ]
    return analyses, tuple(results)


def _family_words(among: Sequence[Place], first: Any) -> str:
    """Return which hypotheses are adjusted together."""
    rows = len(first.as_columns())
    metrics = len({place.metric for place in among})
    parts = {place.part: place.group for place in among}
    control = first.control
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
    """Return how many groups there are, and whether all together are one more."""
    groups = [name for name in parts.values() if name is not None]
    if not groups:
        return []
    if len(groups) == len(parts):
        return [counted(len(groups), "group")]
    return [f"({counted(len(groups), 'group')} + all of them together)"]


def _result_of(
    among: Sequence[Place], families: Sequence[Family], **kind: bool
) -> FamilyResult:
    """Return one comparison of all tables as one family."""
    import pandas as pd

    first = families[0]
    frames = [
        _rows_of(*place_and_pairs)
        for place_and_pairs in zip(among, first.members, strict=True)
    ]
    table = pd.concat(frames, ignore_index=True)
    table.insert(table.columns.get_loc("p_adjusted") + 1, "adjust", first.chosen.name)
    for family in families:
        table[f"p_{family.chosen.name}"] = family.before_gate
    methods = dict.fromkeys(map(_method_of, first.members))
    return FamilyResult(
        table=table,
        method="; ".join(sorted(methods)),
        adjust=tuple(family.chosen.name for family in families),
        family=first.words,
        **kind,
        families=tuple(families),
    )


def _method_of(compared: Compared) -> str:
    """Return the test behind the raw p-values of one table."""
    if isinstance(compared, SuperiorityResult):  # its method is that of its intervals
        return "exact sign tests of the two algorithms alone"
    return compared.method


def _rows_of(place: Place, pairs: Compared) -> pd.DataFrame:
    """Return the rows of one table in the table of the family."""
    import pandas as pd

    columns = ["algorithm_1", "algorithm_2", "p_value", "p_adjusted"]
    rows = pairs.as_columns().only(columns).pandas()
    rows.insert(0, "metric", place.metric)
    rows.insert(0, "group", pd.Series([place.group] * len(rows), dtype=object))
    return rows
