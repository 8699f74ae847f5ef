"""Coverage of intervals of an average precision, by the share of positive cases.

``python -m validation.average_precision [--trials N]`` writes
``average_precision.json`` and ``AVERAGE_PRECISION.md``. The name of a design is its
seed.
"""

from __future__ import annotations

import argparse
import json
import zlib
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator
from scipy import special, stats

from pycompare.base.typing import Bools, Floats, Ints
from pycompare.kernels import cumulative_counts, resampled_curves
from pycompare.methods.curves.average_precision_interval import limits
from pycompare.methods.curves.few_cases import LEAST_DRAWN
from validation.cells import cells_of

from .auc_coverage import LAWS as OF_AUC
from .auc_coverage import Draw
from .markdown import table as table_lines

HERE = Path(__file__).parent
STORED, PAGE = HERE / "average_precision.json", HERE / "AVERAGE_PRECISION.md"
TRIALS = 1000
DRAWN, RESAMPLES = 100, 200
"""Trials and resamples of the bootstrap, which takes most of the time."""
SIZES = (
    *((1, 1), (1, 9), (1, 99), (2, 2), (2, 18), (2, 198), (5, 5), (5, 45), (5, 495)),
    *((10, 10), (10, 90), (10, 990), (30, 30), (30, 270), (50, 4950), (100, 100)),
    *((100, 900), (300, 300), (1000, 1000)),
)
"""Positive and negative cases: 50, 10 and 1% positive."""
AREAS = (0.7, 0.9, 0.99)
"""Areas under the ROC curve."""
METHODS = ("effective-size", "logit", "bootstrap")
LEVEL = 0.95
_MOST_DRAWN = 1000
"""Cases of a design with the bootstrap."""
_MANY = 2**23
_POPULATION = 400_000
_MOST_RATED = 0.95


def _false_alarms(area: float) -> Draw:
    """Return negative cases below all positive ones, but for some above all."""
    return lambda rng, n1, n0: (
        np.zeros(n1),
        np.where(rng.random(n0) < 1 - area, 1.0, -1.0),
    )


def _negative_outliers(area: float) -> Draw:
    """Return normal scores; half of what is lost is lost by negative outliers."""
    outliers = (1 - area) / 2
    mean = np.sqrt(2) * stats.norm.ppf(area / (1 - outliers))

    def draw(rng: Generator, n1: int, n0: int) -> tuple[Any, Any]:
        negative = np.where(rng.random(n0) < outliers, 50.0, rng.normal(size=n0))
        return rng.normal(mean, size=n1), negative

    return draw


LAWS: dict[str, Callable[[float], Draw]] = {
    **OF_AUC,
    "false alarms": _false_alarms,
    "normal with negative outliers": _negative_outliers,
}
BOOTSTRAPPED = ("normal", "normal with negative outliers")


def designs() -> Iterator[tuple[str, int, int, float]]:
    """Yield law, cases of both classes, area under the ROC curve."""
    for law, (positive, negative), area in product(LAWS, SIZES, AREAS):
        if law != "five ratings" or area <= _MOST_RATED:
            yield law, positive, negative, area


@lru_cache(maxsize=1)
def _population(law: str, area: float) -> tuple[Floats, Floats, Floats]:
    """Return shares of positives gained, and shares called of both classes."""
    rng = np.random.default_rng(zlib.crc32(f"{law}, {area}".encode()))
    positive, negative = LAWS[law](area)(rng, _POPULATION, _POPULATION)
    truth = np.repeat([True, False], _POPULATION)
    found = cumulative_counts.steps(
        np.concatenate([positive, negative]), truth, [0, 2 * _POPULATION]
    )
    tpr, fpr = found.tp / _POPULATION, found.fp / _POPULATION
    return np.diff(tpr, prepend=0.0), tpr, fpr


def truth_of(law: str, area: float, share: float) -> float:
    """Return the average precision in a large population with a share of positives."""
    gained, tpr, fpr = _population(law, area)
    return float(np.sum(gained * share * tpr / (share * tpr + (1 - share) * fpr)))


def logit_limits(area: Floats, n_positive: int) -> tuple[Floats, Floats]:
    """Return Boyd, Eng and Page's (2013) logit interval; NaN for an area of 1."""
    with np.errstate(divide="ignore", invalid="ignore"):
        half = special.ndtri((1 + LEVEL) / 2) / np.sqrt(n_positive * area * (1 - area))
        centre = special.logit(area)
        return special.expit(centre - half), special.expit(centre + half)


