"""The analysis of variance of a linear model: one row per response and term."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from scipy import special

from pycompare.base.typing import Floats
from pycompare.kernels import noncentral_f
from pycompare.methods.models.fit import Layer, ModelFit
from pycompare.methods.models.grammar import Term, label_of
from pycompare.methods.models.mixed import MIXED, Mixed
from pycompare.methods.models.sphericity import Repeated, epsilons

RESIDUALS = "residuals"

_CELLS = 250_000
"""Numbers that are worked on at once."""

TermRows = dict[str, Any]
"""Rows of one term, one a response: numbers of all, or arrays of shape (responses,)."""


def anova_table(fit: ModelFit, repeated: Repeated | None, level: float) -> pd.DataFrame:
    """Return the table of all responses."""
    if fit.mixed is not None:
        columns = _stacked(fit.names, list(_mixed_rows(fit, fit.mixed)))
    else:
        # So many responses at once that they stay near the processor.
        size = max(1, _CELLS // fit.n)
        starts = range(0, len(fit.names), size)
        parts = [slice(start, start + size) for start in starts]
        each = [
            _stacked(fit.names[part], list(_strata_rows(fit, repeated, part)))
            for part in parts
        ]
        columns = {n: np.concatenate([some[n] for some in each]) for n in each[0]}
    tested = columns["term"] != RESIDUALS
    f, df1, df2 = (
        columns[name][tested].astype(float) for name in ("statistic", "df1", "df2")
    )
    for name, values in _effects(f, df1, df2, level).items():
        columns[name][tested] = values
    return pd.DataFrame(columns)


def _stacked(names: tuple[str, ...], rows: list[TermRows]) -> dict[str, Any]:
    """Return rows of terms as columns, response by response."""
    columns: dict[str, Any] = {
        "response": np.repeat(np.array(names, object), len(rows))
    }
    for name in _COLUMNS:
        values = [np.broadcast_to(row.get(name, np.nan), len(names)) for row in rows]
        columns[name] = np.stack(values, axis=1).ravel()
    return columns


_COLUMNS = (
    "term", "stratum", "df1", "df2", "sum_sq", "mean_sq", "statistic", "p_value",
    "partial_eta2", "conf_low", "conf_high", "omega2", "epsilon_gg", "p_gg",
    "epsilon_hf", "p_hf",
)  # fmt: skip


def _strata_rows(
    fit: ModelFit, repeated: Repeated | None, part: slice
) -> Iterator[TermRows]:
    """Yield the tests of terms in their strata, and the residuals of each stratum."""
    y = fit.centred_part(part)
    units = np.array(fit.units[part]) * fit.matrix.root_unit
    noise = fit.noise[part]
    for layer in fit.layers:
        residual, df = fit.residuals(layer, part), layer.df_error
        error = _sums(residual, noise)
        for term in (t for t in fit.read.terms if t in layer.parts):
            h = _sums(layer.parts[term].factor(y), noise)
            row = _tested(layer, term, h, error) | _squares(h, layer.df(term), units)
            yield row | epsilons(repeated, layer, term, row["statistic"], residual)
        row = {"term": RESIDUALS, "stratum": layer.name, "df1": df}
        yield row | _squares(error, df, units)


def _sums(factor: Floats, noise: Floats) -> Floats:
    """Return the sum of squares of each column, 0 if all of it is rounding."""
    squares = np.sum(np.square(factor), axis=0)
    largest = np.abs(factor).max(axis=0, initial=0.0)
    return np.where(largest <= noise * math.sqrt(max(len(factor), 1)), 0.0, squares)


def _squares(sums: Floats, df: int, units: Floats) -> TermRows:
    """Return sums of squares and mean squares in the responses' own units."""
    mean = sums / df if df else np.full_like(sums, np.nan)
    with np.errstate(over="ignore", under="ignore"):
        return {"sum_sq": sums * units * units, "mean_sq": mean * units * units}


def _tested(layer: Layer, term: Term, h: Floats, e: Floats) -> TermRows:
    """Return the tests of one term."""
    df1, df2 = layer.df(term), layer.df_error
    f = np.full(len(h), np.nan)
    if df1 and df2 > 0:
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            f = (h / df1) / (e / df2)
    place = {"term": label_of(term), "stratum": layer.name}
    return place | {"df1": df1, "df2": df2, "statistic": f}


def _effects(f: Floats, df1: Floats, df2: Floats, level: float) -> dict[str, Floats]:
    """Return p-values and effect sizes of many F; NaN if F is not finite.

    Limits of partial eta squared are L / (L + df2), L of noncentral F.
    """
    low, high = (
        noncentral_f.noncentralities(f, df1, df2, p)
        for p in ((1 + level) / 2, (1 - level) / 2)
    )
    known = np.where(np.isfinite(f), f, np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = 1 / (1 + df2 / (df1 * f))
    return {
        "p_value": special.fdtrc(df1, df2, known),
        "partial_eta2": share,
        "conf_low": low / (low + df2),
        "conf_high": high / (high + df2),
        "omega2": df1 * (known - 1) / (df1 * known + df2 + 1),
    }


def _mixed_rows(fit: ModelFit, mixed: Mixed) -> Iterator[TermRows]:
    """Yield the tests of terms of a mixed model."""
    for term in fit.read.terms:
        df1 = mixed.bases[term].shape[1]
        tests = [
            mixed.test(term, j) if df1 else (math.nan, math.nan)
            for j in range(len(fit.names))
        ]
        f, df2 = np.array(tests).T
        # What the term adds to the estimated means, 0 where all of it is rounding.
        fitted = [mixed.basis @ reml_fit.coefficients for reml_fit in mixed.estimates]
        added = mixed.bases[term].T @ np.transpose(fitted)
        f = np.where((_sums(added, fit.noise) == 0) & (df1 > 0), 0.0, f)
        yield {
            "term": label_of(term),
            "stratum": MIXED,
            "df1": df1,
            "df2": df2,
            "statistic": f,
        }
