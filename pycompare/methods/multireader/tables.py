"""Tables of an analysis of readers and modalities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from pycompare.base.typing import Floats
from pycompare.kernels import reader_moments as rm
from pycompare.kernels.mean_square_intervals import modified_large_sample
from pycompare.kernels.student import two_sided
from pycompare.methods.multireader.covariances import ReaderCells
from pycompare.methods.multireader.error_terms import sums_without_rounding
from pycompare.methods.multireader.family import LabelTuple, ModalityPairs
from pycompare.methods.multireader.figures import FigureOfMerit
from pycompare.methods.multireader.findings import Means, Omnibus, above
from pycompare.methods.pairs.equivalence import MarginKind, default_alpha
from pycompare.results.adjust import Adjustment
from pycompare.results.result import rejected

_COVARIANCES = {"Cov1", "Cov2", "Cov3"}
_ONE_SIDED: MarginKind = "non-inferiority"
_ROUNDING = 1e-13
"""Components this far below the largest one are what rounding left of differences."""


def pair_columns(
    family: ModalityPairs, every: Means, chosen: Adjustment, level: float
) -> dict[str, Any]:
    """Return differences of pairs with tests, adjusted p-values and intervals.

    ``every`` has the differences of all pairs.
    """
    pairs = family.of(every)
    t = pairs.statistic
    p = two_sided(t, pairs.df)
    low, high = pairs.limits(level)
    return family.columns() | {
        "estimate": pairs.estimate,
        "std_error": pairs.std_error,
        "statistic": t,
        "df": pairs.df,
        "p_value": p,
        "p_adjusted": family.adjusted(p, chosen),
        "conf_low": low,
        "conf_high": high,
    }


def _estimate_columns(
    means: Means, level: float, figure: FigureOfMerit
) -> dict[str, Any]:
    """Return estimates with intervals cut at the range of the figure."""
    low, high = means.limits(level)
    least, largest = figure.limits
    return {
        "estimate": means.estimate,
        "std_error": means.std_error,
        "df": means.df,
        "conf_low": np.maximum(low, least),
        "conf_high": np.minimum(high, largest),
    }


def area_table(
    names: LabelTuple, each: Means, level: float, figure: FigureOfMerit
) -> pd.DataFrame:
    """Return the mean figure of each modality with its interval."""
    label = {"algorithm": np.array(names, object)}
    return pd.DataFrame(label | _estimate_columns(each, level, figure))


def reader_table(
    names: LabelTuple,
    readers: LabelTuple,
    cells: ReaderCells,
    level: float,
    figure: FigureOfMerit,
) -> pd.DataFrame:
    """Return the figure of each reader with each modality, its error over cases."""
    t, r = cells.theta.shape
    there = ~np.isnan(cells.theta.T).ravel()
    variance = np.diag(cells.covariance.reshape(t * r, t * r)).reshape(t, r).T.ravel()
    with np.errstate(invalid="ignore"):
        error = np.sqrt(variance)
    means = Means(cells.theta.T.ravel()[there], error[there], _inf(int(there.sum())))
    columns = {
        "reader": np.repeat(np.array(readers, object), t)[there],
        "algorithm": np.tile(np.array(names, object), r)[there],
    }
    return pd.DataFrame(columns | _estimate_columns(means, level, figure))


def _inf(n: int) -> Floats:
    """Return infinite degrees of freedom: the normal distribution."""
    return np.full(n, np.inf)


def reader_pair_means(
    cells: ReaderCells, family: ModalityPairs, pooled: bool, df: tuple[float, float]
) -> Means:
    """Return differences of modalities by reader, reader after reader, over cases.

    ``df`` is that of a pair's own variance, and of one pooled over modalities.
    """
    r = cells.theta.shape[1]
    first, second = np.array(family.pairs).T
    difference = (cells.theta[first] - cells.theta[second]).T
    by_reader = np.einsum("ijkj->jik", cells.covariance)
    if pooled:
        variance = np.repeat(2 * rm.own_less_other(by_reader)[:, None], len(first), 1)
    else:
        own = np.diagonal(by_reader, axis1=1, axis2=2)
        variance = own[:, first] + own[:, second] - 2 * by_reader[:, first, second]
    scale = np.finfo(float).eps * 64 * np.nanmax(np.abs(cells.covariance))
    variance = np.where(np.abs(variance) <= scale, 0.0, variance)
    with np.errstate(invalid="ignore"):
        error = np.sqrt(variance).ravel()
    return Means(difference.ravel(), error, np.full(r * len(first), df[int(pooled)]))


def reader_pair_table(
    family: ModalityPairs, readers: LabelTuple, means: Means, level: float
) -> pd.DataFrame:
    """Return differences of modalities by reader; p-values are not adjusted."""
    t = means.statistic
    low, high = means.limits(level)
    pairs = family.columns()
    m = len(pairs["algorithm_1"])
    table = pd.DataFrame(
        {
            "reader": np.repeat(np.array(readers, object), m),
            **{key: np.tile(value, len(readers)) for key, value in pairs.items()},
            "estimate": means.estimate,
            "std_error": means.std_error,
            "statistic": t,
            "df": means.df,
            "p_value": two_sided(t, means.df),
            "conf_low": low,
            "conf_high": high,
        }
    )
    return table[table["estimate"].notna()].reset_index(drop=True)


def figure_components(moments: rm.ReaderMoments) -> dict[str, float]:
    """Return Obuchowski and Rockette's components of variance."""
    c = rm.components(moments)
    return {
        "reader": float(c.reader),
        "modality x reader": float(c.interaction),
        "error": float(c.error),
        "Cov1": float(c.cov1),
        "Cov2": float(c.cov2),
        "Cov3": float(c.cov3),
    }


