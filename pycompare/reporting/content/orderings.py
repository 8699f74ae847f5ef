"""Algorithms in the order of each metric, those that do not differ underlined."""

from __future__ import annotations

from collections.abc import Iterator

from pycompare.designs.metric_orders import ALONE, MetricOrders
from pycompare.designs.pair_methods import short_title
from pycompare.methods.orders import orderings as found_in
from pycompare.reporting.document import (
    Block,
    Membership,
    OrderingTable,
    Paragraph,
    Section,
)

_MOST_ORDERED = 30
"""Algorithms in one row of a page; with more only the CSV file has the orderings."""
_NOT_NEW = (
    "Nothing is tested anew here. Two algorithms can differ in all metrics together "
    "and in none alone, and the reverse."
)


def orderings(orders: MetricOrders, file: str) -> Section:
    """Return the order in each metric, or where it is if algorithms are too many."""
    wide = too_many(len(orders.alone.orderings[0].algorithms), file)
    blocks: tuple[Block, ...] = (
        (wide,) if wide else (Paragraph(f"{how(orders)} {_NOT_NEW}"), *tables(orders))
    )
    return Section("Orderings", blocks, "orderings")


def how(orders: MetricOrders) -> str:
    """Return the meaning of lines, and which comparisons they come from."""
    named = "; ".join(
        f"{name}: {result.orderings[0].method}, "
        f"{short_title(result.orderings[0].adjust)} adjustment"
        for name, result in orders.by_groups().items()
    )
    return (
        f"Lines join algorithms that do not differ significantly; a dotted line passes "
        f"below one outside the group ({named}; alpha = {orders.alone.alpha:g})."
    )


def too_many(n_algorithms: int, file: str) -> Paragraph | None:
    """Return where the orderings are if the page has no room for them."""
    if n_algorithms <= _MOST_ORDERED:
        return None
    text = f"Orderings of more than {_MOST_ORDERED} algorithms are in"
    return Paragraph(text, files=(file,))


def tables(orders: MetricOrders) -> Iterator[OrderingTable]:
    """Yield one ordering a metric, with the groups that there are."""
    by_kind = orders.by_groups()
    one_each = zip(*(result.orderings for result in by_kind.values()), strict=True)
    for of_metric in one_each:
        yield _table(dict(zip(by_kind, of_metric, strict=True)))


def _table(by_kind: dict[str, found_in.Ordering]) -> OrderingTable:
    """Return the ordering of one metric; ``by_kind`` has its groups by each kind."""
    alone = by_kind[ALONE]
    return OrderingTable(
        f"Order in {alone.metric.name} ({alone.metric.better} is better), best first.",
        alone.algorithms,
        tuple(float(mean) for mean in alone.means),
        f"mean {alone.metric.name}",
        tuple(
            row
            for name, ordering in by_kind.items()
            for row in _groups(ordering, f", {name}" if len(by_kind) > 1 else "")
        ),
    )


def _groups(
    ordering: found_in.Ordering, end: str
) -> Iterator[tuple[str, tuple[Membership, ...]]]:
    """Yield the title and marks of each group, or that there is none."""
    if not ordering.groups:
        none: Membership = ""
        yield (
            f"no group: all pairs differ{end}",
            tuple(none for _ in ordering.algorithms),
        )
    for place, group in enumerate(ordering.groups, start=1):
        yield f"group {place}{end}", marks(ordering.algorithms, group)


def marks(names: tuple[str, ...], group: tuple[str, ...]) -> tuple[Membership, ...]:
    """Return the rows below each name."""
    places = [names.index(name) for name in group]
    return tuple(
        "member" if i in places else "passed" if min(places) < i < max(places) else ""
        for i in range(len(names))
    )
