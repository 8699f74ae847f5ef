"""What one table decides under every reasonable plan; see ``specifications``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pycompare.results import Result, plain

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, kw_only=True, eq=False)
class SpecificationCurve(Result):
    """What one table decides under every reasonable plan.

    Attributes
    ----------
    table : DataFrame
        One row a specification and pair, the primary analysis first: ``specification
        test adjust scores algorithm_1 algorithm_2 better p_value p_adjusted z
        significant agrees``. ``z`` is the standard normal deviate of the raw p-value,
        above 0 where algorithm_1 is better; ``agrees`` is the decision of the primary
        analysis: the same algorithm is better significantly, or neither is.
    pairs : DataFrame
        One row a pair: ``algorithm_1 algorithm_2 primary agreeing share p_low
        p_high``; ``primary`` is the algorithm in favour of which the primary analysis
        rejects, else empty; ``p_low`` and ``p_high`` limit its adjusted p-values.
    """

    table: pd.DataFrame
    pairs: pd.DataFrame

    @property
    def n(self) -> int:
        """How many specifications there are."""
        return int(self.table["specification"].nunique())

    @property
    def n_alike(self) -> int:
        """How many decide every pair as the primary analysis does."""
        return int(self.table.groupby("specification")["agrees"].all().sum())

    @property
    def share(self) -> float:
        """Share of the decisions on pairs that are those of the primary analysis."""
        return float(self.table["agrees"].mean())

    @property
    def most_fragile(self) -> tuple[str, str]:
        """The pair on which specifications agree least; of several the first."""
        row = self.pairs.sort_values("share", kind="stable").iloc[0]
        return row["algorithm_1"], row["algorithm_2"]

    def to_frame(self) -> pd.DataFrame:
        """Return a copy of the table."""
        return self.table.copy()

    def to_dict(self) -> dict[str, Any]:
        """Return the specifications and the pairs; the table is a file of its own."""
        return {
            "n": self.n,
            "n_alike": self.n_alike,
            "share": self.share,
            "specifications": plain(self.specifications),
            "pairs": plain(self.pairs),
        }

    @property
    def specifications(self) -> pd.DataFrame:
        """One row a specification: ``test adjust scores agreeing``, counts of pairs."""
        by = ["specification", "test", "adjust", "scores"]
        found = self.table.groupby(by, sort=False)["agrees"].sum()
        return found.rename("agreeing").reset_index().drop(columns="specification")

    def of_pair(self, first: str, second: str) -> pd.DataFrame:
        """Return one row a specification for a pair, in ascending order of ``z``."""
        mine = (self.table["algorithm_1"] == first) & (
            self.table["algorithm_2"] == second
        )
        return self.table[mine].sort_values("z", kind="stable").reset_index(drop=True)
