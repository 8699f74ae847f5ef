"""The two ways to analyse a design: crossed readers and modalities, or any other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import pandas as pd

from pycompare.base.typing import Floats
from pycompare.kernels import reader_moments as rm
from pycompare.methods.multireader import tables, uncrossed
from pycompare.methods.multireader.covariances import ReaderCells
from pycompare.methods.multireader.error_terms import Model
from pycompare.methods.multireader.family import ModalityPairs
from pycompare.methods.multireader.findings import (
    Findings,
    Omnibus,
    Squares,
    anova_of_figures,
    crossed,
    squares_of_cells,
    squares_of_pseudovalues,
)
from pycompare.methods.multireader.words import DfRule, Effect
from pycompare.results.adjust import Adjustment

POPULATIONS: dict[tuple[Effect, Effect], str] = {
    ("random", "random"): "new readers and new cases",
    ("fixed", "random"): "these readers and new cases",
    ("random", "fixed"): "new readers and these cases",
}
"""Readers, cases -> whom the conclusions concern."""


class ReaderDesign(Protocol):
    """What a design offers, whatever is random."""

    @property
    def same(self) -> bool:
        """Whether no modality differs from another in any reader."""
        ...

    @property
    def steady(self) -> bool:
        """Whether all readers have the same differences."""
        ...

    @property
    def floored(self) -> bool:
        """Whether Cov2 - Cov3 of all modalities is estimated negative."""
        ...

    @property
    def components(self) -> dict[str, float]:
        """Components of variance; nothing is cut at zero."""
        ...

    def findings(self, model: Model, pooled: bool) -> Findings:
        """Return tests and estimates."""
        ...

    def anova(self) -> pd.DataFrame:
        """Return the analysis of variance."""
        ...

    def figure_tests(self) -> list[tuple[str, str, Omnibus]]:
        """Return Maloof's analyses of variance of the figures."""
        ...


@dataclass(frozen=True)
class Crossed:
    """Every reader reads with every modality.

    Attributes
    ----------
    cells : ReaderCells
    y : ndarray or None, shape (t, r, n)
        Pseudovalues, for the analysis of Dorfman, Berbaum and Metz.
    """

    cells: ReaderCells
    y: Floats | None

    @cached_property
    def squares(self) -> Squares:
        """Mean squares of all modalities, of pairs, and of each."""
        if self.y is None:
            return squares_of_cells(self.cells)
        return squares_of_pseudovalues(self.y, self.cells)

    @property
    def same(self) -> bool:
        """Whether no modality differs from another in any reader."""
        every = self.squares.every
        return float(every.between) == 0 and not float(every.readers) > 0

    @property
    def steady(self) -> bool:
        """Whether all readers have the same differences."""
        return float(self.squares.every.readers) == 0

    @property
    def floored(self) -> bool:
        """Whether Cov2 - Cov3 of all modalities is estimated negative."""
        return float(self.squares.every.excess) < 0

    @property
    def components(self) -> dict[str, float]:
        """Components of variance of figures, or of pseudovalues."""
        if self.y is None:
            moments = rm.moments(self.cells.theta, self.cells.covariance)
            return tables.above_rounding(tables.figure_components(moments))
        return tables.above_rounding(tables.pseudovalue_components(self.y))

    def findings(self, model: Model, pooled: bool) -> Findings:
        """Return tests and estimates."""
        return crossed(self.cells.theta, self.squares, model, pooled)

    def anova(self) -> pd.DataFrame:
        """Return the analysis of variance of figures, or of pseudovalues."""
        if self.y is None:
            return tables.figure_anova(self.cells.theta)
        return tables.pseudovalue_anova(self.y)

    def figure_tests(self) -> list[tuple[str, str, Omnibus]]:
        """Return the two-way and the one-way analysis of variance of figures."""
        if self.cells.theta.shape[1] < 2:
            return []
        two_way, one_way = anova_of_figures(self.cells.theta)
        here = POPULATIONS["random", "fixed"]
        return [
            ("two-way analysis of variance of figures", here, two_way),
            (
                "one-way analysis of variance of figures",
                f"{here}, readers not paired",
                one_way,
            ),
        ]


@dataclass(frozen=True)
class Uncrossed:
    """Some reader does not read with some modality."""

    cells: ReaderCells

    @cached_property
    def parts(self) -> uncrossed.Parts:
        """Covariances of the means of modalities."""
        return uncrossed.parts_of(self.cells)

    @property
    def same(self) -> bool:
        """Whether all modalities have the same mean."""
        return bool(np.ptp(self.parts.mean) == 0)

    @property
    def steady(self) -> bool:
        """Whether all readers of each modality have the same figure."""
        return bool((np.diag(self.parts.within) == 0).all())

    @property
    def floored(self) -> bool:
        """Whether Cov2 is on average estimated less than Cov3."""
        return bool(rm.own_less_other(self.parts.shared) < 0)

    @property
    def components(self) -> dict[str, float]:
        """Components of variance of figures."""
        return tables.above_rounding(uncrossed.components(self.cells))

    def findings(self, model: Model, pooled: bool) -> Findings:
        """Return tests and estimates; a pair has always its own error."""
        return uncrossed.uncrossed(self.parts, model)

    def anova(self) -> pd.DataFrame:
        """Return mean squares of modalities, and of readers in them."""
        return tables.anova_frame(*uncrossed.anova(self.cells))

    def figure_tests(self) -> list[tuple[str, str, Omnibus]]:
        """Return nothing: readers are no blocks here."""
        return []


def _scopes(model: Model) -> Iterator[tuple[str, str, Model]]:
    """Yield name, population and model of each scope of conclusions."""
    for (readers, cases), population in POPULATIONS.items():
        if readers == "random" and model.fewest_readers < 2:
            continue
        both = (readers, cases) == ("random", "random")
        rule: DfRule = model.rule if both else "hillis"
        other = replace(model, readers=readers, cases=cases, rule=rule)
        yield f"readers {readers}, cases {cases}", population, other


def analyses(design: ReaderDesign, model: Model) -> pd.DataFrame:
    """Return the test of all modalities under each scope, and Maloof's tests."""
    rows: list[tuple[str, str, Omnibus]] = [
        (name, population, design.findings(other, pooled=True).omnibus)
        for name, population, other in _scopes(model)
    ]
    return tables.analysis_rows(rows + design.figure_tests())


def pairs_by_scope(
    family: ModalityPairs,
    design: ReaderDesign,
    model: Model,
    pooled: bool,
    adjust: Adjustment,
    level: float,
    of_both: Callable[[], dict[str, Any]] | None = None,
) -> pd.DataFrame:
    """Return the tests of pairs under each scope of conclusions.

    ``of_both`` makes the columns for new readers and new cases, if they are others than
    those of Hillis' tests.
    """
    frames = []
    for scope, population, other in _scopes(model):
        if of_both is not None and (other.readers, other.cases) == ("random",) * 2:
            columns = of_both()
        else:
            means = design.findings(other, pooled).pairs
            columns = tables.pair_columns(family, means, adjust, level)
        frame = pd.DataFrame(columns)
        frame.insert(0, "population", population)
        frame.insert(0, "scope", scope)
        frames.append(frame)
    return pd.concat(frames, ignore_index=True)
