"""Several metrics as responses of one design: scaled, and the dependent ones named.

Metrics may depend on each other: with class sizes that are the same for all algorithms
of a block, FN = constant - TP and TN = constant - FP, so that (TP, FP, TN, FN) has rank
2. What a multivariate test says does not change under a change of basis, so the metrics
that depend on those before them are left out, by name, and the rank takes the place of
their number. A difference that has no error to be tested against is refused by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import linalg

from pycompare.data.metric import Metric
from pycompare.data.scores import Scores
from pycompare.errors import DesignError, InputError
from pycompare.kernels import doubled
from pycompare.kernels.manova import (
    DEPENDENT,
    EPS,
    ROUNDING,
    Triangle,
    stacked,
    triangle,
    whitened,
)
from pycompare.kernels.sscp import Factors
from pycompare.linear.design import Design, block_design, require_scores
from pycompare.linear.fit import in_unit

Floats = NDArray[np.float64]

SHOWN = 1e-6
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
        What is left; None if it differs between blocks.
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
            return f"{self.metric} = {sign}{term(*first)}{signed(rest)}"
        return f"{self.metric} = {constant}{signed(self.weights.items())}"


def term(name: str, weight: float) -> str:
    """Return ``2 TP``, or ``TP`` for a weight of 1."""
    size = f"{abs(weight):.6g}"
    return name if size == "1" else f"{size} {name}"


def signed(weights: Any) -> str:
    """Return `` - TP + 2 FP``."""
    return "".join(
        f" {'-' if weight < 0 else '+'} {term(name, weight)}"
        for name, weight in weights
    )


@dataclass(frozen=True, eq=False)
class Responses:
    """Metrics of one design, and the space that they span.

    Attributes
    ----------
    design : Design
    metrics : tuple of Metric
        All metrics that were asked for.
    values : ndarray, shape (n_blocks, n_algorithms, p)
        Scores in the metrics' own units; NaN in cells that lack a metric.
    scaled : ndarray, shape (n_blocks, n_algorithms, p)
        Scores less one of them, over ``units``.
    units : ndarray, shape (p,)
        Powers of two, so that scaling is exact.
    noise : ndarray, shape (p,)
        Rounding of the scores in ``units``.
    factors : Factors
        Of the scaled scores of all metrics.
    error : Triangle
        Triangular factor of the residuals; ``error.kept`` are the metrics that count.
    basis : ndarray, shape (p, p) or None
        Where kept metrics are nearly dependent: the basis R^-1 that the tests use,
        with residuals that are nearly orthogonal; see `kernels.manova`.
    working : Factors
        Of the scaled scores in ``basis``; else the same as ``factors``.
    dropped : tuple of Dependency
        The metrics that do not.
    blocks, algorithms : tuple of str
    datasets : tuple of str or None
        If they are a term of the design.
    """

    design: Design
    metrics: tuple[Metric, ...]
    values: Floats
    scaled: Floats
    units: Floats
    noise: Floats
    factors: Factors
    error: Triangle
    basis: Floats | None
    working: Factors
    dropped: tuple[Dependency, ...]
    blocks: tuple[str, ...]
    algorithms: tuple[str, ...]
    datasets: tuple[str, ...] | None

    @property
    def kept(self) -> tuple[str, ...]:
        """Names of the metrics that the tests are made of."""
        chosen = np.flatnonzero(self.error.kept)
        return tuple(self.metrics[j].name for j in chosen)

    @property
    def rank(self) -> int:
        """Dimensions of the response space."""
        return int(self.error.kept.sum())

    @cached_property
    def triangle(self) -> Triangle:
        """Triangular factor of the residuals in ``basis``."""
        if self.basis is None:
            return self.error
        return triangle(self.working.error, np.zeros(len(self.basis)))

    @property
    def white(self) -> Floats:
        """F R^-1 of the algorithms, whose squared singular values are the eigenvalues.

        Shape (m, rank).
        """
        return whitened(self.working, self.triangle)[:, self.error.kept]

    def coefficients(self, directions: Floats) -> Floats:
        """Return coefficients of the kept scaled metrics for directions of ``white``.

        R^-1 v, shapes (rank, s).
        """
        kept = self.error.kept
        root = (self.triangle.r * self.triangle.norms)[np.ix_(kept, kept)]
        found: Floats = linalg.solve_triangular(root, directions)
        return found if self.basis is None else self.basis[np.ix_(kept, kept)] @ found

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know about these responses."""
        absent = self.design.present.size - self.design.n
        found = []
        if absent and self.design.blocked:
            found.append(
                f"{absent} of {self.design.present.size} cells are missing; the "
                "algorithms are adjusted for the blocks that they have (exact general "
                "linear model)"
            )
        if self.dropped:
            told = "; ".join(d.text for d in self.dropped)
            note = f"the metrics have rank {self.rank}, not {len(self.metrics)}: {told}"
            if self.rank:
                note += (
                    f". The tests are those of {', '.join(self.kept)}; any other "
                    f"choice of independent metrics gives the same"
                )
            found.append(note)
        return tuple(found)

    def means(self) -> Floats:
        """Return adjusted means of algorithms in the metrics' own units, (a, p)."""
        first = self.values[self.design.present][0]
        return np.asarray(first + self.units * self.design.means(self.scaled))

    def r_arguments(self) -> dict[str, Any]:
        """Return what R needs: one row a cell, its block, its algorithm, its scores."""
        rows, at = np.nonzero(self.design.present)
        y = pd.DataFrame(
            self.values[rows, at][:, self.error.kept],
            index=[self.blocks[i] for i in rows],
            columns=list(self.kept),
        )
        return {
            "y": y,
            "algorithm": [self.algorithms[j] for j in at],
            "blocked": self.design.blocked,
            "dataset": [self.datasets[i] for i in rows] if self.datasets else [],
        }


