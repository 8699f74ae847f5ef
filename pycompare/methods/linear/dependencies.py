"""Metrics that are linear functions of others: found, named, and left out.

Contents of a multivariate test does not change under a change of basis, so a metric
that depends on those before it can be left out, if its difference between algorithms
depends in the same way. Otherwise that difference has no error to be tested against.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import linalg

from pycompare.base.formatting.counts import are, counted, degrees_of_freedom
from pycompare.base.typing import Floats
from pycompare.kernels.manova import (
    DEPENDENT,
    EPS,
    ROUNDING,
    Triangle,
    stacked,
    triangle,
)
from pycompare.kernels.sscp import Factors

_SHOWN = 1e-6
"""A coefficient whose part in a dependency is smaller is not written into its text."""


@dataclass(frozen=True)
class Dependency:
    """A metric that is a linear function of metrics before it.

    Attributes
    ----------
    metric : str
    weights : dict of str to float
        Coefficients of the metrics that it is made of; none for a constant metric.
    constant : float or None
        The remainder; None if it differs between blocks.
    """

    metric: str
    weights: dict[str, float]
    constant: float | None

    @property
    def text(self) -> str:
        """The dependency as an equation, like ``FN = 75 - TP``."""
        constant = (
            "(a constant of each block)"
            if self.constant is None
            else f"{self.constant:.6g}"
        )
        if self.constant == 0 and self.weights:
            first, *rest = self.weights.items()
            sign = "-" if first[1] < 0 else ""
            return f"{self.metric} = {sign}{_term(*first)}{_signed(rest)}"
        return f"{self.metric} = {constant}{_signed(self.weights.items())}"


def _term(name: str, weight: float) -> str:
    """Return ``2 TP``, or ``TP`` for a weight of 1."""
    size = f"{abs(weight):.6g}"
    return name if size == "1" else f"{size} {name}"


def _signed(weights: Iterable[tuple[str, float]]) -> str:
    """Return `` - TP + 2 FP``."""
    return "".join(
        f" {'-' if weight < 0 else '+'} {_term(name, weight)}"
        for name, weight in weights
    )


@dataclass(frozen=True, eq=False)
class Space:
    """What several metrics span in one model, and which of them depend on others.

    Attributes
    ----------
    names : tuple of str
    cells : ndarray, shape (n, p)
        Scores in the metrics' own units.
    units, noise : ndarray, shape (p,)
        Of the factors: the metrics' unit, and the rounding of scores in it.
    factors : Factors
        Of the hypothesis and of error.
    error : Triangle
        Triangular factor of the residuals.
    """

    names: tuple[str, ...]
    cells: Floats
    units: Floats
    noise: Floats
    factors: Factors
    error: Triangle

    @property
    def dropped(self) -> tuple[Dependency, ...]:
        """The metrics that depend on those before them."""
        return tuple(self.dependency(int(j)) for j in np.flatnonzero(~self.error.kept))

    @cached_property
    def refusal(self) -> str | None:
        """Why nothing can be tested here, if so: a difference that has no error."""
        if self.error.kept.all():
            return None
        total = triangle(stacked(self.factors), self.noise).kept
        rank, df = int(self.error.kept.sum()), self.factors.df_error
        if total.sum() > df:
            return (
                f"{degrees_of_freedom(df)} for error {are(df)} fewer than the "
                f"{int(total.sum())} independent metrics; add blocks, or test fewer "
                f"metrics together"
            )
        if total.sum() > rank:
            return self.without_error(int(np.flatnonzero(total & ~self.error.kept)[0]))
        if 0 < rank == df:
            return (
                f"with {degrees_of_freedom(df)} for error, any {df + 1} metrics depend "
                f"on each other; add blocks, or test {counted(df, 'metric')} together "
                f"at most"
            )
        return None

    def weights(self, j: int) -> dict[str, float]:
        """Return what a dependent metric's residuals are made of, in own units."""
        rounding = ROUNDING * self.noise[j] * np.sqrt(len(self.cells))
        if self.error.norms[j] <= rounding or not self.factors.error[:, j].any():
            return {}
        made_of = linalg.solve_triangular(self.error.r[:j, :j], self.error.r[:j, j])
        scale = self.error.norms[j] / self.error.norms[:j]
        with np.errstate(over="ignore", invalid="ignore"):  # no float holds the weight
            own = made_of * scale * (self.units[j] / self.units[:j])
        shown = (np.abs(made_of) > _SHOWN) & (own != 0) & np.isfinite(own)
        return {self.names[i]: float(own[i]) for i in range(j) if shown[i]}

    def dependency(self, j: int) -> Dependency:
        """Return how a metric depends on those before it."""
        weights = self.weights(j)
        rest = self.cells[:, j]
        size = np.abs(rest).max()
        for name, weight in weights.items():
            with np.errstate(over="ignore"):  # of cells that are far apart
                part = weight * self.cells[:, self.names.index(name)]
            if not np.isfinite(part).all():
                return Dependency(self.names[j], weights, None)
            rest, size = rest - part, max(size, np.abs(part).max())
        near = max(10 * DEPENDENT * np.ptp(self.cells[:, j]), ROUNDING * EPS * size)
        same = np.ptp(rest) <= near
        middle = float(np.median(rest))
        constant = 0.0 if abs(middle) <= near and weights else middle
        return Dependency(self.names[j], weights, constant if same else None)

    def without_error(self, j: int) -> str:
        """Return which metric, or combination, differs without residual variation."""
        name = self.names[j]
        less = [(other, -weight) for other, weight in self.weights(j).items()]
        what = f"{name}{_signed(less)}" if less else repr(name)
        return (
            f"the algorithms differ in {what}, which has no residual variation: there "
            f"is no error to test this difference against (a perfect fit); leave "
            f"{name!r} out and look at it separately"
        )
