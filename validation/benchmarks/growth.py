"""How CPU time grows with algorithms, blocks, data sets, cases, thresholds."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import pycompare as pc
from pycompare.kernels import exhaustive, placements
from validation.checks.wins import COUNTS

from .calls import random_p
from .curves import in_order, measured
from .datasets import counts_at
from .ranks import on_ranks
from .sizes import MEANS, ON_DATA_SETS, of_folds, one_score_each, predicted, reported
from .timing import Growth, Work

Order = tuple[str, Callable[[float], float]]

LINEAR: Order = ("n", float)
SORTED: Order = ("n log n", lambda n: n * math.log(n))
SQUARE: Order = ("n²", lambda n: n**2)
FOURTH: Order = ("n⁴ at most", lambda n: n**4)


def grid(count: int) -> tuple[float, ...]:
    """Return thresholds from 0 to 1."""
    return tuple(round(float(t), 6) for t in np.linspace(0, 1, count))


def reporting(plan: pc.Plan | None = None) -> Work:
    """Return what compares data and writes the report."""
    return lambda data: reported(data, plan)


def swept(count: int, seed: int) -> tuple[pc.Predictions, pc.Plan]:
    """Return predictions and a plan of so many thresholds."""
    plan = pc.Plan(metrics=tuple(COUNTS), thresholds=grid(count))
    return predicted(15, 10, 5, 50, seed), plan


def ranked(data: pc.Scores) -> object:
    return pc.friedman(data).p_value, pc.nemenyi(data).table


def adjusted(method: Any) -> Work:
    return lambda p: pc.adjust(p, method)


def areas(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.random(n) < 0.5, rng.random((5, n))


def of_data_sets(count: int) -> Callable[[int, int], pc.Scores]:
    """Return what makes scores of algorithms on so many data sets, one each."""
    return lambda a, seed: one_score_each(count, a, seed)


def of_cases(n: int, seed: int) -> pc.Predictions:
    return predicted(5, 10, 5, n, seed)


def on_blocks(n: int, seed: int) -> pc.Scores:
    return one_score_each(n, 5, seed)


def growth(
    by: str,
    name: str,
    data: Callable[[int, int], Any],
    work: Work,
    order: Order,
    *sizes: int,
    turns: int = 5,
) -> Growth:
    theory, function = order
    return Growth(
        name=name,
        by=by,
        sizes=sizes,
        data=data,
        work=work,
        theory=theory,
        order=function,
        turns=turns,
    )


WHOLE = "compare and report"
FEW = {"turns": 3}
"""For calls of seconds."""

BENCHMARKS = (
    growth(
        "algorithms",
        f"{WHOLE}, 60 data sets",
        of_data_sets(60),
        reporting(ON_DATA_SETS),
        SQUARE,
        *(25, 50, 100, 200),
        **FEW,
    ),
    growth(
        "algorithms",
        "friedman and nemenyi, 60 data sets",
        of_data_sets(60),
        ranked,
        SQUARE,
        *(50, 100, 200, 400, 800),
    ),
    growth(
        "algorithms",
        "Bergmann-Hommel of mean ranks, 60 data sets",
        partial(on_ranks, n=60, spread=0.02),
        lambda data: exhaustive.bergmann_hommel_line(*data),
        FOURTH,
        *(20, 40, 80, 160),
        **FEW,
    ),
    growth(
        "blocks",
        f"{WHOLE}, 5 algorithms",
        on_blocks,
        reporting(MEANS),
        SORTED,
        *(3_000, 10_000, 30_000, 100_000),
        **FEW,
    ),
    growth(
        "blocks",
        "tukey, 5 algorithms",
        on_blocks,
        pc.tukey,
        LINEAR,
        *(3_000, 10_000, 30_000, 100_000),
    ),
    growth(
        "data sets",
        f"{WHOLE}, 10 algorithms x 5 folds",
        lambda d, seed: of_folds(d, 5, 10, seed),
        reporting(),
        LINEAR,
        *(20, 40, 80, 160),
        **FEW,
    ),
    growth(
        "data sets",
        "wins by Tukey and sign_grid, 10 algorithms x 10 folds",
        lambda d, seed: of_folds(d, 10, 10, seed),
        lambda data: pc.sign_grid(pc.wins(data)),
        LINEAR,
        *(25, 50, 100, 200, 400),
    ),
    growth(
        "cases",
        f"{WHOLE} of AUCs, 5 data sets x 5 x 10 folds",
        of_cases,
        reporting(pc.Plan(metrics=("auc", "auc_pr"))),
        SORTED,
        *(500, 2_000, 8_000, 32_000),
        **FEW,
    ),
    growth(
        "cases",
        "AUCs and covariances, DeLong, 5 classifiers",
        areas,
        lambda data: placements.delong(*data),
        SORTED,
        *(10_000, 40_000, 160_000, 640_000),
    ),
    growth(
        "cases",
        "Predictions.measure, AUC, AUC-PR, error, 250 groups",
        of_cases,
        lambda data: data.measure(["auc", "auc_pr", "error"], threshold=0.5),
        SORTED,
        *(250, 1_000, 4_000, 16_000),
    ),
    growth(
        "cases",
        "measure_file, Parquet in any order, 1,000 groups",
        lambda n, _: in_order(n, "any"),
        measured,
        LINEAR,
        *(4_000_000, 8_000_000, 16_000_000),
        **FEW,
    ),
    growth(
        "thresholds",
        f"{WHOLE}, 15 data sets x 5 x 10 folds, 4 counts",
        swept,
        lambda data: reported(*data),
        LINEAR,
        *(11, 21, 41, 81),
        **FEW,
    ),
    growth(
        "thresholds",
        "threshold_wins by T2 and sign_grid, 15 data sets x 5 x 30 folds, 4 counts",
        lambda count, seed: counts_at(grid(count), seed),
        lambda data: pc.sign_grid(pc.threshold_wins(data)),
        LINEAR,
        *(11, 21, 41, 81),
        **FEW,
    ),
    *(
        growth(
            "p-values",
            f"adjust, {method}",
            lambda m, seed: random_p(m)(seed),
            adjusted(method),
            order,
            *sizes,
        )
        for method, order, sizes in (
            ("hommel", SORTED, (20_000, 80_000, 320_000, 1_280_000)),
            ("BH", SORTED, (50_000, 200_000, 800_000, 3_200_000)),
            ("rom", LINEAR, (500, 2_000, 8_000, 32_000)),
        )
    ),
)
