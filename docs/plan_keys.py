"""The table of plan keys, from the declarations that Plan and Roles read."""

from __future__ import annotations

from collections.abc import Iterator

from pycompare.designs.plans.battles_plan import BattlesColumns, BattlesTable
from pycompare.designs.plans.column_roles import Roles
from pycompare.designs.plans.curves_plan import CurvesTable
from pycompare.designs.plans.keys import ANY_DESIGN, PlanKey, keys_of
from pycompare.designs.plans.model_plan import ModelPlan
from pycompare.designs.plans.plan import Plan
from pycompare.designs.plans.readers_plan import ReadersDecisions, ReadersTable
from pycompare.designs.plans.release_keys import Release


def plan_keys() -> str:
    """Return all keys in Markdown, one section per table and group."""
    return "\n".join(
        [
            *section("[data]", Roles),
            *section("[plan]", Plan),
            *section("[release]", Release),
            *section("[readers]", ReadersTable),
            *section("[plan] of readers", ReadersDecisions),
            *section("[curves]", CurvesTable),
            *section("[model]", ModelPlan),
            *section("[data] of battles", BattlesColumns),
            *section("[plan] of battles", BattlesTable),
        ]
    )


def section(name: str, owner: type) -> Iterator[str]:
    """Yield the keys of one table of a plan file, group by group."""
    table, _, of = name.partition(" ")
    yield f"## `{table}` {of}".rstrip() + "\n"
    groups: dict[str, list[PlanKey]] = {}
    for key in keys_of(owner).values():
        groups.setdefault(key.group, []).append(key)
    for group, keys in groups.items():
        yield f"### {group}\n"
        for key in keys:
            yield from entry(key)


def entry(key: PlanKey) -> Iterator[str]:
    """Yield one key: name, meaning, values, default, option."""
    yield f"`{key.name}`"
    yield f": {key.about}"
    yield f"  - Value: {key.kind.expected}"
    if key.default not in (None, ()):
        yield f"  - Default: `{shown(key.default)}`"
    if key.applies_to != ANY_DESIGN:
        yield f"  - Applies to: {key.applies_to}"
    if key.option:
        yield f"  - Command line: `{key.option}`"
    yield ""


def shown(default: object) -> str:
    """Return a default as a plan file spells it."""
    if isinstance(default, bool):
        return str(default).lower()
    return f'"{default}"' if isinstance(default, str) else str(default)
