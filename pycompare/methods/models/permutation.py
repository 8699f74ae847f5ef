"""Permutation of residuals: tests of terms that assume no normal distribution.

Freedman and Lane (1983): what a term leaves when the hypothesis that is tested holds is
permuted, and the term is tested again. With error strata the units of the term's
stratum are permuted, within the coarser units that they lie in.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from pycompare.base.errors import DesignError
from pycompare.base.interop.r_call import RCall
from pycompare.base.typing import Floats, Indices, Ints
from pycompare.kernels import permutation
from pycompare.kernels.drawn import Drawn
from pycompare.kernels.drawn import drawn as permutations_of
from pycompare.kernels.manova import without_error
from pycompare.kernels.sscp import OrthogonalPart, RowCells, indicators, term_parts
from pycompare.methods.models import in_r
from pycompare.methods.models.fit import Layer, ModelFit, options_with_strata, overlap
from pycompare.methods.models.grammar import Term, label_of
from pycompare.results.result import MayDraw, Result, internal

_MOST_FOR_R = 200_000
"""Numbers of permutations that a call of R is given."""
ALL = "all responses"
_NOTHING = "no residual variation is left under the hypothesis: nothing can be permuted"
_APPROXIMATE = (
    "residuals of estimated terms are permuted: the p-value is exact for many rows only"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class TermPermutation(MayDraw, Result):
    """A term tested by permutations of residuals.

    Attributes
    ----------
    term, stratum : str
    table : DataFrame
        One row per response, and one of all responses if there are several: ``response
        test df1 df2 statistic p_value``. ``test`` is ``F`` or ``wilks``.
    units : int
        How many units are permuted.
    within : str
        The units that they are permuted within; empty: freely.
    n_permutations : int
    listed : bool
        Whether all permutations were listed.
    seed : int or None
        None if nothing was random.
    notes : tuple of str
    """

    term: str
    stratum: str
    table: pd.DataFrame
    units: int
    within: str
    n_permutations: int
    listed: bool
    seed: int | None
    notes: tuple[str, ...]
    fit: ModelFit = internal()
    of: Term = internal()
    unit_of_rows: Indices = internal()
    orders: Ints | None = internal()

    def r_call(self) -> RCall:
        """Return the call of ``vegan::permutest`` of ``vegan::rda``, reduced model.

        Wilks' lambda is ``det(E) / det(E + H)``. Permutations go along if they are not
        too many; otherwise R repeats the statistics alone.
        """
        return in_r.permutation_call(
            self.fit, self.of, self.unit_of_rows, self.orders, self.listed
        )

    def r_values(self) -> dict[str, Any]:
        """Return the statistics, and p-values if R gets the permutations."""
        numbers = {
            name: self.as_columns()[name].astype(float)
            for name in ("df1", "df2", "statistic")
        }
        if self.orders is not None:
            numbers["p_value"] = self.as_columns()["p_value"].astype(float)
        return numbers


@dataclass(frozen=True, eq=False)
class _StratumUnits:
    """The units of one stratum, and residuals under the hypothesis.

    Attributes
    ----------
    of_rows : ndarray of int, shape (n,)
        The unit of each row, in order of first appearance.
    groups : ndarray of int, shape (m,)
        What each unit is permuted within.
    within : str
        Name of these groups.
    residual : ndarray, shape (m, p)
        Of the responses, under the hypothesis.
    q : ndarray, shape (m, df)
        Basis of the term.
    nuisance : ndarray, shape (m, k)
        Basis of what permuted residuals have to lose.
    """

    of_rows: Indices
    groups: Indices
    within: str
    residual: Floats
    q: Floats
    nuisance: Floats


def permutation_test(
    model: ModelFit,
    term: Term,
    *,
    permutations: int | ArrayLike = 9999,
    seed: int | None = None,
) -> TermPermutation:
    """Test a term of a linear model by permutations of residuals.

    Parameters
    ----------
    model : ModelFit
        ``LinearModel.fit``; without mixed model.
    term : Term
    permutations : int or array, default 9999
        Number of random permutations; if there are no more than 100,000, all are
        listed instead. Or the permutations, shape (count, units): positions 0, 1, ...
        of the units whose residuals the units get, units in order of first appearance.
    seed : int
        For a number of permutations it must be given, and the result reports it, or
        None if all were listed.

    Returns
    -------
    TermPermutation
        The p-value is (1 + #{as extreme}) / (1 + count), or the share of all
        permutations that are as extreme.

    Raises
    ------
    DesignError
        For a mixed model, unbalanced strata, weights of rows, or a term without degrees
        of freedom.
    InputError
        For permutations that are none or mix groups, a seed that is missing or has
        nothing to do.

    Notes
    -----
    Permuted are residuals of the model in which the tested combinations of the
    coefficients are 0, whatever the type of the sums of squares. R:
    ``vegan::permutest(rda(y ~ term + Condition(others)), model = "reduced")``.

    References
    ----------
    .. [1] Freedman, D., Lane, D. (1983). J. Bus. Econ. Statist. 1, 292-298.
    .. [2] Anderson, M. J., ter Braak, C. J. F. (2003). J. Statist. Comput. Simul. 73,
       85-113.
    """
    layer = _layer(model, term)
    units = _units_of(model, layer, term)
    leaves = f"moves a unit out of its {units.within}"
    size = units.residual.shape[1]
    drawn = permutations_of(permutations, seed, units.groups, size, leaves)
    tests = _tests(model, layer, term, units)
    hits = np.zeros(len(tests))
    small = drawn.count * len(units.groups) <= _MOST_FOR_R
    kept: list[Ints] = []
    for reached, batch in drawn.on(_reached, (units, tests, small)):
        hits += reached
        kept += [batch] if small else []
    add = 0 if drawn.listed else 1
    table = pd.DataFrame([test.row for test in tests])
    defined = ~table["statistic"].isna()
    p = np.where(defined, (hits + add) / (drawn.count + add), np.nan)
    return TermPermutation(
        term=label_of(term),
        stratum=layer.name,
        table=table.assign(p_value=p),
        units=len(units.groups),
        within=units.within,
        n_permutations=drawn.count,
        listed=drawn.listed,
        seed=drawn.seed,
        notes=tuple(_notes(units, drawn, bool(defined.all()))),
        fit=model,
        of=term,
        unit_of_rows=units.of_rows,
        orders=np.concatenate(kept) if small else None,
    )


def _reached(
    held: tuple[_StratumUnits, list[_TermTest], bool], orders: Ints
) -> tuple[list[int], Ints | None]:
    """Count permutations as extreme by each test; return them if they are kept."""
    units, tests, small = held
    shares = [
        permutation.shares(units.q, test.y, orders, "wilks", units.nuisance)
        for test in tests
    ]
    reached = [
        permutation.reached(share, test.share)
        for share, test in zip(shares, tests, strict=True)
    ]
    return reached, orders if small else None


def _notes(units: _StratumUnits, drawn: Drawn, defined: bool) -> Iterator[str]:
    """Yield the notes for readers."""
    where = f" within {units.within}" if units.within else ""
    how = "" if drawn.seed is None else f", random seed {drawn.seed}"
    every = "all " if drawn.listed else ""
    yield f"{every}{drawn.count} permutations of {len(units.groups)} units{where}{how}"
    if units.nuisance.shape[1] > 1 or (units.within and units.nuisance.shape[1]):
        yield _APPROXIMATE
    if not defined:
        yield _NOTHING


@dataclass(frozen=True, eq=False)
class _TermTest:
    """One response or all: the permuted units, its share, and a row of the table."""

    y: Floats
    share: float
    row: dict[str, Any]


def _tests(
    model: ModelFit, layer: Layer, term: Term, units: _StratumUnits
) -> list[_TermTest]:
    """Return the tests of each response and, if there are several, of all."""
    many = len(model.names)
    error = model.residuals(layer, slice(None))
    h = layer.parts[term].factor(model.centred)
    varies = np.abs(units.residual).max(axis=0) > model.noise
    wanted = [(name, "F", [j]) for j, name in enumerate(model.names)]
    if many > 1:
        wanted.append((ALL, "wilks", list(range(many))))
    identity = np.arange(len(units.groups))[None, :]
    df = {"df1": layer.df(term), "df2": layer.df_error}
    tests = []
    for name, test, which in wanted:
        own = [j for j in which if varies[j]]
        y = _orthonormal(units.residual[:, own])
        value = math.nan
        if y.shape[1] and layer.df_error >= y.shape[1]:
            value = (
                _wilks(model, layer, term)
                if test == "wilks"
                else _f(h[:, own], error[:, own], layer.df(term), layer.df_error)
            )
        share = float(
            permutation.shares(units.q, y, identity, "wilks", units.nuisance)[0]
        )
        row = {"response": name, "test": test, **df, "statistic": value}
        tests.append(_TermTest(y, share, row))
    return tests


def _f(h: Floats, e: Floats, df1: int, df2: int) -> float:
    """Return F of one response."""
    error = float(np.sum(np.square(e))) / df2
    return float(np.sum(np.square(h))) / df1 / error if error > 0 else math.inf


def _wilks(model: ModelFit, layer: Layer, term: Term) -> float:
    """Return Wilks' lambda, of the dimensions that the responses span."""
    space = model.span(layer, term)
    if without_error(space.factors, space.error, model.noise):
        return 0.0
    return float(np.prod(1 / (1 + space.eigenvalues)))


def _layer(model: ModelFit, term: Term) -> Layer:
    """Return the stratum of a term, or reject what cannot be permuted."""
    name = label_of(term)
    if model.roots is not None:
        raise DesignError(
            f"the term {name}: residuals of rows with weights differ in variance, so "
            "they cannot be permuted: leave the permutations or the row weights out"
        )
    if model.mixed is not None:
        options, layers = options_with_strata(model)
        where = next((layer for layer in layers if term in layer.parts), None)
        works = where is not None and not _obstacle(where, term, model.n)
        remedy = f": use {options}" if works else ""
        raise DesignError(
            f"the term {name}: residuals of a mixed model are not exchangeable; "
            f"permutations need independent rows or balanced strata{remedy}"
        )
    layer = model.layer_of(term)
    obstacle = _obstacle(layer, term, model.n)
    if obstacle:
        raise DesignError(f"the term {name}{obstacle}")
    return layer


def _obstacle(layer: Layer, term: Term, n: int) -> str:
    """Return why the units of a term's stratum cannot be permuted, if so."""
    if layer.stratum is not None and overlap(layer.stratum):
        return (
            f": units of stratum {layer.name} overlap, so they cannot be permuted; "
            "leave incomplete units out"
        )
    if not layer.df(term) or layer.df_error <= 0:
        return (
            f" cannot be tested: it has {layer.df(term)} and error "
            f"{layer.df_error} degrees of freedom in stratum {layer.name}"
        )
    if len(set(np.bincount(_cells(layer, n)).tolist())) > 1:
        return (
            f": units of stratum {layer.name} differ in size, so they are not "
            "exchangeable"
        )
    return ""


def _cells(layer: Layer, n: int) -> Indices:
    """Return the unit of each row in a stratum."""
    stratum = layer.stratum
    if stratum is not None and isinstance(stratum.space, RowCells):
        return stratum.space.groups
    return np.arange(n)


def _units_of(model: ModelFit, layer: Layer, term: Term) -> _StratumUnits:
    """Return the units of a term's stratum, with residuals under the hypothesis."""
    n, stratum = model.n, layer.stratum
    _, first, cells = np.unique(
        _cells(layer, n), return_index=True, return_inverse=True
    )
    order = np.argsort(first)
    of_rows, first = np.argsort(order)[cells], first[order]
    scale = math.sqrt(n / len(first))
    q = layer.parts[term].basis
    y = model.centred
    residual = layer.residuals(y) + q @ (q.T @ y)
    parts = [part.basis for part in layer.error if part.df]
    # Of the terms together what the tested one does not hold.
    every = np.hstack(parts) if parts else np.zeros((n, 0))
    others = [part.basis for part in term_parts([q, every])[1:] if part.df]
    groups, within, crossed = _parents(layer, model)
    if crossed:
        others += _coarser_bases(stratum)
    nuisance = np.hstack(others)[first] * scale if others else np.zeros((len(first), 0))
    return _StratumUnits(
        of_rows=of_rows,
        groups=groups[first],
        within=within,
        residual=residual[first] * scale,
        q=q[first] * scale,
        nuisance=nuisance,
    )


def _parents(layer: Layer, model: ModelFit) -> tuple[Indices, str, bool]:
    """Return what units are permuted within, its name, and if coarser units cross.

    The finest of the coarser units if they lie within each other; else the finest that
    all of them lie in.
    """
    free = np.zeros(model.n, np.intp)
    if layer.stratum is None:
        return free, "", False
    above = list(layer.stratum.coarser[1:])
    finest = [
        stratum
        for stratum in above
        if not any(stratum in finer.coarser for finer in above)
    ]
    if not finest:
        return free, "", False
    crossed = len(finest) > 1
    if crossed:
        shared = [o for o in above if all(o in stratum.coarser for stratum in finest)]
        if not shared:
            return free, "", True
        finest = shared[-1:]
    assert isinstance(finest[0].space, RowCells)
    groups = finest[0].space.groups
    name = next(layer.name for layer in model.layers if layer.stratum is finest[0])
    return groups, name, crossed


def _coarser_bases(stratum: OrthogonalPart | None) -> list[Floats]:
    """Return an orthonormal basis of coarser units that cross each other."""
    assert stratum is not None
    cells = [coarse.space for coarse in stratum.coarser]
    units = [indicators(space.groups) for space in cells if isinstance(space, RowCells)]
    return [part.basis for part in term_parts(units) if part.df]


def _orthonormal(y: Floats) -> Floats:
    """Return residuals in coordinates in which their cross products are 1."""
    if not y.shape[1]:
        return y
    u, s, _ = np.linalg.svd(y / np.linalg.norm(y, axis=0), full_matrices=False)
    return np.asarray(u[:, s > 1e-7 * s[0]])
