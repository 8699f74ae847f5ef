"""Single calls beside the peers; adjustments of many p-values.

Ours are asked for their tables of p-values, as the peers return theirs.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

import pycompare as pc
from pycompare.base.interop.rscript import quote
from validation import cases
from validation.checks.manova import several

from .timing import Benchmark, InR

FIVE = "5 x 30"
STATSMODELS = {
    "BH": "fdr_bh",
    "BY": "fdr_by",
    "hochberg": "simes-hochberg",
    "holland": "holm-sidak",
}
MANY = (("hommel", 124_750, 1.0), ("rom", 190, 5e-3), ("rom", 4_950, 0.5))
"""Method, number of p-values, CPU seconds wanted."""

# ---- data ---------------------------------------------------------------------------


def scores(n: int, a: int) -> Callable[[int], pc.Scores]:
    """Return what makes n blocks of a algorithms."""
    return lambda seed: cases.scores(cases.normal(n, a, seed, 0.1))


five = scores(30, 5)


def five_wide(seed: int) -> tuple[pc.Scores, pd.DataFrame]:
    """Return scores as ours and as a wide table."""
    data = five(seed)
    return data, pd.DataFrame(data.column(), columns=list(data.algorithms))


def two(seed: int) -> pc.Scores:
    return several(30, 2, 4, seed)


def runs(seed: int) -> pd.DataFrame:
    """Return scores of 5 algorithms on 30 blocks, three runs each."""
    values = cases.normal(90, 5, seed, 0.1)
    return pd.DataFrame(
        {
            "block": np.repeat([f"b{i}" for i in range(30)], 15),
            "run": np.tile(np.repeat(["r0", "r1", "r2"], 5), 30),
            "algorithm": np.tile([f"A{j}" for j in range(5)], 90),
            "s": values.ravel(),
        }
    )


def replicates(seed: int) -> pc.Scores:
    roles: Any = {"algorithm": "algorithm", "block": "block", "replicate": "run"}
    return pc.Scores.from_frame(runs(seed), metrics={"s": "higher"}, **roles)


def random_p(m: int) -> Callable[[int], np.ndarray]:
    return lambda seed: np.random.default_rng([m, seed]).random(m)


def small_p(m: int) -> Callable[[int], np.ndarray]:
    return lambda seed: np.random.default_rng([m, seed]).random(m) ** 2


def in_r(make: Callable[[int], pd.DataFrame], expression: str) -> InR:
    """Return an expression in R on the table d, whose labels are factors."""
    return InR(lambda: f"d <- {r_table(make(0))}", expression)


def r_table(frame: pd.DataFrame) -> str:
    """Return R code that makes a data frame."""
    columns = (f"{name} = {r_column(frame[name])}" for name in frame)
    return f"data.frame({', '.join(columns)})"


def r_column(column: pd.Series) -> str:
    if pd.api.types.is_numeric_dtype(column):
        return f"c({', '.join(map(repr, map(float, column)))})"
    return f"factor(c({', '.join(map(quote, column))}))"


def long(seed: int) -> pd.DataFrame:
    """Return scores, a row each."""
    return five(seed).to_frame().rename(columns={"score": "s"})


# ---- peers --------------------------------------------------------------------------


def posthocs(data: tuple[pc.Scores, pd.DataFrame]) -> object:
    import scikit_posthocs

    values = data[1].to_numpy()
    stats.friedmanchisquare(*values.T)
    return scikit_posthocs.posthoc_nemenyi_friedman(values)


def pingouin_t2(data: pc.Scores) -> object:
    """Test the first two algorithms."""
    import pingouin

    x, y = data.values[:, 0], data.values[:, 1]
    return pingouin.multivariate_ttest(x, y, paired=True)


def exact_wilcoxon(data: pc.Scores) -> object:
    return stats.wilcoxon(*data.column().T, method="exact")


def multipletests(method: str, p: np.ndarray) -> object:
    from statsmodels.stats.multitest import multipletests

    return multipletests(p, method=method)


# ---- calls --------------------------------------------------------------------------


def adjusting(method: Any, m: int, **options: Any) -> Benchmark:
    return Benchmark(
        name=f"adjust, {method}",
        size=f"{m:,} p-values",
        ours=lambda p: pc.adjust(p, method),
        **options,
    )


def beside_statsmodels(ours: str, theirs: str, m: int) -> Benchmark:
    peer = partial(multipletests, theirs)
    return adjusting(ours, m, data=random_p(m), peer=peer, by="statsmodels")


BENCHMARKS = (
    Benchmark(
        name="friedman and nemenyi",
        size=FIVE,
        data=five_wide,
        ours=lambda data: (pc.friedman(data[0]).p_value, pc.nemenyi(data[0]).table),
        peer=posthocs,
        by="SciPy and scikit-posthocs",
        ratio=0.5,
        seconds=1e-3,
    ),
    Benchmark(
        name="hotelling",
        size="2 x 30, 4 metrics",
        data=two,
        ours=lambda data: pc.hotelling(data).p_value,
        peer=pingouin_t2,
        by="pingouin",
        seconds=2e-3,
    ),
    Benchmark(
        name="wilcoxon, exact, with its interval",
        size="2 x 200",
        data=scores(200, 2),
        ours=lambda data: pc.wilcoxon(data),
        peer=exact_wilcoxon,
        by="SciPy, test only",
    ),
    Benchmark(
        name="anova, blocked",
        size=FIVE,
        data=five,
        ours=lambda data: pc.anova(data).table,
        peer=in_r(long, "anova(lm(s ~ block + algorithm, data = d))"),
        by="R, anova(lm())",
        seconds=2e-3,
    ),
    Benchmark(
        name="replicated_anova",
        size="5 x 30, 3 runs",
        data=replicates,
        ours=pc.replicated_anova,
        peer=in_r(runs, "summary(aov(s ~ algorithm + Error(block / algorithm), d))"),
        by="R, summary(aov())",
    ),
    *(beside_statsmodels(*methods, 10_000) for methods in STATSMODELS.items()),
    beside_statsmodels("holm", "holm", 190),
    *(adjusting(method, m, data=small_p(m), seconds=s) for method, m, s in MANY),
)
