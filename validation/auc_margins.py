"""Errors of DeLong's test against a margin, where the difference is the margin.

``python -m validation.auc_margins [--trials N]`` writes ``auc_margins.json`` and
``AUC_MARGINS.md``. The name of a design is its seed.
"""

from __future__ import annotations

import argparse
import json
import zlib
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator
from scipy import special

from pycompare.base.typing import Floats
from pycompare.kernels import placements
from pycompare.kernels.area_differences import differences
from validation.cells import cells_of

from .auc_coverage import LAWS
from .markdown import table as table_lines

HERE = Path(__file__).parent
STORED, PAGE = HERE / "auc_margins.json", HERE / "AUC_MARGINS.md"
TRIALS = 2000
SIZES = (
    *((2, 100), (5, 100), (100, 5), (10, 10), (10, 100), (20, 100), (30, 100)),
    *((50, 50), (100, 100), (200, 200)),
)
"""Positive and negative cases."""
AREAS = ((0.8, 0.7), (0.9, 0.85), (0.95, 0.9), (0.99, 0.97))
"""AUC of the control and of the other; their difference is the margin."""
_MOST_RATED = 0.95
CORRELATION = 0.8
_CORRELATED = f"normal, correlation {CORRELATION:g}"
PAIRS = (*LAWS, _CORRELATED)
"""Laws of the scores of both, which are independent of each other but in the last."""
LEVEL = 0.025
PER_CLUSTER = 3
CLUSTERS = (20, 50, 100)
"""Clusters of each class, of so many cases of one class."""
CLUSTER_TRIALS = 1000


def designs() -> Iterator[tuple[str, int, int, float, float]]:
    """Yield law, cases of both classes, and both areas."""
    for law, (n1, n0), (control, other) in product(PAIRS, SIZES, AREAS):
        if law != "five ratings" or control <= _MOST_RATED:
            yield law, n1, n0, control, other


def _scores(
    law: str, shape: tuple[int, int, int], areas: tuple[float, float], rng: Generator
) -> Floats:
    """Return scores of the control and of the other, (trials, 2, cases)."""
    trials, n1, n0 = shape
    if law == _CORRELATED:
        noise = rng.standard_normal((trials, 3, n1 + n0))
        own, common = np.sqrt(1 - CORRELATION), np.sqrt(CORRELATION)
        scores = own * noise[:, :2] + common * noise[:, 2:]
        scores[:, :, :n1] += np.sqrt(2) * special.ndtri(areas)[:, None]
        return scores
    made = []
    for area in areas:
        positive, negative = LAWS[law](area)(rng, trials * n1, trials * n0)
        sides = (positive.reshape(trials, n1), negative.reshape(trials, n0))
        made.append(np.concatenate(sides, axis=1))
    return np.stack(made, axis=1)


def run_design(
    law: str, n1: int, n0: int, control: float, other: float, trials: int
) -> dict[str, Any]:
    """Return how often the other is shown to be less than the margin worse."""
    name = f"margin: {law}, {n1} + {n0}, {control}, {other}"
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    scores = _scores(law, (trials, n1, n0), (control, other), rng)
    found = placements.delong(np.repeat([True, False], [n1, n0]), scores)
    ahead = found.area[:, 1] - found.area[:, 0] + (control - other)
    c = found.covariance
    variance = c[:, 0, 0] + c[:, 1, 1] - 2 * c[:, 0, 1]
    known = variance > 1e-12
    z = ahead / np.sqrt(np.where(known, variance, np.inf))
    return {
        **{"law": law, "positive": n1, "negative": n0},
        **{"control": control, "other": other, "trials": trials},
        "claimed": int(np.sum(z >= special.ndtri(1 - LEVEL))),
    }


def run_clusters(clusters: int, control: float, other: float) -> dict[str, Any]:
    """Return the same of cases in clusters of one class, by the test of clusters.

    Half of the variance is common to a cluster, and half of it to both classifiers.
    """
    name = f"margin: {clusters} clusters of a class, {control}, {other}"
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    cluster = np.repeat(np.arange(2 * clusters), PER_CLUSTER)
    truth = cluster < clusters
    apart = np.sqrt(2) * special.ndtri((control, other))
    claimed = 0
    for _ in range(CLUSTER_TRIALS):
        shared = rng.standard_normal((3, 2 * clusters))[:, cluster]
        noise = rng.standard_normal((3, len(truth)))
        parts = (shared + noise) / 2
        scores = parts[:2] + parts[2] + apart[:, None] * truth
        found = differences(truth, scores, cluster)
        error = np.sqrt(found.variance[1, 0])
        z = (found.estimate[1, 0] + control - other) / error if error > 0 else 0.0
        claimed += bool(z >= special.ndtri(1 - LEVEL))
    return {
        "clusters": clusters,
        "control": control,
        "other": other,
        "claimed": claimed,
    }


