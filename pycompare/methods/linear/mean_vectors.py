"""Pairs of mean vectors and their Hotelling T2: what one test and all pairs share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special

from pycompare.base.arguments import check_word, require
from pycompare.base.errors import InputError
from pycompare.base.formatting.counts import counted, degrees_of_freedom
from pycompare.base.metric import Metric
from pycompare.base.typing import Floats, Ints
from pycompare.data.scores import Scores
from pycompare.kernels import double_double
from pycompare.kernels import hotelling as kernel
from pycompare.kernels.hotelling import HotellingTests, VectorDifferences
from pycompare.kernels.manova import ROUNDING, triangle
from pycompare.kernels.sscp import Factors
from pycompare.methods.linear.dependencies import Dependency, Space
from pycompare.methods.linear.design import BlockDesign, block_design
from pycompare.methods.linear.fit import in_units
from pycompare.methods.linear.responses import chosen_metrics

VectorMethod = Literal["paired", "two-sample", "two-sample-unequal", "contrast"]

TITLES = {
    "paired": "Hotelling's T2, paired",
    "two-sample": "Hotelling's T2, two samples with one covariance matrix",
    "two-sample-unequal": "Hotelling's T2, two samples with two covariance matrices",
    "contrast": "Hotelling's T2 of contrasts with the model's own error",
}
REFERENCES = {
    "paired": "Hotelling (1931) Ann. Math. Statist. 2, 360-378; Yildiz, Aslan & "
    "Alpaydin (2011) LION 5, eq. 2-5",
    "two-sample": "Hotelling (1931) Ann. Math. Statist. 2, 360-378; Aslan (2009) "
    "M.Sc. thesis, Bogazici University, eq. 4.82-4.84",
    "two-sample-unequal": "Krishnamoorthy & Yu (2004) Statist. Probab. Lett. 66, "
    "161-169",
    "contrast": "Rencher & Christensen (2012) Methods of Multivariate Analysis, 6.4",
}
NOTHING = (
    "the two algorithms differ in no metric, neither in the mean nor in their "
    "variation, so no difference can be tested"
)
FOLDS = (
    "folds of one data set share training cases, which makes T2 reject too often, as "
    "it does the uncorrected t test"
)


@dataclass(frozen=True, eq=False)
class VectorPairs:
    """Pairs of algorithms compared in several metrics.

    Attributes
    ----------
    method : {"paired", "two-sample", "two-sample-unequal", "contrast"}
    metrics : tuple of Metric
    values : ndarray, shape (n_blocks, n_algorithms, p)
        Scores in the metrics' own units; NaN in cells that lack a metric.
    present : ndarray of bool, shape (n_blocks, n_algorithms)
        The cells that have all metrics.
    units, noise : ndarray, shape (p,)
        Powers of two that scores are divided by, and their rounding in that unit.
    first, second : ndarray of int, shape (m,)
        The pairs: algorithm_1 minus algorithm_2.
    differences : VectorDifferences
        In ``units``, as is ``comparison``.
    comparison : HotellingTests
    algorithms, blocks : tuple of str
    datasets : tuple of str or None
        If they are a term of the model.
    """

    method: VectorMethod
    metrics: tuple[Metric, ...]
    values: Floats
    present: NDArray[np.bool_]
    units: Floats
    noise: Floats
    first: Ints
    second: Ints
    differences: VectorDifferences
    comparison: HotellingTests
    algorithms: tuple[str, ...]
    blocks: tuple[str, ...]
    datasets: tuple[str, ...] | None

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the metrics."""
        return tuple(m.name for m in self.metrics)

    @property
    def counts(self) -> tuple[Ints, Ints]:
        """Scores of algorithm_1 and of algorithm_2 that each pair is made of."""
        if self.method == "paired":
            both = self.present[:, self.first] & self.present[:, self.second]
            return both.sum(axis=0), both.sum(axis=0)
        n = self.present.sum(axis=0)
        return n[self.first], n[self.second]

    @property
    def estimate(self) -> Floats:
        """Mean differences in the metrics' own units, 0 if only rounding: (m, p)."""
        mean = self.differences.mean
        rounding = np.abs(mean) <= ROUNDING * self.noise
        return np.asarray(np.where(rounding, 0.0, mean) * self.units)

    @property
    def std_error(self) -> Floats:
        """Standard errors of mean differences, in own units, shape (m, p)."""
        deviation = self.deviation
        with np.errstate(invalid="ignore"):
            std_errors = deviation * np.sqrt(self.differences.variance)[:, None]
        return np.asarray(np.where(deviation > 0, std_errors, 0.0) * self.units)

    @property
    def deviation(self) -> Floats:
        """Standard deviations of error, exactly 0 if only rounding, (m, p)."""
        deviations = np.broadcast_to(
            self.comparison.deviation, self.differences.mean.shape
        )
        return np.asarray(np.where(deviations > ROUNDING * self.noise, deviations, 0.0))

    def covariance(self, i: int) -> Floats:
        """Return S of pair i in the metrics' own units, shape (p, p).

        Of differences if paired, pooled for two samples with one covariance matrix, the
        mean of both weighted by 1/n for two.
        """
        rows = self.differences.residuals
        own = rows[0 if len(rows) == 1 else i]
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            s = own.T @ own / self.differences.df[i]
            return np.asarray(s * self.units[:, None] * self.units)

    @property
    def direction(self) -> Floats:
        """W = S^-1 d for scores in their own units, shape (m, p).

        Infinite for scores so small that no double holds it.
        """
        with np.errstate(over="ignore"):
            return np.asarray(self.comparison.direction / self.units)

    @property
    def standardised(self) -> Floats:
        """W for scores over the standard deviation of error, shape (m, p)."""
        return self.comparison.direction * self.deviation

    @property
    def distance(self) -> Floats:
        """Mahalanobis distance sqrt(d' S^-1 d) of the mean vectors, shape (m,)."""
        return np.sqrt(self.comparison.t2 * self.differences.variance)

    def half_widths(self, alpha: float) -> Floats:
        """Return half widths of intervals that hold for all metrics, shape (m, p)."""
        limit = kernel.critical(self.comparison.df1, self.comparison.df2, alpha)
        return self.in_errors(np.sqrt(limit)[:, None])

    def in_errors(self, factor: Floats) -> Floats:
        """Return multiples of standard errors; NaN if there is no variance."""
        error = self.std_error
        with np.errstate(over="ignore"):  # of scores like 1e300 an interval has no end
            return np.asarray(factor * np.where(error > 0, error, np.nan))

    def metric_df(self) -> Floats:
        """Return degrees of freedom of the t of each metric, shape (m, p)."""
        df = self.differences.df[:, None] * np.ones(len(self.metrics))
        if self.differences.groups is None:
            return np.asarray(df)
        squares = np.square(self.differences.residuals)
        half = squares.shape[-2] // 2
        squares_1, squares_2 = (
            squares[:, :half].sum(axis=1),
            squares[:, half:].sum(axis=1),
        )
        v, w = (group[:, None] for group in self.differences.groups)
        with np.errstate(divide="ignore", invalid="ignore"):
            share = squares_1 / (
                squares_1 + squares_2
            )  # of the variance: squares of it do not overflow
            welch_df = 1 / (share**2 / v + (1 - share) ** 2 / w)
        return np.asarray(welch_df)

    def t_widths(self, alpha: float) -> Floats:
        """Return half widths of t intervals that leave out alpha in all, (m, p)."""
        return self.in_errors(-special.stdtrit(self.metric_df(), alpha / 2))

    def space(self, i: int) -> Space:
        """Return the span of the metrics in pair i."""
        shared = len(self.differences.residuals) == 1
        rows = self.differences.residuals[0 if shared else i]
        pair = [self.first[i], self.second[i]]
        cells = self.values[:, pair]
        chosen = self.present[:, pair]
        if self.method == "paired":
            chosen = chosen & chosen.all(axis=1, keepdims=True)
        return Space(
            names=self.names,
            cells=cells[chosen],
            units=self.units,
            noise=self.noise,
            factors=Factors(
                hypothesis=self.differences.hypothesis[i],
                error=rows,
                df_hypothesis=1,
                df_error=int(self.differences.df[i]),
            ),
            error=triangle(rows, self.noise),
        )

    def dropped(self, i: int) -> tuple[Dependency, ...]:
        """Return the metrics that pair i is tested without."""
        if self.comparison.kept[i].all() or self.reason(i):
            return ()
        return self.space(i).dropped

    def reason(self, i: int) -> str:
        """Return why pair i could not be tested, or nothing if it was."""
        if not np.isnan(self.comparison.p_value[i]):
            return ""
        few = self.too_few(i)
        if few:
            return few
        if self.comparison.total[i] == 0:
            return NOTHING
        return self.space(i).refusal or (
            f"the two covariance matrices have "
            f"{degrees_of_freedom(float(self.comparison.df[i]))} together, too few for "
            f"{counted(int(self.comparison.rank[i]), 'metric')}"
        )

    def too_few(self, i: int) -> str:
        """Return the note on a pair with too few scores for any covariance."""
        n, m = (int(count[i]) for count in self.counts)
        if self.method == "paired" and n < 2:
            common = counted(n, "common block")
            return f"the two algorithms have {common}; two at least are needed"
        least = {"two-sample": 1, "two-sample-unequal": 2}.get(self.method, 0)
        if min(n, m) < least or n + m < 3:
            return (
                f"the two algorithms have {n} and {m} scores, too few to "
                f"estimate a covariance matrix"
            )
        return ""

    def labels(self) -> dict[str, NDArray[np.object_]]:
        """Return the names of each pair as columns of a table."""
        names = np.array(self.algorithms, dtype=object)
        return {"algorithm_1": names[self.first], "algorithm_2": names[self.second]}

    def per_pair(self, values: Floats) -> pd.DataFrame:
        """Return numbers (m, p) with one row per pair and one column per metric."""
        rows = pd.MultiIndex.from_frame(pd.DataFrame(self.labels()))
        return pd.DataFrame(values, rows, list(self.names))

    def r_arguments(self) -> dict[str, Any]:
        """Return the data that R needs: one row per cell, the pairs, their metrics."""
        tested = ~np.isnan(self.comparison.p_value)
        used = np.unique(np.concatenate([self.first, self.second]))
        rows, at = np.nonzero(self.present)
        here = np.isin(at, used)
        rows, at = rows[here], at[here]
        names = list(self.names)
        return {
            "y": pd.DataFrame(
                self.values[rows, at], [self.blocks[i] for i in rows], names
            ),
            "algorithm": [self.algorithms[j] for j in at],
            "dataset": [self.datasets[i] for i in rows] if self.datasets else [],
            "first": [self.algorithms[j] for j in self.first],
            "second": [self.algorithms[j] for j in self.second],
            "kept": pd.DataFrame(
                (self.comparison.kept & tested[:, None]).astype(float),
                [str(i + 1) for i in range(len(tested))],
                names,
            ),
            "method": self.method,
        }


