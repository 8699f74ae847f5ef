"""Sets of pair hypotheses that can be true together, in a list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from pycompare.base.arguments import check_alpha, is_whole
from pycompare.base.checked import checked
from pycompare.base.errors import InputError
from pycompare.base.interop.r_call import RCall
from pycompare.base.labels import label_text, show
from pycompare.base.tables import Columns, is_frame
from pycompare.base.typing import Bools, Floats
from pycompare.kernels.exhaustive import n_exhaustive_sets
from pycompare.kernels.exhaustive_listed import listed_sets
from pycompare.results.adjust import pairs_table
from pycompare.results.result import Result, internal

if TYPE_CHECKING:
    import pandas as pd

_MOST = 9
"""Algorithms up to which sets are listed, as in García and Herrera's Table 1."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ExhaustiveSets(Result):
    """The exhaustive sets of all pairs of some algorithms.

    Attributes
    ----------
    table : DataFrame
        One row per set, by rising size. ``set`` has its groups of equal algorithms,
        such as ``A = B = C, D = E``; ``n_pairs`` its number of hypotheses. With
        p-values also ``smallest_p``, ``bonferroni_p`` (the number times the smallest,
        at most 1) and ``accepted``: ``bonferroni_p > alpha``.
    algorithms : tuple of str
    alpha : float or None
        None without p-values.
    accepted_pairs, rejected_pairs : tuple of pair of str
        Pairs in any accepted set, and in none: what Bergmann and Hommel's procedure
        rejects at ``alpha``. Both are empty without p-values.
    """

    table: pd.DataFrame
    algorithms: tuple[str, ...]
    alpha: float | None
    accepted_pairs: tuple[tuple[str, str], ...]
    rejected_pairs: tuple[tuple[str, str], ...]
    sets: Bools = internal()
    p: Floats | None = internal()

    def r_call(self) -> RCall:
        """Return the call that lists the partitions."""
        arguments: dict[str, Any] = {"a": len(self.algorithms)}
        if self.p is not None:
            arguments |= {"p": self.held("p"), "alpha": self.alpha}
        files = ("adjust", "exhaustive")
        return RCall(files, "exhaustive_sets_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return the numbers of the table, and each set as a whole number.

        A set is the sum of 2^(m - i) over its pairs i of m.
        """
        table = self.as_columns()
        sets = self.held("sets")
        values = {
            "code": sets @ np.exp2(np.arange(sets.shape[1])[::-1]),
            "n_pairs": table["n_pairs"].astype(float),
        }
        if self.p is not None:
            for name in ("smallest_p", "bonferroni_p", "accepted"):
                values[name] = table[name].astype(float)
        return values


@checked
def exhaustive_sets(
    k: int,
    *,
    p: ArrayLike | pd.DataFrame | None = None,
    alpha: float | None = None,
) -> ExhaustiveSets:
    """List the sets of pairwise hypotheses that can be true together.

    Parameters
    ----------
    k : int
        Number of algorithms, from 2 to 9: 9 have 21,146 sets.
    p : table of shape (k, k), optional
        Raw p-values of all pairs, symmetric; the diagonal is ignored. The labels of a
        frame name the algorithms, which are 1, 2, ... otherwise.
    alpha : float, optional
        With ``p``: family-wise level at which a set is accepted; 0.05 by default.

    Returns
    -------
    ExhaustiveSets

    Raises
    ------
    InputError
        If ``k`` is no whole number from 2 to 9, for p-values that `adjust` rejects or
        that are of another number of algorithms, and for ``alpha`` without p-values.

    Notes
    -----
    If A = B and B = C then A = C, so the hypotheses that are true are the pairs within
    the groups of a partition of the algorithms. Bergmann and Hommel accept a set if its
    Bonferroni test does not reject, and reject each hypothesis that is in no accepted
    set. `adjust` finds the same without a list, for any number of algorithms.

    Equation 4.3 of docs/equations.md.

    R: ``partitions::setparts(k)``.

    References
    ----------
    .. [1] García, S., Herrera, F. (2008). JMLR 9, 2677-2694, Figure 1, Tables 1 and 4.
    .. [2] Bergmann, B., Hommel, G. (1988). Springer, 100-115.

    Examples
    --------
    >>> import pycompare as pc
    >>> pc.exhaustive_sets(3).table
             set  n_pairs
    0      1 = 2        1
    1      1 = 3        1
    2      2 = 3        1
    3  1 = 2 = 3        3
    >>> p = [[1, 0.01, 0.02], [0.01, 1, 0.4], [0.02, 0.4, 1]]
    >>> pc.exhaustive_sets(3, p=p).rejected_pairs
    (('1', '2'), ('1', '3'))
    """
    _require_few(k)
    if p is None:
        if alpha is not None:
            raise InputError("alpha is given, but no p-values to compare with it")
        return _listed(tuple(str(i + 1) for i in range(k)), None, None)
    level = 0.05 if alpha is None else alpha
    check_alpha(level)
    square = pairs_table(p)
    if len(square) != k:
        raise InputError(f"k={k} algorithms, and p-values of {len(square)}")
    return _listed(_names(p, k), square[np.triu_indices(k, 1)], level)


def _names(p: Any, k: int) -> tuple[str, ...]:
    """Return the labels of a frame, or numbers."""
    return tuple(map(label_text, p.columns if is_frame(p) else range(1, k + 1)))


def _require_few(k: Any) -> None:
    if is_whole(k) and 2 <= k <= _MOST:
        return
    asked = f"k={show(k)}: give a number of algorithms from 2 to {_MOST}"
    if is_whole(k) and _MOST < k < 100:
        asked += (
            f"; {k} have {n_exhaustive_sets(k):,} sets, and "
            "adjust(p, 'bergmann-hommel') needs no list of them"
        )
    raise InputError(asked)


def _listed(
    algorithms: tuple[str, ...], p: Floats | None, alpha: float | None
) -> ExhaustiveSets:
    """Return the sets, with the Bonferroni test of each if there are p-values."""
    sets = listed_sets(len(algorithms))
    size = sets.sum(axis=1)
    columns: dict[str, Any] = {
        "set": np.array([_in_words(row, algorithms) for row in sets], object),
        "n_pairs": size,
    }
    names = list(zip(*np.triu_indices(len(algorithms), 1), strict=True))
    pairs = [(algorithms[i], algorithms[j]) for i, j in names]
    within = np.zeros(len(pairs), bool)
    if p is not None:
        smallest = np.where(sets, p, np.inf).min(axis=1)
        bounded = np.minimum(1.0, size * smallest)
        accepted = bounded > alpha
        columns |= {
            "smallest_p": smallest,
            "bonferroni_p": bounded,
            "accepted": accepted,
        }
        within = sets[accepted].any(axis=0)
    known = p is not None
    return ExhaustiveSets(
        table=Columns(columns),
        algorithms=algorithms,
        alpha=alpha,
        accepted_pairs=tuple(q for q, w in zip(pairs, within, strict=True) if w),
        rejected_pairs=tuple(
            q for q, w in zip(pairs, within, strict=True) if known and not w
        ),
        sets=sets,
        p=p,
    )


def _in_words(inside: Bools, algorithms: tuple[str, ...]) -> str:
    """Return the groups of equal algorithms in the order of their first members."""
    a = len(algorithms)
    joined = np.eye(a, dtype=bool)
    joined[np.triu_indices(a, 1)] = inside
    joined |= joined.T
    groups = dict.fromkeys(tuple(np.flatnonzero(row)) for row in joined)
    return ", ".join(
        " = ".join(algorithms[i] for i in group) for group in groups if len(group) > 1
    )
