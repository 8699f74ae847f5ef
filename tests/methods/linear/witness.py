"""Scores with gaps, designs by statsmodels, and exact arithmetic, for these tests."""

from __future__ import annotations

import warnings
from fractions import Fraction
from pathlib import Path

import mpmath
import numpy as np
import pandas as pd

import pycompare as pc
from tests.conftest import golden_matrix, wide

NIST = sorted((Path(__file__).parent / "nist").glob("*.dat"))


def scores_of(case: dict, key: str = "X") -> pc.Scores:
    matrix = case["input"][key]
    if isinstance(matrix, list):
        return wide(matrix, "lower")
    return pc.Scores.from_wide(golden_matrix(matrix), metric="score", better="lower")


def gappy(seed: int = 1, b: int = 9, a: int = 4, share: float = 0.25) -> pc.Scores:
    """Scores with some cells missing, all blocks with at least two."""
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(b, a)) + np.arange(a) * 0.4
    values[rng.random((b, a)) < share] = np.nan
    values[:, 0] = rng.normal(size=b)
    values[:2] = rng.normal(size=(2, a))
    return wide(values, "lower", missing="model")


def folds(seed: int = 2, datasets: int = 3, n: int = 4, a: int = 3, **options):
    """Scores of folds within data sets."""
    rng = np.random.default_rng(seed)
    rows = [
        {"d": f"d{d}", "f": f, "a": f"A{j}", "score": rng.normal() + d + j / 3}
        for d in range(datasets)
        for f in range(n)
        for j in range(a)
    ]
    return pc.Scores.from_frame(
        rows,
        algorithm="a",
        block="f",
        dataset="d",
        metrics={"score": "lower"},
        **options,
    )


def statsmodels_table(scores: pc.Scores, formula: str):
    """anova_lm over our safe names: one more program that fits the same model."""
    from statsmodels.formula.api import ols
    from statsmodels.stats.anova import anova_lm

    values = scores.column()
    rows, columns = np.nonzero(~np.isnan(values))
    names = scores.datasets or ("one",) * len(rows)
    order = {name: i for i, name in enumerate(dict.fromkeys(names))}
    frame = pd.DataFrame(
        {
            "y0": values[rows, columns],
            "block": [f"L{i}" for i in rows],
            "algorithm": [f"L{j}" for j in columns],
            "dataset": [f"L{order[names[i]]}" for i in rows],
        }
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return anova_lm(ols(formula, frame).fit(), typ=1)


def nist_groups(path: Path) -> tuple[list[np.ndarray], float]:
    """Groups of a NIST set, and the certified F."""
    lines = path.read_text().splitlines()
    (certified,) = (ln.split()[-1] for ln in lines if ln.startswith("Between"))
    rows = np.array([[float(v) for v in ln.split()] for ln in lines[60:] if ln.strip()])
    groups = [rows[rows[:, 0] == g, 1] for g in np.unique(rows[:, 0])]
    return groups, float(certified)


def exact_f(groups: list[np.ndarray]) -> Fraction:
    """F of the doubles in rational arithmetic."""
    base = Fraction(float(groups[0][0]))
    exact = [[Fraction(v) - base for v in g.tolist()] for g in groups]
    n = sum(len(g) for g in exact)
    of_groups = sum(sum(g) ** 2 / len(g) for g in exact)
    between = of_groups - sum(sum(g) for g in exact) ** 2 / n
    within = sum(v * v for g in exact for v in g) - of_groups
    a = len(groups)
    return (between / (a - 1)) / (within / (n - a))


def manova_scores(case: dict) -> tuple[pc.Scores, bool]:
    """Scores of a ``manova_*`` golden in several metrics, and whether it has blocks."""
    given = case["input"]
    y = np.array(given["Y"]["matrix"], float)
    names = given.get("columns") or given["Y"]["cols"] or range(y.shape[1])
    frame = pd.DataFrame(y, columns=[str(name) for name in names])
    metrics = dict.fromkeys(frame.columns, "higher")
    frame["algorithm"] = given["alg"]
    blocked = "blk" in given
    repeat = frame.groupby("algorithm").cumcount()
    frame["block"] = given["blk"] if blocked else repeat
    scores = pc.Scores.from_frame(
        frame, algorithm="algorithm", block="block", metrics=metrics
    )
    return scores, blocked


def several(values, **options) -> pc.Scores:
    """Scores from an array of blocks x algorithms x metrics; NaN is no row."""
    values = np.asarray(values, float)
    b, a, p = values.shape
    names = [f"m{j}" for j in range(p)]
    frame = pd.DataFrame(values.reshape(b * a, p), columns=names)
    frame["block"] = np.repeat(np.arange(b), a)
    frame["algorithm"] = [f"A{j}" for j in range(a)] * b
    return pc.Scores.from_frame(
        frame.dropna(),
        algorithm="algorithm",
        block="block",
        metrics=dict.fromkeys(names, "lower"),
        **options,
    )


def exact_roots(values: np.ndarray, blocked: bool) -> list:
    """Eigenvalues of E^-1 H of the doubles in 60 digits, descending."""
    b, a, p = values.shape
    with mpmath.workdps(60):
        y = [[[mpmath.mpf(float(v)) for v in row] for row in block] for block in values]
        column = [
            [mpmath.fsum(y[i][j][k] for i in range(b)) / b for k in range(p)]
            for j in range(a)
        ]
        grand = [mpmath.fsum(column[j][k] for j in range(a)) / a for k in range(p)]
        row = [
            [
                mpmath.fsum(y[i][j][k] for j in range(a)) / a if blocked else grand[k]
                for k in range(p)
            ]
            for i in range(b)
        ]
        f = mpmath.matrix(a, p)
        r = mpmath.matrix(a * b, p)
        for j in range(a):
            for k in range(p):
                f[j, k] = (column[j][k] - grand[k]) * mpmath.sqrt(b)
                for i in range(b):
                    r[i * a + j, k] = y[i][j][k] - row[i][k] - column[j][k] + grand[k]
        root = mpmath.cholesky(r.T * r).T
        white = f * mpmath.inverse(root)
        found = mpmath.eigsy(white.T * white, eigvals_only=True)
        return sorted(found, reverse=True)[: min(p, a - 1)]


def columns_of(design) -> list[np.ndarray]:
    """0/1 columns of the constant and each term of a blocked design."""
    rows, at = np.nonzero(design.present)
    labels = [0 * at]
    if design.blocked and design.datasets is not None:
        labels.append(design.datasets[rows])
    labels += [rows] * design.blocked + [at]
    return [(one[:, None] == np.unique(one)).astype(float) for one in labels]
