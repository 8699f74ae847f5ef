"""The analyses of ``pc.mrmc`` for many simulated studies at once.

``tests/sizes/simulation/test_reader_level.py`` compares them with ``pc.mrmc``, one by
one.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from pycompare.base.typing import Bools, Floats
from pycompare.kernels import placements
from pycompare.kernels import pseudovalues as pseudo
from pycompare.kernels import reader_moments as rm
from pycompare.kernels.student import two_sided
from pycompare.methods.multireader.error_terms import Model, error_of
from pycompare.results.adjust import adjust_all_pairs, adjustment

HILLIS, DELONG = "OR, Hillis' df, jackknife", "OR, Hillis' df, DeLong"
DBM = "DBM, df of 1992"
FIXED_READERS = "fixed readers"
TWO_WAY, ONE_WAY = "two-way ANOVA of AUCs", "one-way ANOVA of AUCs"
PAIRS_OWN = "pairs, own error, Bergmann-Hommel"
PAIRS_POOLED = "pairs, pooled error, Bergmann-Hommel"


def p_values(truth: Bools, x: Floats, *, pairs: bool = True) -> dict[str, Floats]:
    """Return the p-values of all analyses of many studies, by name.

    Parameters
    ----------
    truth : ndarray of bool, shape (n,)
    x : ndarray, shape (trials, t, r, n)
    pairs : bool
        Whether to compare pairs of three modalities or more as well.
    """
    trials, t, r, n = x.shape
    components = placements.delong(truth, x.reshape(trials, t * r, n))
    theta = components.area.reshape(trials, t, r)
    shape = (trials, t, r, t, r)
    moments = rm.moments(theta, pseudo.jackknife_covariance(components).reshape(shape))
    every = rm.all_modalities(moments)
    delong = rm.all_modalities(rm.moments(theta, components.covariance.reshape(shape)))
    by_analysis = {
        HILLIS: _omnibus(every, t, r, n),
        DELONG: _omnibus(delong, t, r, n),
        DBM: _omnibus(every, t, r, n, rule="1992", method="dbm"),
        FIXED_READERS: _omnibus(every, t, r, n, readers="fixed"),
        TWO_WAY: _omnibus(every, t, r, n, cases="fixed"),
        ONE_WAY: one_way(theta),
    }
    if t > 2 and pairs:
        by_analysis |= _of_pairs(theta, rm.pairs(moments), every, n)
    return by_analysis


def _omnibus(every: rm.Contrast, t: int, r: int, n: int, **words: str) -> Floats:
    """Return p-values of the test of all modalities."""
    error = error_of(every, _model_of(r, n, **words), t - 1)
    f = every.between / error.mean_square
    finite = np.where(np.isinf(error.df), 1.0, error.df)
    p = special.fdtrc(t - 1, finite, f)
    return np.where(np.isinf(error.df), special.chdtrc(t - 1, (t - 1) * f), p)


def _model_of(r: int, n: int, **words: str) -> Model:
    """Return the random factors: readers and cases, if nothing else is given."""
    usual = {"method": "or", "readers": "random", "cases": "random", "rule": "hillis"}
    return Model(**(usual | words), n_readers=r, n_units=n, fewest_readers=r)  # type: ignore[arg-type]


def one_way(theta: Floats) -> Floats:
    """Return p-values of the analysis of variance that ignores blocks, (..., t, r)."""
    t, r = theta.shape[-2:]
    between, _, _ = rm.spread(theta)
    rest = theta - theta.mean(axis=-1, keepdims=True)
    within = np.sum(rest**2, axis=(-2, -1)) / (t * (r - 1))
    return np.asarray(special.fdtrc(t - 1, t * (r - 1), between / within))


def _of_pairs(
    theta: Floats, pairs: rm.Contrast, every: rm.Contrast, n: int
) -> dict[str, Floats]:
    """Return the least adjusted p-value of all pairs, per study."""
    t, r = theta.shape[1:]
    first, second = np.triu_indices(t, 1)
    d = theta[:, first].mean(axis=-1) - theta[:, second].mean(axis=-1)
    own = error_of(pairs, _model_of(r, n), 1)
    pooled = error_of(every, _model_of(r, n), t - 1)
    chosen = adjustment("bergmann-hommel")
    least = {}
    for name, square, df in (
        (PAIRS_OWN, own.mean_square, own.df),
        (PAIRS_POOLED, pooled.mean_square[:, None], pooled.df[:, None]),
    ):
        p = two_sided(d / np.sqrt(2 * square / r), np.broadcast_to(df, d.shape))
        adjusted = [adjust_all_pairs(row, t, chosen) for row in p]
        least[name] = np.min(adjusted, axis=1)
    return least
