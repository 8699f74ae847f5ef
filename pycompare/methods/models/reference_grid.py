"""The rows that marginal means are averaged over, and which factors lie within others.

A factor lies within others as R's emmeans finds it: each of its levels comes with one
level of the other in the data, or the formula has it within the other alone, as
``data/fold`` has folds. Its levels are averaged first, those that are there.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pycompare.base.errors import DesignError, setting
from pycompare.base.typing import Floats
from pycompare.kernels.units import binary_unit, exact_mean
from pycompare.methods.models.columns import Categories, Covariate, ModelColumn
from pycompare.methods.models.grammar import Factor, Term

_MOST_CELLS = 100_000
"""Of a reference grid."""
LevelCodes = NDArray[np.intp]
Nests = dict[str, tuple[str, ...]]
"""The factors that each factor lies within, for those that lie within any."""


@dataclass(frozen=True, eq=False)
class Grid:
    """The reference grid: combinations of levels, covariates at their means.

    Attributes
    ----------
    factors : dict of str to tuple of str
        Levels of each categorical column.
    codes : ndarray of int, shape (m, factors)
        All combinations; of factors that lie within others those in the data.
    seen : ndarray of bool, shape (m,)
        Which combinations have rows in the data.
    counts : ndarray, shape (m,)
        How many rows of the data each combination has.
    nests : dict of str to tuple of str
        The factors that each factor lies within.
    values : dict of Factor to ndarray
        Codes and values of the rows; after the m rows of the grid come m more for each
        covariate, in which it is larger by its step.
    covariates : dict of str to float
        Columns whose slopes can be estimated (no logarithms, roots or polynomials),
        with their steps: powers of two near their largest values.
    """

    factors: dict[str, tuple[str, ...]]
    codes: LevelCodes
    seen: NDArray[np.bool_]
    counts: Floats
    nests: Nests
    values: dict[Factor, NDArray[np.generic]]
    covariates: dict[str, float]

    def values_at(
        self, columns: Mapping[Factor, ModelColumn], at: Mapping[str, float]
    ) -> dict[Factor, NDArray[np.generic]]:
        """Return ``values`` with some covariates at given values."""
        values = dict(self.values)
        for factor in columns:
            if factor.column in at:
                own = np.asarray(values[factor], float)
                values[factor] = at[factor.column] + (own - own[0])
        return values

    def with_groups(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return factors, each with those that it lies within before it."""
        ordered: dict[str, None] = {}
        for name in names:
            groups = set(self.nests.get(name, ())) - set(names)
            ordered |= dict.fromkeys(
                factor for factor in self.factors if factor in groups
            )
            ordered[name] = None
        return tuple(ordered)

    def averaged(self, rows: Floats, kept: Sequence[str]) -> tuple[Floats, LevelCodes]:
        """Return the mean of rows at each combination of levels, and these as codes.

        Parameters
        ----------
        rows : ndarray, shape (m, q)
        kept : sequence of str
            Factors, with those that they lie within.
        """
        names = list(self.factors)
        part = _AveragedRows(names, self.codes, rows, self.seen)
        while inside := [n for n in self.nests if n in part.names and n not in kept]:
            # The last of those that lie within most factors comes first.
            first = max(reversed(inside), key=lambda name: len(self.nests[name]))
            groups = (*self.nests[first], *(n for n in inside if n != first))
            part = part.with_seen((first, *groups)).over((*kept, *groups))
        part = part.over(kept)
        return part.rows, part.codes

    def in_proportion(
        self, rows: Floats, kept: Sequence[str]
    ) -> tuple[Floats, LevelCodes]:
        """Return means of rows at each combination of levels, and these as codes.

        Combinations of the other factors have weights in proportion to their numbers of
        rows in the data, whatever the levels of the factors that are kept.

        Raises
        ------
        DesignError
            If a factor lies within others: its levels have rows in one of them only.
        """
        if self.nests:
            inside, outer = next(iter(self.nests.items()))
            raise DesignError(
                f"the factor {inside!r} lies within {', '.join(map(repr, outer))}: "
                f"proportional weights are for crossed factors; leave "
                + setting("weights", "proportional")
                + " out"
            )
        names = list(self.factors)
        places = [names.index(name) for name in dict.fromkeys(kept)]
        others = [i for i in range(len(names)) if i not in places]
        codes, cell = _distinct(self.codes[:, places])
        _, other = _distinct(self.codes[:, others])
        weight = np.bincount(other, self.counts)[other]
        means = np.zeros((len(codes), rows.shape[1]))
        np.add.at(means, cell, weight[:, None] * rows)
        return means / np.bincount(cell, weight)[:, None], codes

    def count(self, names: Sequence[str]) -> int:
        """Return how many means some factors have."""
        places = [list(self.factors).index(n) for n in self.with_groups(names)]
        return len(_distinct(self.codes[:, places])[0])


