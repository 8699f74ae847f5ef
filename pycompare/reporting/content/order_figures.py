"""What pairs make of the algorithms, as pictures: graph of pairs, Hasse diagram."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pycompare.orders.cliques import cliques
from pycompare.orders.dominance import dominance_order
from pycompare.reporting.page.figures import Drawing
from pycompare.results import Pairs, PairsResult

MOST_NODES = 20
"""With more algorithms neither is a picture any more."""


def of_order(
    pairs: Pairs, alpha: float, *, on: str, by: str, prefix: str = ""
) -> Iterator[Drawing]:
    """Yield the graph of pairs and the diagram of dominance, where they say something.

    ``on``: what was compared, with its direction and number of blocks; ``by``: method
    and adjustment.
    """
    if left_out(pairs) is None and len(pairs.algorithms) > 2:
        if pairs.control is None:
            yield graph(pairs, alpha, on, by, prefix)
        if isinstance(pairs, PairsResult):
            yield hasse(pairs, alpha, on, by, prefix)


def left_out(pairs: Pairs) -> str | None:
    """Say which pictures there are not, where the algorithms are too many."""
    count = len(pairs.algorithms)
    if count <= MOST_NODES:
        return None
    return (
        f"The graph of pairs and the diagram of dominance are left out: they are drawn "
        f"for at most {MOST_NODES} algorithms, and there are {count}. The tables of "
        f"pairs have the same verdicts."
    )


def graph(pairs: Pairs, alpha: float, on: str, by: str, prefix: str) -> Drawing:
    """Return the graph of pairs (Aslan 2009, Fig. 6.1-6.6)."""
    from pycompare import plotting

    return (
        f"{prefix}pair_graph",
        partial(plotting.pair_graph, pairs, alpha=alpha),
        f"Graph of pairs, {on}: a line joins two algorithms that were not shown to "
        f"differ ({by}, alpha = {alpha}).",
        f"Graph of pairs. {groups(pairs, alpha)}",
    )


def groups(pairs: Pairs, alpha: float) -> str:
    """Name the groups that lines join with each other."""
    found = "; ".join(", ".join(group) for group in cliques(pairs, alpha=alpha))
    return f"Joined with each other: {found}." if found else "No lines: all differ."


def hasse(pairs: PairsResult, alpha: float, on: str, by: str, prefix: str) -> Drawing:
    """Return the diagram of significant dominance."""
    from pycompare import plotting

    return (
        f"{prefix}dominance",
        partial(plotting.dominance, pairs, alpha=alpha),
        f"Significant dominance, {on}: a line leads from an algorithm down to one that "
        f"is significantly worse ({by}, alpha = {alpha}); what follows along a path is "
        f"not drawn again.",
        f"Diagram of dominance. {layers(pairs, alpha)}",
    )


def layers(pairs: PairsResult, alpha: float) -> str:
    """Name the algorithms of each layer, from above."""
    order = dominance_order(pairs, alpha=alpha)
    if not order.edges:
        return "No algorithm is significantly better than another one."
    named = (
        ", ".join(", ".join(order.groups[g]) for g in layer) for layer in order.layers
    )
    return f"Layers from above: {'; '.join(named)}."
