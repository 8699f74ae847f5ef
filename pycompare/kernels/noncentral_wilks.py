"""Noncentral distribution of Wilks' lambda, from the roots of its noncentrality.

In the coordinates in which the noncentrality is diagonal, lambda is a product of one
factor for each response, given those before it: E / (E + H), with E chi-squared and H
noncentral chi-squared. Only the noncentralities depend on the responses before; their
means stand for them, which is exact for one root and off by about 0.001 at most for
several. The moments of a product are products, and minus log lambda has them as its
Laplace transform, which Abate and Whitt's (1995, ORSA Journal on Computing 7, 36-43)
sum inverts to about 1e-10.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy import special

from pycompare.base.typing import Floats

_Complex = NDArray[np.complex128]
_A, _TERMS, _AVERAGED = 24.0, 60, 16
"""The sum of Abate and Whitt has an error of exp(-A), and ends by Euler's averages."""


def above(x: float, p: int, df_hypothesis: int, df_error: int, roots: Floats) -> float:
    """Return P(-log lambda >= x).

    Parameters
    ----------
    x : float
        Above 0.
    p, df_hypothesis, df_error : int
        Responses, and the degrees of freedom of H and E; p <= df_error.
    roots : ndarray, shape (at most p,)
        Eigenvalues of the noncentrality, Sigma^-1 M'M, descending.
    """
    k = np.arange(_TERMS + _AVERAGED + 1)
    z = np.asarray((_A + 2j * math.pi * k) / (2 * x), complex)
    values = np.real(_moments(z, p, df_hypothesis, df_error, roots) / z)
    values[0] /= 2
    partial = np.cumsum(np.where(k % 2, -values, values))[_TERMS:]
    weights = special.binom(_AVERAGED, np.arange(_AVERAGED + 1)) / 2.0**_AVERAGED
    below = math.exp(_A / 2) / x * float(weights @ partial)
    return min(1.0, max(0.0, 1.0 - below))


def _moments(z: _Complex, p: int, q: int, v: int, roots: Floats) -> _Complex:
    """Return E[lambda^z] for complex z."""
    given = np.zeros(p)
    given[: len(roots)] = roots
    moment, left = np.ones_like(z), 1.0
    for i, root in enumerate(given):
        error, total = (v - i) / 2, (v + q - i) / 2
        j, weights = _poisson(root * left / 2)
        of_error = special.loggamma(error + z) - special.gammaln(error)
        of_total = special.loggamma(total + j + z[:, None]) - special.gammaln(total + j)
        moment *= np.exp(of_error[:, None] - of_total) @ weights
        # What a response before takes away of the noncentrality of the next ones.
        left *= 1 - float(weights @ (0.5 / (total + j)))
    return moment


def _poisson(mean: float) -> tuple[Floats, Floats]:
    """Return counts and their probabilities, down to 1e-18 of the largest."""
    reach = 9 * math.sqrt(mean) + 40 if mean else 0
    j = np.arange(max(0, math.floor(mean - reach)), math.floor(mean + reach) + 1.0)
    shape = special.xlogy(j, mean) - special.gammaln(j + 1)
    weights = np.exp(shape - shape.max())
    return j, weights / weights.sum()
