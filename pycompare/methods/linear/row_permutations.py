"""Rows of scores in several metrics, and the permutations that deal them out again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from pycompare.base.arguments import require
from pycompare.base.typing import Floats, Ints
from pycompare.data.scores import Scores
from pycompare.kernels import double_double
from pycompare.kernels import permutation as kernel
from pycompare.kernels.drawn import Drawn, drawn
from pycompare.kernels.manova import triangle
from pycompare.kernels.sscp import Factors, RowCells, coordinates, split
from pycompare.methods.linear.dependencies import Space
from pycompare.methods.linear.design import BlockDesign, block_design
from pycompare.methods.linear.fit import in_units
from pycompare.methods.linear.responses import Responses, chosen_metrics

_ROUNDING = 4
"""Times the rounding of the scores: a metric that varies less does not vary."""


@dataclass(frozen=True, eq=False)
class DealtRows:
    """One row per cell: what permutations deal.

    Attributes
    ----------
    responses : Responses
        Its ``error`` is the triangular factor of ``within``, which no permutation
        changes, and not of the residuals.
    within : ndarray, shape (n, p)
        Scaled scores less the terms before the algorithms; exactly 0 if only
        rounding is left.
    independent : ndarray, shape (n, rank)
        The same of the metrics that do not depend on others, in the responses' basis.
    """

    responses: Responses
    within: Floats
    independent: Floats

    @property
    def design(self) -> BlockDesign:
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

    def r_arguments(self, statistic: kernel.PermutationStatistic) -> dict[str, Any]:
        """Return the data that R needs: all metrics (trace), else independent ones."""
        arguments = self.responses.r_arguments()
        if statistic == "trace":
            y = self.responses.values[self.design.present]
            names = list(self.metrics)
            arguments["y"] = pd.DataFrame(y, arguments["y"].index, names)
        return arguments


def rows_of(scores: Scores, metrics: Sequence[str] | None, blocked: bool) -> DealtRows:
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
    shares = _split(within, design)
    space = Space(
        names=tuple(names),
        cells=values[design.present],
        units=units,
        noise=noise,
        factors=shares,
        error=total,
    )
    model = Responses(
        design=design,
        metrics=chosen,
        values=values,
        scaled=scaled,
        units=units,
        noise=noise,
        factors=shares,
        error=total,
        basis=basis,
        working=_split(working, design),
        dropped=space.dropped,
        blocks=scores.blocks,
        algorithms=scores.algorithms,
        datasets=scores.datasets if design.datasets is not None and blocked else None,
    )
    return DealtRows(model, within, working[:, total.kept])


def _split(within: Floats, design: BlockDesign) -> Factors:
    """Return factors with all variation within blocks in the place of error."""
    hypothesis = coordinates(algorithms_of(design), within.T).T
    return Factors(hypothesis, within, design.df_hypothesis, design.df_error)


def algorithms_of(design: BlockDesign) -> RowCells | Floats:
    """Return the space of the algorithms, for rows without the terms before them."""
    space = design.parts[-1].space
    assert space is not None
    return space


def orders_of(
    given: DealtRows, permutations: int | ArrayLike, seed: int | None
) -> Drawn:
    """Return the permutations asked for: of scores in their blocks, or freely dealt."""
    design = given.design
    return drawn(
        permutations,
        seed,
        given.blocks,
        len(given.metrics),
        "moves a score to another block; permute within blocks, or set blocked=False",
        labels=None if design.blocked else given.labels,
        # Complete blocks: relabelling all blocks alike changes nothing.
        fixed=1 if design.blocked and design.complete else 0,
    )


def shares_of(
    given: DealtRows, drawn: Drawn, y: Floats, statistic: kernel.PermutationStatistic
) -> Floats:
    """Return the share of variation of algorithms in each permutation."""
    design = given.design
    size = design.present.shape[1]
    many = drawn.count * len(y) > kernel.DEALT and drawn.seed is not None
    if many and design.blocked and design.complete and size <= kernel.FEW:
        rng = np.random.default_rng(drawn.seed)
        return kernel.shares_by_block(y, size, drawn.count, rng, statistic)
    held = algorithms_of(design), y, statistic
    return np.concatenate(list(drawn.on(_shares, held)))


def _shares(
    held: tuple[RowCells | Floats, Floats, kernel.PermutationStatistic], orders: Ints
) -> Floats:
    """Return the shares of a batch of permutations."""
    q, y, statistic = held
    return kernel.shares(q, y, orders, statistic)


def note_of(drawn: Drawn) -> str:
    """Return where permutations come from."""
    if drawn.given is not None:
        return f"{drawn.count} permutations as given"
    if drawn.listed:
        return (
            f"all {drawn.count} arrangements; no p-value can be below 1/{drawn.count}"
        )
    return f"{drawn.count} random permutations, seed {drawn.seed}"
