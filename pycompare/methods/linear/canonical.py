"""Canonical variates: the directions in which mean vectors differ most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from pycompare.base.tables import Columns
from pycompare.base.typing import Floats
from pycompare.kernels.manova import ROUNDING
from pycompare.methods.linear.responses import Responses
from pycompare.results.result import Result, internal

_COLLINEAR = 0.9
"""With a larger share of the first eigenvalue the means are collinear.

Yildiz et al. (2011), sec. 3.2.
"""
_REFERENCE = "Rencher & Christensen (2012) Methods of Multivariate Analysis, 8.4-8.7"

_EQUAL = 1e-9
"""Eigenvalues that differ by less, relative to the largest, are equal."""


@dataclass(frozen=True, kw_only=True, eq=False)
class CanonicalVariates(Result):
    """Canonical variates CV1, CV2, ... of algorithms, the most separating first.

    Each has residual variance 1 and is uncorrelated with the others in the residuals.
    The sign is free; here the largest standardised coefficient is positive.

    Attributes
    ----------
    eigenvalues, share : Series
        lambda_j of E^-1 H, and its part of their sum.
    raw : DataFrame
        Coefficients, kept metrics x variates, for scores in the metrics' own units.
    standardised : DataFrame
        Coefficients for scores divided by the metric's residual standard deviation.
    structure : DataFrame
        Correlations of all metrics (the dependent ones, too) with the variates in the
        residuals of the model (pooled within, as in SPSS). 1 = the variate is the
        metric.
    means : DataFrame
        Adjusted means, algorithms x variates, centred.
    scores : DataFrame
        One row per cell, columns ``block algorithm CV1 ...``: fitted mean of the
        algorithm plus residual, so that block effects are taken out.
    std_errors : Series
        Standard error of each algorithm's mean on any variate: 1/sqrt(blocks) in a
        complete table.
    df_error : int
    collinear : bool
        Whether the first eigenvalue has more than 0.9 of the sum: then the mean
        vectors lie close to one line (Yildiz et al. 2011, sec. 3.2).
    reference : str
    """

    eigenvalues: pd.Series
    share: pd.Series
    raw: pd.DataFrame
    standardised: pd.DataFrame
    structure: pd.DataFrame
    means: pd.DataFrame
    scores: pd.DataFrame
    std_errors: pd.Series
    df_error: int
    collinear: bool
    reference: str = _REFERENCE
    responses: Responses = internal()

    def as_columns(self) -> Columns:
        """Return one row per variate and metric: all coefficients in one table."""
        frames = {n: self.held(n) for n in ("raw", "standardised", "structure")}
        metrics, variates = frames["raw"].axes
        m, v = len(metrics), len(variates)
        return Columns(
            {
                "variate": np.repeat(variates.to_numpy(), m),
                "eigenvalue": np.repeat(self.held("eigenvalues").to_numpy(), m),
                "share": np.repeat(self.held("share").to_numpy(), m),
                "metric": np.tile(metrics.to_numpy(), v),
                **{
                    n: frame.loc[metrics].to_numpy().T.ravel()
                    for n, frame in frames.items()
                },
            }
        )

    def r_values(self) -> dict[str, Any]:
        """Return shares; coefficients and correlations of the kept metrics.

        Column by column, as R has them. Variates with equal eigenvalues have no
        directions of their own, and are NaN.
        """
        at = self.eigenvalues.to_numpy(float)
        gaps = np.abs(at[:, None] - at) + np.diag(np.full(len(at), np.inf))
        own = gaps.min(axis=1, initial=np.inf) > _EQUAL * np.abs(at).max(initial=0.0)
        tables = {
            "canonical_raw": self.raw,
            "canonical_standardised": self.standardised,
            "canonical_structure": self.structure.loc[list(self.raw.index)],
        }
        shares = {"canonical_share": self.share.to_numpy(float)}
        return shares | {
            name: np.where(own, table.to_numpy(), np.nan).ravel(order="F")
            for name, table in tables.items()
        }


def canonical_variates(model: Responses) -> CanonicalVariates:
    """Return the canonical variates of a fitted model."""
    kept = np.flatnonzero(model.error.kept)
    df = model.factors.df_error
    eigenvalues, raw, standardised = model.variates()
    s = len(eigenvalues)
    names = [f"CV{j + 1}" for j in range(s)]
    deviation = np.sqrt(np.square(model.factors.error).sum(axis=0) / df)
    residuals = model.factors.error[:, kept] @ raw
    with np.errstate(divide="ignore", invalid="ignore"):
        structure = model.factors.error.T @ residuals / df / deviation[:, None]
        metrics = ROUNDING * model.noise / deviation * np.sqrt(model.design.n / df)
    # Correlations that rounding of the metric and of the variate can explain.
    structure[np.abs(structure) <= metrics[:, None] + model.rounding] = 0.0
    means = model.design.means(model.scaled)[:, kept] @ raw
    means -= means.mean(axis=0)
    means[:, eigenvalues == 0] = 0.0
    rows, at = np.nonzero(model.design.present)
    scores = pd.DataFrame(means[at] + residuals, columns=names)
    scores.insert(0, "algorithm", [model.algorithms[j] for j in at])
    scores.insert(0, "block", [model.blocks[i] for i in rows])
    labels = [m.name for m in model.metrics]
    total = eigenvalues.sum()
    share = eigenvalues / total if total > 0 else np.full(s, np.nan)
    return CanonicalVariates(
        eigenvalues=pd.Series(eigenvalues, index=names),
        share=pd.Series(share, index=names),
        raw=pd.DataFrame(raw / model.units[kept, None], list(model.kept), names),
        standardised=pd.DataFrame(standardised, list(model.kept), names),
        structure=pd.DataFrame(structure, labels, names),
        means=pd.DataFrame(means, list(model.algorithms), names),
        scores=scores,
        std_errors=pd.Series(_std_errors(model), list(model.algorithms)),
        df_error=df,
        collinear=bool(s and share[0] > _COLLINEAR),
        responses=model,
    )


def _std_errors(model: Responses) -> Floats:
    """Return standard errors of means, for residual variance 1.

    Those of the differences from the mean of all are smaller by sqrt(1 - 1/a) in a
    complete table; these are of the means themselves, blocks treated as given.
    """
    counts = model.design.present.sum(axis=0)
    if model.design.complete or not model.design.blocked:
        return np.asarray(1 / np.sqrt(counts))
    a = len(counts)
    return np.sqrt(np.diag(model.design.unscaled) * a / (a - 1))
