"""Sentences about a comparison that several pictures share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pycompare.base.errors import InputError
from pycompare.base.formatting.counts import are, counted
from pycompare.plotting import style

if TYPE_CHECKING:
    from pycompare.results.result import Pairs, PairsResult


RANKED_BY = {"typical": "typical differences", "ratio": "typical ratios"}
"""What algorithms are ranked by whose pairs have such differences."""


def position_title(pairs: PairsResult) -> str:
    """Name the numbers by which the algorithms are placed."""
    if pairs.differences in RANKED_BY:
        return f"rank by {RANKED_BY[pairs.differences]}"
    placement = pairs.placement
    title = pairs.estimate_name if placement is None else placement.title
    return style.printable(title)


def adjustment_text(pairs: Pairs) -> str:
    """Name the test and the adjustment of its p-values, in the words that chose it."""
    form = ""
    if pairs.adjust == "bergmann-hommel":
        # García and Herrera print the monotone form; readers must know which it is.
        form = " (monotone)" if pairs.is_monotone else " (exact)"
    return style.printable(f"{pairs.method}; adjustment: {pairs.adjust}{form}")


def blocks_text(pairs: Pairs) -> str:
    """Return how many blocks and which metric are behind a result that knows."""
    if pairs.measured is None:
        return ""
    name, n_blocks = pairs.measured
    metric = style.shorten(style.printable(name), style.LABEL_WIDTH)
    return f"; {n_blocks} blocks, {metric}"


def untested_text(pairs: Pairs) -> str:
    """Return how many comparisons have no p-value, if any."""
    count = int(np.isnan(pairs.as_columns()["p_adjusted"]).sum())
    if not count:
        return ""
    n = counted(len(pairs.as_columns()), "comparison")
    return f"{count} of {n} could not be tested."


def require_positions(pairs: PairsResult) -> None:
    """Reject positions that have no place on an axis."""
    positions = np.asarray(pairs.held("positions"), float)
    lost = [
        name
        for name, value in zip(pairs.algorithms, positions, strict=True)
        if not np.isfinite(value)
    ]
    if lost:
        raise InputError(
            f"{len(lost)} of {len(positions)} positions {are(len(lost))} not finite, "
            f"first: {lost[0]!r}; leave these algorithms out of the comparison"
        )
