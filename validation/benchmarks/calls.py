"""Single calls beside the peers, as ratios of CPU time; adjustments of many p-values.

Ours are asked for their tables of p-values, as the peers return theirs.
"""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import pandas as pd
from scipy import stats

import pycompare as pc
from validation.benchmarks.ranks import peers
from validation.benchmarks.timing import Row, beside, slope
from validation.checks_manova import several

STATSMODELS = {
    "BH": "fdr_bh",
    "BY": "fdr_by",
    "hochberg": "simes-hochberg",
    "holland": "holm-sidak",
}
MANY = {("hommel", 124_750): 1.0, ("rom", 190): 5e-3, ("rom", 4_950): 0.5}
"""CPU seconds wanted, by method and number of p-values."""


def benchmarks() -> Iterator[Row]:
    yield from tests()
    yield from adjustments()
    yield from many_p_values()
    yield from growth()


def tests() -> Iterator[Row]:
    import pingouin

    data = pc.example()
    frame = pd.DataFrame(data.column(), columns=list(data.algorithms))

    def ranks() -> object:
        return pc.friedman(data).p_value, pc.nemenyi(data).table

    name = "Friedman + Nemenyi, 5 x 30, CPU"
    yield from beside(name, ranks, peers(frame), most=0.5)
    two = several(30, 2, 4, 90)
    x, y = two.values[:, 0], two.values[:, 1]
    yield from beside(
        "hotelling, 2 x 30 x 4, test alone",
        lambda: pc.hotelling(two).p_value,
        {"pingouin": lambda: pingouin.multivariate_ttest(x, y, paired=True)},
    )
    pair = data.select(algorithms=data.algorithms[:2])
    d = np.tile(pair.column(), (7, 1))[:200]
    d = d + np.random.default_rng(0).normal(size=d.shape)
    wide = pc.Scores.from_wide(
        pd.DataFrame(d, columns=["a", "b"]), metric="s", better="higher"
    )
    yield from beside(
        "wilcoxon, exact, n = 200, with its interval",
        lambda: pc.wilcoxon(wide),
        {"SciPy": lambda: stats.wilcoxon(d[:, 0], d[:, 1], method="exact")},
    )


def adjustments() -> Iterator[Row]:
    from statsmodels.stats.multitest import multipletests

    p = np.random.default_rng(0).random(10_000)
    for ours, theirs in STATSMODELS.items():
        yield from beside(
            f"adjust 10,000 p-values, {ours}",
            partial(pc.adjust, p, ours),
            {"statsmodels": partial(multipletests, p, method=theirs)},
        )


def many_p_values() -> Iterator[Row]:
    rng = np.random.default_rng(1)
    for (method, m), wanted in MANY.items():
        p = rng.random(m) ** 2
        [row] = beside("", partial(pc.adjust, p, method), {}, calls=1)
        yield Row(f"adjust {m:,} p-values, {method}", row.cpu or 0.0, wanted)


def growth() -> Iterator[Row]:
    """Log-log slopes of CPU time; the theory is in the name."""
    rng = np.random.default_rng(2)

    def adjusting(method: str) -> Callable[[int], Callable[[], object]]:
        def of(m: int) -> Callable[[], object]:
            p = rng.random(m)
            return partial(pc.adjust, p, method)

        return of

    for method, theory, sizes in (
        ("hommel", "m log m", (20_000, 80_000, 320_000)),
        ("BH", "m log m", (50_000, 200_000, 800_000)),
        ("rom", "m", (500, 2_000, 8_000)),
    ):
        found, last = slope(adjusting(method), sizes)
        name = f"{method} of {sizes[-1]:,}: log-log slope {found:.2f} (theory {theory})"
        yield Row(name, last)
