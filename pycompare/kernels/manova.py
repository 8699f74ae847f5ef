"""Multivariate analysis of variance from factors: eigenvalues, four tests, dimensions.

The eigenvalues of E^-1 H are the squared singular values of F R^-1, with H = F'F and
R the triangular factor of the residuals, E = R'R. Neither E nor a determinant of it is
formed if that would cost digits: forming E squares the condition number. If the
responses are nearly dependent, they are moved, with twice the digits, into the basis
R^-1 in which their residuals are nearly orthogonal, and the work is done again there.

Responses may depend on each other: (TP, FP, TN, FN) of folds with fixed class sizes
have rank 2. Every statistic here is invariant under a change of basis of the response
space, so a response that depends on those before it is left out, and the rank takes
the place of the number of responses.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, special

from pycompare.base.typing import Bools, Floats
from pycompare.kernels import double_double
from pycompare.kernels.sscp import Factors, cross, factors, folded, two_way

DEPENDENT = 1e-7
"""A response adds nothing if its remainder, after the responses before it are
taken off, is smaller than this part of it. Cells of totals of 1e2 to 1e7 that differ
by one stay far above it; see also `rounding`."""
ROUNDING = 8.0
"""Times the rounding of the scores: smaller residuals are rounding, too."""
_COMFORTABLE = 0.1
"""If each response keeps this part, one Cholesky step has 13 digits. Elsewhere the
columns are orthogonalised, and again in the basis that this gives."""
CHUNK = 2**16
"""Scores that are worked on at once; so many fit into the processor's cache."""
EPS = float(np.finfo(float).eps)


@dataclass(frozen=True, eq=False)
class Triangle:
    """Triangular factor R of columns A = Q R, dependent columns left out.

    Attributes
    ----------
    r : ndarray, shape (..., p, p)
        Of the columns divided by ``norms``. A dependent column has 1 on the diagonal,
        above it its parts, and 0 to its right.
    kept : ndarray of bool, shape (..., p)
        The columns that do not depend on those before them.
    norms : ndarray, shape (..., p)
        Their lengths, 1 for a column of zeros.
    """

    r: Floats
    kept: Bools
    norms: Floats

    @property
    def comfortable(self) -> Bools:
        """If no column is nearly dependent, shape (...)."""
        diagonal = np.diagonal(self.r, axis1=-2, axis2=-1)
        return np.asarray((diagonal > _COMFORTABLE).all(axis=-1))

    def basis(self) -> Floats:
        """Return the change of basis R^-1, columns of dependent responses 0."""
        r = self.r * self.norms[..., None, :]
        inverse = np.linalg.solve(r, np.broadcast_to(np.eye(r.shape[-1]), r.shape))
        kept = self.kept[..., None, :] * self.kept[..., :, None]
        return np.asarray(inverse * kept, float)


