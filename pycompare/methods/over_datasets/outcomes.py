"""Who beats whom in many tables: significant, and the better mean or lower risk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pycompare.base.typing import Bools, Floats
from pycompare.kernels.ranks import TIE_ULPS
from pycompare.methods.over_datasets.win_table import labelled
from pycompare.results.result import rejected

ALIKE = "no difference can be tested: the scores do not differ, or vary in nothing"
VERDICTS = np.array(["loss", "tie", "win"], dtype=object)


@dataclass(frozen=True, eq=False)
class Outcomes:
    """Tests of all pairs of algorithms in n tables (data sets, thresholds).

    Attributes
    ----------
    algorithms : tuple of str
    value : ndarray, shape (n, a)
        Means or risks that decide which of two is better, in their own unit.
    difference : ndarray, shape (n, m)
        Algorithm_1 minus algorithm_2, with the sign such that negative means that
        algorithm_1 is better; exactly 0 if they are equal up to rounding. Pairs in
        the order (0, 1), (0, 2), ...
    p_value, p_pairs : ndarray, shape (n, m)
        Raw, and adjusted over the pairs of the table; NaN if nothing was tested.
    p_omnibus : ndarray, shape (n,), or None
        Of the test that all algorithms are alike; None if it does not stand before the
        pairs.
    reason : ndarray of str, shape (n, m)
        Why a pair was not tested, else empty.
    """

    algorithms: tuple[str, ...]
    value: Floats
    difference: Floats
    p_value: Floats
    p_pairs: Floats
    p_omnibus: Floats | None
    reason: NDArray[np.object_]

    @property
    def p_adjusted(self) -> Floats:
        """The larger of the pair's and the omnibus p-value, so that both must reject.

        NaN if one of them could not be tested.
        """
        if self.p_omnibus is None:
            return self.p_pairs
        return np.maximum(self.p_pairs, self.p_omnibus[:, None])

    def sides(self, alpha: float) -> NDArray[np.int_]:
        """Return 1 if algorithm_1 wins, -1 if it loses, else 0; (n, m)."""
        significant = rejected(self.p_adjusted, alpha)
        return np.where(significant, -np.sign(self.difference), 0).astype(int)

    def beats(self, alpha: float) -> Bools:
        """Return where row beats column, shape (n, a, a)."""
        sides = self.sides(alpha)
        a = len(self.algorithms)
        first, second = np.triu_indices(a, 1)
        wins = np.zeros((len(sides), a, a), dtype=bool)
        wins[:, first, second] = sides > 0
        wins[:, second, first] = sides < 0
        return wins

    def frame(
        self,
        labels: Mapping[str, Sequence[object]],
        alpha: float,
        control: str | None = None,
    ) -> pd.DataFrame:
        """Return one row per table and pair; ``labels`` name the tables.

        With a control only the pairs that hold it.
        """
        n, m = self.p_value.shape
        first, second = np.triu_indices(len(self.algorithms), 1)
        names = np.array(self.algorithms, dtype=object)
        sides = self.sides(alpha)
        omnibus = (
            {}
            if self.p_omnibus is None
            else {"p_omnibus": np.repeat(self.p_omnibus, m)}
        )
        table = pd.DataFrame(
            {
                **{k: np.repeat(np.array(v, object), m) for k, v in labels.items()},
                "algorithm_1": np.tile(names[first], n),
                "algorithm_2": np.tile(names[second], n),
                "value_1": self.value[:, first].ravel(),
                "value_2": self.value[:, second].ravel(),
                "p_value": self.p_value.ravel(),
                "p_pairs": self.p_pairs.ravel(),
                **omnibus,
                "p_adjusted": self.p_adjusted.ravel(),
                "verdict": VERDICTS[sides.ravel() + 1],
                "reason": self.reason.ravel(),
            }
        )
        if control is None:
            return table
        rows = np.tile(np.isin(np.arange(m), with_control(self.algorithms, control)), n)
        return table[rows].reset_index(drop=True)


def with_control(algorithms: Sequence[str], control: str) -> NDArray[np.intp]:
    """Return the places of the pairs (0, 1), (0, 2), ... that hold the control."""
    at = list(algorithms).index(control)
    return np.flatnonzero(
        (np.array(np.triu_indices(len(algorithms), 1)) == at).any(axis=0)
    )


def signed_differences(value: Floats, noise: Floats, sign: float = 1.0) -> Floats:
    """Return differences of all pairs, 0 if they are rounding.

    Parameters
    ----------
    value, noise : ndarray, shape (n, a)
        ``noise``: magnitude of the numbers behind each value.
    sign : {1.0, -1.0}
        -1 if higher is better.
    """
    first, second = np.triu_indices(value.shape[-1], 1)
    d = value[:, first] - value[:, second]
    width = TIE_ULPS * np.finfo(float).eps
    size = np.maximum(noise[:, first], noise[:, second])
    return np.where(np.abs(d) <= width * size, 0.0, sign * d)


def counted(
    beats: Bools, algorithms: tuple[str, ...]
) -> tuple[pd.DataFrame, pd.Series]:
    """Return the table of wins and the union totals of verdicts (n, a, a)."""
    totals = beats.any(axis=2).sum(axis=0)
    return (
        labelled(beats.sum(axis=0), algorithms),
        pd.Series(totals, index=list(algorithms)),
    )
