"""Coverage of means and differences of people's labels beside a judge's scores.

``python -m validation.judge_labels`` runs what ``judge_labels.json`` does not have, and
writes ``LABELS.md``. Items have a difficulty that all models share. The name of a law
is its seed. Beside ``pc.labels`` stand intervals as others publish them.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
from scipy import stats

import pycompare as pc
from pycompare.base.typing import Bools, Floats
from validation.cells import finish_rows

from . import judge_margins, judge_sizes
from .judge_laws import Law
from .markdown import table as table_lines

HERE = Path(__file__).parent
STORED, PAGE = HERE / "judge_labels.json", HERE / "LABELS.md"
RUNS, RUNS_OF_SEVERAL = 1000, 400
ALPHA = 0.05
_Z = stats.norm.isf(ALPHA / 2)


_EQUAL, _APART, _HIGH = (0.75, 0.75), (0.75, 0.65), (0.95, 0.95)
_HIGHEST, _FIVE = (0.99, 0.98), (0.95, 0.95, 0.95, 0.9, 0.9)
LAWS = {
    "15 labels, useless judge, .75 and .65": Law(_APART, "useless", 15),
    "15 labels, generous judge, .95": Law(_HIGH, "generous", 15),
    "15 labels, excellent judge, .99 and .98": Law(_HIGHEST, "excellent", 15),
    "30 labels, useless judge, .95": Law(_HIGH, "useless", 30),
    "30 labels, useless judge, .75": Law(_EQUAL, "useless", 30),
    "30 labels, excellent judge, .75 and .65": Law(_APART, "excellent", 30),
    "30 labels, judge fond of the first, .75": Law(_EQUAL, "fond of the first", 30),
    "50 labels, weak judge, .95": Law(_HIGH, "weak", 50),
    "50 labels, generous judge, .99 and .98": Law(_HIGHEST, "generous", 50),
    "50 labels, excellent judge, .95": Law(_HIGH, "excellent", 50, 5000),
    "50 labels, judge that says yes, .75": Law(_EQUAL, "yes", 50),
    "50 labels, judge that always says yes, .75": Law(_EQUAL, "yes, always", 50, 5000),
    "100 labels, weak judge, .75 and .65": Law(_APART, "weak", 100),
    "100 labels, judge fond of the first, .95": Law(_HIGH, "fond of the first", 100),
    "200 labels, generous judge, .75": Law(_EQUAL, "generous", 200, 5000),
    "200 labels, excellent judge, .99 and .98": Law(_HIGHEST, "excellent", 200, 5000),
    "strata, 10 + 10 labels, weak judge, .75": Law(
        _EQUAL, "weak", 20, 1000, strata=True
    ),
    "strata, 25 + 25 labels, useless judge, .95": Law(
        _HIGH, "useless", 50, 1000, strata=True
    ),
    "strata, 25 + 25 labels, excellent judge, .75": Law(
        _EQUAL, "excellent", 50, 1000, strata=True
    ),
    "strata, 100 + 100 labels, generous judge, .75": Law(
        _EQUAL, "generous", 200, 2000, strata=True
    ),
    "5 models, 15 labels, weak judge": Law(_FIVE, "weak", 15),
    "5 models, 30 labels, useless judge": Law(_FIVE, "useless", 30),
    "5 models, 60 labels, excellent judge": Law(_FIVE, "excellent", 60),
    "5 models, 60 labels, judge fond of the first": Law(
        (0.75,) * 5, "fond of the first", 60
    ),
    "5 models, 200 labels, generous judge": Law(_FIVE, "generous", 200, 2000),
}
OURS = ("mean", "mean, these items", "difference", "these items", "joint")
OTHERS = (
    *("labels only, t", "PPI++, z", "cross-fitted, t"),
    *("PPI++ of differences, z", "lambda = 1, t", "a slope per model, joint"),
)


def ppi(y: Floats, f: Floats, others: Floats) -> tuple[float, float, float]:
    """Return estimate and limits as ppi_py has them: tuned, clipped, normal."""
    n, many = len(y), len(others)
    cross = float(((y - y.mean()) * (f - f.mean())).mean())
    spread = float(np.var(np.concatenate([f, others]), ddof=1))
    weight = min(1.0, max(0.0, cross / ((1 + n / many) * spread))) if spread else 0.0
    estimate = weight * others.mean() + (y - weight * f).mean()
    error = math.sqrt(
        weight**2 * others.var() / many + float((y - weight * f).var()) / n
    )
    return estimate, estimate - _Z * error, estimate + _Z * error


def _cross_fitted(y: Floats, f: Floats, mean: float, items: int) -> tuple[float, float]:
    """Return limits of the mean with a slope from the other labels, one left out."""
    n = len(y)
    sums = np.array([y.sum(), f.sum(), (y * f).sum(), (f * f).sum()])
    own = np.stack([y, f, y * f, f * f], axis=1)
    sy, sf, syf, sff = (sums - own).T / (n - 1)
    spread = sff - sf**2
    slope = np.divide(syf - sy * sf, spread, np.zeros(n), where=spread > 1e-12)
    each = y + slope * (mean - f)
    half = stats.t.isf(ALPHA / 2, n - 1) * math.sqrt(
        each.var(ddof=1) / n * (1 - n / items) + y.var(ddof=1) / items
    )
    return each.mean() - half, each.mean() + half


def _separate_slopes(y: Floats, f: Floats, means: Floats, items: int) -> Any:
    """Return differences and Bonferroni half-widths with a slope for each model."""
    n, k = y.shape
    yc, fc = y - y.mean(axis=0), f - f.mean(axis=0)
    spread = (fc**2).sum(axis=0)
    b = np.divide((yc * fc).sum(axis=0), spread, np.zeros(k), where=spread > 0)
    estimate = y.mean(axis=0) + b * (means - f.mean(axis=0))
    e = yc - b * fc
    i, j = np.triu_indices(k, 1)
    d, dy = e[:, i] - e[:, j], yc[:, i] - yc[:, j]
    v = (d**2).sum(axis=0) / ((n - 2) * n) * (1 - n / items)
    v += (dy**2).sum(axis=0) / ((n - 1) * items)
    half = stats.t.isf(ALPHA / 2 / len(i), n - 2) * np.sqrt(v)
    return estimate[i] - estimate[j], half


@cache
def _truth(name: str) -> Floats:
    """Return the means of a law, as its formula has them."""
    return np.array(LAWS[name].accuracies)


def simulated(name: str, runs: int) -> dict[str, float]:
    """Return shares of tables whose intervals hold, and with a false conclusion."""
    law, mu = LAWS[name], _truth(name)
    k = len(mu)
    i, j = np.triu_indices(k, 1)
    gap = mu[i] - mu[j]
    counts = dict.fromkeys(("wrong", *OURS, *OTHERS), 0.0)
    for run in range(runs):
        rng = np.random.default_rng((zlib.crc32(name.encode()), run))
        scores, y = law.draw(rng)
        chosen: Literal["random", "strata"] = "strata" if law.strata else "random"
        result = pc.labels(scores, chosen=chosen, adjust="max-t", seed=run)
        for key, holds in _ours(result, mu, y.mean(axis=0), gap).items():
            counts[key] += holds
        if not law.strata:
            for key, holds in _published(scores, mu, gap).items():
                counts[key] += holds
    shares = {key: count / runs for key, count in counts.items()}
    return {k: v for k, v in shares.items() if not law.strata or k not in OTHERS}


def _ours(result: Any, mu: Floats, own: Floats, gap: Floats) -> dict[str, float]:
    """Return which statements of ``pc.labels`` hold."""
    k, table = len(mu), result.as_columns()
    means, both = result.held("means"), result.held("populations")
    holds = _inside(means["conf_low"], means["conf_high"], np.tile(mu, 2))
    like, _ = holds[:k], holds[k:]
    these = _inside(means["conf_low"][k:], means["conf_high"][k:], own)
    i, j = np.triu_indices(k, 1)
    m = len(gap)
    half = stats.t.isf(ALPHA / 2, both["df"].astype(float)) * both["std_error"]
    estimate = both["estimate"]
    found = table["p_adjusted"] <= ALPHA
    false = found & ((gap == 0) | (np.sign(table["estimate"]) != np.sign(gap)))
    joint = _inside(table["joint_low"], table["joint_high"], gap)
    return {
        "wrong": float(false.any()),
        "mean": float(like.mean()),
        "mean, these items": float(these.mean()),
        "difference": float((np.abs(estimate - np.tile(gap, 2)) <= half)[:m].mean()),
        "these items": float(
            (np.abs(estimate[m:] - (own[i] - own[j])) <= half[m:]).mean()
        ),
        "joint": float(joint.all()),
    }


def _published(scores: pc.Scores, mu: Floats, gap: Floats) -> dict[str, float]:
    """Return which intervals hold that others publish."""
    judge = scores.judge
    assert judge is not None
    has = ~np.isnan(scores.column()[:, 0])
    y, f, rest = scores.column()[has], judge[has], judge[~has]
    n, k, items = len(y), len(mu), len(has)
    shares = dict.fromkeys(OTHERS, 0.0)
    t = stats.t.isf(ALPHA / 2, n - 1)
    error = np.sqrt(y.var(axis=0, ddof=1) / n)
    shares[OTHERS[0]] = float((np.abs(y.mean(axis=0) - mu) <= t * error).mean())
    for a in range(k):
        _, low, high = ppi(y[:, a], f[:, a], rest[:, a])
        shares[OTHERS[1]] += (low <= mu[a] <= high) / k
        low, high = _cross_fitted(y[:, a], f[:, a], judge[:, a].mean(), items)
        shares[OTHERS[2]] += (low <= mu[a] <= high) / k
    for at, (one, two) in enumerate(zip(*np.triu_indices(k, 1), strict=True)):
        d, fd, rd = (x[:, one] - x[:, two] for x in (y, f, rest))
        _, low, high = ppi(d, fd, rd)
        shares[OTHERS[3]] += (low <= gap[at] <= high) / len(gap)
        e = d - fd
        centre = rd.mean() + e.mean()
        half = t * math.sqrt(e.var(ddof=1) / n + rd.var(ddof=1) / len(rd))
        shares[OTHERS[4]] += (abs(centre - gap[at]) <= half) / len(gap)
    estimate, half = _separate_slopes(y, f, judge.mean(axis=0), items)
    shares[OTHERS[5]] = float((np.abs(estimate - gap) <= half).all())
    return shares


def _inside(low: Any, high: Any, truth: Floats) -> Bools:
    return np.asarray((np.asarray(low) <= truth) & (truth <= np.asarray(high)))


def runs_of(name: str) -> int:
    """Return how many tables of a law are drawn."""
    return RUNS if len(LAWS[name].accuracies) == 2 else RUNS_OF_SEVERAL


def bound(name: str) -> float:
    """Return the level with three Monte Carlo standard errors."""
    return ALPHA + 3 * math.sqrt(ALPHA * (1 - ALPHA) / runs_of(name))


def over(rows: Mapping[str, Mapping[str, float]]) -> list[str]:
    """Return the laws with more false conclusions than their bound."""
    return [name for name, row in rows.items() if row["wrong"] > bound(name)]


def page(rows: Mapping[str, Mapping[str, float]]) -> str:
    """Return the page of the study."""
    above = over(rows)
    worst = max(row["wrong"] for row in rows.values())
    lines = [
        "# Labels of people beside a judge: errors and coverage",
        "",
        "Written by `python -m validation.judge_labels`. Labels are right or wrong.",
        f"Two models: {RUNS} tables; five: {RUNS_OF_SEVERAL}. An error is a difference",
        "found between equal models, or in the wrong direction, at 0.05 over all pairs",
        f"(max-T). **{len(rows) - len(above)} of {len(rows)} error rates are at most",
        "their bound** (0.05 and three Monte Carlo standard errors); the largest is",
        f"{worst:.3f}. All other numbers are shares of 95% intervals that hold.",
        "",
        "## pc.labels",
        "",
        *_lines(rows, ("wrong", *OURS), rows),
        "",
        "Means and differences are for items like these, unless these items are named;",
        "joint intervals hold all differences of a table together.",
        "",
        "## Published intervals on the same tables",
        "",
        *_lines(rows, OTHERS, [name for name in rows if not LAWS[name].strata]),
        "",
        "The first three columns are of means: the labels only; PPI++ (tuned lambda,",
        "normal quantile, as ppi_py has it); a slope that leaves each label out.",
        "Then differences, by PPI++ and with lambda = 1. The last column holds all",
        "differences together, with a slope for each model and no pseudo-label",
        "(Bonferroni).",
        "",
        *judge_margins.page_lines(),
        *judge_sizes.page_lines(),
    ]
    return "\n".join(lines)


def _lines(
    rows: Mapping[str, Mapping[str, float]], columns: Sequence[str], names: Any
) -> list[str]:
    """Return a table of some columns."""
    head = ["law", *("error" if c == "wrong" else c for c in columns)]
    body = [[name, *(f"{rows[name][c]:.3f}" for c in columns)] for name in names]
    return table_lines([head, *body])


def main() -> None:
    """Run what is not stored, and write the page."""
    rows = finish_rows(
        STORED, LAWS, lambda name: simulated(name, runs_of(name)), "labels"
    )
    judge_margins.run_unfinished()
    judge_sizes.run_unfinished()
    PAGE.write_text(page(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
