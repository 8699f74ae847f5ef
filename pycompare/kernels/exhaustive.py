"""Exhaustive sets of pair hypotheses: which can be true, and none but these, together.

With ``a`` algorithms there are m = a (a - 1) / 2 hypotheses "i = j". Equality is an
equivalence, so the hypotheses that are true are those inside the blocks of a partition
of the algorithms: the exhaustive sets [1]_ are the partitions, all-singletons left out.
The closed test that uses Bonferroni's test on every exhaustive set has the adjusted
p-values ([2]_, sec. 3.2; [3]_)

    APV_e = min(1, max over exhaustive I containing e of |I| * min_{h in I} p_h).

Bell(a) partitions cannot be listed for long (10 ** 13 for a = 20), and need not be. For
a threshold v let G_v join i and j if p_ij >= v. An exhaustive set with no p-value
below v is a partition of G_v into cliques, and

    APV_e = min(1, max over v <= p_e of v * best(e, v)),

where best(e, v) is the largest number of pairs inside the blocks of a clique partition
of G_v that keeps the two ends of e together. Shaffer's dynamic procedure asks for the
same function: t*_e = best(e, p_e).

- `bergmann_hommel`, `largest_true_sets`: any symmetric p-values (exhaustive_any.py);
- `bergmann_hommel_line`, `largest_true_sets_line`: p-values that fall with the distance
  of mean ranks (exhaustive_line.py), in polynomial time.

- `bergmann_hommel_within`: the first in so many steps, or upper bounds.

The others are exact: block sizes are integers, and the only rounding is that of one
product.

References
----------
.. [1] Shaffer, J. P. (1986). Modified sequentially rejective multiple test
   procedures. JASA 81, 826-831.
.. [2] García, S., Herrera, F. (2008). An extension on "Statistical comparisons of
   classifiers over multiple data sets" for all pairwise comparisons. JMLR 9,
   2677-2694.
.. [3] Bergmann, B., Hommel, G. (1988). Improvements of general multiple test
   procedures for redundant systems of hypotheses. In: Multiple Hypotheses Testing,
   Springer, 100-115.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate

import numpy as np

from pycompare.base.errors import InputError
from pycompare.base.typing import Ints
from pycompare.kernels.exhaustive_any import (
    bergmann_hommel,
    bergmann_hommel_within,
    largest_true_sets,
)
from pycompare.kernels.exhaustive_line import (
    bergmann_hommel_line,
    largest_true_sets_line,
)

__all__ = [
    "bergmann_hommel",
    "bergmann_hommel_line",
    "bergmann_hommel_within",
    "largest_true_sets",
    "largest_true_sets_line",
    "n_exhaustive_sets",
    "possible_counts",
]


def n_exhaustive_sets(a: int) -> int:
    """Count the exhaustive sets of all pairs of ``a`` algorithms: Bell(a) - 1.

    Parameters
    ----------
    a : int
        Number of algorithms, at least 1.

    Returns
    -------
    int
        0, 1, 4, 14, 51, 202, 876, 4139, 21146 for 1 to 9 algorithms (García and
        Herrera 2008, Table 1).

    Raises
    ------
    InputError
        If ``a`` is below 1.

    Notes
    -----
    R: ``numbers::bell(a) - 1``.
    """
    _require_algorithms(a)
    row = [1]  # the Bell triangle; its rows end with the Bell numbers
    for _ in range(a - 1):
        row = list(accumulate(row, initial=row[-1]))
    return row[-1] - 1


@lru_cache(maxsize=8)
def possible_counts(a: int) -> Ints:
    """List how many of all pair hypotheses of ``a`` algorithms can be true: S(a).

    S(0) = S(1) = {0}, S(k) = union over j = 1..k of {C(j, 2) + x : x in S(k - j)}: a
    block of j equal algorithms, and the rest.

    Parameters
    ----------
    a : int
        Number of algorithms, at least 1.

    Returns
    -------
    ndarray of int
        Rising, from 0 to a (a - 1) / 2; read-only.

    Raises
    ------
    InputError
        If ``a`` is below 1.

    Notes
    -----
    Blocks of at most j algorithms hold at most k (j - 1) / 2 pairs. Once all counts up
    to L are known to be possible (those of S(k - 1), by a block of one algorithm), only
    blocks of more than 2 L / k + 1 algorithms can give others: about 3.5 sqrt(k) sizes.

    R: the sets inside ``scmamp::adjustShaffer``.

    References
    ----------
    .. [1] Shaffer, J. P. (1986). JASA 81, 826-831, sec. 3.
    """
    _require_algorithms(a)
    sets = [1]  # bit x of sets[k] says whether x is in S(k)
    for k in range(1, a + 1):
        alone = sets[k - 1]
        n_low = ((alone + 1) & ~alone).bit_length() - 1  # 0 to n_low - 1 are possible
        first = 2 * n_low // k + 1
        lowest, union = first * (first - 1) // 2, 0
        for j in range(first, k + 1):
            union |= sets[k - j] << (j * (j - 1) // 2 - lowest)
        sets.append(alone | union << lowest)
    held = sets[a].to_bytes(a * a // 16 + 1, "little")
    bits = np.unpackbits(np.frombuffer(held, np.uint8), bitorder="little")
    counts = np.flatnonzero(bits)
    counts.flags.writeable = False
    return counts


def _require_algorithms(a: int) -> None:
    if a < 1:
        raise InputError(f"a = {a} algorithms; there must be at least 1")