def mean_vectors(
    scores: Scores,
    metrics: Sequence[str] | None,
    method: VectorMethod,
    first: Ints,
    second: Ints,
) -> VectorPairs:
    """Compare the mean vectors of pairs of algorithms.

    Raises
    ------
    DesignError
        With ``contrast``, as `block_design`.
    InputError
        For metrics that are unknown or named twice, or an unknown method.
    """
    require(scores, Scores)
    chosen = chosen_metrics(scores, metrics)
    values = np.stack([scores.column(m.name) for m in chosen], axis=-1)
    present = np.asarray(~np.isnan(values).any(axis=-1))
    if not present.any():
        raise InputError(
            f"no cell has a score in all of {', '.join(m.name for m in chosen)}"
        )
    scaled, units, noise = in_units(values, present)
    datasets = None
    rebased: Callable[[NDArray[np.bool_], Floats], VectorDifferences]
    if method == "contrast":
        design = block_design(scores, metrics=[m.name for m in chosen])
        datasets = scores.datasets if design.datasets is not None else None
        differences = _contrasts(design, scaled, first, second)
        rebased = RebasedContrasts(design, values / units, first, second)
    else:
        whole, _ = kernel.filled(scaled)
        differences = kernel.differences(whole, present, first, second, method)
        rebased = kernel.Rebased(values / units, first, second, method)
    return VectorPairs(
        method=method,
        metrics=chosen,
        values=values,
        present=present,
        units=units,
        noise=noise,
        first=first,
        second=second,
        differences=differences,
        comparison=kernel.compare(differences, noise, rebased),
        algorithms=scores.algorithms,
        blocks=scores.blocks,
        datasets=datasets,
    )