def pseudovalue_components(y: Floats) -> dict[str, float]:
    """Return the components of the analysis of variance of pseudovalues."""
    t, r, n = y.shape
    table = rm.three_way(y)
    with np.errstate(divide="ignore", invalid="ignore"):
        ms = {k: float(squares / np.float64(df)) for k, (df, squares) in table.items()}
    return {
        "reader": (ms["R"] - ms["TR"] - ms["RC"] + ms["TRC"]) / (t * n),
        "case": (ms["C"] - ms["TC"] - ms["RC"] + ms["TRC"]) / (t * r),
        "modality x reader": (ms["TR"] - ms["TRC"]) / n,
        "modality x case": (ms["TC"] - ms["TRC"]) / r,
        "reader x case": (ms["RC"] - ms["TRC"]) / t,
        "error": ms["TRC"],
    }


def above_rounding(components: dict[str, float]) -> dict[str, float]:
    """Return components with 0 for those that rounding of the largest explains."""
    largest = np.nanmax([0.0, *np.abs(list(components.values()))])
    return {
        name: 0.0 if abs(value) <= _ROUNDING * largest else value
        for name, value in components.items()
    }


def reader_limits(y: Floats, level: float) -> dict[str, tuple[float, float]]:
    """Return the limits of the components of readers, from pseudovalues (t, r, n)."""
    t, _, n = y.shape
    table = rm.three_way(y)
    terms = ("R", "TR", "RC", "TRC")
    df = np.array([table[term][0] for term in terms], float)
    sums = np.array([float(table[term][1]) for term in terms])
    squares = sums_without_rounding(sums, y) / df
    weights = {
        "reader": np.array([1.0, -1.0, -1.0, 1.0]) / (t * n),
        "modality x reader": np.array([0.0, 1.0, 0.0, -1.0]) / n,
    }
    limits = {
        name: modified_large_sample(coefficients, squares, df, level)
        for name, coefficients in weights.items()
    }
    return {name: (float(low), float(high)) for name, (low, high) in limits.items()}


def component_table(
    components: dict[str, float],
    limits: Mapping[str, tuple[float, float]] | None = None,
) -> pd.DataFrame:
    """Put components beside their values cut at zero; covariances as correlations.

    ``limits`` are the intervals that there are.
    """
    estimate = np.array(list(components.values()))
    columns: dict[str, Any] = {
        "component": np.array(list(components), object),
        "estimate": estimate,
        "floored": np.maximum(estimate, 0.0),
    }
    if "Cov1" in components:
        covariance = np.array([name in _COVARIANCES for name in components])
        with np.errstate(divide="ignore", invalid="ignore"):
            share = estimate / components["error"]
        columns["correlation"] = np.where(covariance, share, np.nan)
    none = (np.nan, np.nan)
    known = [(limits or {}).get(name, none) for name in components]
    columns["conf_low"], columns["conf_high"] = np.array(known, float).T
    return pd.DataFrame(columns)


