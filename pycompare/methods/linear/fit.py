"""One metric fitted by one design: what every univariate method starts from."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pycompare.base.formatting.counts import are
from pycompare.base.metric import Metric
from pycompare.base.tables import Labelled, Matrix
from pycompare.base.typing import Floats, Sizes
from pycompare.data.scores import Scores
from pycompare.kernels.manova import EPS
from pycompare.kernels.sscp import Factors
from pycompare.methods.linear import zero_residual
from pycompare.methods.linear.design import BlockDesign, block_design
from pycompare.methods.linear.overlap import block_overlap, variance_ratio

NOISE = 4 * np.finfo(float).eps
"""Differences below this, relative to the largest score, are the rounding of scores."""
_FAR = 400
"""Scores of such an exponent are scaled: their squares may overflow or vanish."""

_PERFECT = (
    "perfect fit: the residual variance is zero, so that F is infinite and has no "
    "distribution; "
)
_EXACT = "the p-value is exact, the share of all {arrangements} that fit as well"
_WITHIN = "orders of the scores within blocks"
_DEALS = "ways to deal the scores to the algorithms"
_NO_COUNT = (
    "there is no p-value, for with missing cells the {arrangements} that fit as well "
    "have no simple count"
)
_COPIES = (
    "{names} have the same scores in all blocks: the model's error is pooled over "
    "all algorithms, and such copies make it smaller for every other pair, too; leave "
    "all but one out"
)
_NO_CORRECTED = (
    "there is no p-value, for {arrangements} count folds as independent, and these "
    "share training data"
)
_SHARED = (
    "folds share training data: standard errors are multiplied by the root of "
    "{ratio:.6g} and F is divided by it. It is 1 + k n_test/n_train for k folds "
    "(Nadeau and Bengio 2003), averaged over folds if data sets differ"
)
_NOTHING = (
    "the scores do not differ{blocks}, so the statistic is 0/0 and no difference can "
    "be tested"
)


@dataclass(frozen=True, eq=False)
class AnovaFit:
    """Scores of one metric and their sums of squares.

    Attributes
    ----------
    design : BlockDesign
    factors : Factors
        Of the scaled scores, one response.
    metric : Metric
    values : ndarray, shape (n_blocks, n_algorithms)
        Scores in the metric's own unit; NaN if a cell is missing.
    scaled : ndarray, shape (n_blocks, n_algorithms)
        The scores less one of them, over ``unit``: no square overflows or vanishes.
    unit : float
        A power of two, so that scaling is exact.
    h, e : float
        Sums of squares of algorithms and error in squared ``unit``; exactly 0 if
        only rounding is left.
    noise : float
        How large the rounding of a score may be, in ``unit``.
    blocks, algorithms : tuple of str
    datasets : tuple of str or None
        If they are a term of the design.
    overlaps : ndarray, shape (n_blocks,), or None
        n_test / n_train of each fold, if the analysis is corrected for that.
    variance_ratio : float
        How many times larger that makes the variance of a mean; 1 without. ``mse`` is
        the folds' own, uncorrected.
    """

    design: BlockDesign
    factors: Factors
    metric: Metric
    values: Floats
    scaled: Floats
    unit: float
    h: float
    e: float
    noise: float
    blocks: tuple[str, ...]
    algorithms: tuple[str, ...]
    datasets: tuple[str, ...] | None
    overlaps: Floats | None
    variance_ratio: float

    @property
    def df(self) -> tuple[float, float]:
        """Degrees of freedom of algorithms and error."""
        return float(self.design.df_hypothesis), float(self.design.df_error)

    @property
    def mse(self) -> float:
        """Mean square of error in squared ``unit``."""
        return self.e / self.design.df_error

    @property
    def f(self) -> float:
        """F; infinite for a perfect fit, NaN if nothing differs."""
        numerator = np.float64(self.h / self.design.df_hypothesis)
        with np.errstate(divide="ignore", invalid="ignore"):
            return float(numerator / (self.variance_ratio * self.mse))

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for readers about this fit."""
        missing = self.design.present.size - self.design.n
        told = (
            f"{missing} of {self.design.present.size} cells {are(missing)} missing; "
            "the algorithms are adjusted for the blocks that they have (exact general "
            "linear model)"
        )
        notes = [told] if missing and self.design.blocked else []
        if self.e > 0 and self.overlaps is not None:
            notes.append(_SHARED.format(ratio=self.variance_ratio))
        if self.e > 0 and self.design.blocked:
            notes += [_COPIES.format(names=" and ".join(g)) for g in self.copies]
        return tuple(notes)

    @property
    def no_error(self) -> tuple[str, ...]:
        """Notes for readers if no error is left, else nothing."""
        if self.e > 0:
            return ()
        if self.zero_residual:
            return (_PERFECT + self.arranged(self.exact_p),)
        within = " within blocks" if self.design.blocked else ""
        return (_NOTHING.format(blocks=within),)

    @property
    def zero_residual(self) -> bool:
        """Whether the algorithms differ and no error is left."""
        return self.e == 0 and self.h > 0

    @property
    def levels(self) -> list[int]:
        """Number of each algorithm's mean; those equal up to rounding share one."""
        means = self.scaled_means
        order = np.argsort(means, kind="stable")
        levels = np.zeros(len(means), int)
        levels[order[1:]] = np.cumsum(np.diff(means[order]) > 2 * self.noise)
        return [int(level) for level in levels]

    @property
    def exact_p(self) -> float:
        """Exact p-value of a perfect fit; NaN if it has no simple count."""
        if self.overlaps is not None:
            return math.nan
        if not self.design.blocked:
            counts = self.design.present.sum(axis=0).tolist()
            return zero_residual.deals_p(self.levels, counts)
        if not self.design.complete:
            return math.nan
        return zero_residual.blocks_p(self.levels, self.design.n_blocks)

    def exact_pair_p(self, first: int, second: int) -> float:
        """Exact p-value of two algorithms in a perfect fit; NaN if they are equal."""
        levels = self.levels
        if levels[first] == levels[second] or self.overlaps is not None:
            return math.nan
        if not self.design.blocked:
            counts = self.design.present.sum(axis=0)
            return zero_residual.deals_p(
                [0, 1], [int(counts[first]), int(counts[second])]
            )
        if not self.design.complete:
            return math.nan
        return zero_residual.blocks_p([0, 1], self.design.n_blocks)

    def arranged(self, p: float) -> str:
        """State the source of the p-value of a perfect fit, or why there is none."""
        arrangements = _WITHIN if self.design.blocked else _DEALS
        told = _NO_COUNT if math.isnan(p) else _EXACT
        if self.overlaps is not None:
            told = _NO_CORRECTED
        return told.format(arrangements=arrangements)

    @property
    def copies(self) -> list[list[str]]:
        """Names of algorithms whose scores are exactly the same, group by group."""
        groups: dict[bytes, list[str]] = {}
        for name, column in zip(self.algorithms, self.values.T, strict=True):
            # Adding 0 makes -0.0 and 0.0 one number.
            groups.setdefault((column + 0.0).tobytes(), []).append(name)
        return [names for names in groups.values() if len(names) > 1]

    @cached_property
    def scaled_means(self) -> Floats:
        """Adjusted means of the scaled scores, shape (a,)."""
        return self.design.means(self.scaled[:, :, None])[:, 0]

    def means(self) -> Floats:
        """Return adjusted means of the algorithms in the metric's own unit, (a,)."""
        first = self.values[self.design.present][0]
        return np.asarray(first + self.unit * self.scaled_means)

    def differences(self) -> Floats:
        """Return differences of adjusted means in ``unit``, shape (a, a)."""
        means = self.scaled_means
        differences: Floats = means[:, None] - means[None, :]
        return differences

    def residuals(self) -> Floats:
        """Return residuals in ``unit``, shape (n,)."""
        return self.factors.error[:, 0]

    def fitted(self) -> Floats:
        """Return fitted scores in the metric's own unit, shape (n,)."""
        return self.values[self.design.present] - self.unit * self.residuals()

    def per_algorithm(self, values: Floats) -> Labelled:
        """Label one number per algorithm."""
        return Labelled(values, self.algorithms)

    def r_arguments(self) -> dict[str, Any]:
        """Return the data that R needs to fit the same: the scores, NA if missing."""
        arguments = {
            "x": Matrix(self.values, self.blocks, self.algorithms),
            "blocked": self.design.blocked,
            "dataset": list(self.datasets or ()),
        }
        shared = {} if self.overlaps is None else {"overlap": self.overlaps}
        return arguments | shared


