"""Maloof (2002), section 6: classes that are mixtures, and a quadratic discriminant.

The paper reports no numbers of these. Each class has two parts, and the four parts
alternate on a line, negative, positive, negative, positive, so that no class is normal:
naive Bayes and the quadratic discriminant are wrong, neighbours are not. The protocol
is that of `pycompare simulate maloof`: ten training sets, one test set.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pycompare.base.typing import Bools, Floats
from pycompare.kernels import placements
from pycompare.sizes.simulation import reader_tests as tests
from pycompare.sizes.simulation.gaussians import (
    FEATURES,
    Singles,
    naive_bayes,
    neighbours,
)
from validation.chunk_lines import read_lines
from validation.markdown import table

PAPER = "maloof-2002"
ALGORITHMS = ("naive Bayes", "1-NN", "9-NN", "quadratic discriminant")
TRAINING_SETS, TRIALS, SEED, ALPHA = 10, 1000, 2002, 0.05


class Condition(NamedTuple):
    """What is drawn.

    Attributes
    ----------
    distance : float
        Mahalanobis distance of neighbouring parts: small where classes overlap.
    n, test : int
        Training and test cases of each class.
    """

    distance: float
    n: int
    test: int

    @property
    def name(self) -> str:
        """What the page and the stored line call it."""
        return f"{self.distance:g}, {self.n}, {self.test}"


OVERLAPS = tuple(
    Condition(d, n, n // 4) for d in (0.25, 0.5, 1.0, 2.0) for n in (40, 100, 400)
)
SIZES = tuple(Condition(0.5, n, 50) for n in (25, 50, 100, 200, 400))
"""The size of the training sets alone."""


def finished(path: Path) -> dict[str, dict[str, Any]]:
    """Return the results of each condition."""
    lines = [line for line in read_lines(path) if line["paper"] == PAPER]
    return {line["condition"]: line for line in lines}


def left(path: Path) -> Iterator[Condition]:
    """Yield what is not yet run."""
    done = finished(path)
    yield from (c for c in (*OVERLAPS, *SIZES) if c.name not in done)


def run_one(condition: Condition) -> dict[str, Any]:
    """Run one condition; return its shares and mean areas."""
    line = {"paper": PAPER, "condition": condition.name, "trials": TRIALS}
    return line | studied(condition, TRIALS)


def studied(condition: Condition, trials: int) -> dict[str, Any]:
    """Return counts of rejections and of equal decisions, and mean areas."""
    place = (*OVERLAPS, *SIZES).index(condition)
    rng = np.random.default_rng([SEED, place])
    truth = np.arange(2 * condition.test) < condition.test
    ratings = np.stack([_rated(condition, rng) for _ in range(trials)])
    p = tests.p_values(truth, ratings, pairs=False)
    anova, dbm = (p[name] <= ALPHA for name in (tests.TWO_WAY, tests.DBM))
    mean = areas(truth, ratings).mean(axis=(0, 2))
    return {
        "anova": int(anova.sum()),
        "dbm": int(dbm.sum()),
        "agree": int((anova == dbm).sum()),
        "auc": dict(zip(ALGORITHMS, mean.round(4).tolist(), strict=True)),
    }


def _rated(condition: Condition, rng: np.random.Generator) -> Floats:
    """Return ratings, shape (algorithms, training sets, cases)."""
    known = draw(condition.distance, condition.n, rng, TRAINING_SETS)
    x = draw(condition.distance, condition.test, rng)
    near = [neighbours(training_set, x, 9) for training_set in known]
    nearest, votes = map(np.stack, zip(*near, strict=True))
    return np.stack([naive_bayes(known, x), nearest, votes, quadratic(known, x)])


def draw(distance: float, n: int, rng: np.random.Generator, *sets: int) -> Singles:
    """Draw sets of n positive, then n negative cases: (*sets, 2 n, features).

    The parts have the means 0, 1, 2 and 3 in each feature, and one standard deviation.
    """
    positive = np.arange(2 * n) < n
    part = 2 * rng.integers(2, size=(*sets, 2 * n)) + positive
    x = rng.standard_normal((*sets, 2 * n, FEATURES), dtype=np.float32)
    x *= np.float32(np.sqrt(FEATURES) / distance)
    return np.asarray(x + part[..., None].astype(np.float32))


def quadratic(known: Singles, x: Singles) -> Floats:
    """Return the log odds of the positive class by the quadratic discriminant."""
    n = known.shape[1] // 2
    training = known.astype(float)
    log_densities = []
    for part in (training[:, :n], training[:, n:]):
        mean = part.mean(axis=1, keepdims=True)
        centred = part - mean
        root = np.linalg.cholesky(centred.transpose(0, 2, 1) @ centred / (n - 1))
        z = np.linalg.solve(root, (x - mean).transpose(0, 2, 1))
        log_determinant = 2 * np.log(np.diagonal(root, axis1=1, axis2=2)).sum(axis=1)
        log_densities.append(-((z**2).sum(axis=1) + log_determinant[:, None]) / 2)
    return np.asarray(log_densities[0] - log_densities[1])


def areas(truth: Bools, ratings: Floats) -> Floats:
    """Return the areas under the ROC curves, shape (trials, algorithms, sets)."""
    trials, t, r, n = ratings.shape
    return placements.delong(truth, ratings.reshape(trials, t * r, n)).area.reshape(
        trials, t, r
    )


def section(done: dict[str, dict[str, Any]]) -> list[str]:
    """Return the lines of the paper's part of the page."""
    return [
        "## Maloof (2002), section 6",
        "",
        "The paper announces mixtures of normal distributions, a quadratic "
        "discriminant and other training sizes, and prints no numbers; its printed "
        "tables are in [MALOOF.md](MALOOF.md). Here each class has two normal parts, "
        "and the four parts alternate on a line, so that naive Bayes and the "
        "quadratic discriminant are wrong about the classes. The distance is that of "
        "neighbouring parts, in standard deviations; n and m are training and test "
        f"cases of each class, ten training sets, {TRIALS} trials. Shares of trials "
        f"in which the test of equal areas rejects at {ALPHA:g}.",
        "",
        *table(list(_rows(OVERLAPS, done)), right=True),
        "",
        "The size of the training sets alone, with one size of the test set:",
        "",
        *table(list(_rows(SIZES, done)), right=True),
        "",
        "The direction is that of the paper in every row: the analysis of variance of "
        "areas, which takes the test cases as given, rejects at least as often as "
        "DBM."
        if all(
            done[c.name]["anova"] >= done[c.name]["dbm"] for c in (*OVERLAPS, *SIZES)
        )
        else "The direction is not that of the paper in every row.",
        "",
    ]


def _rows(
    conditions: tuple[Condition, ...], done: dict[str, dict[str, Any]]
) -> Iterator[list[str]]:
    yield [
        "distance, n, m",
        *(f"AUC, {name}" for name in ALGORITHMS),
        *("two-way ANOVA", "DBM", "agree"),
    ]
    for condition in conditions:
        line = done[condition.name]
        shares = [line[k] / line["trials"] for k in ("anova", "dbm", "agree")]
        areas = [f"{line['auc'][name]:.3f}" for name in ALGORITHMS]
        yield [condition.name, *areas, *(f"{share:.3f}" for share in shares)]
