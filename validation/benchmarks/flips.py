"""Tests of pairs by sign flips and permutations within blocks."""

from collections.abc import Callable, Iterator
from functools import partial

import pycompare as pc
from validation import cases
from validation.benchmarks.timing import Row, medians


def benchmarks() -> Iterator[Row]:
    many = cases.scores(cases.normal(60, 20, 110, 0.05))
    few = cases.scores(cases.normal(10, 6, 111, 0.2))
    long = cases.scores(cases.normal(100, 20, 112, 0.05))
    calls: dict[str, Callable[[], object]] = {
        "sign flips, Bergmann-Hommel, 20 x 60": partial(
            pc.rank_pairs, many, p_value="sign-flips"
        ),
        "closed permutation, 9999, 6 x 10": partial(pc.closed_permutation, few),
        "max-T, 10,000 flips, 20 x 100": partial(pc.max_t, long, flips=10_000),
    }
    wanted = dict(zip(calls, (0.2, 1.0, 1.0), strict=True))
    for name, seconds in medians(calls, 7).items():
        yield Row(name, seconds, wanted[name])
