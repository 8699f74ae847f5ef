"""Do groups of a linear model vary alike? Levene-type tests of residuals.

Each row has its distance from the centre of its group, over all responses, and the
distances are compared by an analysis of variance (van Valen 1978; Anderson 2006). With
one response this is Levene's test, or Brown and Forsythe's.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
from scipy import special

from pycompare.base.arguments import check_word
from pycompare.base.errors import DesignError, InputError
from pycompare.base.interop.r_call import RCall
from pycompare.base.labels import show, show_all
from pycompare.base.typing import Floats, Indices, Standardise
from pycompare.methods.models import in_r
from pycompare.methods.models.columns import Categories
from pycompare.methods.models.fit import ModelFit
from pycompare.results.result import Test, internal

Centre = Literal["mean", "median"]

_ANDERSON = "Anderson (2006) Biometrics 62, 245-253"
_VAN_VALEN = "van Valen (1978) Evol. Theory 4, 33-43"
_EQUAL = "all rows have the same distance from the centre of their group"
_OTHER_TERMS = (
    "residuals of other terms of the model correlate: the p-value is approximate"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class DispersionTest(Test):
    """A Levene-type test of the dispersion of groups.

    Attributes
    ----------
    factors : tuple of str
    table : DataFrame
        One row per group: the factors' levels, then ``n mean_distance``.
    centre : {"mean", "median"}
    standardise : {"sd", "none"}
    distances : ndarray, shape (n,)
    """

    factors: tuple[str, ...]
    table: pd.DataFrame
    centre: Centre
    standardise: Standardise
    distances: Floats
    fit: ModelFit = internal()

    def r_call(self) -> RCall:
        """Return the call of ``anova`` of ``vegan::betadisper``.

        Medians of each response are those of ``car::leveneTest``.
        """
        return in_r.dispersion_call(
            self.fit, self.factors, self.centre, self.standardise
        )

    def r_values(self) -> dict[str, Any]:
        """Return the test and the mean distances."""
        return {
            "statistic": self.statistic,
            "df": self.df,
            "p_value": self.p_value,
            "mean_distance": np.asarray(self.held("table")["mean_distance"], float),
        }


def dispersion_test(
    model: ModelFit,
    factors: str | Sequence[str],
    *,
    centre: Centre = "median",
    standardise: Standardise = "sd",
) -> DispersionTest:
    """Test whether groups have equal covariance matrices, as far as distances show.

    Parameters
    ----------
    model : ModelFit
        ``LinearModel.fit``, without units.
    factors : str or sequence of str
        The groups: combinations of their levels.
    centre : {"median", "mean"}
        Of the residuals of a group, response by response. The median holds its level
        better if errors are skewed.
    standardise : {"sd", "none"}
        ``sd``: each response over its residual standard deviation, so that units do
        not matter. ``none``: as they are.

    Returns
    -------
    DispersionTest

    Raises
    ------
    DesignError
        For a model with units or weights, or groups of one row each.
    InputError
        For a name that is no factor of the model, or an unknown word.

    Notes
    -----
    R: ``anova(vegan::betadisper(dist(E), group, type = "centroid"))``; one response:
    ``car::leveneTest``.

    References
    ----------
    .. [1] Levene, H. (1960). In: Contributions to Probability and Statistics, 278-292.
    .. [2] van Valen, L. (1978). Evol. Theory 4, 33-43.
    .. [3] Anderson, M. J. (2006). Biometrics 62, 245-253.
    """
    names = (factors,) if isinstance(factors, str) else tuple(factors)
    _check(model, names, centre, standardise)
    group, levels = _groups(model, names)
    e = model.residuals(model.layers[0], slice(None))
    scale = _scale(model, e, standardise)
    z = _distances(e, group, centre, scale)
    counts = np.bincount(group)
    means = np.bincount(group, z) / counts
    df1, df2 = len(counts) - 1, len(z) - len(counts)
    if df1 < 1 or df2 < 1:
        raise DesignError(
            f"{len(z)} rows in {len(counts)} groups: distances cannot be compared"
        )
    within = float(np.sum(np.square(z - means[group])))
    between = float(counts @ np.square(means - z.mean()))
    rounding = len(z) * float(np.sum(np.square(model.noise / scale)))
    between = between if between > rounding else 0.0
    defined = within > rounding
    f = between / df1 / (within / df2) if defined else math.nan
    one_way = {frozenset(f.column for f in t) for t in model.read.terms} <= {
        frozenset(part) for part in _parts(names)
    }
    notes = [] if one_way else [_OTHER_TERMS]
    what = "Levene-type test of equal dispersion"
    return DispersionTest(
        name=f"{what} of {', '.join(model.names)} by {':'.join(names)}",
        statistic_name="F",
        statistic=f,
        df=(float(df1), float(df2)),
        p_value=float(special.fdtrc(df1, df2, f)) if defined else math.nan,
        p_source="F" if defined else "none",
        reference=_ANDERSON if centre == "mean" else _VAN_VALEN,
        notes=tuple(notes if defined else [*notes, _EQUAL]),
        factors=names,
        table=levels.assign(n=counts, mean_distance=means),
        centre=centre,
        standardise=standardise,
        distances=z,
        fit=model,
    )


def _check(
    model: ModelFit, names: Sequence[str], centre: str, standardise: str
) -> None:
    """Reject unknown words and factors, and models with units."""
    check_word("centre", centre, get_args(Centre))
    check_word("standardise", standardise, get_args(Standardise))
    unknown = [name for name in names if name not in model.grid.factors]
    if unknown or not names:
        raise InputError(
            f"factors={list(names)}: choose factors of the model: "
            f"{show_all(model.grid.factors)}"
        )
    if len(set(names)) < len(names):
        raise InputError(f"factors: {show(names[0])} is named twice")
    if model.roots is not None:
        raise DesignError(
            "rows with weights have variances that differ as these state: a test of "
            "equal dispersion needs a model without row weights"
        )
    if model.strata:
        raise DesignError(
            "distances of residuals within units are not independent; name the units "
            "as terms of the formula instead, such as error ~ data + learner"
        )


def _parts(names: Sequence[str]) -> list[tuple[str, ...]]:
    """Return all sets of names that are not empty."""
    subsets: list[tuple[str, ...]] = [()]
    for name in names:
        subsets += [(*part, name) for part in subsets]
    return subsets[1:]


def _groups(model: ModelFit, names: Sequence[str]) -> tuple[Indices, pd.DataFrame]:
    """Return the group of each row and the levels of each group that has rows."""
    codes = {f.column: c for f, c in model.columns.items() if isinstance(c, Categories)}
    table = np.stack([codes[name].codes for name in names], axis=1)
    cells, group = np.unique(table, axis=0, return_inverse=True)
    labels = {
        name: [model.grid.factors[name][i] for i in cells[:, j]]
        for j, name in enumerate(names)
    }
    return group.ravel(), pd.DataFrame(labels)


def _scale(model: ModelFit, e: Floats, standardise: Standardise) -> Floats:
    """Return what each response is divided by."""
    if standardise == "none":
        return 1 / np.array(model.units)
    df = model.layers[0].df_error
    size = np.sqrt(np.sum(np.square(e), axis=0) / max(df, 1))
    return np.where(size > 0, size, 1.0)


def _distances(e: Floats, group: Indices, centre: Centre, scale: Floats) -> Floats:
    """Return the distance of each row from the centre of its group."""
    middle = np.mean if centre == "mean" else np.median
    centres = np.array([middle(e[group == g], axis=0) for g in range(group.max() + 1)])
    return np.asarray(np.linalg.norm((e - centres[group]) / scale, axis=1))
