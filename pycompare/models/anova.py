"""The analysis of variance of a linear model: one row a response and term."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from scipy import special

from pycompare.kernels import manova as kernel
from pycompare.kernels import noncentral_f
from pycompare.kernels.manova import EPS
from pycompare.models.fit import Fit, Layer
from pycompare.models.grammar import Term, label_of
from pycompare.models.mixed import MIXED, Mixed
from pycompare.models.sphericity import Repeated, epsilons
from pycompare.typing import Floats

RESIDUALS = "residuals"


def anova_table(fit: Fit, repeated: Repeated | None, level: float) -> pd.DataFrame:
    """Return the table of all responses."""
    if fit.mixed is not None:
        return pd.DataFrame(list(_mixed_rows(fit, fit.mixed, level)))
    rows: list[dict[str, Any]] = []
    y = fit.centred
    noise = EPS * kernel.ROUNDING * np.abs(fit.responses).max(axis=0)
    for layer in fit.layers:
        here = [t for t in fit.read.terms if t in layer.bases]
        residual = layer.residuals(y)
        error = _sums(residual, noise)
        spectra = None
        if repeated is not None and layer.stratum is not None and here:
            spectra = repeated.spectra(residual)
        for term in here:
            found = _sums(layer.bases[term].T @ y, noise)
            for j, name in enumerate(fit.names):
                made = _tested(layer, term, found[j], error[j], level)
                own = None if spectra is None else spectra[j]
                rows.append(
                    {"response": name, "term": label_of(term), "stratum": layer.name}
                    | made
                    | epsilons(repeated, layer, term, made["statistic"], own)
                    | {"unit": fit.units[j]}
                )
        for j, name in enumerate(fit.names):
            row = _residual_row(name, layer, error[j])
            rows.append(row | {"unit": fit.units[j]})
    table = pd.DataFrame(rows)
    order = {name: i for i, name in enumerate(fit.names)}
    table = table.sort_values("response", key=lambda s: s.map(order), kind="stable")
    unit = table.pop("unit")
    with np.errstate(over="ignore", under="ignore"):
        for name in ("sum_sq", "mean_sq"):
            table[name] = table[name] * unit * unit
    return table.reset_index(drop=True)


def _sums(factor: Floats, noise: Floats) -> Floats:
    """Return the sum of squares of each column, 0 where all of it is rounding."""
    found = np.sum(np.square(factor), axis=0)
    largest = np.abs(factor).max(axis=0, initial=0.0)
    return np.where(largest <= noise * math.sqrt(max(len(factor), 1)), 0.0, found)


def _tested(
    layer: Layer, term: Term, h: float, e: float, level: float
) -> dict[str, Any]:
    """Return the test of one term and response."""
    df1, df2 = layer.bases[term].shape[1], layer.df_error
    f = math.nan
    if df1 and df2 > 0 and (h or e):
        with np.errstate(divide="ignore", over="ignore"):
            f = float(np.float64(h / df1) / np.float64(e / df2))
    share = h / (h + e) if h + e > 0 and df2 > 0 else math.nan
    return (
        {
            "df1": df1,
            "df2": df2,
            "sum_sq": h,
            "mean_sq": h / df1 if df1 else math.nan,
            "statistic": f,
        }
        | _effects(f, df1, df2, level)
        | {"partial_eta2": share}
    )


def _effects(f: float, df1: int, df2: float, level: float) -> dict[str, float]:
    """Return p-value and effect sizes of an F; NaN where it is not finite."""
    low, high = _limits(f, df1, df2, level)
    known = math.isfinite(f)
    return {
        "p_value": float(special.fdtrc(df1, df2, f)) if known else math.nan,
        "partial_eta2": df1 * f / (df1 * f + df2) if known else math.nan,
        "conf_low": low,
        "conf_high": high,
        "omega2": df1 * (f - 1) / (df1 * f + df2 + 1) if known else math.nan,
    }


def _limits(f: float, df1: int, df2: float, level: float) -> tuple[float, float]:
    """Return the limits of partial eta squared: L / (L + df2), L of noncentral F."""
    if not math.isfinite(f):
        return math.nan, math.nan
    found = [
        noncentral_f.noncentrality(f, df1, df2, p)
        for p in ((1 + level) / 2, (1 - level) / 2)
    ]
    return found[0] / (found[0] + df2), found[1] / (found[1] + df2)


def _residual_row(response: str, layer: Layer, e: float) -> dict[str, Any]:
    """Return the residuals of a stratum as a row."""
    df = layer.df_error
    return {
        "response": response,
        "term": RESIDUALS,
        "stratum": layer.name,
        "df1": df,
        "df2": math.nan,
        "sum_sq": e,
        "mean_sq": e / df if df else math.nan,
        "statistic": math.nan,
        "p_value": math.nan,
    }


def _mixed_rows(fit: Fit, mixed: Mixed, level: float) -> Iterator[dict[str, Any]]:
    """Yield the tests of terms of a mixed model, response by response."""
    for j, name in enumerate(fit.names):
        for term in fit.read.terms:
            df1 = mixed.bases[term].shape[1]
            f, df2 = mixed.test(term, j) if df1 else (math.nan, math.nan)
            yield {
                "response": name,
                "term": label_of(term),
                "stratum": MIXED,
                "df1": df1,
                "df2": df2,
                "sum_sq": math.nan,
                "mean_sq": math.nan,
                "statistic": f,
            } | _effects(f, df1, df2, level)
