"""Exhaustive sets in a list, for few algorithms, and the closed test with Simes' test.

Each set of pair hypotheses that can be true together, and none but these, is a
partition of the algorithms; see `kernels.exhaustive`. Bergmann and Hommel's procedure
needs no list. With Simes' test in the place of Bonferroni's no other way is known.

References
----------
.. [1] García, S., Herrera, F. (2008). JMLR 9, 2677-2694, Figure 1 and Table 4.
.. [2] Simes, R. J. (1986). An improved Bonferroni procedure for multiple tests of
   significance. Biometrika 73, 751-754.
.. [3] Hochberg, Y., Rom, D. (1995). Extensions of multiple testing procedures based on
   Simes' test. J. Statist. Plann. Inference 48, 141-152.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from pycompare.base.errors import InputError
from pycompare.base.typing import Bools, Floats
from pycompare.kernels.exhaustive import n_exhaustive_sets

_MOST = 10
"""Algorithms up to which sets are listed: 115,974 sets of 45 pairs."""


@lru_cache(maxsize=4)
def listed_sets(a: int) -> Bools:
    """List the exhaustive sets of all pairs of ``a`` algorithms.

    Returns
    -------
    ndarray of bool, shape (n_sets, a (a - 1) / 2)
        Which pairs are in each set, pairs in the order (1, 2), (1, 3), ...; sets by
        rising size, those of one size by their pairs.

    Notes
    -----
    R: ``partitions::setparts(a)`` without the partition into single algorithms.
    """
    groups = np.array(list(_partitions(a)))
    first, second = np.triu_indices(a, 1)
    inside = groups[:, first] == groups[:, second]
    inside = inside[inside.any(axis=1)]
    order = np.lexsort((*(~inside.T)[::-1], inside.sum(axis=1)))
    sets: Bools = inside[order]
    sets.flags.writeable = False
    return sets


def _partitions(a: int) -> Iterator[list[int]]:
    """Yield all partitions: the group of each algorithm, groups as they appear."""
    if a == 0:
        yield []
        return
    for groups in _partitions(a - 1):
        for group in range(max(groups, default=-1) + 2):
            yield [*groups, group]


def hochberg_rom(p: Floats, positions: Floats | None = None) -> Floats:
    """Adjust by the closed test that uses Simes' test on every exhaustive set.

    ``APV_i = max over exhaustive sets I containing i of min_j |I| p_(j:I) / j``, with
    p_(j:I) the j-th smallest p-value of I: at most Bergmann and Hommel's.

    Parameters
    ----------
    p : ndarray, shape (a, a)
    positions : ndarray, optional
        Not needed: the list is the same.

    Raises
    ------
    InputError
        For more than 10 algorithms.
    """
    a = len(p)
    if a > _MOST:
        raise InputError(
            f"'hochberg-rom' lists the sets of hypotheses that can be true together, "
            f"{n_exhaustive_sets(a):,} of {a} algorithms; the limit is {_MOST} "
            f"algorithms: choose 'bergmann-hommel'"
        )
    pairs = np.triu_indices(a, 1)
    raw = p[pairs]
    order = np.argsort(raw, kind="stable")
    sets = listed_sets(a)[:, order]
    adjusted = np.empty(len(raw))
    adjusted[order] = np.where(sets, _simes(sets, raw[order])[:, None], 0.0).max(axis=0)
    square = np.ones((a, a))
    square[pairs] = square.T[pairs] = np.minimum(1.0, adjusted)
    return square


def _simes(sets: Bools, ordered: Floats) -> Floats:
    """Return Simes' p-value of each set; the p-values rise from column to column."""
    place = np.cumsum(sets, axis=1)
    # Simes (1986): min over j of |I| p_(j) / j.
    ratio = np.where(sets, ordered / np.maximum(place, 1), np.inf)
    return np.asarray(place[:, -1] * ratio.min(axis=1))