def responses(
    scores: Scores, metrics: Sequence[str] | None, blocked: bool
) -> Responses:
    """Return the responses of a multivariate test, dependent metrics left out by name.

    Parameters
    ----------
    scores : Scores
    metrics : sequence of str, optional
        Two or more of ``scores.metrics``; all if None.
    blocked : bool

    Raises
    ------
    DesignError
        If a difference between algorithms has no residual variation, or error has
        fewer degrees of freedom than the responses have dimensions; and as
        `block_design`.
    InputError
        For metrics that are unknown or named twice.
    """
    require_scores(scores)
    chosen = chosen_metrics(scores, metrics)
    names = [metric.name for metric in chosen]
    design = block_design(scores, metrics=names, blocked=blocked)
    values = np.stack([scores.column(m.name) for m in chosen], axis=-1)
    scaled, units, noise = in_units(values, design.present)
    factors = design.factors(scaled)
    error = triangle(factors.error, noise)
    basis = None if error.comfortable else error.basis()
    found = Responses(
        design=design,
        metrics=chosen,
        values=values,
        scaled=scaled,
        units=units,
        noise=noise,
        factors=factors,
        error=error,
        basis=basis,
        working=factors if basis is None else moved(design, values / units, basis),
        dropped=(),
        blocks=scores.blocks,
        algorithms=scores.algorithms,
        datasets=scores.datasets if design.datasets is not None and blocked else None,
    )
    return found if error.kept.all() else reduced(found)


def moved(design: Design, values: Floats, basis: Floats) -> Factors:
    """Return the factors of scores, not yet rounded by a shift, in another basis."""
    b, a, p = values.shape
    found = doubled.product(values.reshape(b * a, p), basis)
    return design.factors(found.reshape(b, a, p))


