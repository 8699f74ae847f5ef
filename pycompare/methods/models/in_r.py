"""The calls of R that give the same numbers as a linear model and what follows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pycompare.base.interop.r_call import RCall
from pycompare.base.typing import Floats, Ints
from pycompare.methods.models.columns import Categories, Covariate
from pycompare.methods.models.fit import ModelFit, sequential
from pycompare.methods.models.grammar import Factor, Term

_FILES = ("adjust", "studentized_range", "anova", "linear_model")
_MIXED_FILES = (*_FILES, "mixed_model")
_CURVES = {"log": "log({})", "sqrt": "sqrt({})"}


def _names_in_r(model: ModelFit) -> tuple[dict[str, str], dict[str, str]]:
    """Return the safe names of the factors and of the covariates, by column."""
    factors: dict[str, str] = {}
    covariates: dict[str, str] = {}
    for factor, column in model.columns.items():
        known = factors if isinstance(column, Categories) else covariates
        letter = "f" if isinstance(column, Categories) else "x"
        known.setdefault(factor.column, f"{letter}{len(known) + 1}")
    for term in model.strata:
        for factor in term:
            factors.setdefault(factor.column, f"f{len(factors) + 1}")
    return factors, covariates


def _spelled(model: ModelFit, factor: Factor) -> str:
    """Return a column of a formula as R writes it."""
    factors, covariates = _names_in_r(model)
    if factor.column in factors:
        return factors[factor.column]
    name = covariates[factor.column]
    if factor.transform == "poly":
        return f"poly({name}, {factor.degree})"
    if factor.transform in ("center", "scale"):
        return f"scale({name}, scale = {str(factor.transform == 'scale').upper()})"
    return _CURVES.get(factor.transform, "{}").format(name)


def _term_in_r(model: ModelFit, term: Term) -> str:
    """Return a term as R writes it."""
    return ":".join(_spelled(model, factor) for factor in term)


def _arguments(model: ModelFit) -> dict[str, Any]:
    """Return what every call needs."""
    factors, covariates = _names_in_r(model)
    codes = {
        f.column: c.codes for f, c in model.columns.items() if isinstance(c, Categories)
    }
    codes |= model.unit_codes
    raw = {
        f.column: c.raw for f, c in model.columns.items() if isinstance(c, Covariate)
    }
    units = " + ".join(
        ":".join(factors[f.column] for f in term) for term in model.strata
    )
    arguments: dict[str, Any] = {
        "y": model.responses * np.array(model.units),
        "terms": [_term_in_r(model, term) for term in model.read.terms],
        "units": units,
        "constant": model.read.constant,
    }
    # A matrix without columns cannot be spelled: it is left out.
    if factors:
        arguments["codes"] = np.array([codes[name] for name in factors]).T
    if covariates:
        arguments["x"] = np.array([raw[name] for name in covariates]).T
    if model.roots is not None:
        arguments["row_weights"] = np.square(model.roots * model.matrix.root_unit)
    return arguments


def call(model: ModelFit, level: float) -> RCall:
    """Return the call for the table of all terms."""
    given = {**_arguments(model), "type": model.type, "level": level}
    if model.mixed is not None:
        given["df"] = model.mixed.df
        return RCall(_MIXED_FILES, "mixed_model_reference", given)
    return RCall(_FILES, "linear_model_reference", given | by_strata(model))


def manova_call(model: ModelFit, term: Term) -> RCall:
    """Return the call for the multivariate tests of one term."""
    given = {**_arguments(model), "term": _term_in_r(model, term), "type": model.type}
    return RCall(_FILES, "linear_model_manova_reference", given | by_strata(model))


def by_strata(model: ModelFit) -> dict[str, bool]:
    """Return what asks R for terms by ``lm.fit`` if its functions have others.

    ``aov`` has sequential sums of squares in each stratum, whatever the type; it and
    ``anova`` leave out terms that are aliased, and ``car::Anova`` stops at them.
    """
    if model.aliased or (model.strata and not sequential(model)):
        return {"by_strata": True}
    return {}


def permutation_call(
    model: ModelFit,
    term: Term,
    unit: NDArray[np.intp],
    orders: Ints | None,
    listed: bool,
) -> RCall:
    """Return the call for the permutations of residuals of one term."""
    factors, _ = _names_in_r(model)
    layers = [layer.name for layer in model.layers]
    where = layers.index(model.layer_of(term).name)
    coarser = [] if not model.strata else [
        ":".join(factors[f.column] for f in stratum) for stratum in model.strata[:where]
    ]  # fmt: skip
    given = {
        **_arguments(model),
        "term": _term_in_r(model, term),
        "type": model.type,
        "unit": unit + 1.0,
        "coarser": coarser,
        "orders": None if orders is None else orders + 1.0,
        "listed": listed,
    }
    return RCall(
        ("linear_model", "residual_permutation"), "permuted_term_reference", given
    )


def dispersion_call(
    model: ModelFit, names: Sequence[str], centre: str, standardise: str
) -> RCall:
    """Return the call for the dispersion of groups of residuals."""
    factors, _ = _names_in_r(model)
    given = {
        **_arguments(model),
        "factors": [factors[name] for name in names],
        "centre": centre,
        "standardise": standardise,
    }
    return RCall(("linear_model", "dispersion"), "dispersion_reference", given)


def means_call(
    model: ModelFit,
    response: str,
    factors: Sequence[str],
    level: float,
    slope: str = "",
    weights: Floats | None = None,
    single_step: bool = False,
    adjust: str = "",
    alpha: float | None = None,
    weighting: str = "equal",
    at: Mapping[str, float] | None = None,
) -> RCall:
    """Return the call for estimated marginal means or slopes, or contrasts of them."""
    names, covariates = _names_in_r(model)
    given = _arguments(model)
    given["y"] = given["y"][:, [model.names.index(response)]]
    given["factors"] = [names[name] for name in factors]
    given["level"] = level
    given["slope"] = covariates[slope] if slope else ""
    given["weights"] = weights
    if weighting != "equal":
        given["weighting"] = weighting
    if at:
        given["at_names"] = [covariates[name] for name in at]
        given["at_values"] = list(at.values())
    if single_step:
        given["single_step"] = True
    if adjust:
        given["adjust"] = adjust
        if alpha is not None:
            given["alpha"] = alpha
    if model.mixed is not None:
        given["df"] = model.mixed.df
        return RCall(_MIXED_FILES, "mixed_model_means_reference", given)
    return RCall(_FILES, "linear_model_means_reference", given)


def variances_call(model: ModelFit) -> RCall:
    """Return the call for the variances of units."""
    return RCall(_MIXED_FILES, "mixed_model_variances_reference", _arguments(model))
