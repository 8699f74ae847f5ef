"""Friedman to Bergmann-Hommel and the studentised range."""

import contextlib
import io
import warnings
from collections.abc import Iterator
from functools import partial

import numpy as np
import pandas as pd
from scipy import stats

import pycompare as pc
from pycompare.kernels import exhaustive, studentized_range
from pycompare.kernels.ranks import midranks
from validation.benchmarks.timing import Row, medians
from validation.cases import normal, scores


def benchmarks() -> Iterator[Row]:
    yield from friedman_nemenyi()
    yield from tails()
    yield from bergmann_hommel_on_ranks()
    yield bergmann_hommel_on_any_p()
    yield holm()


def friedman_nemenyi() -> Iterator[Row]:
    """Friedman + Nemenyi + critical difference of 5 x 30, against the peers."""
    data = pc.example()
    frame = pd.DataFrame(data.column(), columns=list(data.algorithms))

    def ours() -> None:
        pc.friedman(data)
        pc.nemenyi(data)

    calls = {"ours": ours} | peers(frame)
    times = medians(calls, 50)
    name = "Friedman + Nemenyi + CD, 5 x 30"
    for peer in list(calls)[1:] or [None]:
        yield Row(name, times["ours"], 1e-3, peer, times[peer] if peer else None)


def peers(frame: pd.DataFrame) -> dict:
    """What the peers that are installed do for the same table."""
    found = {}
    try:
        import scikit_posthocs

        def posthocs() -> None:
            stats.friedmanchisquare(*frame.to_numpy().T)
            scikit_posthocs.posthoc_nemenyi_friedman(frame.to_numpy())

        found["scipy + scikit-posthocs"] = posthocs
    except ImportError:
        pass
    try:
        import autorank

        def automatic() -> None:
            quiet = contextlib.redirect_stdout(io.StringIO())
            with quiet, warnings.catch_warnings():
                warnings.simplefilter("ignore")
                autorank.autorank(frame, force_mode="nonparametric", verbose=False)

        found["autorank"] = automatic
    except ImportError:
        pass
    return found


def tails() -> Iterator[Row]:
    """1000 studentised-range tails in one call, against SciPy's."""
    q = np.linspace(0.5, 14, 1000)
    for df in (np.inf, 116.0):
        times = medians({"ours": partial(studentized_range.sf, q, 5, df)}, 20)
        scipy = medians(
            {"scipy": partial(stats.studentized_range.sf, q[::100], 5, df)}, 2
        )
        yield Row(
            f"studentised range, 1000 tails, df = {df:g}",
            times["ours"],
            20e-3,
            "scipy (10 values, times 100)",
            scipy["scipy"] * 100,
        )


def bergmann_hommel_on_ranks() -> Iterator[Row]:
    """Exact adjusted p-values of mean ranks: with and without differences."""
    for a, n, wanted in ((20, 30, 50e-3), (100, 60, 2.0), (179, 121, 20.0)):
        for label, spread in (("no", 0.0), ("some", 0.02), ("large", 0.2)):
            data = scores(normal(n, a, a, spread))
            ranks = midranks(data.oriented()).sum(axis=0)
            p = pc.rank_pairs(data, adjust="none").matrix("p_value").to_numpy(copy=True)
            np.fill_diagonal(p, 1.0)
            times = medians(
                {"ours": partial(exhaustive.bergmann_hommel_line, ranks, p)},
                5 if a == 20 else 1,
            )
            name = f"Bergmann-Hommel, ranks, {a} x {n}, {label} differences"
            yield Row(name, times["ours"], wanted)


def bergmann_hommel_on_any_p() -> Row:
    """20 algorithms, Wilcoxon p-values; the slowest of several tables."""
    slowest = 0.0
    for seed in range(6):
        x = normal(60, 20, seed, 0.05 * (seed + 1))
        p = np.ones((20, 20))
        for i in range(20):
            for j in range(i):
                p[i, j] = p[j, i] = stats.wilcoxon(x[:, i], x[:, j]).pvalue
        times = medians({"ours": partial(exhaustive.bergmann_hommel, p)}, 1)
        slowest = max(slowest, times["ours"])
    return Row(
        "Bergmann-Hommel, any p-values, 20 algorithms, slowest of 6", slowest, 10.0
    )


def holm() -> Row:
    """Holm's adjustment of the 190 pairs of 20 algorithms, against statsmodels."""
    from statsmodels.stats.multitest import multipletests

    p = np.random.default_rng(0).random(190)
    calls = {
        "ours": lambda: pc.adjust(p, "holm"),
        "statsmodels": lambda: multipletests(p, method="holm"),
    }
    times = medians(calls, 20)
    name = "Holm, 190 p-values"
    return Row(name, times["ours"], None, "statsmodels", times["statsmodels"])