@dataclass(frozen=True, eq=False, kw_only=True)
class ResponseSpan:
    """Factors of a term and of error in the space that the responses span.

    Attributes
    ----------
    factors : Factors
        Of all responses.
    error : Triangle
        Triangular factor of the residuals; ``error.kept`` are the responses that count.
    basis : ndarray, shape (p, p) or None
        If kept responses are nearly dependent: the basis R^-1 that the tests use,
        with residuals that are nearly orthogonal.
    working : Factors
        In ``basis``; else the same as ``factors``.
    noise : ndarray, shape (p,)
        Rounding of the responses in the unit of ``factors``.
    """

    factors: Factors
    error: Triangle
    basis: Floats | None
    working: Factors
    noise: Floats

    @cached_property
    def rank(self) -> int:
        """Dimensions of the response space."""
        return int(self.error.kept.sum())

    @cached_property
    def triangle(self) -> Triangle:
        """Triangular factor of the residuals in ``basis``."""
        if self.basis is None:
            return self.error
        return triangle(self.working.error, np.zeros(len(self.basis)))

    @cached_property
    def rounding(self) -> float:
        """How far rounding may take columns whose residuals R^-1 makes orthonormal.

        In length: singular values of ``white`` up to it are 0.
        """
        each = float(np.linalg.norm(self.noise[:, None] * self.error.basis()))
        return ROUNDING * each * math.sqrt(self.factors.error.shape[0])

    @property
    def white(self) -> Floats:
        """F R^-1 of the term, whose squared singular values are the eigenvalues.

        Shape (m, rank).
        """
        return _whitened(self.working, self.triangle)[:, self.error.kept]

    def coefficients(self, directions: Floats) -> Floats:
        """Return coefficients of the kept responses for directions of ``white``.

        R^-1 v, shapes (rank, s).
        """
        kept = self.error.kept
        root = (self.triangle.r * self.triangle.norms)[np.ix_(kept, kept)]
        coefficients: Floats = linalg.solve_triangular(root, directions)
        return (
            coefficients
            if self.basis is None
            else self.basis[np.ix_(kept, kept)] @ coefficients
        )

    @cached_property
    def eigenvalues(self) -> Floats:
        """Those of E^-1 H, as many as can differ from 0."""
        s = min(self.rank, self.factors.df_hypothesis)
        singular = np.linalg.svd(self.white, compute_uv=False)
        return self._squared(np.asarray(singular[:s], float))

    def _squared(self, singular: Floats) -> Floats:
        """Return eigenvalues from singular values; 0 if all is rounding."""
        return np.where(singular > self.rounding, np.square(singular), 0.0)

    def variates(self) -> tuple[Floats, Floats, Floats]:
        """Return eigenvalues, coefficients, and these over the residual deviations.

        Of variates with residual variance 1; the largest standardised coefficient is
        positive.
        """
        kept, df = self.error.kept, self.factors.df_error
        s = min(self.rank, self.factors.df_hypothesis)
        _, singular, v = np.linalg.svd(self.white, full_matrices=False)
        # E = R'R, so w = R^-1 v sqrt(df) has w'(E/df)w = 1.
        raw = self.coefficients(v[:s].T) * np.sqrt(df)
        deviation = np.sqrt(np.square(self.factors.error).sum(axis=0) / df)
        standardised = raw * deviation[kept, None]
        top = np.abs(standardised).argmax(axis=0) if s else np.zeros(0, int)
        sign = np.where(standardised[top, np.arange(s)] < 0, -1.0, 1.0)
        return self._squared(singular[:s]), raw * sign, standardised * sign


def span(
    factors: Factors, error: Triangle, again: Callable[[Floats], Factors]
) -> dict[str, Any]:
    """Return the `ResponseSpan`; ``again`` makes the factors in another basis."""
    basis = None if error.comfortable else error.basis()
    working = factors if basis is None else again(basis)
    return {"factors": factors, "error": error, "basis": basis, "working": working}


@dataclass(frozen=True, eq=False)
class Roots:
    """Eigenvalues of E^-1 H in the space that the responses span.

    Attributes
    ----------
    eigenvalues : ndarray, shape (..., s), s = min(p, df_hypothesis)
        Descending; 0 beyond the rank. NaN if ``deficient``.
    rank : ndarray of int, shape (...)
        Rank of the residuals: the number of responses that count.
    kept : ndarray of bool, shape (..., p)
        The responses that do not depend on those before them.
    deficient : ndarray of bool, shape (...)
        H + E has a direction that E has not: a difference without an error to be
        compared with.
    """

    eigenvalues: Floats
    rank: NDArray[np.int_]
    kept: Bools
    deficient: Bools


@dataclass(frozen=True, eq=False)
class Approximation:
    """A statistic and its F, shapes (...); NaN if there is none."""

    statistic: Floats
    f: Floats
    df1: Floats
    df2: Floats
    p_value: Floats


def triangle(columns: Floats, noise: Floats) -> Triangle:
    """Return the triangular factor of columns, and which depend on others.

    Parameters
    ----------
    columns : ndarray, shape (..., n, p)
    noise : ndarray, shape (..., p)
        Rounding of each column's entries, in the column's unit.
    """
    norms = np.sqrt(np.einsum("...np,...np->...p", columns, columns))
    norms = np.where(norms > 0, norms, 1.0)
    products = cross(columns) / (norms[..., :, None] * norms[..., None, :])
    r, easy = _cholesky(products)
    doubt = np.sqrt(columns.shape[-2]) * noise / norms
    easy &= (doubt < DEPENDENT).all(axis=-1)
    kept = np.ones(norms.shape, dtype=bool)
    if not easy.all():
        hard = ~easy
        unit = columns[hard] / norms[hard][:, None, :]
        r[hard], kept[hard] = _gram_schmidt(unit, doubt[hard])
    return Triangle(r, kept, norms)


