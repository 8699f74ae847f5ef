"""Medians with intervals by order statistics; slopes of growth; what was reached."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

LEVEL = 0.95
ROOM = 0.1
"""How much steeper than the theory a slope may be."""


@dataclass(frozen=True)
class Median:
    """A median with the interval between two order statistics.

    Attributes
    ----------
    low, value, high : float
    level : float
        Confidence level; less than 0.95 where even the extremes do not reach it.
    """

    low: float
    value: float
    high: float
    level: float


def median(values: Sequence[float]) -> Median:
    """Return the median and its shortest symmetric interval of level 0.95.

    The interval of the k-th smallest and the k-th largest of n values holds the median
    unless fewer than k values are on one side of it: a binomial tail for each side.
    """
    ordered, n = sorted(values), len(values)
    k = max(1, int(stats.binom.ppf((1 - LEVEL) / 2, n, 0.5)))
    level = 1 - 2 * float(stats.binom.cdf(k - 1, n, 0.5))
    return Median(ordered[k - 1], float(np.median(ordered)), ordered[n - k], level)


def ratio(row: Mapping[str, Any]) -> Median:
    """Return the ratio of CPU times, ours to the peer's of the same turn."""
    pairs = zip(row["ours"]["cpu"], row["peer"]["cpu"], strict=True)
    return median([ours / peer for ours, peer in pairs])


@dataclass(frozen=True)
class Slope:
    """The slope of log CPU time on log size, by least squares.

    Attributes
    ----------
    value, std_error : float
    theory : float
        The slope of the theoretical order over the same sizes.
    """

    value: float
    std_error: float
    theory: float

    @property
    def most(self) -> float:
        return self.theory + ROOM

    @property
    def reached(self) -> bool:
        return self.value <= self.most


def slope(row: Mapping[str, Any]) -> Slope:
    """Return the slope of a row of growth, of the medians over turns."""
    x = np.log(row["sizes"])
    seconds = [np.median(of["cpu"]) for of in row["ours"]]
    found = stats.linregress(x, np.log(seconds))
    theory = stats.linregress(x, np.log(row["order"])).slope
    return Slope(float(found.slope), float(found.stderr), float(theory))


def reached(row: Mapping[str, Any]) -> bool | None:
    """Tell whether all that was wanted of a row was reached; None if nothing was."""
    if "sizes" in row:
        return slope(row).reached
    if not row["wanted"]:
        return None
    found = dict(row.get("figures", {}))
    if "ratio" in row["wanted"]:
        found["ratio"] = ratio(row).value
    found["seconds"] = median(row["ours"]["cpu"]).value
    return all(found[what] <= most for what, most in row["wanted"].items())


# ---- as text ------------------------------------------------------------------------


def duration(seconds: float) -> str:
    """Return seconds in three digits, with the unit that suits."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if abs(seconds) >= size:
            return f"{_three(seconds / size)} {unit}"
    return f"{_three(seconds / 1e-6)} µs"


def number(value: float) -> str:
    """Return a ratio in two or three digits."""
    return f"{value:.2f}" if value >= 0.1 else f"{value:.2g}"


def _three(value: float) -> str:
    digits = max(0, 2 - math.floor(math.log10(abs(value)))) if value else 0
    return f"{value:.{digits}f}"


def interval(found: Median) -> str:
    """Return a ratio with its interval."""
    return f"{number(found.value)} [{number(found.low)}, {number(found.high)}]"


def wanted(row: Mapping[str, Any]) -> str:
    """Return what was wanted of a row."""
    parts = [
        f"CPU time ≤ {duration(most)}" if what == "seconds" else f"{what} ≤ {most:g}"
        for what, most in row["wanted"].items()
    ]
    return ", ".join(parts)


def line(row: Mapping[str, Any]) -> str:
    """Return a row as one line of text."""
    parts = _of_growth(row) if "sizes" in row else _of_calls(row)
    verdict = {True: ["reached"], False: ["MISSED"], None: []}[reached(row)]
    return "; ".join([*parts, *verdict])


def _of_growth(row: Mapping[str, Any]) -> list[str]:
    found = slope(row)
    return [
        f"{row['name']}, by {row['by']}",
        f"slope {found.value:.2f} (standard error {found.std_error:.2f})",
        f"theory {row['theory']}, {found.theory:.2f}",
    ]


def _of_calls(row: Mapping[str, Any]) -> list[str]:
    parts = [f"{row['name']}, {row['size']}", f"CPU {cpu(row['ours'])}"]
    if "peer" in row:
        parts += [f"{row['by']} {cpu(row['peer'])}", f"ratio {interval(ratio(row))}"]
    parts += [f"{what} {value:g}" for what, value in row.get("figures", {}).items()]
    return [*parts, *([f"wanted {wanted(row)}"] if row["wanted"] else [])]


def cpu(side: Mapping[str, Any]) -> str:
    """Return the median CPU time of a side."""
    return duration(median(side["cpu"]).value)
