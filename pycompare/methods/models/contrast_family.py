"""Contrasts of marginal means as one family: adjusted p-values and intervals."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import numpy as np
from scipy import special

from pycompare.base.arguments import check_seed
from pycompare.base.errors import InputError
from pycompare.base.formatting.numbers import percent
from pycompare.base.typing import Floats
from pycompare.kernels import many_to_one, studentized_range
from pycompare.kernels.largest_t import largest_t
from pycompare.methods.models.combined import Combined, t_quantile
from pycompare.methods.pairs.adjusted_pairs import bound_of
from pycompare.methods.pairs.last_step import EACH, last_step
from pycompare.results.adjust import adjust_family, adjustment
from pycompare.results.result import rejected

_RANDOM = (
    "adjusted p-values and intervals are means over random directions (random seed "
    "{seed}); standard errors of the adjusted p-values are {error} at most"
)
OWN_ADJUSTMENTS = ("tukey", "single-step")
"""Adjustments that use more of the means than their p-values."""


@dataclass(frozen=True, eq=False)
class ContrastFamily:
    """Contrasts that are tested together.

    Attributes
    ----------
    estimates : Combined
    n_means : int
    all_pairs : bool
    covariance : ndarray, shape (m, m), or None
        Of the contrasts, up to a factor; for ``single-step`` alone.
    level : float
        Of intervals that hold together.
    alpha : float or None
        Of decisions with which intervals agree, if p-values are adjusted one by one.
    """

    estimates: Combined
    n_means: int
    all_pairs: bool
    covariance: Floats | None
    level: float
    alpha: float | None = None

    @cached_property
    def t(self) -> Floats:
        """The statistics."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(self.estimates.estimate / self.estimates.std_error)

    @cached_property
    def p(self) -> Floats:
        """Raw p-values."""
        return np.asarray(2 * special.stdtr(self.estimates.df, -np.abs(self.t)))


@dataclass(frozen=True, eq=False)
class Adjusted:
    """Adjusted p-values, half widths in standard errors, and how they were made.

    ``last`` is the raw p-value up to which contrasts are rejected, if intervals
    follow from that.
    """

    p: Floats
    half: Floats
    interval: str
    errors: Floats
    seed: int | None = None
    notes: tuple[str, ...] = ()
    last: float | None = None


def adjusted_family(family: ContrastFamily, adjust: str, seed: int) -> Adjusted:
    """Return the adjusted p-values of a family."""
    if adjust == "tukey":
        if not family.all_pairs:
            raise InputError("adjust='tukey' is for method='pairwise' without by")
        return _by_tukey(family)
    if adjust == "single-step":
        return _single_step(family, seed)
    chosen = adjustment(adjust)
    if chosen.pairs_only and not family.all_pairs:
        raise InputError(
            f"adjust={adjust!r} is for method='pairwise' without by; choose holm "
            "or another name for any family"
        )
    p, level, alpha, last = family.p, family.level, family.alpha, None
    adjusted = adjust_family(np.where(np.isnan(p), 1.0, p), family.n_means, chosen)
    adjusted = np.where(np.isnan(p), np.nan, adjusted)
    if alpha is None:
        each = (1 - level) / len(p)
        interval = f"simultaneous {percent(level)} (Bonferroni)"
    else:
        each = last = last_step(p, rejected(adjusted, alpha), alpha)
        interval = f"{percent(1 - last)} {EACH if len(p) > 1 else 'each'}"
    half = t_quantile(1 - each, family.estimates.df)
    if last is not None:
        half = np.where(family.estimates.std_error == 0, np.nan, half)
    bound = _bound(p, family.n_means) if chosen.name == "bergmann-hommel" else ""
    notes = (bound,) if bound else ()
    none = np.zeros(len(p))
    return Adjusted(adjusted, half, interval, none, notes=notes, last=last)


def _bound(p: Floats, n_means: int) -> str:
    """Note that adjusted p-values of all pairs are bounds; empty if they are not."""
    square = np.full((n_means, n_means), np.nan)
    square[np.triu_indices(n_means, 1)] = p
    return bound_of(np.fmax(square, square.T))


def _by_tukey(family: ContrastFamily) -> Adjusted:
    """Return p-values of the studentized range of all means."""
    t, m, level = family.t, family.n_means, family.level
    # Without residuals there is no studentized range.
    known = np.isfinite(t) & (family.estimates.std_error > 0)
    adjusted, half = np.full(len(t), np.nan), np.full(len(t), np.nan)
    q, df = np.abs(t[known]) * np.sqrt(2), family.estimates.df[known]
    adjusted[known] = studentized_range.sf(q, m, df)
    half[known] = studentized_range.isf(1 - level, m, df) / np.sqrt(2)
    interval = f"simultaneous {100 * level:g}% (Tukey)"
    return Adjusted(adjusted, half, interval, np.zeros(len(t)))


def _single_step(family: ContrastFamily, seed: int) -> Adjusted:
    """Return P(max |T| > |t|), T multivariate t with the contrasts' correlations."""
    check_seed(seed)
    assert family.covariance is not None
    known = np.isfinite(family.t) & (family.estimates.std_error > 0)
    adjusted, half = family.p.copy(), np.full(len(known), np.nan)
    errors = np.zeros(len(known))
    interval = f"simultaneous {100 * family.level:g}% (single-step)"
    if not known.any():
        return Adjusted(adjusted, half, interval, errors)
    covariance = family.covariance[np.ix_(known, known)]
    size = np.sqrt(np.diag(covariance))
    correlation = covariance / np.outer(size, size)
    t, df = np.abs(family.t[known]), family.estimates.df[known]
    equal_means = family.all_pairs and known.all()
    if equal_means and _of_equal_variances(correlation, size, family.n_means):
        by_tukey = _by_tukey(family)
        return replace(by_tukey, interval=interval)
    loadings = many_to_one.product_loadings(correlation)
    if loadings is not None:
        tails = [many_to_one.sf(x, loadings, d) for x, d in zip(t, df, strict=True)]
        adjusted[known] = tails
        widths = {d: many_to_one.isf(1 - family.level, loadings, d) for d in set(df)}
        half[known] = [widths[d] for d in df]
        return Adjusted(adjusted, half, interval, errors)
    largest = largest_t(correlation, seed)
    exceedances = [largest.sf(x, d) for x, d in zip(t, df, strict=True)]
    adjusted[known], errors[known] = np.transpose(exceedances)
    widths = {d: largest.isf(1 - family.level, d) for d in set(df)}
    half[known] = [widths[d] for d in df]
    if largest.every is None:
        return Adjusted(adjusted, half, interval, errors)
    note = _RANDOM.format(seed=seed, error=f"{errors.max():.1g}")
    return Adjusted(adjusted, half, interval, errors, seed, (note,))


def _of_equal_variances(correlation: Floats, size: Floats, m: int) -> bool:
    """Return whether pairs are those of means of one variance: Tukey's case."""
    rows = np.zeros((len(size), m))
    for i, (first, second) in enumerate(combinations(range(m), 2)):
        rows[i, [first, second]] = 1.0, -1.0
    same = np.ptp(size) <= 1e-9 * size.max()
    return bool(same and np.abs(correlation - rows @ rows.T / 2).max() <= 1e-9)
