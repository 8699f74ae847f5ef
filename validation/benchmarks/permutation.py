"""Permutation MANOVA and multivariate residuals, 5 algorithms on 30 blocks."""

from collections.abc import Callable, Iterator
from functools import partial

import pycompare as pc
from validation.benchmarks.timing import Row, medians
from validation.checks_multivariate_permutation import metrics_of, normal


def benchmarks() -> Iterator[Row]:
    data = metrics_of(normal(30, 5, 4, 70))
    test = partial(pc.permutation_manova, data, seed=1)
    calls: dict[str, Callable[[], object]] = {
        "permuted Wilks, 9999, 5 x 30 x 4": test,
        "permuted pseudo-F, 9999, 5 x 30 x 4": partial(
            test, statistic="trace", standardise="sd"
        ),
        "permuted Wilks, one-way, 9999, 5 x 30 x 4": partial(test, blocked=False),
        "multivariate_checks, 5 x 30 x 4": partial(pc.multivariate_checks, data),
    }
    wanted = {"multivariate_checks, 5 x 30 x 4": 2e-3}
    for name, seconds in medians(calls, 15).items():
        yield Row(name, seconds, wanted.get(name))
