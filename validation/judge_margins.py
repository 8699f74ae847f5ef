"""One-sided error of t tests of labels against a margin: why ``margin`` is rejected.

Two models differ by exactly the margin. A pass is the conclusion that the worse one is
not worse by as much; a fail, that it is worse by more. Both are errors. For these items
the margin is the difference of the labels that people would give to all of them.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from scipy import stats

from pycompare.kernels.judged_means import Judged, fit
from validation.cells import finish_rows

from .judge_laws import Kind, Law
from .markdown import table as table_lines

STORED = Path(__file__).parent / "judge_margins.json"
RUNS = 10_000
ALPHA, ALLOWED = 0.025, 0.0275
"""The level, and the largest error at which margins would be offered."""
ERRORS = ("pass", "fail", "pass, these items", "fail, these items")
_CALLED = {
    "yes": "judge that says yes",
    "yes, always": "judge that always says yes",
    "fond of the first": "judge fond of the first",
}
_OF: tuple[tuple[int, Kind, float, float], ...] = (
    (15, "useless", 0.6, 0.8),
    (15, "yes", 0.75, 0.95),
    (30, "excellent", 0.65, 0.75),
    (30, "yes", 0.89, 0.99),
    (50, "weak", 0.7, 0.75),
    (50, "fond of the first", 0.94, 0.99),
    (50, "yes, always", 0.94, 0.99),
    (100, "excellent", 0.85, 0.95),
    (100, "generous", 0.94, 0.99),
    (100, "useless", 0.97, 0.99),
    (200, "excellent", 0.73, 0.75),
    (200, "generous", 0.97, 0.99),
    (200, "useless", 0.94, 0.99),
)
LAWS = {
    f"{n} labels, {_CALLED.get(judge, judge + ' judge')}, {worse} and {better}": Law(
        (worse, better), judge, n
    )
    for n, judge, worse, better in _OF
}


def simulated(name: str, runs: int) -> dict[str, float]:
    """Return the share of tables with each error."""
    law = LAWS[name]
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    worse, better = law.accuracies
    critical = stats.t.isf(ALPHA, law.labels - 2)
    counts = np.zeros(len(ERRORS))
    for _ in range(runs):
        y, f, _ = law.answers(rng, law.items)
        part = Judged(y[: law.labels], f[: law.labels], f.mean(axis=0), law.items)
        fitted = fit([part], zero_or_one=True)
        difference = fitted.estimates[0] - fitted.estimates[1]
        margins = (better - worse, float((y[:, 1] - y[:, 0]).mean()))
        for at, variances in enumerate((fitted.like, fitted.these)):
            error, _ = variances.of_pairs(np.array([0]), np.array([1]))
            t = (difference + margins[at]) / error[0]
            counts[2 * at : 2 * at + 2] += t > critical, t < -critical
    return dict(zip(ERRORS, (counts / runs).tolist(), strict=True))


def stored() -> dict[str, dict[str, float]]:
    """Return the results that are kept."""
    held: dict[str, dict[str, float]] = json.loads(STORED.read_text(encoding="utf-8"))
    return held


def largest(rows: Mapping[str, Mapping[str, float]]) -> float:
    """Return the largest error of all laws and populations."""
    return max(max(row.values()) for row in rows.values())


def run_unfinished() -> None:
    """Run the laws that are not stored."""
    finish_rows(STORED, LAWS, lambda name: simulated(name, RUNS), "margins of labels")


def page_lines() -> list[str]:
    """Return the section of the page."""
    rows = stored()
    over = sum(max(row.values()) > ALLOWED for row in rows.values())
    error = math.sqrt(ALPHA * (1 - ALPHA) / RUNS)
    body = [[name, *(f"{rows[name][key]:.4f}" for key in ERRORS)] for name in LAWS]
    return [
        "## Margins",
        "",
        "Two models differ by exactly the margin, the worse one first. A pass",
        "concludes that it is not worse by as much, a fail that it is worse by more,",
        f"each by the t test at one-sided {ALPHA:g}; {RUNS:,} tables (Monte Carlo",
        f"error {error:.4f}). **The error is up to {largest(rows):.3f}, and above",
        f"{ALLOWED:g} in {over} of {len(rows)} laws**, so `margin` and `hypothesis`",
        "are rejected beside labels. Passes are wrong too often if wrong answers are",
        "rare: labels without an answer that only the better model has right then make",
        "the variance too small. For these items the margin is their own difference.",
        "",
        *table_lines([["law", *ERRORS], *body]),
        "",
    ]
