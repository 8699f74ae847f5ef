"""Hodges-Lehmann differences of pairs of algorithms, with simultaneous intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pycompare.base.arguments import check_level
from pycompare.base.checked import checked
from pycompare.base.interop.r_call import RCall
from pycompare.base.tables import Columns, MadeColumn
from pycompare.base.typing import Ints
from pycompare.data.blocks import Blocks, ranked_blocks, refuse_clusters_of_blocks
from pycompare.data.scores import Scores
from pycompare.kernels import signed_rank
from pycompare.methods.pairs.common import (
    MANY,
    SHARED_ONLY,
    differences_of_pairs,
    pair_ends,
    pair_index,
    pairs_family,
)
from pycompare.methods.pairs.wilcoxon import (
    TOO_MANY,
    hodges_lehmann_rows,
    signed_rank_rows,
)
from pycompare.results.pair_rows import PairRows, pair_rows_of
from pycompare.results.result import Result, internal, made_when_read

if TYPE_CHECKING:
    import pandas as pd


_REFERENCE = "Hodges & Lehmann (1963) Ann. Math. Statist. 34, 598-611"
_COLUMNS = ("estimate", "conf_low", "conf_high", "achieved_level", "rank_biserial")


@dataclass(frozen=True, kw_only=True, eq=False)
class HodgesLehmannResult(Result):
    """Differences of pairs in the metric's own unit, the effect size of rank tests.

    Attributes
    ----------
    table : DataFrame
        ``algorithm_1 algorithm_2 n_blocks estimate conf_low conf_high achieved_level
        rank_biserial``. ``estimate`` is the median of the means of each two block
        differences, algorithm_1 minus algorithm_2; ``achieved_level`` the coverage of
        its own interval without ties. ``rank_biserial`` is the matched-pairs
        rank-biserial correlation: 1 if algorithm_1 is above in all blocks, -1 if below.
    metric, better : str
    level : float
        Asked of all intervals together.
    family, interval : str
        The pairs whose intervals hold together, and how the intervals are made.
    control : str or None
    reference : str
    notes : tuple of str
    blocks : Blocks
        The scores that were compared.
    """

    table: pd.DataFrame = made_when_read()
    metric: str
    better: str
    level: float
    family: str
    interval: str
    control: str | None
    reference: str
    notes: tuple[str, ...]
    blocks: Blocks = internal()

    @cached_property
    def reached(self) -> float:
        """Level of all intervals together: as asked, or less with few blocks.

        NaN if no pair has an interval.
        """
        missed = 1 - np.asarray(self.as_columns()["achieved_level"], float)
        together = 1 - float(np.sum(missed[~np.isnan(missed)]))
        if np.isnan(missed).all():
            return math.nan
        return self.level if together >= self.level else max(0.0, together)

    @cached_property
    def _pairs(self) -> PairRows:
        return pair_rows_of(self.as_columns(), self.blocks.algorithms)

    def of(self, first: str, second: str) -> tuple[float, float, float]:
        """Return the difference first minus second, and its limits."""
        row = self._pairs.row((first, second))
        if row < 0:
            return (math.nan,) * 3
        table, names = self.as_columns(), ("estimate", "conf_low", "conf_high")
        estimate, low, high = (float(table.some(n, [row])[0]) for n in names)
        if self._pairs.ends(row) == (first, second):
            return estimate, low, high
        # + 0.0 turns the -0.0 of a changed sign into 0.0.
        return -estimate + 0.0, -high + 0.0, -low + 0.0

    def r_call(self) -> RCall:
        """Return the call of ``wilcox.test(conf.int = TRUE)`` for each pair."""
        arguments = {
            "x": self.blocks.r_arguments()["x"],
            "level": self.level,
            "control": self.control or "",
        }
        files = ("ranks", "paired", "wilcoxon", "hodges_lehmann")
        return RCall(files, "hodges_lehmann_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return the numeric columns of the table."""
        names = ["n_blocks", *_COLUMNS]
        if len(self.blocks.values) > signed_rank.MOST:
            names = ["n_blocks", "rank_biserial"]
        return self.columns_in_r(*names)


