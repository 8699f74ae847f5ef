"""Adjustments that use the logic of all pairwise comparisons.

If A = B and B = C then A = C: not every set of pair hypotheses can be true at once.
The sets that can (the exhaustive sets) are the partitions of the algorithms into
groups of equals; ``kernels.exhaustive`` finds the best of them without listing them.

``p`` is a symmetric matrix, shape (a, a). With ``positions`` given, the p-values are
known to fall with the distance of the positions (mean ranks with one standard error),
and a faster exact algorithm is used.

References
----------
.. [1] Shaffer, J. P. (1986). Modified sequentially rejective multiple test
   procedures. JASA 81, 826-831.
.. [2] Bergmann, B., Hommel, G. (1988). Improvements of general multiple test
   procedures for redundant systems of hypotheses. Springer, 100-115.
.. [3] García, S., Herrera, F. (2008). JMLR 9, 2677-2694, sec. 3.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from pycompare.base.typing import Floats
from pycompare.kernels import exhaustive


def shaffer(p: Floats, positions: Floats | None = None) -> Floats:
    """Shaffer's static procedure: ``max_{j<=i} t_j p_(j)``.

    ``t_j`` is the largest number of hypotheses that can be true when j - 1 are false.
    """
    a = len(p)
    pairs = np.triu_indices(a, 1)
    place = np.searchsorted(np.sort(p[pairs]), p, side="left")
    counts = exhaustive.possible_counts(a)
    still_true = np.maximum(len(pairs[0]) - place, 0)
    t = counts[np.searchsorted(counts, still_true, side="right") - 1]
    return np.minimum(1.0, _running_maximum(p, t * p))


def shaffer_dynamic(p: Floats, positions: Floats | None = None) -> Floats:
    """Shaffer's dynamic procedure (S2) in its sharper form: ``max_{j<=i} t*_j p_(j)``.

    ``t*_j`` is the size of the largest exhaustive set that contains the hypothesis j
    and none with a smaller p-value, as in R's ``multcomp::adjusted("Shaffer")``.
    """
    if positions is None:
        t = exhaustive.largest_true_sets(p)
    else:
        t = exhaustive.largest_true_sets_line(positions, p)
    return np.minimum(1.0, _running_maximum(p, t * p))


_ALWAYS = 20
"""Algorithms up to which every search goes to its end, as R's does."""
_EFFORT = 6_000_000
"""Cliques that a longer search for all pairs may look at: about 4 s of one core.

Steps are counted, not seconds, so that every machine gives the same numbers.
"""
_MOST_ON_A_LINE = 2_000_000_000
"""Algorithms squared times pairs for which p-values on a line are adjusted exactly.

Up to 251 algorithms: about 3 s.
"""


def bergmann_hommel(
    p: Floats,
    positions: Floats | None = None,
    *,
    monotone: bool = False,
    exact: bool = False,
) -> Floats:
    """Bergmann and Hommel's procedure: the closed test with Bonferroni's local tests.

    ``APV_i = max over exhaustive sets I containing i of |I| min_{j in I} p_j``.

    Of over 20 algorithms a search of more than ``_EFFORT`` steps ends with upper
    bounds, which keep the family-wise error: at least these values, and at most
    Shaffer's static ones.

    Parameters
    ----------
    p : ndarray, shape (a, a)
    positions : ndarray, shape (a,), optional
    monotone : bool, default False
        Also force adjusted p-values to rise with the raw ones, as García and Herrera's
        Table 5 and scmamp do. The exact closed test does not ask for it.
    exact : bool, default False
        Search to the end, however long that takes.
    """
    adjusted = _closed(p, positions, exact)
    return _running_maximum(p, adjusted) if monotone else adjusted


def is_bound(p: Floats, positions: Floats | None = None) -> bool:
    """Return whether `bergmann_hommel` gives bounds for these p-values."""
    if positions is not None:
        return _too_many_on_a_line(len(p))
    return len(p) > _ALWAYS and not _searched(len(p), p.tobytes())[1]


def _closed(p: Floats, positions: Floats | None, exact: bool) -> Floats:
    """Return the adjusted p-values, or bounds if they take too many steps."""
    if positions is None and exact:
        return exhaustive.bergmann_hommel(p)
    if positions is None:
        return _searched(len(p), p.tobytes())[0].copy()
    if _too_many_on_a_line(len(p)) and not exact:
        return shaffer(p)
    return exhaustive.bergmann_hommel_line(positions, p)


def _too_many_on_a_line(a: int) -> bool:
    """Return whether so many algorithms on a line have bounds."""
    return a**3 * (a - 1) // 2 > _MOST_ON_A_LINE


@lru_cache(maxsize=8)
def _searched(a: int, p: bytes) -> tuple[Floats, bool]:
    """Return adjusted p-values and whether they are exact; reports ask both."""
    table = np.frombuffer(p).reshape(a, a)
    counts = exhaustive.possible_counts(a)
    steps = None if a <= _ALWAYS else _EFFORT
    return exhaustive.bergmann_hommel_within(table, steps, counts)


def _running_maximum(p: Floats, values: Floats) -> Floats:
    """Return for each pair the largest value among pairs with p no larger than its own.

    Tied p-values share it, whatever their order.
    """
    pairs = np.triu_indices(len(p), 1)
    order = np.argsort(p[pairs], kind="stable")
    running = np.maximum.accumulate(values[pairs][order])
    last = np.searchsorted(p[pairs][order], p, side="right") - 1
    return running[np.maximum(last, 0)]
