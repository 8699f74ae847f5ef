"""Coverage of intervals of one AUC: score laws, areas and sizes of the classes.

``python -m validation.auc_coverage [--trials N]`` writes ``auc_coverage.json`` and
``AUC_COVERAGE.md``. The name of a design is its seed.
"""

from __future__ import annotations

import argparse
import json
import zlib
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator
from scipy import optimize, special, stats

from pycompare.base.typing import Bools, Floats
from pycompare.kernels import area_variance, binomial, placements
from validation.cells import cells_of

from .markdown import table as table_lines

HERE = Path(__file__).parent
STORED, PAGE = HERE / "auc_coverage.json", HERE / "AUC_COVERAGE.md"
TRIALS = 2000
SIZES = (
    *((1, 1), (1, 100), (100, 1), (2, 100), (5, 100), (100, 5), (10, 10), (10, 100)),
    *((30, 300), (300, 30), (50, 50), (100, 100), (1000, 1000)),
)
"""Positive and negative cases."""
AREAS = (0.7, 0.8, 0.9, 0.95, 0.99, 0.993, 0.999)
METHODS = ("effective-size", "delong", "delong-logit")
LEVEL = 0.95
_CUTS = np.array([-0.5, 0.5, 1.0, 2.0])
_OUTLIER = -50.0
Draw = Callable[[Generator, int, int], tuple[Any, Any]]
"""Scores of so many positive and negative cases."""


def _normal(spread: float) -> Callable[[float], Draw]:
    """Return normal scores; those of positive cases have the standard deviation."""

    def law(area: float) -> Draw:
        mean = np.hypot(1, spread) * stats.norm.ppf(area)
        return lambda rng, n1, n0: (rng.normal(mean, spread, n1), rng.normal(size=n0))

    return law


def _exponential(area: float) -> Draw:
    scale = area / (1 - area)
    return lambda rng, n1, n0: (
        scale * rng.exponential(size=n1),
        rng.exponential(size=n0),
    )


def _failures(area: float) -> Draw:
    """Return positive cases above all negative ones, but for failures below all."""
    return lambda rng, n1, n0: (
        np.where(rng.random(n1) < area, 1.0, -1.0),
        np.zeros(n0),
    )


def _tied_failures(area: float) -> Draw:
    """Return failures that tie with all negative cases."""
    share = 2 * area - 1
    return lambda rng, n1, n0: (
        np.where(rng.random(n1) < share, 1.0, 0.0),
        np.zeros(n0),
    )


def _classes(area: float) -> Draw:
    """Return predicted classes: sensitivity and specificity are the area."""
    return lambda rng, n1, n0: (
        1.0 * (rng.random(n1) < area),
        1.0 * (rng.random(n0) > area),
    )


def _mixture(area: float) -> Draw:
    """Return normal scores; half of what is lost is lost by outliers."""
    outliers = (1 - area) / 2
    mean = np.sqrt(2) * stats.norm.ppf(area / (1 - outliers))

    def draw(rng: Generator, n1: int, n0: int) -> tuple[Any, Any]:
        positive = rng.normal(mean, size=n1)
        return np.where(rng.random(n1) < outliers, _OUTLIER, positive), rng.normal(
            size=n0
        )

    return draw


def _ratings(area: float) -> Draw:
    """Return normal scores cut into five ratings."""

    def shares(mean: float) -> Floats:
        return np.diff(np.r_[0.0, stats.norm.cdf(_CUTS - mean), 1.0])

    below = np.cumsum(shares(0.0)) - shares(0.0) / 2
    mean = optimize.brentq(lambda m: shares(m) @ below - area, 0.0, 20.0)

    def draw(rng: Generator, n1: int, n0: int) -> tuple[Any, Any]:
        first = np.searchsorted(_CUTS, rng.normal(mean, size=n1))
        return 1.0 * first, 1.0 * np.searchsorted(_CUTS, rng.normal(size=n0))

    return draw


LAWS: dict[str, Callable[[float], Draw]] = {
    "normal": _normal(1),
    "normal, positive sd 3": _normal(3),
    "normal, positive sd 1/3": _normal(1 / 3),
    "exponential": _exponential,
    "failures": _failures,
    "tied failures": _tied_failures,
    "two classes": _classes,
    "five ratings": _ratings,
    "normal with outliers": _mixture,
}
_MOST_RATED = 0.95
"""Five ratings with these cuts have no larger areas."""


def designs() -> Iterator[tuple[str, int, int, float]]:
    """Yield law, cases of both classes, area."""
    for law, (positive, negative), area in product(LAWS, SIZES, AREAS):
        if law != "five ratings" or area <= _MOST_RATED:
            yield law, positive, negative, area


def limits(truth: Bools, scores: Floats) -> dict[str, tuple[Floats, Floats]]:
    """Return the limits that ``pc.auc_interval`` has for each row of scores.

    All rows at once, by the kernels of ``pc.auc_interval``; a test holds the two
    together.
    """
    fewest = min(truth.sum(), (~truth).sum())
    if fewest == 1:
        area = placements.auc(truth, scores)
        variance = np.full(area.shape, np.nan)
    else:
        found = placements.delong(truth, scores[:, None, :])
        area, variance = found.area[:, 0], found.covariance[:, 0, 0]
    n = np.array(
        [
            area_variance.effective_size(*one, float(fewest))
            for one in zip(area.tolist(), variance.tolist(), strict=True)
        ]
    )
    made = {
        "effective-size": binomial.clopper_pearson(
            n * area, n * (1 - area), "two-sided", LEVEL
        )
    }
    if fewest == 1:
        return made
    with np.errstate(divide="ignore", invalid="ignore"):
        half = special.ndtri((1 + LEVEL) / 2) * np.sqrt(
            np.where(variance > 0, variance, np.nan)
        )
        centre, reach = special.logit(area), half / (area * (1 - area))
    made["delong"] = np.maximum(area - half, 0.0), np.minimum(area + half, 1.0)
    made["delong-logit"] = special.expit(centre - reach), special.expit(centre + reach)
    return made


