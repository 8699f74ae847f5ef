"""Linear models by formula: 30 data sets x 10 folds x 3 learners x 2 preparations."""

import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Any
from unittest import mock

import numpy as np
import pandas as pd

import pycompare as pc
from pycompare.models import engine
from pycompare.models import linear_model as models
from validation.benchmarks.timing import Row, medians

UNITS = "cbind(y0, y1, y2, y3) ~ learner * prep"
EVERY = "cbind(y0, y1, y2, y3) ~ (data + fold + learner + prep)^2"
MANY = 10_000
PARSING = """
import time, numpy, pandas, pycompare
from pycompare.models import linear_model as models
start = time.perf_counter()
from statsmodels.formula._manager import FormulaManager
models.read_formula({!r})
print(time.perf_counter() - start)
"""


def factorial(sizes: tuple[int, ...], responses: int) -> pd.DataFrame:
    """Return a balanced factorial with random responses."""
    names = ("data", "fold", "learner", "prep")[: len(sizes)]
    cells = np.array(list(product(*map(range, sizes))))
    labels = {n: [f"{n}{i}" for i in c] for n, c in zip(names, cells.T, strict=True)}
    y = np.random.default_rng(0).normal(size=(len(cells), responses))
    numbers = pd.DataFrame(y, columns=[f"y{j}" for j in range(responses)])
    return pd.concat([pd.DataFrame(labels), numbers], axis=1)


def benchmarks() -> Iterator[Row]:
    data = factorial((30, 10, 3, 2), 4)
    calls = {
        "in units data/fold": partial(pc.linear_model, data, UNITS, within="data/fold"),
        "all pairs of factors": partial(pc.linear_model, data, EVERY),
    }
    peer = medians({"peer": partial(statsmodels, data)}, 5)["peer"]
    for name, call in calls.items():
        title = f"linear_model, 30 x 10 x 3 x 2, 4 responses, {name}"
        whole, parsed = parts(call)
        beside = ("statsmodels, learner * prep only", peer)
        yield Row(title, whole, None, *beside)
        yield Row(f"{title}, after the formula is parsed", parsed, 20e-3)
    many = factorial((30, 5), MANY)
    formula = f"cbind({', '.join(many.columns[2:])}) ~ fold"
    call = partial(pc.linear_model, many, formula, within="data")
    found = medians({"many": call}, 3)["many"]
    yield Row(f"linear_model, 30 x 5, {MANY} responses", found, 1.0)
    yield Row("formula engine of statsmodels, import and parsing", imported(), 0.3)


def parts(call: Any) -> tuple[float, float]:
    """Return median seconds of a model, and of all but its design matrix."""
    spent = [0.0]
    known = models.design_matrix

    def timed(*arguments: Any) -> engine.Matrix:
        start = time.perf_counter()
        made = known(*arguments)
        spent[0] = time.perf_counter() - start
        return made

    whole, rest = [], []
    with mock.patch.object(models, "design_matrix", timed):
        for _ in range(15):
            start = time.perf_counter()
            call()
            whole.append(time.perf_counter() - start)
            rest.append(whole[-1] - spent[0])
    return float(np.median(whole)), float(np.median(rest))


def statsmodels(data: pd.DataFrame) -> list[object]:
    """Return tables of the terms without units, response by response."""
    from statsmodels.formula.api import ols
    from statsmodels.stats.anova import anova_lm

    fits = [ols(f"y{j} ~ C(learner) * C(prep)", data).fit() for j in range(4)]
    return [anova_lm(fit, typ=2) for fit in fits]


def imported() -> float:
    """Return median seconds of what a first formula waits for, in new processes."""
    code = [sys.executable, "-c", PARSING.format(UNITS)]
    runs = [subprocess.run(code, check=True, capture_output=True) for _ in range(5)]
    return float(np.median([float(run.stdout) for run in runs]))
