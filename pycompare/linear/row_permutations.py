"""Rows of scores in several metrics, and the permutations that deal them out again."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from pycompare import arguments
from pycompare.arguments import is_whole, orders_within, require
from pycompare.data.scores import Scores
from pycompare.errors import InputError
from pycompare.kernels import double_double
from pycompare.kernels import permutation as kernel
from pycompare.kernels.manova import triangle
from pycompare.kernels.sscp import Factors, split
from pycompare.linear.dependencies import Space
from pycompare.linear.design import Design, block_design
from pycompare.linear.fit import in_units
from pycompare.linear.responses import Responses, chosen_metrics
from pycompare.typing import Floats, Ints

LISTED = 100_000
"""So many arrangements are listed instead of drawn at random."""
_ROUNDING = 4
"""Times the rounding of the scores: a metric that varies less does not vary."""


@dataclass(frozen=True, eq=False)
class Rows:
    """One row a cell: what permutations deal.

    Attributes
    ----------
    responses : Responses
        Its ``error`` is the triangular factor of ``within``, which no permutation
        changes, and not of the residuals.
    within : ndarray, shape (n, p)
        Scaled scores less the terms before the algorithms; exactly 0 where only
        rounding is left.
    independent : ndarray, shape (n, rank)
        The same of the metrics that do not depend on others, in the responses' basis.
    """

    responses: Responses
    within: Floats
    independent: Floats

    @property
    def design(self) -> Design:
        """The design."""
        return self.responses.design

    @property
    def metrics(self) -> tuple[str, ...]:
        """Names of all metrics."""
        return tuple(metric.name for metric in self.responses.metrics)

    @property
    def lengths(self) -> Floats:
        """Root of the sum of squares of each metric, shape (p,)."""
        return np.asarray(np.linalg.norm(self.within, axis=0))

    @property
    def blocks(self) -> Ints:
        """The block of each row, or 0 for a one-way design."""
        rows = np.nonzero(self.design.present)[0]
        return rows if self.design.blocked else np.zeros_like(rows)

    @property
    def labels(self) -> Ints:
        """The algorithm of each row."""
        return np.nonzero(self.design.present)[1]

    def r_arguments(self, statistic: kernel.Statistic) -> dict[str, Any]:
        """Return what R needs: all metrics for the trace, else independent ones."""
        arguments = self.responses.r_arguments()
        if statistic == "trace":
            y = self.responses.values[self.design.present]
            names = list(self.metrics)
            arguments["y"] = pd.DataFrame(y, arguments["y"].index, names)
        return arguments


def rows_of(scores: Scores, metrics: Sequence[str] | None, blocked: bool) -> Rows:
    """Return the scores in some metrics, scaled and less their blocks."""
    require(scores, Scores)
    chosen = chosen_metrics(scores, metrics)
    names = [metric.name for metric in chosen]
    design = block_design(scores, metrics=names, blocked=blocked)
    values = np.stack([scores.column(name) for name in names], axis=-1)
    values[~design.present] = np.nan
    scaled, units, noise = in_units(values, design.present)
    within = split(design.before[-1:], design.responses(scaled))[1]
    within[:, np.abs(within).max(axis=0) <= _ROUNDING * noise] = 0.0
    total = triangle(within, noise)
    basis, working = None, within
    if not total.comfortable:
        basis = total.basis()
        moved = double_double.product(design.responses(values / units), basis)
        working = split(design.before[-1:], moved)[1]
    q = design.parts[-1].basis
    shares = _split(within, q, design)
    space = Space(
        names=tuple(names),
        cells=values[design.present],
        units=units,
        noise=noise,
        factors=shares,
        error=total,
    )
    found = Responses(
        design=design,
        metrics=chosen,
        values=values,
        scaled=scaled,
        units=units,
        noise=noise,
        factors=shares,
        error=total,
        basis=basis,
        working=_split(working, q, design),
        dropped=space.dropped,
        blocks=scores.blocks,
        algorithms=scores.algorithms,
        datasets=scores.datasets if design.datasets is not None and blocked else None,
    )
    return Rows(found, within, working[:, total.kept])


def _split(within: Floats, q: Floats, design: Design) -> Factors:
    """Return factors with all variation within blocks in the place of error."""
    return Factors(q.T @ within, within, design.df_hypothesis, design.df_error)


def given_orders(permutations: int | ArrayLike, given: Rows) -> tuple[Ints | None, int]:
    """Return the permutations that were handed in, or None and their number."""
    if np.ndim(permutations) == 0:
        count = permutations
        if not is_whole(count):
            raise InputError(f"permutations={count!r}: give a whole number or an array")
        if count < 1:
            raise InputError(f"permutations={count}: give 1 or more")
        return None, int(count)
    orders = orders_within(
        permutations,
        given.blocks,
        "moves a score to another block; permute within blocks, or say blocked=False",
    )
    return orders, len(orders)


def check_seed(seed: int | None, orders: Ints | None) -> None:
    """Refuse a seed without use, and randomness without a seed."""
    if orders is not None and seed is not None:
        raise InputError(
            "the permutations are given, so nothing is random; leave the seed out"
        )
    if orders is None and seed is None:
        raise InputError(
            "permutations are drawn at random: give seed=, a whole number, so that "
            "the p-value can be repeated"
        )
    if seed is not None:
        arguments.check_seed(seed)


@dataclass(frozen=True, eq=False)
class Drawn:
    """Permutations in batches, and where they come from."""

    orders: Iterator[Ints]
    listed: bool
    seed: int | None
    note: str


def orders_of(
    given: Rows, orders: Ints | None, count: int, seed: int | None, size: int
) -> Drawn:
    """Return the permutations given, all there are, or random ones."""
    if orders is not None:
        chunks = (orders[i : i + size] for i in range(0, len(orders), size))
        return Drawn(chunks, False, None, f"{count} permutations as given")
    strata = kernel.strata_of(given.blocks)
    design = given.design
    # Complete blocks: relabelling all blocks alike changes nothing.
    fixed = 1 if design.blocked and design.complete else 0
    total = kernel.n_within(strata) if design.blocked else kernel.n_deals(given.labels)
    total //= math.factorial(design.present.shape[1]) ** fixed
    if total <= LISTED:
        note = f"all {total} arrangements; no p-value can be below 1/{total}"
        if design.blocked:
            return Drawn(kernel.all_within(strata, size, fixed), True, None, note)
        return Drawn(kernel.all_deals(given.labels, size), True, None, note)
    rng = np.random.default_rng(seed)
    drawn = kernel.random_permutations(strata, count, rng, size)
    return Drawn(drawn, False, seed, f"{count} random permutations, seed {seed}")
