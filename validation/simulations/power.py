"""The page of power by formula and by simulation."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import stats

from pycompare.sizes.simulation.result import SimulationResult

from ..markdown import spaced_table
from .parts import head


def power_page(found: SimulationResult) -> list[str]:
    """Return the page of power by formula and by simulation."""
    rows = with_z(found)
    m, squares = len(rows), float((rows["z"] ** 2).mean())
    outside = int((rows["z"].abs() > 2).sum())
    far = rows[rows["z"].abs() > sidak(m)]
    low, high = stats.chi2.ppf([0.025, 0.975], m) / m
    inside = low <= squares <= high
    return [
        *head("Power by formula and by simulation", found),
        "",
        f"**{m - len(far)} of {m} powers by formula agree with {found.trials} "
        f"simulated studies.** z is the simulated power less the formula, in Monte "
        f"Carlo standard errors. If all formulas are exact, the largest of {m} values "
        f"of z is within {sidak(m):.2f} in 95% of studies like this (Šidák).",
        "",
        f"{outside} of {m} values lie outside of 2; {0.0455 * m:.1f} are expected by "
        f"chance. The mean of z squared is {squares:.2f}, "
        f"{'within' if inside else 'outside of'} the 95% range of chance, {low:.2f} to "
        f"{high:.2f}.",
        *[
            line
            for row in far.to_dict("records")
            for line in (
                "",
                f"Not in agreement: `{row['design']}`, n = {row['n']}: formula "
                f"{row['formula']:.3f}, simulated {row['estimate']:.3f} "
                f"(z = {row['z']:+.2f}).",
            )
        ],
        "",
        "The formulas for normal scores and for counts are exact; that of `manova` is "
        "for two algorithms, and for more of them close to exact. Those for AUCs "
        "(`auc`, `delong`) use the mean, the variance and the skewness of what the "
        "test compares, and those for readers and cases (`mrmc`) the first joint "
        "moments of the difference and its estimated error. `auc` with Hanley and "
        "McNeil's variance is simulated with exponential ratings, as they assume; all "
        "other ratings are normal. Designs "
        "without a formula are left out: `wilcoxon`, `friedman`.",
        "",
        "## By design",
        *spaced_table(
            [
                ["design", "settings", "largest z", "mean of z squared"],
                *(
                    [
                        str(name),
                        str(len(z)),
                        f"{z.loc[z.abs().idxmax()]:+.2f}",
                        f"{(z**2).mean():.2f}",
                    ]
                    for name, z in rows.groupby("design", sort=False)["z"]
                ),
            ]
        ),
        "## All settings",
        *spaced_table(
            [
                ["design and truth", "n", "formula", "simulated", "95% CI", "z"],
                *(
                    [
                        row["condition"].rpartition(", n = ")[0],
                        f"{row['n']}",
                        f"{row['formula']:.4f}",
                        f"{row['estimate']:.4f}",
                        f"[{row['conf_low']:.4f}, {row['conf_high']:.4f}]",
                        f"{row['z']:+.2f}",
                    ]
                    for row in rows.to_dict("records")
                ),
            ]
        ),
    ]


def with_z(found: SimulationResult) -> pd.DataFrame:
    """Return the rows with z: simulated less formula, in standard errors."""
    p = found.table["formula"]
    error = np.sqrt(p * (1 - p) / found.trials)
    return found.table.assign(z=(found.table["estimate"] - p) / error)


def sidak(m: int) -> float:
    """Return what the largest of m absolute normal deviates exceeds in 5%."""
    return float(stats.norm.isf((1 - 0.95 ** (1 / m)) / 2))
