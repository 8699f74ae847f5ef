"""Compact letter display: algorithms that share a letter do not differ."""

from __future__ import annotations

from itertools import count
from string import ascii_lowercase
from typing import TYPE_CHECKING

from pycompare.base.checked import checked
from pycompare.methods.orders.cliques import cliques, few_enough
from pycompare.results.result import PairsResult

if TYPE_CHECKING:
    import pandas as pd


@checked
def letters(pairs: PairsResult, *, alpha: float = 0.05) -> pd.Series:
    """Return the compact letter display of pairwise comparisons.

    Parameters
    ----------
    pairs : PairsResult
        All pairs of the algorithms.
    alpha : float
        A pair is rejected if ``p_adjusted <= alpha``.

    Returns
    -------
    Series of str
        Indexed by algorithm, from best to worst. Two algorithms share a letter exactly
        when their pair is not rejected; the best one has ``a``. After ``z`` come
        ``a1``, ``b1``, ...

    Raises
    ------
    InputError
        As ``cliques``.

    Notes
    -----
    One letter for each clique, singletons included. R: ``multcomp::cld``.

    References
    ----------
    .. [1] Piepho, H.-P. (2004). J. Comput. Graph. Statist. 13, 456-466.

    Examples
    --------
    >>> import pycompare as pc
    >>> scores = pc.example()
    >>> pairs = pc.rank_pairs(scores, p_value="sign-flips", adjust="bergmann-hommel")
    >>> pc.letters(pairs).to_dict()
    {'C4.5': 'a', 'NaiveBayes': 'a', 'CN2': 'b', '1-NN': 'b', 'Kernel': 'c'}
    """
    import pandas as pd

    groups = cliques(pairs, alpha=alpha, singletons=True)
    shown = dict.fromkeys(pairs.placed(), "")
    for number, members in zip(count(), groups, strict=False):
        for name in members:
            shown[name] += _letter(number)
    return pd.Series(shown, dtype=object)


def listed_letters(pairs: PairsResult, *, alpha: float) -> pd.Series | None:
    """Return the letters as a comparison lists them; None if cliques are too many."""
    return None if few_enough(pairs, alpha) is None else letters(pairs, alpha=alpha)


def _letter(number: int) -> str:
    """Return a, b, ..., z, a1, b1, ..."""
    turn, place = divmod(number, len(ascii_lowercase))
    return ascii_lowercase[place] + (str(turn) if turn else "")