@dataclass(frozen=True, eq=False)
class _AveragedRows:
    """Rows of a grid, averaged over some factors."""

    names: list[str]
    codes: LevelCodes
    rows: Floats
    seen: NDArray[np.bool_]

    def cells(self, names: Collection[str]) -> LevelCodes:
        """Return codes of some factors, in the order of the grid."""
        return self.codes[:, [i for i, n in enumerate(self.names) if n in names]]

    def with_seen(self, names: Collection[str]) -> _AveragedRows:
        """Return the rows with a combination of some factors that is in the data."""
        _, cell = _distinct(self.cells(names))
        kept = np.bincount(cell, self.seen)[cell] > 0
        return _AveragedRows(
            self.names, self.codes[kept], self.rows[kept], self.seen[kept]
        )

    def over(self, kept: Sequence[str]) -> _AveragedRows:
        """Return means of the rows at each combination of some factors, in order."""
        places = [self.names.index(name) for name in dict.fromkeys(kept)]
        codes, cell = _distinct(self.codes[:, places])
        means = np.zeros((len(codes), self.rows.shape[1]))
        np.add.at(means, cell, self.rows)
        means /= np.bincount(cell)[:, None]
        seen = np.bincount(cell, self.seen) > 0
        return _AveragedRows([self.names[i] for i in places], codes, means, seen)


def full_grid(columns: Mapping[Factor, ModelColumn], terms: Sequence[Term]) -> Grid:
    """Return the reference grid; a column in several forms has one value."""
    factors = {f.column: c for f, c in columns.items() if isinstance(c, Categories)}
    levels = {name: column.levels for name, column in factors.items()}
    data, rows = np.zeros((1, 0), np.intp), np.zeros(1, np.intp)
    if factors:
        data, rows = _distinct(np.column_stack([c.codes for c in factors.values()]))
    nests = _nests(levels, data, terms)
    codes = _combinations(levels, data, nests)
    seen = _among(codes, data)
    _, both = _distinct(np.concatenate([data, codes]))
    of_data = np.bincount(both[: len(data)], np.bincount(rows), both.max() + 1)
    counts = of_data[both[len(data) :]].astype(float)
    place = {name: i for i, name in enumerate(levels)}
    curved = {f.column for f in columns if f.transform in ("log", "sqrt", "poly")}
    straight = {
        f.column: binary_unit(c.raw).item()
        for f, c in columns.items()
        if isinstance(c, Covariate) and f.column not in curved
    }
    values: dict[Factor, NDArray[np.generic]] = {}
    for factor, column in columns.items():
        if isinstance(column, Categories):
            own: NDArray[np.generic] = codes[:, place[factor.column]]
            values[factor] = np.tile(own, 1 + len(straight))
            continue
        base = np.full(len(codes), exact_mean(column.raw))
        more = [base + step * (n == factor.column) for n, step in straight.items()]
        values[factor] = np.concatenate([base, *more])
    return Grid(levels, codes, seen, counts, nests, values, straight)


