"""Designs of analyses of variance: algorithms adjusted for blocks, or not.

A design knows which cells have a score, not the scores. A formula over our own names
(``y0``, ``dataset``, ``block``, ``algorithm``; levels ``L0``, ``L1``, ...) states the
fitted model; the user's labels are never part of it. The columns are the 0/1 columns
that statsmodels builds from the formula (the tests compare them), written down
directly: importing statsmodels takes longer than a thousand analyses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy import linalg

from pycompare.base.arguments import check_flags, require
from pycompare.base.errors import DesignError
from pycompare.base.typing import Floats
from pycompare.data.scores import Scores
from pycompare.kernels.sscp import (
    Factors,
    OrthogonalPart,
    RowCells,
    adjusted,
    cross,
    factors,
    indicators,
    mean,
    split,
    two_way,
)


@dataclass(frozen=True, eq=False)
class BlockDesign:
    """A linear model of scores: blocks, or data sets and blocks in them; algorithms.

    Attributes
    ----------
    present : ndarray of bool, shape (n_blocks, n_algorithms)
        The cells that have a score.
    blocked : bool
        False: a one-way design, whose rows are repeats and no blocks.
    datasets : ndarray of int or None, shape (n_blocks,)
        Number of the data set of each block; None if there is at most one.
    algorithms : tuple of str
        Labels, for messages only.
    """

    present: NDArray[np.bool_]
    blocked: bool
    datasets: NDArray[np.int_] | None
    algorithms: tuple[str, ...]

    @property
    def formula(self) -> str:
        """The model, in the language of R and statsmodels, over safe names."""
        return "y0 ~ " + " + ".join(self.term_formulas)

    @property
    def term_formulas(self) -> tuple[str, ...]:
        """The formula, term by term."""
        if not self.blocked:
            return ("algorithm",)
        if self.datasets is None:
            return ("block", "algorithm")
        return ("dataset", "dataset:block", "algorithm")

    @property
    def terms(self) -> tuple[str, ...]:
        """Names of the terms, ``algorithm`` last."""
        named = {"dataset:block": "block in dataset"}
        return tuple(named.get(term, term) for term in self.term_formulas)

    @property
    def complete(self) -> bool:
        """Whether no cell is missing in blocks that have a score."""
        return bool(self.present[self.filled].all())

    @cached_property
    def filled(self) -> NDArray[np.bool_]:
        """The blocks that have a score, shape (n_blocks,).

        Of several metrics a block can have a score of each algorithm and none with all
        metrics; it then is no block of the analysis.
        """
        return np.asarray(self.present.any(axis=1))

    @property
    def n_blocks(self) -> int:
        """Number of blocks that have a score."""
        return int(self.filled.sum())

    @property
    def n(self) -> int:
        """Number of scores."""
        return int(self.present.sum())

    @property
    def df_hypothesis(self) -> int:
        """Degrees of freedom of the algorithms."""
        return self.present.shape[1] - 1

    @property
    def df_error(self) -> int:
        """Degrees of freedom of error."""
        rows = self.n_blocks if self.blocked else 1
        return self.n - rows - self.df_hypothesis

    @cached_property
    def before(self) -> tuple[OrthogonalPart, ...]:
        """The constant and the terms before the algorithms, each without the last."""
        if self.complete and self.datasets is None:
            b, a = self.n_blocks, self.present.shape[1]
            block = OrthogonalPart(two_way(b, a, True)[0].space, b - 1)
            return two_way(b, a, False)[0], *[block] * self.blocked
        rows, at = np.nonzero(self.present)
        cells = [RowCells(0 * at)]
        if self.blocked and self.datasets is not None:
            cells.append(RowCells(self.datasets[rows]))
        if self.blocked:
            cells.append(RowCells(rows))
        df = np.diff([len(term.counts) for term in cells], prepend=0)
        return tuple(
            OrthogonalPart(term, int(n)) for term, n in zip(cells, df, strict=True)
        )

    @cached_property
    def parts(self) -> tuple[OrthogonalPart, OrthogonalPart]:
        """All before the algorithms as one part, its finest cells, and algorithms."""
        if self.complete:
            return two_way(self.n_blocks, self.present.shape[1], self.blocked)
        at = np.nonzero(self.present)[1]
        coarse = OrthogonalPart(
            self.before[-1].space, sum(part.df for part in self.before)
        )
        if not self.blocked:
            return coarse, OrthogonalPart(RowCells(at), self.df_hypothesis, (coarse,))
        return coarse, adjusted(indicators(at), (coarse,))

    def part(self, kept: NDArray[np.bool_]) -> BlockDesign:
        """Return the design of some of the blocks."""
        numbers = self.datasets
        if numbers is not None:
            numbers = np.unique(numbers[kept], return_inverse=True)[1]
        return BlockDesign(self.present[kept], self.blocked, numbers, self.algorithms)

    def responses(self, values: Floats) -> Floats:
        """Turn scores (..., b, a, p) into responses (..., n, p) without empty cells."""
        if self.present.all():
            return values.reshape(*values.shape[:-3], self.n, values.shape[-1])
        rows: Floats = values[..., self.present, :]
        return rows

    def factors(self, values: Floats) -> Factors:
        """Return the factors of algorithms and error of scores (..., b, a, p)."""
        return factors(self.parts, self.responses(values))

    def sums_before(self, values: Floats) -> tuple[list[int], list[Floats]]:
        """Return df and SSCP matrices of the terms before the algorithms."""
        parts, _ = split(self.before, self.responses(values))
        return [part.df for part in self.before[1:]], [cross(f) for f in parts[1:]]

    def means(self, values: Floats) -> Floats:
        """Return means of algorithms adjusted for blocks, shape (..., a, p).

        Blocks count equally, as in ``emmeans``: each block's effect is the mean of its
        scores less the effects of the algorithms that it has.
        """
        if self.complete:
            return mean(values[..., self.filled, :, :], -3)[..., 0, :, :]
        y = self.responses(values)
        start = y[..., :1, :]
        effects = self.unscaled @ (self.algorithm_columns.T @ (y - start))
        rest = y - start - effects[..., np.nonzero(self.present)[1], :]
        blocks = self.before[-1].space
        assert isinstance(blocks, RowCells)
        over_blocks = blocks.means(rest.mT).mean(axis=-1)
        adjusted: Floats = start + effects + over_blocks[..., None, :]
        return adjusted

    @cached_property
    def algorithm_columns(self) -> Floats:
        """Indicators of the algorithms, adjusted for the terms before them."""
        return split(self.before[-1:], indicators(np.nonzero(self.present)[1]))[1]

    @cached_property
    def unscaled(self) -> Floats:
        """Covariance of the algorithms' effects for error variance 1, shape (a, a).

        A generalised inverse: only variances of contrasts have a meaning.
        """
        b, a = self.n_blocks, self.present.shape[1]
        if self.complete:
            return (np.eye(a) - 1 / a) / b
        x = self.algorithm_columns
        # Adding 1/a moves the one null direction, all effects alike, off zero.
        moved = linalg.inv(x.T @ x + 1 / a)
        covariance: Floats = moved - 1 / a
        return covariance

    @property
    def pair_variances(self) -> Floats:
        """Variances of differences of algorithms for error variance 1, (a, a)."""
        own = np.diag(self.unscaled)
        variances: Floats = own[:, None] + own[None, :] - 2 * self.unscaled
        return variances


def block_design(
    scores: Scores, *, metrics: Sequence[str] | None = None, blocked: bool = True
) -> BlockDesign:
    """Return the design of scores, its algorithms adjusted for blocks.

    Parameters
    ----------
    scores : Scores
        Blocks may lack algorithms; if the blocks have data sets, the block is a
        fold within its data set.
    metrics : sequence of str, optional
        The responses; a cell that lacks one of them is left out. All if None.
    blocked : bool, default True
        False: one-way, rows are repeats that have nothing in common.

    Returns
    -------
    BlockDesign

    Raises
    ------
    DesignError
        If the blocks do not connect all algorithms, or no degrees of freedom are left
        for error.
    InputError
        If scores are no ``Scores``.

    Notes
    -----
    R: ``model.matrix(~ block + algorithm)``.
    """
    require(scores, Scores)
    check_flags(blocked=blocked)
    chosen = [m.name for m in scores.metrics] if metrics is None else metrics
    values = np.stack([scores.column(name) for name in chosen], axis=-1)
    design = BlockDesign(
        present=np.asarray(~np.isnan(values).any(axis=-1)),
        blocked=blocked,
        datasets=_dataset_numbers(scores.datasets),
        algorithms=scores.algorithms,
    )
    _require_connected(design)
    _require_error(design)
    return design


def _dataset_numbers(datasets: tuple[str, ...] | None) -> NDArray[np.int_] | None:
    """Return each block's data set as a number; None unless some have several."""
    order = {name: i for i, name in enumerate(dict.fromkeys(datasets or ()))}
    if datasets is None or len(order) in (1, len(datasets)):
        return None
    return np.array([order[name] for name in datasets])


def _require_connected(design: BlockDesign) -> None:
    """Reject algorithms that no chain of shared blocks links."""
    present = design.present
    empty = np.flatnonzero(~present.any(axis=0))
    if len(empty):
        raise DesignError(
            f"algorithm {design.algorithms[empty[0]]!r} has no block with a score in "
            f"every metric that is analysed; leave it or the metric out"
        )
    if not design.blocked or present.all(axis=1).any():
        return
    shared = present.T.astype(int) @ present
    count, group = scipy.sparse.csgraph.connected_components(shared, directed=False)
    if count > 1:
        parts = [
            "{" + ", ".join(np.array(design.algorithms)[group == g]) + "}"
            for g in range(count)
        ]
        raise DesignError(
            f"no block links the algorithms {' and '.join(parts)}, so their difference "
            f"cannot be separated from that of their blocks; score them on common "
            f"blocks, or compare each group alone"
        )


def _require_error(design: BlockDesign) -> None:
    """Reject a design that leaves nothing to estimate the error from."""
    if design.df_error < 1:
        raise DesignError(
            f"{design.n} scores of {design.present.shape[1]} algorithms in "
            f"{design.n_blocks} blocks leave no degrees of freedom for error; add "
            f"blocks that have several algorithms"
        )