def run_design(
    law: str, positive: int, negative: int, area: float, trials: int
) -> dict[str, Any]:
    """Return how many intervals hold the area, and the sums of their widths."""
    name = f"{law}, {positive} + {negative}, {area}"
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    draw = LAWS[law](area)
    label = np.repeat([1, 0], [positive, negative])
    scores = np.stack(
        [np.concatenate(draw(rng, positive, negative)) for _ in range(trials)]
    )
    made = limits(label == 1, scores)
    # Two ways to one number: shares of 0.9 are 0.9 but for rounding.
    off = 1e-12
    held = {
        m: int(np.sum((low - off <= area) & (area <= high + off)))
        for m, (low, high) in made.items()
    }
    width = {m: float(np.nansum(high - low)) for m, (low, high) in made.items()}
    of = {"law": law, "positive": positive, "negative": negative, "area": area}
    rounded = {m: round(w, 6) for m, w in width.items()}
    return {**of, "trials": trials, "held": held, "width": rounded}


def run(trials: int) -> list[dict[str, Any]]:
    """Run all designs."""
    every = list(designs())
    title = "coverage of AUC intervals"
    return list(cells_of(lambda design: run_design(*design, trials), every, title))


def coverage(row: dict[str, Any], method: str) -> float:
    """Return the share of trials whose interval holds the area; none holds nothing."""
    return float(row["held"][method] / row["trials"])


def _least(rows: list[dict[str, Any]], method: str) -> str:
    """Return the least coverage of some designs, and where."""
    of = [r for r in rows if method in r["held"]]
    if not of:
        return ""
    worst = min(of, key=lambda row: coverage(row, method))
    return f"{coverage(worst, method):.3f} ({worst['area']:g})"


def _table(rows: list[dict[str, Any]], key: Callable[[dict[str, Any]], str]) -> str:
    """Return the least coverage of each group of designs, by method."""
    groups = list(dict.fromkeys(map(key, rows)))
    body = [
        [g, *(_least([r for r in rows if key(r) == g], m) for m in METHODS)]
        for g in groups
    ]
    return "\n".join(table_lines([["designs", *METHODS], *body]))


def _widths(rows: list[dict[str, Any]]) -> str:
    """Return mean widths as shares of DeLong's, normal scores."""
    body = [
        [f"{r['positive']} + {r['negative']}", f"{r['area']:g}"]
        + [f"{r['width'][m] / r['width']['delong']:.3f}" for m in METHODS]
        + [f"{coverage(r, 'delong'):.3f}"]
        for r in rows
        if r["law"] == "normal" and min(r["positive"], r["negative"]) >= 50
    ]
    return "\n".join(
        table_lines([["cases", "AUC", *METHODS, "coverage of delong"], *body])
    )


def page(rows: list[dict[str, Any]]) -> str:
    """Return the page of the study."""
    default = [coverage(row, METHODS[0]) for row in rows]
    trials = rows[0]["trials"]
    return _PAGE.format(
        trials=trials,
        designs=len(rows),
        error=f"{np.sqrt(LEVEL * (1 - LEVEL) / trials):.3f}",
        least=f"{min(default):.3f}",
        below=sum(share < 0.93 for share in default),
        sizes=_table(rows, lambda r: f"{r['positive']} + {r['negative']}"),
        laws=_table(rows, lambda r: str(r["law"])),
        widths=_widths(rows),
    )


_PAGE = """# Coverage of intervals of one AUC

Written by `python -m validation.auc_coverage`. {designs} designs of {trials} trials:
nine laws of the scores, AUCs of 0.7 to 0.999, 1 to 1,000 cases of a class. A trial
without an interval (no variance was estimated) counts as one that misses. A true
coverage of 0.95 has a Monte Carlo standard error of {error}, and the least of many
designs is lower than the true one.

The default, `effective-size`, has a coverage of {least} or more; {below} of {designs}
designs are below 0.93.

Failures are positive cases below all negative ones, or tied with all of them; with
outliers half of 1 - AUC is due to such failures, the rest to normal scores. Two classes
are predictions of equal sensitivity and specificity.

## Least coverage of 95% intervals by size of the classes

Positive + negative cases; in brackets the AUC where it was found. An empty cell:
DeLong's variance needs two cases of each class.

{sizes}

## Least coverage by law of the scores

{laws}

## Mean width as a share of DeLong's, normal scores

DeLong's interval is narrow near an AUC of 1 where its coverage is low.

{widths}
"""


def main() -> None:
    """Run the study, store the counts and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=TRIALS)
    rows = run(parser.parse_args().trials)
    lines = ",\n".join(json.dumps(row) for row in rows)
    STORED.write_text(f"[\n{lines}\n]\n")
    PAGE.write_text(page(rows))


if __name__ == "__main__":
    main()
