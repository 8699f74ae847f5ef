"""The share of right answers of each algorithm, with its interval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd

from pycompare.base.arguments import check_level, check_word
from pycompare.base.checked import checked
from pycompare.base.interop.r_call import RCall
from pycompare.data.blocks import Blocks, complete_blocks
from pycompare.data.scores import Scores
from pycompare.kernels import binomial
from pycompare.methods.cases.answers import wilson_notes
from pycompare.methods.pairs.common import refuse_clusters
from pycompare.methods.pairs.mcnemar_pairs import binary
from pycompare.results.result import Result, internal

AccuracyIntervalMethod = Literal["wilson", "jeffreys", "clopper-pearson"]


@dataclass(frozen=True, kw_only=True, eq=False)
class AccuracyIntervals(Result):
    """Shares of ones with intervals.

    Attributes
    ----------
    table : DataFrame
        One row per algorithm, in the order of the data: ``algorithm ones n estimate
        conf_low conf_high``.
    metric : str
    method : {"wilson", "jeffreys", "clopper-pearson"}
    level : float
        Confidence level of each interval separately.
    notes : tuple of str
        Note on limits of Wilson that can cover less than their level.
    blocks : Blocks
        The scores that were counted.
    """

    table: pd.DataFrame
    metric: str
    method: AccuracyIntervalMethod
    level: float
    notes: tuple[str, ...] = ()
    blocks: Blocks = internal()

    def r_call(self) -> RCall:
        """Return the call of ``prop.test``, ``qbeta`` or ``binom.test``."""
        arguments = {
            "x": self.blocks.r_arguments()["x"],
            "method": self.method,
            "level": self.level,
        }
        return RCall(("accuracy_intervals",), "accuracy_intervals_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return the shares and their limits."""
        names = ("ones", "estimate", "conf_low", "conf_high")
        return self.columns_in_r(*names)


@checked
def accuracy_intervals(
    scores: Scores,
    *,
    metric: str | None = None,
    method: AccuracyIntervalMethod = "wilson",
    level: float = 0.95,
) -> AccuracyIntervals:
    """Return the share of ones of each algorithm with its confidence interval.

    Parameters
    ----------
    scores : Scores
        Complete table of 0 and 1; the blocks are cases (items of a test set).
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    method : {"wilson", "jeffreys", "clopper-pearson"}
        ``wilson``: inverts the score test. ``jeffreys``: quantiles of the posterior
        distribution under Jeffreys' prior, with limits 0 and 1 if all cases agree.
        ``clopper-pearson``: exact, and wider.
    level : float
        Confidence level of each interval separately.

    Returns
    -------
    AccuracyIntervals
        Two algorithms may differ significantly although their intervals overlap: the
        cases are the same, so compare pairs by ``pc.mcnemar_pairs``.

    Raises
    ------
    DesignError
        If cells are missing, or the cases are in clusters.
    InputError
        If cells are not 0 or 1, or for an unknown word.

    Notes
    -----
    Equation 10.4 of docs/equations.md.

    R: ``prop.test(correct = FALSE)``, ``qbeta``, ``binom.test``. Cases must be
    independent.

    References
    ----------
    .. [1] Wilson, E. B. (1927). JASA 22, 209-212.
    .. [2] Brown, L. D., Cai, T. T., DasGupta, A. (2001). Statist. Sci. 16, 101-133.

    Examples
    --------
    >>> import pycompare as pc
    >>> right = {"A": [1] * 9 + [0], "B": [1, 0, 0, 0, 0, 0, 1, 0, 0, 0]}
    >>> scores = pc.Scores.from_wide(right, metric="accuracy", better="higher")
    >>> pc.accuracy_intervals(scores).table.round(3)
      algorithm  ones   n  estimate  conf_low  conf_high
    0         A     9  10       0.9     0.596      0.982
    1         B     2  10       0.2     0.057      0.510
    """
    check_level(level)
    level = float(level)
    check_word("method", method, get_args(AccuracyIntervalMethod))
    blocks = complete_blocks(scores, metric, None, method="accuracy_intervals")
    refuse_clusters(scores, "The interval of an accuracy")
    x = binary(blocks)
    n, ones = len(x), x.sum(axis=0)
    if method == "wilson":
        low, high = binomial.wilson(ones / n, n, level)
    elif method == "jeffreys":
        low, high = binomial.jeffreys(ones, n - ones, level)
    else:
        low, high = binomial.clopper_pearson(ones, n - ones, "two-sided", level)
    table = {
        "algorithm": np.array(blocks.algorithms, dtype=object),
        "ones": ones.astype(np.int64),
        "n": n,
        "estimate": ones / n,
        "conf_low": low,
        "conf_high": high,
    }
    return AccuracyIntervals(
        table=pd.DataFrame(table),
        metric=blocks.metric.name,
        method=method,
        level=level,
        notes=wilson_notes(ones, n) if method == "wilson" else (),
        blocks=blocks,
    )
