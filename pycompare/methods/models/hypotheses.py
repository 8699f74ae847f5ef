"""What the terms of a model test, if it is not what their names promise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from pycompare.base.formatting.counts import are, counted, degrees_of_freedom
from pycompare.base.labels import show_all
from pycompare.base.typing import Floats
from pycompare.kernels.sscp import term_parts
from pycompare.kernels.units import binary_unit
from pycompare.methods.models.columns import Categories, Covariate
from pycompare.methods.models.fit import ModelFit, dummies
from pycompare.methods.models.grammar import CONSTANT, Factor, Term, label_of, written

_SHOWN = 3
"""Empty cells that are named."""
_MOST_NUMBERS = 500_000
"""Of a design whose confounded terms are looked for, one after the other."""
_TYPE_THREE = (
    "cells are empty: type 3 tests Goodnight's estimable functions, as SAS does, which "
    "depend on the cells that are empty; type=2 tests each term adjusted for those "
    "that do not contain it, also if marginal means cannot be estimated"
)
_TESTED = "its estimable part is tested"


def tested_at(fit: ModelFit) -> dict[Term, str]:
    """Return the terms that are tested at one value of covariates, and at which.

    With type III a term is adjusted for its interactions with covariates, so that its
    hypothesis is about covariates of 0: ``alg at x = 0; x runs from 86 to 107``.
    Centred covariates are 0 at their mean.
    """
    if fit.type != 3:
        return {}
    at_value = {}
    for term in fit.read.terms:
        others = {f for t in fit.read.terms if set(term) < set(t) for f in t} - {*term}
        ordered = [f for f in fit.columns if f in others and _range_of(fit, f)]
        if ordered:
            zero = " and ".join(f"{f.label} = 0" for f in ordered)
            ranges = "; ".join(_range_of(fit, f) for f in ordered)
            at_value[term] = f"{label_of(term)} at {zero}; {ranges}"
    return at_value


def _range_of(fit: ModelFit, factor: Factor) -> str:
    """Return the range of a covariate; empty for factors and centred covariates."""
    column = fit.columns[factor]
    if not isinstance(column, Covariate) or factor.transform not in ("", "log", "sqrt"):
        return ""
    low, high = float(column.raw.min()), float(column.raw.max())
    return f"{factor.column} runs from {low:.4g} to {high:.4g}"


def hypothesis_notes(fit: ModelFit) -> Iterator[str]:
    """Yield the notes for readers about the hypotheses of the terms."""
    for at in tested_at(fit).values():
        yield (
            f"type 3 tests {at}; write center(...) around covariates to test it at "
            f"their means, or use type=2"
        )
    for unit in fit.strata:
        for term in fit.read.terms:
            if {f.column for f in term} == {f.column for f in unit}:
                yield (
                    f"the term {label_of(term)} is the units {label_of(unit)} of "
                    f"within: nothing is left to test it against; leave it out of "
                    f"within to test it, or out of the formula"
                )
    inside, told = _told_apart(fit)
    yield from told
    lacking = {t: n for t, n in fit.aliased.items() if t not in inside}
    reasons = {term: _why(fit, term) for term in lacking}
    if fit.type == 3 and any("empty" in why for why in reasons.values()):
        yield _TYPE_THREE
    for term, lost in lacking.items():
        why = reasons[term]
        rest = fit.matrix.columns[term].shape[1] - lost
        tested = _TESTED if rest else "it cannot be tested"
        if why:
            yield (
                f"the term {label_of(term)} lacks {degrees_of_freedom(lost)}: {why}; "
                f"{tested}"
            )


def _told_apart(fit: ModelFit) -> tuple[set[Term], list[str]]:
    """Return terms whose factors lie within others by their levels, and notes."""
    nests, levels = fit.grid.nests, fit.grid.factors
    main = {t[0].column for t in fit.read.terms if len(t) == 1}
    apart: set[Term] = set()
    notes = []
    for name, outer in nests.items():
        groups = [g for g in outer if g in main]
        if name not in main or not groups:
            continue
        same = next((g for g in groups if len(levels[g]) == len(levels[name])), None)
        notes.append(
            f"{name} and {same} are the same groups: leave one of them out"
            if same
            else f"{name} lies within {groups[-1]}: write {written(groups[-1])}/"
            f"{written(name)}"
        )
        family = {name, *groups}
        apart |= {t for t in fit.aliased if {f.column for f in t} <= family}
    return apart, notes


def _why(fit: ModelFit, term: Term) -> str:
    """Return why a term lacks degrees of freedom; empty if its nesting is why."""
    own, other = _empty_cells(fit, term), _confounded(fit, term)
    if not other and not own and not _nested(fit, term):
        other = "it is confounded with other terms"
    return " and ".join(reason for reason in (own, other) if reason)


def _empty_cells(fit: ModelFit, term: Term) -> str:
    """Return which cells of a term have no rows, beside those of its nesting."""
    names = [f.column for f in term if isinstance(fit.columns[f], Categories)]
    grid = fit.grid
    places = [list(grid.factors).index(name) for name in names]
    if not names or _nested(fit, term):
        return ""
    every, cell = np.unique(grid.codes[:, places], axis=0, return_inverse=True)
    empty = every[np.bincount(cell.ravel(), grid.seen) == 0]
    if not len(empty):
        return ""
    shown = [
        ":".join(grid.factors[n][k] for n, k in zip(names, cell, strict=True))
        for cell in empty[:_SHOWN]
    ]
    more = ", ..." * (len(empty) > _SHOWN)
    return (
        f"{len(empty)} of {counted(len(every), 'cell')} {are(len(empty))} empty "
        f"({show_all(shown)}{more})"
    )


def _nested(fit: ModelFit, term: Term) -> bool:
    """Return whether a term has a factor with one that it lies within."""
    names = {f.column for f in term}
    return any(names & set(fit.grid.nests.get(name, ())) for name in names)


def _confounded(fit: ModelFit, term: Term) -> str:
    """Return which other terms hold what a term lacks beside its empty cells.

    Empty if none does, or if the columns are too many for so much detail.
    """
    terms = [CONSTANT] if CONSTANT in fit.matrix.columns else []
    terms += fit.read.terms
    if (
        fit.n * sum(fit.matrix.columns[other].shape[1] for other in terms)
        > _MOST_NUMBERS
    ):
        return ""
    columns = {other: _scaled(dummies(other, fit.columns, fit.n)) for other in terms}
    margins = [other for other in terms if set(other) < set(term)]
    rest = [other for other in terms if other != term and not set(term) < set(other)]

    def adds(others: Sequence[Term]) -> int:
        parts = [columns[other] for other in others]
        return term_parts([*parts, columns[term]])[-1].df

    alone, now = adds(margins), adds(rest)
    if now == alone:
        return ""
    names = [
        label_of(other)
        for other in rest
        if other not in margins and adds([t for t in rest if t != other]) > now
    ]
    return f"it is confounded with {', '.join(names) or 'the other terms together'}"


def _scaled(columns: Floats) -> Floats:
    """Return columns in units near their values."""
    return columns / binary_unit(columns, axis=0)
