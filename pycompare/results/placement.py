"""What algorithms are placed by: the words of an axis, and of one position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Placement:
    """The kind of positions of algorithms.

    Attributes
    ----------
    title : str
        Of all of them: ``mean ranks``.
    of_one : str
        Of one of them, if they are ranks: ``mean rank``; empty otherwise.
    within_blocks : bool
        Whether they are means of ranks from 1 to the number of algorithms.
    """

    title: str
    of_one: str = ""
    within_blocks: bool = False

    def difference(self) -> dict[str, Any]:
        """Return the fields of a result whose estimates are differences of them."""
        return {"estimate_name": f"difference of {self.title}", "placement": self}


MEAN_RANKS = Placement("mean ranks", "mean rank", within_blocks=True)


def means_of(metric: str) -> Placement:
    """Return that algorithms are placed by their means."""
    return Placement(f"means of {metric}, in its own unit")