def _cholesky(products: Floats) -> tuple[Floats, Bools]:
    """Return upper triangular factors, and if every pivot is comfortable.

    Unlike LAPACK's it goes on where a matrix is not positive definite; the factor is
    then of no use.
    """
    p = products.shape[-1]
    r = np.zeros(products.shape)
    easy = np.ones(products.shape[:-2], dtype=bool)
    for j in range(p):
        above = r[..., :j, j:]
        row = products[..., j, j:] - (above[..., :1] * above).sum(axis=-2)
        easy &= row[..., 0] > _COMFORTABLE**2
        pivot = np.sqrt(np.where(easy, row[..., 0], 1.0))
        r[..., j, j:] = row / pivot[..., None]
    return r, easy


def _gram_schmidt(columns: Floats, doubt: Floats) -> tuple[Floats, Bools]:
    """Orthogonalise columns (..., n, p) of length 1 or 0, each twice.

    ``doubt`` is the rounding of each column relative to its length. Returns the factor
    and the columns kept; see `Triangle`.
    """
    *batch, n, p = columns.shape
    q = np.zeros((*batch, n, p))
    r = np.zeros((*batch, p, p))
    inverse = np.zeros((*batch, p, p))
    kept = np.zeros((*batch, p), dtype=bool)
    for j in range(p):
        rest = columns[..., j : j + 1].copy()
        for _ in range(2):  # once leaves rounding of the size of what was taken off
            parts = q[..., :j].mT @ rest
            rest -= q[..., :j] @ parts
            r[..., :j, j : j + 1] += parts
        made_of = (inverse[..., :j, :j] @ r[..., :j, j : j + 1])[..., 0]
        uncertain = doubt[..., j] + (np.abs(made_of) * doubt[..., :j]).sum(axis=-1)
        left = np.linalg.norm(rest[..., 0], axis=-1)
        kept[..., j] = left > np.maximum(DEPENDENT, ROUNDING * uncertain)
        length = np.where(kept[..., j], left, 1.0)
        r[..., j, j] = length
        inverse[..., :j, j] = -made_of / length[..., None]
        inverse[..., j, j] = 1 / length
        q[..., j] = kept[..., j, None] * rest[..., 0] / length[..., None]
    return r, kept


def _whitened(factors: Factors, error: Triangle) -> Floats:
    """Return F R^-1, shape (..., m, p); columns of dependent responses are 0."""
    return divided(factors.hypothesis, error)


def divided(rows: Floats, error: Triangle) -> Floats:
    """Return A R^-1 for rows A of shape (..., m, p); dependent columns are 0."""
    scaled = rows / error.norms[..., None, :]
    quotient = np.linalg.solve(error.r.mT, scaled.mT).mT
    return np.asarray(quotient * error.kept[..., None, :], float)


def _roots(factors: Factors, error: Triangle) -> Floats:
    """Return the eigenvalues of E^-1 H, shape (..., s), descending.

    Parameters
    ----------
    factors : Factors
        p responses in units in which squares neither overflow nor vanish.
    error : Triangle
        That of ``factors.error``.
    """
    s = min(error.kept.shape[-1], factors.df_hypothesis)
    # E^-1 H has the eigenvalues of (F R^-1)' (F R^-1).
    singular = np.linalg.svd(_whitened(factors, error), compute_uv=False)
    return np.asarray(np.square(singular[..., :s]))


def without_error(factors: Factors, error: Triangle, noise: Floats) -> Bools:
    """Return where H + E has a direction that E has not, shape (...)."""
    rank = error.kept.sum(axis=-1)
    deficient = np.zeros(rank.shape, dtype=bool)
    short = rank < error.kept.shape[-1]
    if short.any():
        total = triangle(stacked(factors)[short], noise[short])
        deficient[short] = total.kept.sum(axis=-1) > rank[short]
    return deficient


def stacked(factors: Factors) -> Floats:
    """Return a factor of H + E, shape (..., m + n, p)."""
    return np.concatenate([factors.hypothesis, factors.error], axis=-2)