def fit(
    scores: Scores,
    metric: str | None,
    blocked: bool,
    n_train: Sizes | None = None,
    n_test: Sizes | None = None,
) -> AnovaFit:
    """Fit one metric; see ``block_design``, ``variance_ratio`` for rejected input."""
    if isinstance(scores, Scores):
        metric = scores.metric(metric).name
    design = block_design(scores, metrics=[metric or ""], blocked=blocked)
    values = scores.column(metric)
    scaled, unit = in_unit(values, design.present)
    factors = design.factors(scaled[:, :, None])
    noise = NOISE * float(_largest(values)) / unit
    overlaps = block_overlap(scores, n_train, n_test)
    return AnovaFit(
        design=design,
        factors=factors,
        metric=scores.metric(metric),
        values=values,
        scaled=scaled,
        unit=unit,
        h=sum_of_squares(factors.hypothesis, noise * math.sqrt(len(values))),
        e=sum_of_squares(factors.error, noise),
        noise=noise,
        blocks=scores.blocks,
        algorithms=scores.algorithms,
        datasets=scores.datasets if design.datasets is not None and blocked else None,
        overlaps=overlaps,
        variance_ratio=variance_ratio(overlaps, design),
    )


def in_unit(values: Floats, present: NDArray[np.bool_]) -> tuple[Floats, float]:
    """Subtract one score from all and divide by a power of two near the largest."""
    shifted = values - values[present][0]
    exponent = int(np.frexp(_largest(shifted))[1])
    if abs(exponent) < _FAR:
        return shifted, 1.0
    exponent -= 20 if exponent > 0 else 0  # 2^1024 is no double
    return np.ldexp(shifted, -exponent), float(np.ldexp(1.0, exponent))


def in_units(
    values: Floats, present: NDArray[np.bool_]
) -> tuple[Floats, Floats, Floats]:
    """Return scaled scores, units and rounding of each metric; see `in_unit`."""
    here = values[present]
    units = np.ones(values.shape[-1])
    scaled = values - here[0]
    extreme = np.abs(np.frexp(_largest(scaled, metrics=True))[1]) >= _FAR
    for j in np.flatnonzero(extreme):
        scaled[..., j], units[j] = in_unit(values[..., j], present)
    return scaled, units, EPS * _largest(here, metrics=True) / units


def _largest(values: Floats, *, metrics: bool = False) -> Floats:
    """Return the largest size of a number, or of one in each metric; NaN: none.

    NumPy's ``nanmax`` takes several times as long on a small table.
    """
    sizes = np.abs(values)
    return np.fmax.reduce(sizes, axis=tuple(range(sizes.ndim - metrics)))


def sum_of_squares(factor: Floats, noise: float) -> float:
    """Return the sum of squares of a factor (m, 1), 0 if all of it is rounding."""
    column = factor[:, 0]
    if np.abs(column).max(initial=0.0) <= noise:
        return 0.0
    return float(np.sum(np.square(column)))