@checked
def hodges_lehmann(
    scores: Scores,
    *,
    metric: str | None = None,
    control: str | None = None,
    level: float = 0.95,
) -> HodgesLehmannResult:
    """Estimate differences of pairs by Hodges and Lehmann's estimator.

    Parameters
    ----------
    scores : Scores
        Cells may be missing if the scores were read with ``missing="model"``; a pair
        is then compared over the blocks that both have.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    control : str, optional
        Compare each other algorithm with this one only.
    level : float
        Confidence level of all intervals together (Bonferroni): each of m has level
        1 - (1 - level)/m.

    Returns
    -------
    HodgesLehmannResult
        With few blocks the intervals cannot reach the level; ``reached`` and ``notes``
        show their joint level.

    Raises
    ------
    InputError
        For an unknown name.

    Notes
    -----
    Equation 2.5 of docs/equations.md.

    The interval inverts Wilcoxon's exact signed rank test (zeros included), which takes
    the differences as symmetric about their median. R: ``wilcox.test(d, conf.int =
    TRUE, conf.level = )`` without ties and zeros. Over 1000 blocks there is none.

    References
    ----------
    .. [1] Hodges, J. L., Lehmann, E. L. (1963). Ann. Math. Statist. 34, 598-611.
    .. [2] Kerby, D. S. (2014). Comprehensive Psychology 3, 11.IT.3.1.

    Examples
    --------
    >>> import pycompare as pc
    >>> found = pc.hodges_lehmann(pc.example(), control="C4.5")
    >>> row = found.table.iloc[0]
    >>> print(row["algorithm_1"], round(row["estimate"], 3))
    1-NN -0.048
    """
    check_level(level)
    refuse_clusters_of_blocks(scores, "hodges_lehmann")
    blocks = ranked_blocks(scores, metric, None)
    index = pair_index(blocks.algorithms, control)
    m = len(index.first)
    each = 1 - (1 - level) / m
    many = m > MANY and not np.isnan(blocks.values).any()
    numbers = (
        _when_read(blocks, control, m, each)
        if many
        else _numbers(blocks, pair_ends(blocks.algorithms, control), each)
    )
    table = Columns({**index.labels, **numbers})
    estimates = HodgesLehmannResult(
        table=table,
        metric=blocks.metric.name,
        better=blocks.metric.better,
        level=level,
        family=pairs_family(blocks, control),
        interval=f"simultaneous {100 * level:g}% (Bonferroni)",
        control=control,
        reference=_REFERENCE,
        notes=(),
        blocks=blocks,
    )
    object.__setattr__(estimates, "notes", _notes(estimates))
    return estimates


def _when_read(
    blocks: Blocks, control: str | None, m: int, level: float
) -> dict[str, Any]:
    """Return the columns of `_numbers`, computed for the rows that are read."""

    def of_rows(rows: Ints | slice) -> dict[str, NDArray[Any]]:
        return _numbers(blocks, pair_ends(blocks.algorithms, control, rows), level)

    def column(name: str, rows: Ints) -> NDArray[Any]:
        return of_rows(rows)[name]

    first, n = of_rows(slice(1)), len(blocks.values)

    return {
        "n_blocks": np.broadcast_to(np.int64(n), m),
        **{name: MadeColumn(m, partial(column, name)) for name in _COLUMNS},
        "achieved_level": np.broadcast_to(first["achieved_level"][0], m),
    }


def _numbers(blocks: Blocks, pairs: Ints, level: float) -> dict[str, NDArray[Any]]:
    """Return the numeric columns of pairs, each over the blocks that both have."""
    columns: dict[str, NDArray[Any]] = {
        "n_blocks": np.zeros(len(pairs), np.int64),
        **{name: np.full(len(pairs), math.nan) for name in _COLUMNS},
    }
    for rows, d, noise in differences_of_pairs(blocks, pairs):
        intervals = hodges_lehmann_rows(d, noise, "two-sided", level)
        ranks, above = signed_rank_rows(d, noise)
        with np.errstate(invalid="ignore"):  # 0/0 without a difference
            r = 2 * above / np.sum(ranks, axis=1) - 1
        columns["n_blocks"][rows] = d.shape[1]
        for name, column in zip(_COLUMNS, (*intervals, r), strict=True):
            columns[name][rows] = column
    return columns


def _notes(estimates: HodgesLehmannResult) -> tuple[str, ...]:
    """Return the notes for readers."""
    told = [SHARED_ONLY] if np.isnan(estimates.blocks.values).any() else []
    reached = estimates.reached
    if math.isnan(reached):
        told.append(TOO_MANY)
    elif reached < estimates.level:
        n = int(np.min(estimates.as_columns()["n_blocks"]))
        told.append(
            f"{n} blocks are too few for simultaneous intervals of level "
            f"{estimates.level:g}; together they have {reached:.4g}"
        )
    return tuple(told)
