"""Counts that Maloof (2002) printed, held against each other and against our shares.

Facts with their computation: which numbers follow from the printed ones, and which of
our shares would follow if some runs of a program gave no answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from pycompare.sizes.simulation import maloof
from pycompare.sizes.simulation import reader_tests as tests
from pycompare.sizes.simulation.result import SimulationResult

DISAGREEMENTS: Mapping[tuple[float, int], int] = {
    (1.0, 100): 383,
    (1.0, 200): 66,
    (1.0, 300): 52,
    (1.0, 400): 64,
    (1.33, 100): 275,
    (1.33, 200): 47,
    (1.33, 300): 42,
    (1.33, 400): 64,
    (1.66, 100): 235,
    (1.66, 200): 52,
    (1.66, 300): 55,
    (1.66, 400): 58,
}
"""Column of Table 2 with the trials in which the two tests disagree."""
LARGER = 200
"""Training cases from which on the second program rejects equally often."""
FAILED = 0.053
"""Share of runs without an answer that is tried: 1 less the share of `LARGER` sizes."""
_TRIALS = 1000


@dataclass(frozen=True)
class PrintedCell:
    """Counts of one condition: A and L of Table 1, agreements and others of Table 2."""

    n: int
    anova: int
    labmrmc: int
    agree: int
    disagree: int

    @property
    def trials(self) -> int:
        """Trials that Table 2 counts."""
        return self.agree + self.disagree

    @property
    def kept(self) -> int:
        """Trials in which the analysis of variance keeps the null hypothesis."""
        return self.trials - self.anova

    @property
    def only_labmrmc(self) -> float:
        """Trials in which only LABMRMC rejects.

        only A + only L is the number of disagreements, only A - only L is A - L.
        """
        return (self.disagree - (self.anova - self.labmrmc)) / 2


def printed_cells() -> tuple[PrintedCell, ...]:
    """Return the printed counts of all conditions."""
    return tuple(
        PrintedCell(n, *counts, DISAGREEMENTS[d, n])
        for (d, n), counts in maloof.PUBLISHED.items()
    )


def share_of_larger(n: int | None = None) -> float:
    """Return how often LABMRMC rejects with 200 to 400 training cases, or with n."""
    cells = [c for c in printed_cells() if c.n >= LARGER and n in (None, c.n)]
    return sum(c.labmrmc for c in cells) / sum(c.trials for c in cells)


def mismatches(found: SimulationResult, failed: float = 0.0) -> int:
    """Count published shares more than three standard errors from ours.

    ``failed`` is a share of runs in which DBM gives no answer, whatever the data, and
    is set to keep the null hypothesis.
    """
    rows = found.table.dropna(subset="published")
    wide = found.wide()
    ours = rows["estimate"].to_numpy(float).copy()
    anova = wide[tests.TWO_WAY].loc[rows["condition"]].to_numpy(float)
    dbm = (rows["statistic"] == tests.DBM).to_numpy()
    agree = (rows["statistic"] == maloof.AGREE).to_numpy()
    ours[dbm] *= 1 - failed
    # Without an answer of DBM the two agree if the analysis of variance keeps too.
    ours[agree] = (1 - failed) * ours[agree] + failed * (1 - anova[agree])
    p = rows["published"].to_numpy()
    trials = rows["trials"].to_numpy(float)
    error = np.sqrt(ours * (1 - ours) / trials + p * (1 - p) / _TRIALS)
    # A share of 1 has no standard error by its formula.
    least = np.sqrt(0.001 * 0.999 / _TRIALS)
    distance = np.abs(ours - p) / np.maximum(error, least)
    return int((distance > 3).sum())


def facts(found: SimulationResult) -> list[str]:
    """Return what follows from the printed counts, each with its computation."""
    cells = printed_cells()
    kept, only = sum(c.kept for c in cells), sum(c.only_labmrmc for c in cells)
    # If the two tests had nothing to do with each other.
    unrelated = sum(c.kept * c.labmrmc / c.trials for c in cells)
    short = sum(c.trials == _TRIALS - 1 for c in cells)
    trials = int(found.table["trials"].max())
    wide = found.wide()
    ours_kept = round(float((1 - wide[tests.TWO_WAY]).sum()) * trials)
    ours_only = round(float(wide[maloof.ONLY_DBM].sum()) * trials)
    sizes = sorted({c.n for c in cells if c.n >= LARGER})
    by_size = ", ".join(f"{share_of_larger(n):.3f}" for n in sizes)
    total = 3 * len(cells)
    return [
        f"In {short} of {len(cells)} conditions the two columns of Table 2 sum to "
        f"{_TRIALS - 1}, in the others to {_TRIALS}.",
        f"The printed analysis of variance (A) keeps the null hypothesis in {kept} "
        f"trials (sums of Table 2 less A). LABMRMC (L) rejects it in {only:.0f} of "
        f"these: in each condition half of the disagreements less A - L. If the two "
        f"tests were unrelated, {unrelated:.0f} would be expected.",
        f"On the same areas the numerator of both F is the same, and the denominator "
        f"of DBM is at least that of the analysis of variance, so that only its "
        f"larger degrees of freedom can favour it. In our {len(cells) * trials:,} "
        f"trials the analysis of variance keeps the null hypothesis in {ours_kept}, "
        f"and DBM rejects it in {ours_only} of these.",
        f"With {' to '.join(str(n) for n in (sizes[0], sizes[-1]))} training cases "
        f"LABMRMC rejects in {share_of_larger():.3f} of the printed trials ({by_size} "
        f"by size), while the analysis of variance rises to 0.999 and our DBM to 1.",
        f"Published counts more than three standard errors from ours: "
        f"{mismatches(found)} of {total}. If {100 * FAILED:.1f}% of DBM's runs gave no "
        f"answer and were set to keep the null hypothesis, they would be "
        f"{mismatches(found, FAILED)} of {total}. The paper reports no such runs.",
    ]
