"""Sensitivity analyses of battles: votes, order and ties treated otherwise."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pycompare.base.errors import DesignError, InputError
from pycompare.methods.battles.strengths import (
    BattlesResult,
    GroupedBattlesResult,
    battles,
)

AnyBattles = BattlesResult | GroupedBattlesResult


@dataclass(frozen=True)
class OtherBattles:
    """Another analysis of the same battles.

    Attributes
    ----------
    name, assumes : str
    same_quantity : bool
        Whether it compares strengths of the same model.
    result : BattlesResult, GroupedBattlesResult or str
        Or why there is none.
    """

    name: str
    assumes: str
    same_quantity: bool
    result: AnyBattles | str

    def of_group(self, group: str) -> OtherBattles:
        """Return the analysis of one group; itself if there are no groups."""
        result = self.result
        if isinstance(result, GroupedBattlesResult):
            own = result.groups.get(group) or result.not_ranked[group]
            return dataclasses.replace(self, result=own)
        return self


_OF_TIES = {
    "davidson": ("Davidson's ties", "ties follow Davidson's model"),
    "half": ("ties half", "a tie is half a win for either"),
    "drop": ("ties dropped", "ties carry no information on strengths"),
}
"""What an analysis is called, and assumes, by its treatment of ties."""


def battles_beside(result: AnyBattles) -> list[OtherBattles]:
    """Return the analyses beside that of battles, those of its quantity first."""
    return [
        OtherBattles(name, assumes, same, _made(result, alone, changes))
        for name, assumes, same, alone, changes in _others(result)
    ]


def _others(
    result: AnyBattles,
) -> Iterator[tuple[str, str, bool, bool, dict[str, Any]]]:
    """Yield names, assumptions, if the quantity is the same, and changed arguments."""
    held, asked = result.battles, result.asked
    if held.voter is not None:
        yield "votes independent", "each vote is independent", True, True, {}
    if asked["position"] == "estimate":
        no_order = {"position": "ignore"}
        yield "order ignored", "being shown first has no effect", True, False, no_order
    if not bool((held.outcome == 0.5).any()):
        return
    for ties, (name, assumes) in _OF_TIES.items():
        if ties != asked["ties"]:
            yield name, assumes, False, False, {"ties": ties}


def _made(result: AnyBattles, alone: bool, changes: dict[str, Any]) -> AnyBattles | str:
    """Return another analysis, or why there is none."""
    held = result.battles
    if alone:
        held = dataclasses.replace(held, voter=None, voters=())
    try:
        return battles(held, **{**result.asked, **changes})
    except (DesignError, InputError) as error:
        return str(error.message)
