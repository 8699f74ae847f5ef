"""The mean of each algorithm on each group of cases: estimates without tests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pycompare.base.interop.r_call import RCall
from pycompare.base.labels import levels
from pycompare.base.tables import Columns
from pycompare.base.typing import Ints
from pycompare.data.blocks import Blocks, complete_blocks
from pycompare.data.scores import Scores
from pycompare.kernels.cluster_means import sums_by
from pycompare.results.result import Result, internal, made_when_read

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, kw_only=True, eq=False)
class GroupMeans(Result):
    """Means of algorithms on groups of cases.

    Attributes
    ----------
    table : DataFrame
        One row per group and algorithm, in the order of the data: ``group cases
        algorithm estimate``.
    metric : str
    """

    table: pd.DataFrame = made_when_read()
    metric: str
    blocks: Blocks = internal()
    codes: Ints = internal()

    def r_call(self) -> RCall:
        """Return the call of the mean of every group and algorithm."""
        given = {"x": self.blocks.r_arguments()["x"], "stratum": self.codes + 1.0}
        return RCall(("group_means",), "group_means_reference", given)

    def r_values(self) -> dict[str, Any]:
        """Return the means, group after group."""
        return self.columns_in_r("estimate")


def group_means(scores: Scores) -> GroupMeans:
    """Return the mean of each algorithm on each group of cases, in one metric."""
    blocks = complete_blocks(scores, None, None, method="group_means")
    groups = levels(scores.groups or (), what="groups")
    codes, n = np.asarray(groups.codes), len(blocks.algorithms)
    counts = np.bincount(codes, minlength=len(groups.labels))
    means = sums_by(codes, blocks.metric.sign * blocks.values) / counts[:, None]
    names = np.array(blocks.algorithms, dtype=object)
    table = {
        "group": np.repeat(np.array(groups.labels, dtype=object), n),
        "cases": np.repeat(counts, n),
        "algorithm": np.tile(names, len(groups.labels)),
        "estimate": means.ravel(),
    }
    return GroupMeans(
        table=Columns(table), metric=blocks.metric.name, blocks=blocks, codes=codes
    )