def _nests(
    levels: Mapping[str, tuple[str, ...]], data: LevelCodes, terms: Sequence[Term]
) -> Nests:
    """Return the factors that each factor lies within, by the data and the terms."""
    nests: dict[str, list[str]] = {}
    names = list(levels)
    for i, name in enumerate(names):
        others = [
            other
            for j, other in enumerate(names)
            if j != i
            and name not in nests.get(other, ())
            and len(_distinct(data[:, [i, j]])[0]) == len(levels[name])
        ]
        if others:
            nests[name] = others
    for name, outer in _nests_of_terms(names, terms).items():
        nests[name] = list(dict.fromkeys([*nests.get(name, ()), *outer]))
    for name in list(nests):
        further = [beyond for group in nests[name] for beyond in nests.get(group, ())]
        nests[name] = list(dict.fromkeys([*further, *nests[name]]))
    for name in list(nests):
        if name in nests[name]:
            del nests[name]
    return {name: tuple(outer) for name, outer in nests.items()}


def _nests_of_terms(names: Sequence[str], terms: Sequence[Term]) -> Nests:
    """Return the factors that others lie within by the terms, as ``a`` in ``a/b``.

    A factor without a main effect lies within those that each of its terms needs: the
    term without the factor is in the model, the term without the other is not.
    """
    every = [frozenset(factor.column for factor in term) for term in terms]
    nests: Nests = {}
    for name in names:
        own = [term for term in every if name in term]
        if {name} in own:
            continue
        within = [term for term in own if term - {name} in every] or own
        outer = {
            tuple(n for n in names if n in term and n != name and
                  term - {n} not in every)
            for term in within
        }  # fmt: skip
        # Of sets that hold others the smaller are kept.
        least = [
            outer_set
            for outer_set in outer
            if not any(set(o) < set(outer_set) for o in outer)
        ]
        if groups := [n for n in names if any(n in outer_set for outer_set in least)]:
            nests[name] = tuple(groups)
    return nests


def _distinct(codes: LevelCodes) -> tuple[LevelCodes, LevelCodes]:
    """Return the rows that differ, in order, and which of them each row is."""
    if not codes.shape[1]:
        return codes[:1], np.zeros(len(codes), np.intp)
    rows, cell = np.unique(codes, axis=0, return_inverse=True)
    return rows, cell.ravel()


def _among(codes: LevelCodes, data: LevelCodes) -> NDArray[np.bool_]:
    """Return which rows of codes are among others, which differ from each other."""
    _, cell = _distinct(np.concatenate([data, codes]))
    return np.asarray(np.isin(cell[len(data) :], cell[: len(data)]))


def _combinations(
    levels: Mapping[str, tuple[str, ...]], data: LevelCodes, nests: Nests
) -> LevelCodes:
    """Return all combinations of levels, of factors within others those in the data."""
    names = list(levels)
    order = sorted(range(len(names)), key=lambda i: len(nests.get(names[i], ())))
    cells, known = np.zeros((1, 0), np.intp), list[int]()
    for i in order:
        groups = [j for j in known if names[j] in nests.get(names[i], ())]
        inside = data if groups else np.arange(len(levels[names[i]]))[:, None]
        own, _ = _distinct(inside[:, [*groups, i] if groups else [0]])
        cells = _joined(cells, own, [known.index(j) for j in groups])
        known.append(i)
    if not known:
        return cells
    codes = cells[:, np.argsort(known)]
    return codes[np.lexsort(codes.T[::-1])]


def _joined(rows: LevelCodes, own: LevelCodes, groups: Sequence[int]) -> LevelCodes:
    """Return each row with each last code of the own rows of its groups."""
    _, cell = _distinct(np.concatenate([rows[:, groups], own[:, :-1]]))
    here, there = cell[: len(rows)], cell[len(rows) :]
    count = np.bincount(there, minlength=int(cell.max()) + 1)[here]
    _refuse_many(int(count.sum()))
    ordered = own[np.argsort(there, kind="stable"), -1]
    start = np.searchsorted(np.sort(there), here)
    place = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    last = ordered[np.repeat(start, count) + place]
    return np.column_stack([np.repeat(rows, count, axis=0), last])


def _refuse_many(many: int) -> None:
    """Reject a grid that would use up memory."""
    if many > _MOST_CELLS:
        raise DesignError(
            f"the factors have {many} combinations of levels, more than {_MOST_CELLS}"
        )