def run(trials: int) -> dict[str, list[dict[str, Any]]]:
    """Run all designs."""
    every = list(designs())
    title = "AUCs against a margin"
    rows = list(cells_of(lambda design: run_design(*design, trials), every, title))
    grouped = [run_clusters(n, *areas) for n in CLUSTERS for areas in AREAS]
    return {"cases": rows, "clusters": grouped}


def level(row: dict[str, Any]) -> float:
    """Return the share of trials with a false claim."""
    return float(row["claimed"] / row["trials"])


def largest(rows: list[dict[str, Any]], size: int, area: float = 1.0) -> float:
    """Return the largest level with so many cases of the smaller class.

    ``area`` is the largest AUC of a control that counts.
    """
    return max(
        level(row)
        for row in rows
        if min(row["positive"], row["negative"]) == size and row["control"] <= area
    )


def page(study: dict[str, list[dict[str, Any]]]) -> str:
    """Return the page of the study."""
    rows = study["cases"]
    trials = rows[0]["trials"]
    sizes = list(dict.fromkeys((r["positive"], r["negative"]) for r in rows))
    head = ["positive + negative", "largest", *(f"{a:g} and {b:g}" for a, b in AREAS)]
    body = []
    for size in sizes:
        of_size = [r for r in rows if (r["positive"], r["negative"]) == size]
        worst = max(of_size, key=level)
        cells = [
            f"{max(level(r) for r in of_size if r['control'] == control):.3f}"
            for control, _ in AREAS
        ]
        body.append(
            [f"{size[0]} + {size[1]}", f"{level(worst):.3f} ({worst['law']})", *cells]
        )
    return _PAGE.format(
        designs=len(rows),
        trials=trials,
        laws=len(PAIRS),
        level=LEVEL,
        error=f"{np.sqrt(LEVEL * (1 - LEVEL) / trials):.4f}",
        sizes="\n".join(table_lines([head, *body])),
        per_cluster=PER_CLUSTER,
        cluster_trials=CLUSTER_TRIALS,
        clusters="\n".join(table_lines(_of_clusters(study["clusters"]))),
    )


def _of_clusters(rows: list[dict[str, Any]]) -> list[list[str]]:
    """Return the table of cases in clusters."""
    head = ["clusters of a class", *(f"{a:g} and {b:g}" for a, b in AREAS)]
    cells = {(r["clusters"], r["control"]): r["claimed"] / CLUSTER_TRIALS for r in rows}
    return [head] + [
        [str(n), *(f"{cells[n, control]:.3f}" for control, _ in AREAS)]
        for n in CLUSTERS
    ]


_PAGE = """# AUCs against a margin

Written by `python -m validation.auc_margins`. {designs} designs of {trials} trials:
{laws} laws of the scores, 2 to 200 cases of a class. The AUC of the other classifier is
below that of the control by exactly the margin, so every claim of non-inferiority at a
one-sided {level} is an error. A level of {level} has a Monte Carlo standard error of
{error}, and the largest of many designs is higher than the true one. A trial without
estimated variance claims nothing.

The test is DeLong's, the same as for a difference (`pc.auc_margins`). Every claim is
printed with the largest error found with so many cases: that of AUCs up to 0.95, and
that of AUCs up to 0.99. The laws are
those of [AUC_COVERAGE.md](AUC_COVERAGE.md), independent of each other, and normal
scores that correlate.

## Largest error by size of the classes and AUCs

{sizes}

## Cases in clusters

Clusters of {per_cluster} cases of one class, half of the variance common to a cluster;
{cluster_trials} trials of each design, by the test of clusters (Obuchowski 1997).

{clusters}
"""


def text(study: dict[str, list[dict[str, Any]]]) -> str:
    """Return the counts as JSON, a design a line."""
    parts = (
        f'"{name}": [\n' + ",\n".join(json.dumps(row) for row in rows) + "\n]"
        for name, rows in study.items()
    )
    return "{" + ",\n".join(parts) + "}\n"


def main() -> None:
    """Run the study, store the counts and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=TRIALS)
    study = run(parser.parse_args().trials)
    STORED.write_text(text(study))
    PAGE.write_text(page(study))


if __name__ == "__main__":
    main()
