"""Comparisons of pairs whose adjusted p-values R can repeat, or cannot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pycompare.base.metric import Metric
from pycompare.base.tables import Columns
from pycompare.base.typing import Floats
from pycompare.data.blocks import Blocks
from pycompare.kernels.logical import is_bound
from pycompare.methods.pairs.common import pair_index, pairs_family
from pycompare.results.adjust import repeatable_in_r
from pycompare.results.family import Adjustable
from pycompare.results.result import PairsResult, internal
from pycompare.results.schema import Schema, changed

_BOUND = (
    "Adjusted p-values are upper bounds of Bergmann and Hommel's, because the exact "
    "search is longer than its limit. Bounds keep the family-wise error rate; "
    "pc.adjust(..., exact=True) searches to the end."
)


def bound_note(pairs: PairsResult) -> str:
    """Note that Bergmann-Hommel's adjusted p-values are bounds; empty if they are not.

    Mean ranks with one standard error have p-values that fall with their distance.
    """
    is_all = pairs.control is None and pairs.adjusted_here
    if not is_all or pairs.adjust != "bergmann-hommel":
        return ""
    line = None
    if pairs.on_a_line:
        line = np.asarray(pairs.held("positions"), float)
    return bound_of(pairs.square("p_value"), line)


def bound_of(p: Floats, positions: Floats | None = None) -> str:
    """Note that p-values of all pairs (a square) have bounds; empty if not."""
    return _BOUND if is_bound(np.where(np.isnan(p), 1.0, p), positions) else ""


def fields_of_pairs(
    blocks: Blocks,
    control: str | None,
    columns: Mapping[str, Any],
    **fields: Any,
) -> dict[str, Any]:
    """Return the fields of a result of tests of pairs.

    ``columns`` of the table, raw p-values among them, and ``fields`` that the result
    has besides, or instead. By default nothing is adjusted, there are no intervals, and
    algorithms are placed by their means.
    """
    table: dict[str, Any] = dict(pair_index(blocks.algorithms, control).labels)
    nothing = np.broadcast_to(np.nan, len(columns["p_value"]))
    for name, column in columns.items():
        table[name] = column
        if name == "p_value":
            table |= {"p_adjusted": column, "conf_low": nothing, "conf_high": nothing}
    if "positions" not in fields:
        fields["positions"] = blocks.per_algorithm(blocks.values.mean(axis=0))
    return {
        "table": Columns(table),
        "adjust": "none",
        "family": pairs_family(blocks, control),
        "interval": "",
        "control": control,
        "blocks": blocks,
        **fields,
    }


@dataclass(frozen=True, kw_only=True, eq=False)
class AdjustedPairs(Adjustable, PairsResult):
    """Pairs whose p-values are adjusted by a method of ``adjust``.

    Attributes
    ----------
    blocks : Blocks
        The scores that were compared; of clustered cases their totals.
    """

    r_named: ClassVar[bool] = True

    schema: ClassVar[Schema] = changed(
        PairsResult.schema, "p_adjusted", only="repeatable"
    )
    blocks: Blocks = internal()

    @property
    def measured(self) -> tuple[str, int]:
        """The metric's name, and how many blocks were compared."""
        return self.blocks.metric.name, len(self.blocks.values)

    @property
    def metric(self) -> Metric:
        """The metric in which algorithms are compared."""
        return self.blocks.metric

    @property
    def lower_is_better(self) -> bool:
        """Whether a negative ``estimate`` means that algorithm_1 is better."""
        return self.metric.sign > 0

    @property
    def n_blocks(self) -> int:
        """Independent blocks."""
        return len(self.blocks.values)

    @property
    def repeatable(self) -> bool:
        """Whether R can adjust these p-values; for some it lists all partitions."""
        able = repeatable_in_r(self.adjust, len(self.algorithms))
        return self.adjusted_here and able and not bound_note(self)

    def r_adjusting(self) -> dict[str, Any]:
        """Return the arguments of R functions that adjust p-values of pairs."""
        return {
            "adjust": self.adjust if self.repeatable else "",
            "control": self.control or "",
            "level": self.level,
        }
