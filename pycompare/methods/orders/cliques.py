"""Sets of algorithms that do not differ: cliques, and letters that they share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import count, islice
from string import ascii_lowercase
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pycompare.base.arguments import check_alpha, check_flags
from pycompare.base.checked import checked
from pycompare.base.errors import InputError
from pycompare.methods.pairs.common import MANY
from pycompare.results.result import Pairs, PairsResult, rejected

if TYPE_CHECKING:
    import pandas as pd


# Thirty algorithms can have at most 3^10 = 59049 maximal cliques: ten groups of three,
# joined to all outside their group (Moon and Moser 1965). No reader has use for more.
_MOST_CLIQUES = 100_000
_MOST_LISTED = 1_000
"""Cliques that a comparison lists: hundreds of algorithms may have millions."""


@checked
def cliques(
    pairs: Pairs, *, alpha: float = 0.05, singletons: bool = False
) -> tuple[tuple[str, ...], ...]:
    """Return the maximal groups of algorithms without a significant pair.

    Two algorithms are joined unless their pair is rejected at ``alpha``; a pair that
    could not be tested (NaN) is not rejected. Adjusted p-values need not fall with
    distance, so a clique need not be an interval of the ordered algorithms, and two
    cliques may overlap.

    Parameters
    ----------
    pairs : Pairs
        All pairs of the algorithms.
    alpha : float
        A pair is rejected if ``p_adjusted <= alpha``.
    singletons : bool, default False
        Whether to list algorithms that differ from all others, each on its own.

    Returns
    -------
    tuple of tuple of str
        Members from best to worst position, ties in the order of the data (all of them,
        if several metrics give no single order); cliques by their first member,
        then by their last, then by the others.

    Raises
    ------
    InputError
        If pairs are missing (a control), or there are more than 100,000 cliques.

    Notes
    -----
    Bron-Kerbosch with pivoting. R: ``igraph::max_cliques`` of the graph of pairs that
    are not rejected.

    References
    ----------
    .. [1] Yildiz, O. T., Aslan, O., Alpaydin, E. (2011), sec. 4.2.
    .. [2] Tomita, E., Tanaka, A., Takahashi, H. (2006). Theor. Comput. Sci. 363, 28-42.

    Examples
    --------
    >>> import pycompare as pc
    >>> scores = pc.example()
    >>> pairs = pc.rank_pairs(scores, p_value="sign-flips", adjust="bergmann-hommel")
    >>> pc.cliques(pairs)
    (('C4.5', 'NaiveBayes'), ('CN2', '1-NN'))
    """
    check_flags(singletons=singletons)
    groups = few_enough(pairs, alpha)
    if groups is None:
        raise InputError(
            f"the {len(pairs.algorithms)} algorithms form more than {_MOST_CLIQUES} "
            f"cliques at alpha={alpha}, too many to read; look at the matrix of "
            "p-values"
        )
    return _named(pairs, groups, singletons)


def few_enough(pairs: Pairs, alpha: float) -> list[tuple[int, ...]] | None:
    """Return all cliques of places; None if they are too many to read."""
    return _sorted_cliques(_joined(pairs, alpha), _MOST_CLIQUES)


def listed_cliques(pairs: Pairs, *, alpha: float) -> tuple[tuple[str, ...], ...] | None:
    """Return the cliques as a comparison lists them; None if they are too many.

    Those of more than 100,000 pairs are not looked for.
    """
    if len(pairs.as_columns()) > MANY:
        return None
    groups = _sorted_cliques(_joined(pairs, alpha), _MOST_LISTED)
    return None if groups is None else _named(pairs, groups, singletons=False)


def _named(
    pairs: Pairs, groups: Sequence[tuple[int, ...]], singletons: bool
) -> tuple[tuple[str, ...], ...]:
    """Return cliques of places as names of algorithms."""
    names = [pairs.algorithms[i] for i in by_position(pairs)]
    return tuple(
        tuple(names[i] for i in members)
        for members in groups
        if singletons or len(members) > 1
    )


@lru_cache(maxsize=8)
def _sorted_cliques(
    neighbours: tuple[int, ...], most: int
) -> list[tuple[int, ...]] | None:
    """Return the cliques of a graph by first, then by last member; None: more.

    Letters, orderings and pictures ask for those of the same pairs.
    """
    masks = list(islice(maximal_cliques(neighbours), most + 1))
    if len(masks) > most:
        return None
    members = (tuple(bits(mask)) for mask in masks)
    return sorted(members, key=lambda clique: (clique[0], clique[-1], clique))


def significance_graph(pairs: Pairs, alpha: float) -> NDArray[np.bool_]:
    """Return which algorithms differ significantly.

    Returns
    -------
    ndarray of bool, shape (n_algorithms, n_algorithms)
        In the order of ``pairs.algorithms``; symmetric, False on the diagonal and
        if nothing was tested.

    Raises
    ------
    InputError
        If ``alpha`` is not between 0 and 1.
    """
    check_alpha(alpha)
    return rejected(pairs.square("p_adjusted"), alpha)


def by_position(pairs: Pairs) -> NDArray[np.intp]:
    """Return the algorithms' indices from best to worst, ties in data order.

    Pairs compared in several metrics have no best; they stay in the order of the data.
    """
    return pairs.order


def joined_cliques(pairs: Pairs, alpha: float) -> Iterator[int]:
    """Yield all maximal cliques as bit sets over the ordered algorithms, unsorted."""
    return maximal_cliques(_joined(pairs, alpha))


def _joined(pairs: Pairs, alpha: float) -> tuple[int, ...]:
    """Return with whom each of the ordered algorithms has no significant pair."""
    pairs.require_all("cliques")
    order = by_position(pairs)
    joined = ~significance_graph(pairs, alpha)[np.ix_(order, order)]
    np.fill_diagonal(joined, False)
    packed = np.packbits(joined, axis=1, bitorder="little")
    return tuple(int.from_bytes(row.tobytes(), "little") for row in packed)


def maximal_cliques(neighbours: Sequence[int]) -> Iterator[int]:
    """Yield the maximal cliques of a graph whose nodes and sets are bits.

    ``neighbours[i]`` has bit j set if i and j are joined, and never bit i.
    """
    # Each entry: a clique, the nodes that may extend it, and those that would but
    # whose cliques have been found already. A stack, for recursion would be as deep
    # as the largest clique.
    stack = [(0, (1 << len(neighbours)) - 1, 0)]
    while stack:
        clique, candidates, excluded = stack.pop()
        if not candidates and not excluded:
            yield clique
            continue
        # Every maximal clique holds the pivot or a node that is not its neighbour.
        for i in bits(candidates & ~_most_joined(candidates, excluded, neighbours)):
            joined = neighbours[i]
            stack.append((clique | 1 << i, candidates & joined, excluded & joined))
            candidates ^= 1 << i
            excluded |= 1 << i


def _most_joined(candidates: int, excluded: int, neighbours: Sequence[int]) -> int:
    """Return the neighbours of the pivot: the node joined to most candidates."""
    most, pivot = -1, 0
    # No node is its own neighbour.
    limit = candidates.bit_count() - (not excluded)
    for i in bits(candidates | excluded):
        joined = (candidates & neighbours[i]).bit_count()
        if joined > most:
            most, pivot = joined, i
        if joined == limit:
            break
    return neighbours[pivot]


def bits(mask: int) -> Iterator[int]:
    """Yield the positions of the bits that are set, lowest first."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


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