def complete_roots(y: Floats, *, blocked: bool) -> tuple[Roots, int, int]:
    """Return the eigenvalues of many complete tables, and the degrees of freedom.

    Parameters
    ----------
    y : ndarray, shape (batch, b, a, p)
        Tables of blocks, algorithms, responses, in any units.
    blocked : bool
        Whether rows are blocks that the model has an effect for.

    Returns
    -------
    Roots, int, int
        With shapes (batch, ...); df of the algorithms and of error.
    """
    _, b, a, p = y.shape
    size = max(1, CHUNK // (b * a * p))
    chunks = [
        _chunk_roots(y[start : start + size], blocked)
        for start in range(0, len(y), size)
    ]
    whole = Roots(*(np.concatenate(parts) for parts in zip(*chunks, strict=True)))
    return whole, a - 1, (a - 1) * (b - 1) if blocked else a * (b - 1)


def _chunk_roots(y: Floats, blocked: bool) -> tuple[Floats, Floats, Bools, Bools]:
    """Return what `Roots` holds for some tables."""
    n, b, a, p = y.shape
    largest = folded(np.maximum, np.abs(y).reshape(n, b * a, p), -2)
    exponent = np.frexp(largest)[1]
    if (np.abs(exponent) > 400).any():  # squares would overflow or vanish
        y = np.ldexp(y, -exponent[..., None, :])
        largest = np.ldexp(largest, -exponent)
    decomposed = factors(two_way(b, a, blocked), y.reshape(n, b * a, p))
    noise = EPS * largest[..., 0, :]
    error = triangle(decomposed.error, noise)
    roots = _roots(decomposed, error)
    hard = ~error.comfortable
    if hard.any():
        roots[hard] = _conditioned_roots(y[hard], error.basis()[hard], blocked)
    deficient = without_error(decomposed, error, noise)
    roots[deficient] = np.nan
    return roots, error.kept.sum(axis=-1), error.kept, deficient


def _conditioned_roots(y: Floats, basis: Floats, blocked: bool) -> Floats:
    """Return eigenvalues in a basis in which the residuals are nearly orthogonal."""
    n, b, a, p = y.shape
    moved = double_double.product(y.reshape(n, b * a, p), basis)
    decomposed = factors(two_way(b, a, blocked), moved)
    return _roots(decomposed, triangle(decomposed.error, np.zeros((n, p))))


def tests(
    eigenvalues: Floats, rank: NDArray[np.int_], df_hypothesis: int, df_error: int
) -> dict[str, Approximation]:
    """Return the four tests of MANOVA with the F approximations that R uses.

    Parameters
    ----------
    eigenvalues : ndarray, shape (..., s)
        Of E^-1 H, 0 beyond the rank.
    rank : ndarray, shape (...)
        Rank p of the response space; if it is 0 nothing can be tested: NaN.
    df_hypothesis, df_error : int
        q and v.

    Returns
    -------
    dict of Approximation
        ``wilks``: Lambda = prod 1/(1 + lambda), small values against equality; Rao's F,
        exact if p or q is 1 or 2. ``pillai``: sum lambda/(1 + lambda).
        ``hotelling_lawley``: sum lambda. ``roy``: the largest lambda, whose F is an
        upper and p a lower bound. All four are exact, and equal, if min(p, q) = 1.
    """
    q, v = float(df_hypothesis), float(df_error)
    p = np.where(rank > 0, rank, np.nan).astype(float)
    s, m, n = np.minimum(p, q), (np.abs(p - q) - 1) / 2, (v - p - 1) / 2
    beyond = np.arange(eigenvalues.shape[-1]) >= s[..., None]
    minus_log = np.where(beyond, 0.0, np.log1p(eigenvalues)).sum(axis=-1)
    left = np.where(beyond, 0.0, 1 / (1 + eigenvalues)).sum(axis=-1)
    sums = eigenvalues.sum(axis=-1)
    pillai = np.where(beyond, 0.0, eigenvalues / (1 + eigenvalues)).sum(axis=-1)
    largest = eigenvalues[..., 0]
    # Rao (1951): F = (Lambda^(-1/t) - 1) df2 / (p q) on (p q, df2), df2 as below.
    rho, root = v - (p - q + 1) / 2, _rao_root(p, q)
    df_wilks = rho * root - (p * q - 2) / 2
    greater = np.maximum(p, q)
    df_roy = v - greater + q
    df_hotelling = 2 * (s * n + 1)
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        return {
            "wilks": _approximation(
                np.exp(-minus_log),
                np.expm1(minus_log / root) * df_wilks / (p * q),
                p * q,
                df_wilks,
            ),
            "pillai": _approximation(
                pillai,
                # Pillai (1955): V / (s - V), and s - V is the sum of 1 / (1 + lambda).
                (2 * n + s + 1) / (2 * m + s + 1) * pillai / left,
                s * (2 * m + s + 1),
                s * (2 * n + s + 1),
            ),
            "hotelling_lawley": _approximation(
                sums,
                # Pillai & Samson (1959): 2 (s n + 1) U / (s^2 (2 m + s + 1)).
                df_hotelling * sums / (s * s * (2 * m + s + 1)),
                s * (2 * m + s + 1),
                df_hotelling,
            ),
            "roy": _approximation(largest, df_roy * largest / greater, greater, df_roy),
        }


def wilks_limit(p: int, df_hypothesis: int, df_error: int, alpha: float) -> float:
    """Return what -log Lambda must reach for Rao's F to be significant."""
    q, v = float(df_hypothesis), float(df_error)
    root = float(_rao_root(np.array(float(p)), q))
    df2 = (v - (p - q + 1) / 2) * root - (p * q - 2) / 2
    f = 1 / special.fdtri(df2, p * q, alpha)
    return root * math.log1p(p * q * float(f) / df2)


def _rao_root(p: Floats, q: float) -> Floats:
    """Return the root that Rao takes of Lambda; 1 if it would be 0/0."""
    below = np.square(p) + q * q - 5
    with np.errstate(invalid="ignore", divide="ignore"):
        # Rao (1951): t^2 = (p^2 q^2 - 4) / (p^2 + q^2 - 5).
        root = np.sqrt((np.square(p * q) - 4) / below)
    return np.asarray(np.where(below > 0, root, 1.0))


def _approximation(
    statistic: Floats, f: Floats, df1: Floats, df2: Floats
) -> Approximation:
    """Return F and its upper tail; NaN if no error degrees of freedom are left."""
    f = np.where((df1 > 0) & (df2 > 0), f, np.nan)
    statistic = np.where(np.isnan(df1), np.nan, statistic)
    return Approximation(statistic, f, df1, df2, special.fdtrc(df1, df2, f))


def dimensionality(
    eigenvalues: Floats, rank: int, df_hypothesis: int, df_error: int
) -> tuple[Floats, Floats, Floats]:
    """Return Bartlett's D2_r, its degrees of freedom and p-values, r = 0 .. s - 1.

    Parameters
    ----------
    eigenvalues : ndarray, shape (s,)
        Those of the rank only, descending.

    Notes
    -----
    D2_r = (df_E + df_H - (p + df_H + 1) / 2) sum over j > r of ln(1 + lambda_j), chi2
    on (p - r)(df_H - r) (Aslan 2009, eq. 4.81; with blocks the residual df takes the
    place of its n - 1 - df_H). r = 0 is Bartlett's test of Wilks' Lambda.
    """
    # Aslan (2009), eq. 4.81.
    factor = df_error + df_hypothesis - (rank + df_hypothesis + 1) / 2
    # Adding from the smallest on keeps the digits of the small ones.
    statistic = factor * np.cumsum(np.log1p(eigenvalues[::-1]))[::-1]
    return _chi2_of_dimensions(statistic, rank, df_hypothesis)


def likelihood_dimensionality(
    eigenvalues: Floats, rank: int, df_hypothesis: int, df_error: int
) -> tuple[Floats, Floats, Floats]:
    """Return the likelihood ratios of dimensions, degrees of freedom and p-values.

    Parameters
    ----------
    eigenvalues : ndarray, shape (s,)
        As in `dimensionality`; of a known covariance, those of Sigma^-1 H.
    rank, df_hypothesis : int
    df_error : int
        1 if the covariance is known: the statistic is the sum itself.

    Notes
    -----
    df_E times the sum of lambda_j over j > r, chi2 on (p - r)(df_H - r).
    """
    # Aslan (2009), eq. 4.78 and 4.79.
    statistic = df_error * np.cumsum(eigenvalues[::-1])[::-1]
    return _chi2_of_dimensions(statistic, rank, df_hypothesis)


def _chi2_of_dimensions(
    statistic: Floats, rank: int, df_hypothesis: int
) -> tuple[Floats, Floats, Floats]:
    r = np.arange(len(statistic))
    df = np.asarray((rank - r) * (df_hypothesis - r), float)
    return statistic, df, special.chdtrc(df, statistic)
