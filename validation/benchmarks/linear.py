"""Means of 5 algorithms on 30 blocks; linear models by formula."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache, partial
from itertools import product
from typing import Any
from unittest import mock

import numpy as np
import pandas as pd

import pycompare as pc
from pycompare.methods.models import linear_model
from validation.cases import gappy, normal

from .calls import FIVE, five, in_r, long
from .timing import Benchmark, Work, command

UNITS = "cbind(y0, y1, y2, y3) ~ learner * prep"
EVERY = "cbind(y0, y1, y2, y3) ~ (data + fold + learner + prep)^2"
MANY = 10_000
RULES = ("Kenward-Roger", "Satterthwaite")
FACTORIAL = "30 x 10 x 3 x 2, 4 responses"
IMPORTED = (
    "import numpy, pandas, pycompare\n"
    "from pycompare.methods.models import linear_model as m"
)
PARSED = f"""{IMPORTED}
from statsmodels.formula import handle_formula_data
m.read_formula({UNITS!r})
"""


def factorial(sizes: tuple[int, ...], responses: int, seed: int) -> pd.DataFrame:
    """Return a balanced factorial with random responses."""
    names = ("data", "fold", "learner", "prep")[: len(sizes)]
    cells = np.array(list(product(*map(range, sizes))))
    labels = {n: [f"{n}{i}" for i in c] for n, c in zip(names, cells.T, strict=True)}
    y = np.random.default_rng(seed).normal(size=(len(cells), responses))
    numbers = pd.DataFrame(y, columns=[f"y{j}" for j in range(responses)])
    return pd.concat([pd.DataFrame(labels), numbers], axis=1)


def four_factors(seed: int) -> pd.DataFrame:
    return factorial((30, 10, 3, 2), 4, seed)


def in_units(frame: pd.DataFrame) -> object:
    return pc.linear_model(frame, UNITS, within="data/fold")


def in_pairs(frame: pd.DataFrame) -> object:
    return pc.linear_model(frame, EVERY)


def many(frame: pd.DataFrame) -> object:
    formula = f"cbind({', '.join(frame.columns[2:])}) ~ fold"
    return pc.linear_model(frame, formula, within="data")


@cache
def matrix_of(call: Work) -> Callable[[], object]:
    """Return the part of a model that parses its formula and makes its matrix."""
    make = mock.Mock(side_effect=linear_model.design_matrix)
    with mock.patch.object(linear_model, "design_matrix", make):
        call(four_factors(0))
    return partial(linear_model.design_matrix, *make.call_args.args)


def nested(n_datasets: int, seed: int) -> pd.DataFrame:
    """Return scores of 12 algorithms on 10 folds of data sets, four of them missing."""
    rng = np.random.default_rng(seed)
    data, fold, algorithm = np.indices((n_datasets, 10, 12))
    y = rng.normal(size=data.shape) + 0.1 * algorithm
    y += rng.normal(size=(n_datasets, 1, 1)) + 0.5 * rng.normal(
        size=(n_datasets, 10, 1)
    )
    labels = {"data": data, "fold": fold, "algorithm": algorithm}
    columns: dict[str, object] = {
        name: [f"{name}{i}" for i in of.ravel().tolist()] for name, of in labels.items()
    }
    return pd.DataFrame({**columns, "y": y.ravel()}).iloc[4:]


def mixed(n_datasets: int, ddf: str, peer: bool) -> Benchmark:
    """Return a mixed model of units within units, with the tests of its term."""
    make = partial(nested, n_datasets)
    df: Any = ddf.lower()
    lmer = "lmerTest::lmer(y ~ algorithm + (1 | data / fold), d)"
    return Benchmark(
        name=f"linear_model, mixed, {ddf}",
        size=f"{120 * n_datasets - 4:,} rows, {11 * n_datasets:,} units",
        data=make,
        ours=lambda frame: pc.linear_model(
            frame, "y ~ algorithm", within="data/fold", method="reml", df=df
        ),
        peer=in_r(make, f"anova({lmer}, ddf = {ddf!r})") if peer else None,
        by="R, lmer and anova of lmerTest" if peer else "",
        seconds=None if peer else 5,
    )


def statsmodels(frame: pd.DataFrame) -> list[object]:
    """Return tables of the terms without units, response by response."""
    from statsmodels.formula.api import ols
    from statsmodels.stats.anova import anova_lm

    fits = [ols(f"y{j} ~ C(learner) * C(prep)", frame).fit() for j in range(4)]
    return [anova_lm(fit, typ=2) for fit in fits]


def unblocked_tukey(data: tuple[pc.Scores, pd.DataFrame]) -> object:
    from statsmodels.stats.multicomp import pairwise_tukeyhsd

    return pairwise_tukeyhsd(data[1]["s"], data[1]["algorithm"]).pvalues


def alone(name: str, work: Work, seconds: float | None = None) -> Benchmark:
    return Benchmark(name=name, size=FIVE, data=five, ours=work, seconds=seconds)


BENCHMARKS = (
    Benchmark(
        name="anova, with missing cells",
        size=FIVE,
        data=lambda seed: gappy(normal(30, 5, seed), 0.1),
        ours=pc.anova,
    ),
    Benchmark(
        name="tukey",
        size=FIVE,
        data=lambda seed: (five(seed), long(seed)),
        ours=lambda data: pc.tukey(data[0]).table,
        peer=unblocked_tukey,
        by="statsmodels, without blocks",
        seconds=2e-3,
    ),
    alone("scheffe", lambda data: pc.scheffe(data).table),
    alone("pairwise_t, Holm", lambda data: pc.pairwise_t(data).table),
    alone("dunnett", lambda data: pc.dunnett(data, control=data.algorithms[0]).table),
    alone("residual_checks", pc.residual_checks),
    Benchmark(
        name="linear_model, within data / fold",
        size=FACTORIAL,
        data=four_factors,
        ours=in_units,
        peer=statsmodels,
        by="statsmodels, without units",
    ),
    Benchmark(
        name="linear_model, all pairs of factors",
        size=FACTORIAL,
        data=four_factors,
        ours=in_pairs,
    ),
    *(
        Benchmark(
            name=f"linear_model, {what}, after the formula is parsed",
            size=FACTORIAL,
            data=four_factors,
            ours=work,
            less=lambda _, work=work: matrix_of(work)(),  # type: ignore[misc]
            seconds=20e-3,
        )
        for what, work in (
            ("within data / fold", in_units),
            ("all pairs of factors", in_pairs),
        )
    ),
    Benchmark(
        name="linear_model",
        size=f"30 x 5, {MANY:,} responses",
        data=lambda seed: factorial((30, 5), MANY, seed),
        ours=many,
        seconds=1,
    ),
    *(mixed(n, df, True) for n in (10, 100) for df in RULES),
    *(mixed(1000, df, False) for df in RULES),
    Benchmark(
        name="first formula: import of its engine and parsing",
        size="a new process, less one that imports pycompare only",
        ours=command(sys.executable, "-c", PARSED),
        less=command(sys.executable, "-c", IMPORTED),
        seconds=0.3,
    ),
)