def _percentiles(truth: Bools, score: Floats, seed: int) -> tuple[float, float]:
    """Return percentiles of average precisions of resamples, as ``auc_pr_pairs``."""

    def measure(fp: Ints, tp: Ints) -> Floats:
        steps = cumulative_counts.steps_of_rows(fp, tp)
        return cumulative_counts.average_precision(steps)

    drawn = resampled_curves.resampled(
        truth, score[None], measure, np.random.default_rng(seed), RESAMPLES
    )[:, 0]
    if np.all(drawn == drawn[0]):
        return np.nan, np.nan
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def run_design(
    law: str, positive: int, negative: int, area: float, trials: int
) -> dict[str, Any]:
    """Return how many intervals hold the average precision, and sums of widths."""
    target = truth_of(law, area, positive / (positive + negative))
    name = f"{law}, {positive} + {negative}, {area}"
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    draw, truth = LAWS[law](area), np.repeat([True, False], [positive, negative])
    held = dict.fromkeys(METHODS, 0)
    width = dict.fromkeys(METHODS, 0.0)

    def count(method: str, low: Any, high: Any) -> None:
        off = 1e-12
        held[method] += int(np.sum((low - off <= target) & (target <= high + off)))
        width[method] += float(np.nansum(high - low))

    step = max(1, _MANY // (positive + negative))
    first = np.zeros((0, positive + negative))
    for start in range(0, trials, step):
        scores = np.stack(
            [
                np.concatenate(draw(rng, positive, negative))
                for _ in range(min(step, trials - start))
            ]
        )
        first = scores if start == 0 else first
        made = limits(truth, scores, LEVEL)
        count("effective-size", made["conf_low"], made["conf_high"])
        count("logit", *logit_limits(made["estimate"], positive))
    drawn = 0
    if (
        law in BOOTSTRAPPED
        and min(positive, negative) >= LEAST_DRAWN
        and positive + negative <= _MOST_DRAWN
    ):
        drawn = min(DRAWN, trials, len(first))
        for seed, score in enumerate(first[:drawn]):
            count("bootstrap", *_percentiles(truth, score, seed))
    of_design = {"law": law, "positive": positive, "negative": negative, "area": area}
    rounded = {m: round(w, 6) for m, w in width.items()}
    counts = {"trials": trials, "drawn": drawn, "held": held, "width": rounded}
    return {**of_design, "truth": round(target, 6), **counts}


def run(trials: int) -> list[dict[str, Any]]:
    """Run all designs."""
    every = sorted(designs(), key=lambda d: (d[0], d[3]))
    title = "average precision"
    return list(cells_of(lambda design: run_design(*design, trials), every, title))


def coverage(row: dict[str, Any], method: str) -> float:
    """Return the share of trials whose interval holds the average precision."""
    trials = row["drawn" if method == "bootstrap" else "trials"]
    return float(row["held"][method] / trials) if trials else float("nan")


def _least(rows: list[dict[str, Any]], method: str) -> str:
    """Return the least coverage of some designs, and where."""
    of = [r for r in rows if coverage(r, method) >= 0]
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
    """Return mean widths of normal scores with the bootstrap."""
    body = [
        [
            _size(r),
            f"{r['area']:g}",
            f"{r['truth']:.3f}",
            f"{r['width'][METHODS[0]] / r['trials']:.3f}",
            f"{r['width']['bootstrap'] / r['drawn']:.3f}",
            f"{coverage(r, 'bootstrap'):.2f}",
        ]
        for r in rows
        if r["law"] == "normal" and r["drawn"]
    ]
    head = ["cases", "AUC", "average precision", METHODS[0], "bootstrap"]
    return "\n".join(table_lines([[*head, "coverage of the bootstrap"], *body]))


def _size(row: dict[str, Any]) -> str:
    return f"{row['positive']} + {row['negative']}"


def page(rows: list[dict[str, Any]]) -> str:
    """Return the page of the study."""
    rows = sorted(rows, key=lambda r: SIZES.index((r["positive"], r["negative"])))
    default = [coverage(row, METHODS[0]) for row in rows]
    trials = rows[0]["trials"]
    return _PAGE.format(
        trials=trials,
        designs=len(rows),
        laws_count=len(LAWS),
        error=f"{np.sqrt(LEVEL * (1 - LEVEL) / trials):.3f}",
        least=f"{min(default):.3f}",
        below=sum(share < 0.93 for share in default),
        drawn=DRAWN,
        resamples=RESAMPLES,
        cases=_MOST_DRAWN,
        sizes=_table(rows, _size),
        laws=_table(rows, lambda r: str(r["law"])),
        widths=_widths(rows),
    )


_PAGE = """# Coverage of intervals of an average precision

Written by `python -m validation.average_precision`. {designs} designs of {trials}
trials: {laws_count} laws of the scores, AUCs of 0.7, 0.9 and 0.99, 1 to 1,000 positive
cases, which are 1, 10 or 50% of all. The truth is the average precision of a population
with this share of positive cases. A trial without an interval counts as one that
misses. A true coverage of 0.95 has a Monte Carlo standard error of {error}, and the
least of many designs is lower than the true one.

`effective-size` is `pc.average_precision_interval`, also what `pc.auc_pr_pairs` gives
for each average precision. Its coverage is {least} or more; {below} of {designs}
designs are below 0.93. `logit` is the interval of Boyd, Eng and Page (2013), with the
number of positive cases. `bootstrap` are percentiles of {resamples} resamples within
each class, for {drawn} trials of normal scores, with negative outliers and without, and
at most {cases} cases; its coverage has a standard error of 0.02 or more. It is refused
for fewer than five cases of a class (an empty cell).

False alarms are negative cases above all positive ones, the other negative cases being
below; the other laws are those of [AUC_COVERAGE.md](AUC_COVERAGE.md).

## Least coverage of 95% intervals by size of the classes

Positive + negative cases; in brackets the AUC where it was found.

{sizes}

## Least coverage by law of the scores

{laws}

## Mean width, normal scores

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