def _contrasts(
    design: BlockDesign, values: Floats, first: Ints, second: Ints
) -> VectorDifferences:
    """Return differences of adjusted means with the residuals of the model."""
    means = design.means(values)
    return VectorDifferences(
        mean=means[first] - means[second],
        residuals=design.factors(values).error[None],
        variance=design.pair_variances[first, second],
        df=np.full(len(first), float(design.df_error)),
    )


@dataclass(frozen=True, eq=False)
class RebasedContrasts:
    """Makes contrasts again in another basis of the metrics; see `kernel.Rebased`."""

    design: BlockDesign
    values: Floats
    first: Ints
    second: Ints

    def __call__(self, hard: NDArray[np.bool_], basis: Floats) -> VectorDifferences:
        """Return all differences, shape (m, 1, p): all share their error."""
        b, a, p = self.values.shape
        moved = double_double.product(self.values.reshape(b * a, p), basis[0])
        differences = _contrasts(
            self.design, moved.reshape(b, a, p), self.first[hard], self.second[hard]
        )
        return VectorDifferences(
            mean=differences.mean[:, None],
            residuals=differences.residuals[None],
            variance=differences.variance[:, None],
            df=differences.df[:, None],
        )


def check_method(method: str, *, contrast: bool) -> None:
    """Reject an unknown method."""
    known = [m for m in get_args(VectorMethod) if contrast or m != "contrast"]
    check_word("method", method, known)