def chosen_metrics(scores: Scores, metrics: Sequence[str] | None) -> tuple[Metric, ...]:
    """Return the metrics asked for; refuse a name that is there twice."""
    if metrics is None:
        return scores.metrics
    if isinstance(metrics, str):
        raise InputError(
            f"metrics={metrics!r} is one text; give a list of names, like [{metrics!r}]"
        )
    twice = [name for name in metrics if list(metrics).count(name) > 1]
    if twice:
        raise InputError(f"metrics: {twice[0]!r} is named twice; name each metric once")
    if not metrics:
        raise InputError("metrics is empty; name at least one metric")
    return tuple(scores.metric(name) for name in metrics)


def in_units(
    values: Floats, present: NDArray[np.bool_]
) -> tuple[Floats, Floats, Floats]:
    """Return scaled scores, units and rounding of each metric; see `in_unit`."""
    scaled, units = np.empty_like(values), np.ones(values.shape[-1])
    for j in range(values.shape[-1]):
        scaled[..., j], units[j] = in_unit(values[..., j], present)
    largest = np.nanmax(np.abs(values[present]), axis=0)
    return scaled, units, EPS * largest / units


def reduced(found: Responses) -> Responses:
    """Name the metrics that are left out; refuse a difference that has no error."""
    total = triangle(stacked(found.factors), found.noise)
    alone = total.kept & ~found.error.kept
    if total.kept.sum() > found.factors.df_error:
        raise DesignError(
            f"{found.factors.df_error} degrees of freedom for error are fewer than the "
            f"{int(total.kept.sum())} independent metrics; add blocks, or test fewer "
            f"metrics together"
        )
    if total.kept.sum() > found.rank:
        raise DesignError(without_error(found, int(np.flatnonzero(alone)[0])))
    left_out = np.flatnonzero(~found.error.kept)
    return replace(found, dropped=tuple(dependency(found, int(j)) for j in left_out))


def weights_of(found: Responses, j: int) -> dict[str, float]:
    """Return what a dependent metric's residuals are made of, in the metrics' units."""
    rounding = ROUNDING * found.noise[j] * np.sqrt(found.design.n)
    if found.error.norms[j] <= rounding or not found.factors.error[:, j].any():
        return {}
    made_of = linalg.solve_triangular(found.error.r[:j, :j], found.error.r[:j, j])
    shown = np.abs(made_of) > SHOWN
    scale = found.error.norms[j] / found.error.norms[:j]
    own = made_of * scale * (found.units[j] / found.units[:j])
    return {
        found.metrics[i].name: float(own[i]) for i in range(j) if shown[i] and own[i]
    }


def dependency(found: Responses, j: int) -> Dependency:
    """Return how a metric depends on those before it."""
    weights = weights_of(found, j)
    present = found.design.present
    names = [m.name for m in found.metrics]
    rest = found.values[..., j][present]
    size = np.abs(rest).max()
    for name, weight in weights.items():
        part = weight * found.values[..., names.index(name)][present]
        rest, size = rest - part, max(size, np.abs(part).max())
    spread = np.ptp(found.values[..., j][present])
    near = max(10 * DEPENDENT * spread, ROUNDING * EPS * size)
    same = np.ptp(rest) <= near
    middle = float(np.median(rest))
    constant = 0.0 if abs(middle) <= near and weights else middle
    return Dependency(found.metrics[j].name, weights, constant if same else None)


def without_error(found: Responses, j: int) -> str:
    """Say which metric, or combination, differs without residual variation."""
    name, weights = found.metrics[j].name, weights_of(found, j)
    what = repr(name)
    if weights:
        what = f"{name!r} less {' plus '.join(term(*w) for w in weights.items())}"
        if any(w < 0 for w in weights.values()):
            what = f"{name!r} with{signed(weights.items())} taken off"
    return (
        f"the algorithms differ in {what}, which has no residual variation: there is "
        f"no error to test this difference against (a perfect fit); leave {name!r} out "
        f"and look at it by itself"
    )
