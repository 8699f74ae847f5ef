"""Orderings as tables of the page: names in order, groups as lines under them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pycompare.analyses.metric_orders import ALONE, TOGETHER, MetricOrders
from pycompare.formatting.numbers import number
from pycompare.orders.orderings import Ordering
from pycompare.plans.post_hoc import short_title
from pycompare.reporting import document

MOST_ORDERED = 30
"""Algorithms in one row of a page; with more only the CSV file has the orderings."""
ABOUT = {ALONE: "alone, by the metric itself", TOGETHER: "together, by all metrics"}
MEMBER, PASSED, OUTSIDE = "member", "passed", ""


@dataclass(frozen=True)
class Underlined:
    """Names from best to worst, and one row of marks a group under them.

    Attributes
    ----------
    caption : str
    names, means : tuple of str
    means_title : str
    groups : tuple of (str, tuple of str)
        Title of each group, and for each name ``member``, ``passed`` (the line goes by
        under a name that does not belong to the group), or nothing.
    """

    caption: str
    names: tuple[str, ...]
    means: tuple[str, ...]
    means_title: str
    groups: tuple[tuple[str, tuple[str, ...]], ...]
    values: tuple[float, ...] = ()

    def typed(self) -> document.Ordering:
        """Return the table as a block of a document."""
        groups: Any = self.groups
        return document.Ordering(
            self.caption, self.names, self.values, self.means_title, groups
        )


def underlined(orders: MetricOrders) -> list[Underlined]:
    """Return one table a metric, with the groups that there are."""
    found = orders.by_groups()
    one_each = zip(*(result.orderings for result in found.values()), strict=True)
    alpha = orders.alone.alpha
    return [table(dict(zip(found, made, strict=True)), alpha) for made in one_each]


def table(made: dict[str, Ordering], alpha: float) -> Underlined:
    """Return the table of one metric; ``made`` has its ordering by each kind."""
    one = made[ALONE]
    told = "; ".join(
        f"{ABOUT[name]}: {ordering.method}, {short_title(ordering.adjust)} adjusted p "
        f"> {alpha}"
        for name, ordering in made.items()
    )
    return Underlined(
        caption=f"Order in {one.metric.name} ({one.metric.better} is better), from "
        f"best to worst. A line joins algorithms that were not shown to differ; it is "
        f"dotted where it passes one that does not belong to the group ({told}).",
        names=one.algorithms,
        means=tuple(number(mean) for mean in one.means),
        values=tuple(float(mean) for mean in one.means),
        means_title=f"mean {one.metric.name}",
        groups=tuple(
            row
            for name, ordering in made.items()
            for row in group_rows(name, ordering, len(made) > 1)
        ),
    )


def group_rows(
    name: str, one: Ordering, several: bool
) -> Iterable[tuple[str, tuple[str, ...]]]:
    """Yield the title and marks of each group, or that there is none."""
    end = f", {name}" if several else ""
    if not one.groups:
        yield f"no group: all pairs differ{end}", (OUTSIDE,) * len(one.algorithms)
    for place, group in enumerate(one.groups, start=1):
        yield f"group {place}{end}", marks(one.algorithms, group)


def marks(names: tuple[str, ...], group: tuple[str, ...]) -> tuple[str, ...]:
    """Return what stands under each name."""
    places = [names.index(name) for name in group]
    return tuple(
        MEMBER if i in places else PASSED if min(places) < i < max(places) else OUTSIDE
        for i in range(len(names))
    )


def too_many(n_algorithms: int, file: str) -> str | None:
    """Say where the orderings are if the page has no room for them."""
    if n_algorithms <= MOST_ORDERED:
        return None
    return (
        f"Orderings of {n_algorithms} algorithms are too wide for a page (over "
        f"{MOST_ORDERED}); they are in tables/{file}.csv."
    )
