"""A general linear model as fitted: which term is tested in which stratum, by what."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pycompare.base.typing import Floats
from pycompare.kernels import double_double
from pycompare.kernels.goodnight import type_three_bases
from pycompare.kernels.manova import EPS, ROUNDING, ResponseSpan, span, triangle
from pycompare.kernels.sscp import Factors, OrthogonalPart, centred, term_parts, without
from pycompare.kernels.strata import nested_parts, projected, strata, tested_part
from pycompare.kernels.units import binary_unit
from pycompare.methods.models.columns import Categories, ModelColumn
from pycompare.methods.models.engine import DesignMatrix, design_matrix
from pycompare.methods.models.grammar import CONSTANT, Factor, Formula, Term, label_of
from pycompare.methods.models.mixed import ROWS, Df, Mixed, UnitRows, mixed_model
from pycompare.methods.models.reference_grid import Grid

Type = Literal[1, 2, 3]


@dataclass(frozen=True, eq=False)
class Layer:
    """One stratum with the terms that vary in it.

    Attributes
    ----------
    name : str
        The units whose variation is its error.
    stratum : OrthogonalPart or None
        None: the whole data, in a model without strata.
    parts : dict of Term to OrthogonalPart
        What each term adds to those it is adjusted for, by the type of the model.
    error : tuple of OrthogonalPart
        All terms together, and the constant; the rest is error.
    df_error : int
    """

    name: str
    stratum: OrthogonalPart | None
    parts: dict[Term, OrthogonalPart]
    error: tuple[OrthogonalPart, ...]
    df_error: int

    def df(self, term: Term) -> int:
        """Return the degrees of freedom of a term here; 0 if it does not vary."""
        return self.parts[term].df if term in self.parts else 0

    def residuals(self, y: Floats) -> Floats:
        """Return the residuals of responses (n, p) in this stratum."""
        part = y if self.stratum is None else self.stratum.project(y)
        return without(part, self.error)

    def factors(self, term: Term, y: Floats) -> Factors:
        """Return the factors of H and E of a term, for responses (n, p)."""
        part = self.parts[term]
        return Factors(part.factor(y), self.residuals(y), part.df, self.df_error)


@dataclass(frozen=True, eq=False)
class ModelFit:
    """The model of some responses.

    Attributes
    ----------
    matrix : DesignMatrix
    columns : dict of Factor to ModelColumn
    layers : tuple of Layer
        Coarsest units first.
    responses : ndarray, shape (n, p)
        Divided by ``units``; not multiplied by roots of weights.
    units : tuple of float
        Powers of two, so that scaling is exact.
    names : tuple of str
        Of the responses.
    read : Formula
    grid : Grid
    strata : tuple of Term
        The kinds of units.
    type : {1, 2, 3}
    aliased : dict of Term to int
        Terms that lack so many of their degrees of freedom: empty cells, or columns
        that depend on others.
    mixed : Mixed or None
        Given: terms are tested by REML, and there are no layers.
    unit_rows : tuple of (name, cells, coarser)
        The kinds of units: the cell of each row, and the kinds that cells lie in.
    """

    matrix: DesignMatrix
    columns: Mapping[Factor, ModelColumn]
    layers: tuple[Layer, ...]
    responses: Floats
    units: tuple[float, ...]
    names: tuple[str, ...]
    read: Formula
    grid: Grid
    strata: tuple[Term, ...]
    unit_codes: dict[str, NDArray[np.intp]]
    type: Type
    aliased: dict[Term, int]
    mixed: Mixed | None = None
    unit_rows: tuple[UnitRows, ...] = ()

    @property
    def n(self) -> int:
        """Rows."""
        return len(self.responses)

    @property
    def roots(self) -> Floats | None:
        """Roots of the weights of rows in a near unit; None if all rows have one."""
        return self.matrix.roots

    @cached_property
    def centred(self) -> Floats:
        """The responses about their means, as ``centred_part`` returns them."""
        return self.centred_part(slice(None))

    def centred_part(self, part: slice) -> Floats:
        """Return some of the responses about their means, if there is a constant.

        With weights, means are weighted, and rows are multiplied by the roots of their
        weights: then they have one variance.
        """
        return self._about_mean(np.ascontiguousarray(self.responses[:, part]))

    def in_basis(self, basis: Floats) -> Floats:
        """Return the centred responses in another basis (p, q), almost exactly."""
        if CONSTANT in self.matrix.columns:
            return self._about_mean(double_double.product(self.responses, basis))
        # The product is about the first row.
        about_zero = np.vstack([np.zeros_like(self.responses[:1]), self.responses])
        return self._about_mean(double_double.product(about_zero, basis)[1:])

    def _about_mean(self, y: Floats) -> Floats:
        """Return responses (n, p) about their means, in rows of one variance."""
        about = centred(y) if CONSTANT in self.matrix.columns else y
        if self.roots is None:
            return about
        if CONSTANT in self.matrix.columns:
            share = np.square(self.roots / np.linalg.norm(self.roots))
            about = about - share @ about
        return self.roots[:, None] * about

    @cached_property
    def noise(self) -> Floats:
        """How far from 0 rounding may take a number of each response."""
        size = np.abs(self.responses)
        size = size if self.roots is None else self.roots[:, None] * size
        rounding: Floats = EPS * ROUNDING * size.max(axis=0)
        return rounding

    def grid_rows_at(self, at: Mapping[str, float]) -> Floats:
        """Return ``grid_rows`` with covariates at other values than their means."""
        if not at:
            return self.grid_rows
        values = self.grid.values_at(self.columns, at)
        terms = [term for term in self.matrix.columns if term]
        constant = CONSTANT in self.matrix.columns
        matrix = design_matrix(terms, constant, self.columns, values)
        return np.hstack(list(matrix.grid.values()))

    def residuals(self, layer: Layer, part: slice) -> Floats:
        """Return residuals of some responses in a stratum, 0 if all is rounding."""
        residuals = layer.residuals(self.centred_part(part))
        largest = np.abs(residuals).max(axis=0, initial=0.0)
        return np.where(largest > self.noise[part] * math.sqrt(self.n), residuals, 0.0)

    def span(self, layer: Layer, term: Term) -> ResponseSpan:
        """Return the factors of a term and of error if the responses span them."""
        factors = layer.factors(term, self.centred)
        error = triangle(factors.error, self.noise)

        def again(basis: Floats) -> Factors:
            return layer.factors(term, self.in_basis(basis))

        noise = self.noise / ROUNDING
        return ResponseSpan(**span(factors, error, again), noise=noise)

    def layer_of(self, term: Term) -> Layer:
        """Return the stratum that a term is tested in."""
        return next(layer for layer in self.layers if term in layer.parts)

    @cached_property
    def design(self) -> Floats:
        """All columns, shape (n, q)."""
        return np.hstack(list(self.matrix.columns.values()))

    @cached_property
    def grid_rows(self) -> Floats:
        """The same columns for the reference grid, shape (m, q)."""
        return np.hstack(list(self.matrix.grid.values()))

    def weights(self, rows: Floats) -> tuple[Floats, NDArray[np.bool_]]:
        """Return what estimates combinations of coefficients, as weights of the rows.

        Parameters
        ----------
        rows : ndarray, shape (m, q)
            Combinations of the coefficients.

        Returns
        -------
        weights : ndarray, shape (m, n)
            ``weights @ y`` are the least squares estimates, y multiplied by ``roots``.
        estimable : ndarray of bool, shape (m,)
        """
        # Squares of huge and of tiny covariates stay finite; no rank depends on units.
        unit = binary_unit(self.design, axis=0)
        design = self.design / unit
        u, s, vt = np.linalg.svd(design, full_matrices=False)
        # What the terms take for aliased is aliased here: a covariate that is nearly
        # constant would be a direction in which estimates are rounding.
        terms = [x / binary_unit(x, axis=0) for x in self.matrix.columns.values()]
        kept = slice(_df(term_parts(terms)))
        # A coefficient is in units of 1 / column; then each combination in its own.
        among = rows / unit
        scale = binary_unit(among, axis=1)
        among = among / scale
        inside = among @ vt[kept].T
        lost = among - inside @ vt[kept]
        size = np.linalg.norm(among, axis=1)
        estimable = np.linalg.norm(lost, axis=1) <= 1e-8 * size
        weights = inside / s[kept] @ u[:, kept].T
        return weights * scale, estimable


def layered(
    matrix: DesignMatrix,
    columns: Mapping[Factor, ModelColumn],
    units: Sequence[UnitRows],
    n: int,
    type: Type,
) -> tuple[tuple[Layer, ...], dict[Term, int], str]:
    """Return the strata with their terms, how much terms are aliased, what is wrong.

    Parameters
    ----------
    units : sequence of (name, cells, coarser)
        Kinds of units; none: rows are independent.

    Returns
    -------
    layers : tuple of Layer
    aliased : dict of Term to int
    split : str
        The name of a term that varies in several strata, so that none of them tests
        it; empty if there is none. If a term has fewer degrees of freedom over all
        strata than without them, the terms' own columns decide: another term then
        holds in one stratum what this one is aliased with there.
    """
    terms = list(matrix.columns)
    layers = [
        _one_layer(name, stratum, matrix, columns, type, n)
        for name, stratum in _layers_of(units, n)
    ]
    ranks = {term: [layer.df(term) for layer in layers] for term in terms if term}
    split = next((t for t, held in ranks.items() if np.count_nonzero(held) > 1), None)
    known = {term: sum(held) for term, held in ranks.items()}
    if _lacking(matrix, known) and units:
        # The constant is a stratum of its own: what a term lacks for it is not lost.
        own = strata([], [], n)[-1]
        every = _one_layer(ROWS, own, matrix, columns, type, n)
        lost = [term for term in known if known[term] < every.df(term)]
        # Units that the terms hold altogether test nothing, here or in a mixed model.
        tests = any(layer.df_error > 0 for layer in layers[:-1])
        if lost and tests and split is None:
            split = _varying_in_several(matrix, layers) or lost[0]
        whole = _one_layer(ROWS, None, matrix, columns, type, n)
        known = {term: whole.df(term) for term in known}
    kept = tuple(_tested_in(layer) for layer in layers)
    for term in ranks:
        if not any(term in layer.parts for layer in kept):
            kept[-1].parts[term] = OrthogonalPart(np.zeros((n, 0)), 0)
    return kept, _lacking(matrix, known), label_of(split) if split else ""


def _varying_in_several(matrix: DesignMatrix, layers: Sequence[Layer]) -> Term | None:
    """Return the first term whose own columns vary in several strata, if one does.

    Its addition to other terms may vary in one of them alone: if its means over
    units are those of another term, they are taken for the other's.
    """
    for term, columns in matrix.columns.items():
        scaled = columns / binary_unit(columns, axis=0)
        parts = [projected(layer.stratum, [scaled])[0] for layer in layers]
        if sum(part.any() for part in parts) > 1:
            return term
    return None


def sequential_order(
    matrix: DesignMatrix,
    columns: Mapping[Factor, ModelColumn],
    units: Sequence[UnitRows],
    n: int,
) -> tuple[tuple[Term, ...], tuple[Layer, ...]] | None:
    """Return an order in which type I tests each term in one stratum, with the strata.

    The order of the formula if it does; else the one in which a term that varies in
    several strata follows the others of its degree. None if neither does.
    """
    all_layers = [
        _one_layer(name, stratum, matrix, columns, 1, n)
        for name, stratum in _layers_of(units, n)
    ]
    last = _varying_in_several(matrix, all_layers)
    given = list(matrix.columns)
    for order in (given, sorted(given, key=lambda term: (len(term), term == last))):
        reordered = replace(
            matrix, columns={term: matrix.columns[term] for term in order}
        )
        layers, _, split = layered(reordered, columns, units, n, 1)
        if not split:
            return tuple(term for term in order if term), layers
    return None


def options_with_strata(model: ModelFit) -> tuple[str, tuple[Layer, ...]]:
    """Return what to ask of a mixed model to have strata instead, with the strata.

    Empty if no stratum tests each term, or the model has no units.
    """
    given = (model.matrix, model.columns, model.unit_rows, model.n)
    if not model.unit_rows:
        return "", ()
    layers, _, split = layered(*given, model.type)
    if not split:
        return "method='strata'", layers
    sequential = sequential_order(*given)
    if sequential is None:
        return "", ()
    return f"method='strata' and {type_one(model.matrix, sequential[0])}", sequential[1]


def type_one(matrix: DesignMatrix, order: Sequence[Term]) -> str:
    """Return how to ask for sums of squares of type I with terms in some order."""
    if list(order) == [term for term in matrix.columns if term]:
        return "type=1"
    names = ", ".join(label_of(term) for term in order)
    return f"type=1 with the terms in the order {names}"


def _lacking(matrix: DesignMatrix, ranks: Mapping[Term, int]) -> dict[Term, int]:
    """Return the terms that lack degrees of freedom, and how many."""
    return {
        term: matrix.columns[term].shape[1] - rank
        for term, rank in ranks.items()
        if term and rank < matrix.columns[term].shape[1]
    }


def sequential(model: ModelFit) -> bool:
    """Return whether the strata test each term as sums of squares of type I do.

    R's ``aov`` has those alone. In balanced data they are those of every type.
    """
    for layer in model.layers:
        first_type = _one_layer(
            layer.name, layer.stratum, model.matrix, model.columns, 1, model.n
        )
        for term, first in first_type.parts.items():
            if layer.df(term) != first.df:
                return False
            # Two spaces of that dimension are the same if nothing is lost between.
            if not first.df:
                continue
            shared = np.sum(np.square(layer.parts[term].factor(first.basis)))
            if first.df - shared > 1e-8:
                return False
    return True


def approximate(layers: Sequence[Layer], units: Sequence[UnitRows]) -> str:
    """Return the stratum whose tests are not exact, as its units differ in size."""
    equal = all(len(set(np.bincount(cells).tolist())) == 1 for _, cells, _ in units)
    for layer in layers[:-1]:
        crossed = layer.stratum is not None and overlap(layer.stratum)
        tests = any(part.df for part in layer.parts.values())
        if tests and layer.df_error > 0 and (crossed or not equal):
            return layer.name
    return ""


def _layers_of(
    units: Sequence[UnitRows], n: int
) -> list[tuple[str, OrthogonalPart | None]]:
    """Return the strata with their names, without that of the constant."""
    if not units:
        return [(ROWS, None)]
    names = [name for name, _, _ in units] + [ROWS]
    parts = strata([cells for _, cells, _ in units], [up for _, _, up in units], n)[1:]
    return list(zip(names, parts, strict=False))


def mixed_of(
    matrix: DesignMatrix,
    columns: Mapping[Factor, ModelColumn],
    y: Floats,
    units: Sequence[UnitRows],
    type: Type,
    df: Df,
) -> tuple[Mixed, dict[Term, int], tuple[str, ...]]:
    """Return the mixed model, how much terms are aliased, and notes."""
    layer = _one_layer("", None, matrix, columns, type, len(y))
    bases = {term: part.basis for term, part in layer.parts.items()}
    every = np.hstack([part.basis for part in layer.error])
    mixed, notes = mixed_model(y, every, bases, units, df)
    ranks = {term: part.df for term, part in layer.parts.items()}
    return mixed, _lacking(matrix, ranks), notes


def _one_layer(
    name: str,
    stratum: OrthogonalPart | None,
    matrix: DesignMatrix,
    columns: Mapping[Factor, ModelColumn],
    type: Type,
    n: int,
) -> Layer:
    """Return a stratum with a basis of each term in it."""
    if stratum is None:
        weighted = matrix.roots is not None
        balanced = None if weighted else _balanced(list(matrix.columns), columns, n)
        if balanced is not None:
            error = tuple(balanced.values())
            tested = {term: part for term, part in balanced.items() if term}
            return Layer(name, None, tested, error, n - _df(error))
    terms = [t for t in matrix.columns if t or stratum is None]
    given = [matrix.columns[term] for term in terms]
    scaled = [x / binary_unit(x, axis=0) for x in given]
    design = projected(stratum, scaled)
    error = term_parts(design)
    # Terms are adjusted for each other among the coordinates of all: these are fewer.
    every = np.hstack([part.basis for part in error]) if error else np.zeros((n, 0))
    inside = [every.T @ part for part in design]
    parts = {}
    for i, term in enumerate(terms):
        if term:
            part = tested_part(inside, i, _adjusted_for(terms, i, type))
            parts[term] = OrthogonalPart(every @ part.basis, part.df)
    if type == 3 and any(
        part.df < matrix.columns[term].shape[1] for term, part in parts.items()
    ):
        parts = type_three_of_cells(
            terms, columns, stratum, _df(error), n, matrix.roots
        )
    df = n if stratum is None else stratum.df
    return Layer(name, stratum, parts, error, df - _df(error))


def type_three_of_cells(
    terms: Sequence[Term],
    columns: Mapping[Factor, ModelColumn],
    stratum: OrthogonalPart | None,
    rank: int,
    n: int,
    roots: Floats | None = None,
) -> dict[Term, OrthogonalPart]:
    """Return the hypotheses of type III, also if cells are empty."""
    root = np.ones((n, 1)) if roots is None else roots[:, None]
    inside = projected(stratum, [root * dummies(term, columns, n) for term in terms])
    bases = type_three_bases(
        inside, [_containing(terms, term, columns) for term in terms], rank
    )
    named_bases = zip(terms, bases, strict=True)
    return {term: OrthogonalPart(q, q.shape[1]) for term, q in named_bases if term}


def dummies(term: Term, columns: Mapping[Factor, ModelColumn], n: int) -> Floats:
    """Return a column of 0 and 1 for each cell of a term, times its covariates."""
    products, cell = np.ones((n, 1)), np.zeros(n, np.intp)
    for factor in term:
        column = columns[factor]
        if isinstance(column, Categories):
            _, cell = np.unique(
                cell * len(column.levels) + column.codes, return_inverse=True
            )
            continue
        own = column.columns()
        own = own / binary_unit(own, axis=0)
        products = (products[:, :, None] * own[:, None, :]).reshape(n, -1)
    levels = np.eye(int(cell.max()) + 1)[cell]
    return (levels[:, :, None] * products[:, None, :]).reshape(n, -1)


def _containing(
    terms: Sequence[Term], tested: Term, columns: Mapping[Factor, ModelColumn]
) -> list[int]:
    """Return which terms contain one: it and more factors, the same covariates."""
    return [
        i
        for i, term in enumerate(terms)
        if set(tested) < set(term)
        and all(isinstance(columns[f], Categories) for f in set(term) - set(tested))
    ]


def _df(parts: Sequence[OrthogonalPart]) -> int:
    """Return how many dimensions some parts have together."""
    return sum(part.df for part in parts)


def overlap(stratum: OrthogonalPart) -> bool:
    """Return whether the units of a stratum overlap: their means do not do."""
    return isinstance(stratum.space, np.ndarray)


def _balanced(
    terms: Sequence[Term], columns: Mapping[Factor, ModelColumn], n: int
) -> dict[Term, OrthogonalPart] | None:
    """Return the parts of a balanced factorial; None if the design is none.

    All combinations of levels have as many rows, and each term comes with its margins.
    Then terms are orthogonal, types of sums of squares agree, and a term is the means
    of its cells less those of its margins.
    """
    factors = tuple(dict.fromkeys(f for term in terms for f in term))
    levels = [c.levels for c in map(columns.get, factors) if isinstance(c, Categories)]
    if terms[0] != CONSTANT or len(levels) < len(factors):
        return None
    if len({factor.column for factor in factors}) < len(factors):
        return None
    *units, (_, every, _) = unit_cells([*terms[1:], factors], columns)
    counts = np.bincount(every)
    if len(counts) < math.prod(map(len, levels)) or len(set(counts.tolist())) > 1:
        return None
    margins = [coarser for _, _, coarser in units]
    if any(
        len(coarser) < 2 ** len(term) - 2
        for term, coarser in zip(terms[1:], margins, strict=True)
    ):
        return None
    parts = nested_parts([cells for _, cells, _ in units], margins, n)
    return dict(zip(terms, parts, strict=True))


def _adjusted_for(terms: Sequence[Term], tested: int, type: Type) -> list[int]:
    """Return which terms one is adjusted for, by type of sums of squares.

    Type I: those before it. II: all that do not contain it. III: all others.
    """
    others = [i for i in range(len(terms)) if i != tested]
    if type == 1:
        return [i for i in others if i < tested]
    if type == 3:
        return others
    own = set(terms[tested])
    return [i for i in others if not own < set(terms[i])]


def _tested_in(layer: Layer) -> Layer:
    """Return a stratum with the terms that vary in it alone."""
    parts = {term: part for term, part in layer.parts.items() if part.df}
    return Layer(layer.name, layer.stratum, parts, layer.error, layer.df_error)


def unit_cells(
    terms: Sequence[Term], columns: Mapping[Factor, ModelColumn]
) -> list[UnitRows]:
    """Return the cells of each kind of unit, and the kinds that they lie in."""
    units = []
    for i, term in enumerate(terms):
        codes = np.zeros(len(next(iter(columns.values())).codes), np.int64)  # type: ignore[union-attr]
        for factor in term:
            column = columns[factor]
            assert isinstance(column, Categories)
            codes = codes * len(column.levels) + column.codes
            _, codes = np.unique(codes, return_inverse=True)
        coarser = tuple(j for j in range(i) if set(terms[j]) < set(term))
        units.append((label_of(term), codes.astype(np.intp), coarser))
    return units
