"""Multivariate analysis of variance: one table, and 10,000 in a batch."""

from collections.abc import Iterator

import numpy as np

import pycompare as pc
from pycompare.kernels import manova as kernel
from validation.benchmarks.timing import Row, medians
from validation.checks_manova import counts, several

BATCH = 10_000


def benchmarks() -> Iterator[Row]:
    data, dependent = several(30, 5, 4, 80), counts()
    tables = np.random.default_rng(81).normal(size=(BATCH, 30, 5, 4))
    peer = statsmodels_seconds(data)
    name = "statsmodels, one table"
    calls = {
        "manova, 5 x 30 x 4": lambda: pc.manova(data),
        "manova of four counts of rank 2, 4 x 20": lambda: pc.manova(dependent),
    }
    for title, seconds in medians(calls, 30).items():
        yield Row(title, seconds, 2e-3, name, peer)
    batch = medians({"batch": lambda: four_p_values(tables)}, 7)["batch"]
    yield Row(
        f"each of {BATCH} blocked MANOVAs, 5 x 30 x 4, four p-values",
        batch / BATCH,
        12e-6,
        name,
        peer,
    )


def four_p_values(tables: np.ndarray) -> list[np.ndarray]:
    roots, df1, df2 = kernel.complete_roots(tables, blocked=True)
    tests = kernel.tests(roots.eigenvalues, roots.rank, df1, df2)
    return [test.p_value for test in tests.values()]


def statsmodels_seconds(data: pc.Scores) -> float:
    """Median seconds of statsmodels for the same table."""
    from statsmodels.multivariate.manova import MANOVA

    frame = data.to_frame()
    responses = " + ".join(metric.name for metric in data.metrics)
    formula = f"{responses} ~ C(block) + C(algorithm)"
    calls = {"peer": lambda: MANOVA.from_formula(formula, frame).mv_test()}
    return medians(calls, 9)["peer"]
