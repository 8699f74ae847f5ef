"""Variances of units and rows of a linear model, by REML."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from pycompare.base.errors import DesignError
from pycompare.base.interop.r_call import RCall
from pycompare.base.typing import Floats
from pycompare.methods.models.fit import ModelFit, mixed_of
from pycompare.methods.models.in_r import variances_call
from pycompare.results.result import Result, internal


@dataclass(frozen=True, kw_only=True, eq=False)
class Variances(Result):
    """Variances of units by restricted maximum likelihood.

    Attributes
    ----------
    table : DataFrame
        One row per response and kind of unit: ``response unit variance std_dev share``;
        ``share`` is that of the sum of variances.
    log_likelihood : tuple of float
        Restricted, one a response; for effects that sum to zero, as R's with
        ``contr.sum``.
    notes : tuple of str
        Units without a variance of their own.
    """

    table: pd.DataFrame
    log_likelihood: tuple[float, ...]
    notes: tuple[str, ...]
    fit: ModelFit = internal()

    def r_call(self) -> RCall:
        """Return the call of ``lme4::lmer``."""
        return variances_call(self.fit)

    def r_values(self) -> dict[str, Any]:
        """Return variances and likelihoods."""
        return {
            **self.columns_in_r("variance", "std_dev", "share"),
            "log_likelihood": np.array(self.log_likelihood),
        }


def variances(fit: ModelFit) -> Variances:
    """Return the variances of units in a linear model.

    Raises
    ------
    DesignError
        If the model has no units, or no variance can be estimated.

    Notes
    -----
    R: ``lme4::lmer(y ~ x + (1 | unit))``, ``VarCorr``. In balanced data a positive
    estimate is the difference of mean squares over the size of units.
    """
    if not fit.unit_rows:
        raise DesignError("rows are independent: variances of units need within=...")
    mixed = fit.mixed
    notes: tuple[str, ...] = ()
    if mixed is None:
        mixed, _, notes = mixed_of(
            fit.matrix,
            fit.columns,
            fit.responses,
            fit.unit_rows,
            fit.type,
            "satterthwaite",
        )
    log_size = _log_size(fit.design)
    rank = mixed.basis.shape[1]
    parts, likelihoods = [], []
    for name, unit, reml_fit in zip(fit.names, fit.units, mixed.estimates, strict=True):
        with np.errstate(over="ignore", under="ignore"):  # inf, as mean squares are
            variance = reml_fit.variances * unit * unit
        parts.append(
            pd.DataFrame(
                {
                    "response": name,
                    "unit": mixed.kinds,
                    "variance": variance,
                    "std_dev": np.sqrt(reml_fit.variances) * unit,
                    "share": reml_fit.variances / reml_fit.variances.sum(),
                }
            )
        )
        # The likelihood of the data in their own unit, and of the model's own columns.
        shift = 2 * log_size + 2 * (fit.n - rank) * np.log(unit)
        likelihoods.append(float(-0.5 * (reml_fit.deviance + shift)))
    return Variances(
        table=pd.concat(parts, ignore_index=True),
        log_likelihood=tuple(likelihoods),
        notes=notes,
        fit=fit,
    )


_ALIASED = 1e-7
"""Share of an aliased column that the columns before it may leave: rounding."""


def _log_size(design: Floats) -> float:
    """Return half the log determinant of X'X without aliased columns.

    Of aliased columns the last are left out, as in R.
    """
    size, kept = 0.0, np.empty((len(design), 0))
    for column in design.T:
        left = column
        for _ in range(2):  # once more for rounding
            left = left - kept @ (kept.T @ left)
        length = float(np.linalg.norm(left))
        if length > _ALIASED * np.linalg.norm(column):
            size += np.log(length)
            kept = np.column_stack([kept, left / length])
    return size