def figure_anova(theta: Floats) -> pd.DataFrame:
    """Return the analysis of variance of the figures."""
    t, r = theta.shape
    df = np.array([t - 1, r - 1, (t - 1) * (r - 1)], float)
    sums = sums_without_rounding(np.array(rm.spread(theta)) * df, theta)
    return anova_frame(["T", "R", "TR"], df, sums)


def pseudovalue_anova(y: Floats) -> pd.DataFrame:
    """Return the analysis of variance of the pseudovalues."""
    table = rm.three_way(y)
    df, squares = (np.array(part, float) for part in zip(*table.values(), strict=True))
    return anova_frame(list(table), df, sums_without_rounding(squares, y))


def anova_frame(terms: list[str], df: Floats, squares: Floats) -> pd.DataFrame:
    """Return one row per term: T modality, R reader, C case."""
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = squares / df
    return pd.DataFrame(
        {
            "term": np.array(terms, object),
            "df": df,
            "sum_sq": np.where(df > 0, squares, np.nan),
            "mean_sq": mean,
        }
    )


def covariance_table(
    names: LabelTuple, readers: LabelTuple, cells: ReaderCells
) -> pd.DataFrame:
    """Return covariances over cases with labels (modality, reader)."""
    t, r = cells.theta.shape
    index = pd.MultiIndex.from_product([names, readers], names=["modality", "reader"])
    return pd.DataFrame(cells.covariance.reshape(t * r, t * r), index, index)


def analysis_rows(rows: list[tuple[str, str, Omnibus]]) -> pd.DataFrame:
    """Return tests of all modalities, one row each: name, population, test."""
    return pd.DataFrame(
        {
            "analysis": np.array([row[0] for row in rows], object),
            "population": np.array([row[1] for row in rows], object),
            "statistic_name": np.array([row[2].name for row in rows], object),
            "statistic": [row[2].statistic for row in rows],
            "df1": [float(row[2].df[0]) for row in rows],
            "df2": [
                float(row[2].df[1]) if len(row[2].df) > 1 else np.inf for row in rows
            ],
            "p_value": [row[2].p_value for row in rows],
        }
    )


def claim_table(
    family: ModalityPairs,
    tests: Sequence[Means],
    margin: float,
    chosen: Adjustment,
    better: str,
    alpha: float,
) -> pd.DataFrame:
    """Return one-sided tests against a margin, adjusted within each kind of claim.

    ``tests`` are one test of the family's pairs or three, of which the largest p-value
    counts.

    With a control the claims are about the other modalities, not about the control.
    """
    sign = 1.0 if better == "higher" else -1.0
    columns = family.columns()
    first_names, second_names = columns["algorithm_1"], columns["algorithm_2"]
    first, second = (
        np.append(first_names, second_names),
        np.append(second_names, first_names),
    )
    both_ways = [
        Means(
            sign * np.append(test.estimate, -test.estimate),
            np.tile(test.std_error, 2),
            np.tile(test.df, 2),
        )
        for test in tests
    ]
    (better_by, p0), (not_worse, p1) = (
        above(both_ways, bound) for bound in (0.0, -margin)
    )
    t0, t1 = better_by.statistic, not_worse.statistic
    m = len(first_names)
    larger = np.where(p1[:m] >= p1[m:], 0, m) + np.arange(m)
    n = 2 * m if family.control is None else m
    # Without a control both directions of each pair are among the tests: alpha of both.
    one_sided = alpha if family.control is None else default_alpha(_ONE_SIDED, alpha)
    both = default_alpha("equivalence", alpha)
    a, b = first[:n], second[:n]
    kinds = [
        ("superior", a, b, 0.0, t0[:n], p0[:n], better_by.df[:n], one_sided),
        ("non-inferior", a, b, -margin, t1[:n], p1[:n], not_worse.df[:n], one_sided),
        (
            *("equivalent", first_names, second_names, margin, t1[larger], p1[larger]),
            *(not_worse.df[larger], both),
        ),
    ]
    return pd.concat(
        [
            pd.DataFrame(
                {
                    "claim": claim,
                    "algorithm_1": a,
                    "algorithm_2": b,
                    "bound": bound,
                    "statistic": t,
                    "df": nu,
                    "p_value": p,
                    "p_adjusted": (adjusted := family.adjusted(p, chosen)),
                    "alpha": at,
                    "shown": rejected(adjusted, at),
                }
            )
            for claim, a, b, bound, t, p, nu, at in kinds
        ],
        ignore_index=True,
    )
