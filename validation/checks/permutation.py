"""Checks of tests by random or listed flips and permutations of blocks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

import pycompare as pc
from pycompare.base.interop.r_call import RCall
from pycompare.data.blocks import ranked_blocks
from pycompare.kernels.r_random import Uniforms
from pycompare.methods.pairs.block_differences import On

from .. import cases as data
from ..agreement import Case, Check, Package, Wanted
from ..making import CLOSED, Makers, check

FEW: Makers = {
    "normal 9x4, all flips": lambda: data.scores(data.normal(9, 4, 90)),
    "ties 8x3, all flips": lambda: data.scores(data.integers(8, 3, 91), "lower"),
    "two algorithms 11x2": lambda: data.scores(data.normal(11, 2, 92)),
    "too few for an interval 4x3": lambda: data.scores(data.normal(4, 3, 93)),
    "normal 30x5, random flips": lambda: data.scores(data.normal(30, 5, 94, 0.1)),
    "two alike, a constant difference 20x4": lambda: data.scores(
        data.normal(20, 2, 95)[:, [0, 0, 1, 1]] + np.array([0.0, 0.0, 0.0, 0.5])
    ),
    "at 1e12, 9x3": lambda: data.scores(1e12 + data.normal(9, 3, 105)),
    "scale 1e-300 9x3": lambda: data.scores(data.normal(9, 3, 96) * 1e-300),
    "scale 1e299 9x3": lambda: data.scores(data.normal(9, 3, 97) * 1e299),
}


def permutation_checks() -> list[Check]:
    """Return the checks of this file."""
    return [*max_t_checks(), *closed_checks(), uniforms_check()]


def max_t_checks() -> list[Check]:
    """Return the checks of max-T on scores and on ranks, all pairs or a control."""
    made = [
        check(
            f"max-T, {title}",
            "derivation in R, same flips by stats::runif",
            FEW,
            partial(pc.max_t, flips=499, seed=20, **options),
        )
        for title, options in FORMS.items()
    ]
    return [*made, coin_check()]


FORMS: dict[str, dict[str, Any]] = {
    "scores": {},
    "scores against a control": {"control": "A2", "level": 0.9},
    "ranks": {"on": "ranks"},
    "ranks against a control": {"on": "ranks", "control": "A1"},
}


def coin_check() -> Check:
    """Return the check of step-down p-values against coin's own flips."""

    def cases() -> Iterator[Case]:
        for name in ("normal 30x5, random flips", "ties 8x3, all flips"):
            for title, options in FORMS.items():
                scores = FEW[name]()
                found = pc.max_t(scores, flips=20_000, **options)
                arguments = {
                    **ranked_blocks(scores, None, None).r_arguments(),
                    "on": found.on,
                    "control": found.control or "",
                    "resamples": 20_000,
                    "seed": 1,
                }
                call = RCall(("ranks", "max_t"), "max_t_coin_reference", arguments)
                ours = {
                    "statistic": np.abs(found.as_columns()["statistic"]),
                    "p_adjusted": found.as_columns()["p_adjusted"],
                }
                yield Case(f"{name}, {title}", call, ours)

    random = Wanted(1.6, "Monte Carlo error of 20,000 flips on each side", floor=0.5)
    return Check(
        "max-T, second witness",
        Package('coin::symmetry_test, pvalue(method = "step-down")'),
        cases,
        {"statistic": CLOSED, "p_adjusted": random, "*": CLOSED},
    )


SMALL: Makers = {
    "normal 5x3": lambda: data.scores(data.normal(5, 3, 98)),
    "normal 8x4": lambda: data.scores(data.normal(8, 4, 99)),
    "ties 7x4": lambda: data.scores(data.integers(7, 4, 100, 4), "lower"),
    "two alike 6x3": lambda: data.scores(data.normal(6, 2, 101)[:, [0, 1, 1]]),
    "two algorithms 9x2": lambda: data.scores(data.normal(9, 2, 102)),
    "scale 1e-300 6x3": lambda: data.scores(data.normal(6, 3, 103) * 1e-300),
    "scale 1e299 6x3": lambda: data.scores(data.normal(6, 3, 104) * 1e299),
}


def closed_checks() -> list[Check]:
    """Return the checks of the closed permutation test."""
    words: tuple[On, ...] = ("ranks", "scores")
    return [
        check(
            f"closed permutation test on {on}{beside}",
            "derivation in R, same permutations by stats::runif; partitions::setparts",
            SMALL,
            partial(
                pc.closed_permutation,
                on=on,
                control=control,
                permutations=216,
                seed=21,
            ),
        )
        for on in words
        for control, beside in ((None, ""), ("A2", " against a control"))
    ]


def uniforms_check() -> Check:
    """Return the check of the random numbers behind flips and permutations."""

    def cases() -> Iterator[Case]:
        for seed in (0, 1, 2026, 2**31 - 1):
            call = RCall(
                ("uniforms",), "uniforms_reference", {"seed": seed, "count": 1300}
            )
            ours = {"uniforms": Uniforms(seed).draw(1300)}
            yield Case(f"seed {seed}", call, ours)

    return Check(
        "uniform random numbers",
        Package("stats::runif"),
        cases,
        {"*": Wanted(15, "identical")},
    )
