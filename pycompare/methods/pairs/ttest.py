"""Paired t test of two algorithms, and its correction for overlapping training sets."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from pycompare.base.arguments import check_level
from pycompare.base.checked import checked
from pycompare.base.hypotheses import MEANS
from pycompare.base.interop.r_call import RCall
from pycompare.base.tables import Columns
from pycompare.base.typing import Floats
from pycompare.data.blocks import refuse_clusters_of_blocks
from pycompare.data.scores import Scores
from pycompare.kernels import student
from pycompare.kernels.units import binary_unit, exact_sums
from pycompare.methods.pairs.common import (
    NO_DIFFERENCE,
    Alternative,
    PairedTest,
    check_alternative,
    differences,
    pair_fields,
    pair_of_blocks,
)
from pycompare.methods.pairs.overlap import overlap_term, ratio_of_sizes
from pycompare.results.result import Estimate

if TYPE_CHECKING:
    pass


PAIRED = (
    "Student (1908) Biometrika 6, 1-25; Yildiz, Aslan & Alpaydin (2011) LION 5, eq. 1"
)
_FISHER = "Fisher (1935) The Design of Experiments, sec. 21"
CORRECTED = (
    "Nadeau & Bengio (2003) Machine Learning 52, 239-281; Bouckaert & Frank (2004) "
    "PAKDD, 3-12"
)
CONSTANT = (
    "all blocks have the same difference, so its variance is zero and t infinite; the "
    "p-value is that of all changes of sign of the differences"
)
CONSTANT_CORRECTED = (
    "all blocks have the same difference, so its variance is zero: its mean is an "
    "estimate without a test, because changes of sign of folds that share training "
    "data have no error rate"
)
_OF_SIGNS = "Exact test of sign changes"
_SIGN_CHANGES = f"{_OF_SIGNS}, t being infinite"
_DEPENDENT = (
    "if blocks are folds of one data set they share training cases, which makes an "
    "uncorrected t reject too often: for cross-validation give n_train and n_test"
)


ROUNDING = 8 * np.finfo(float).eps
"""How far equal differences may lie from their mean, relative to the largest score.

What rounding of the last digit can explain, and no more: the same as ``fit.NOISE``
allows the residuals of an analysis of variance, which are half of it for two.
"""


@dataclass(frozen=True, kw_only=True, eq=False)
class PairedTResult(PairedTest):
    """Paired t test with its effect size.

    Attributes
    ----------
    std_error : float
        Standard error of the mean difference, after the correction if there is one.
    effect : Estimate
        Cohen's d_z, the mean difference over the standard deviation of differences,
        with its two-sided interval.
    n_train, n_test : float or None
        Sizes behind the correction; None for the ordinary test.
    overlap : float
        Factor c of n_test/n_train in the variance; 1 as published.
    """

    std_error: float
    effect: Estimate
    n_train: float | None
    n_test: float | None
    overlap: float

    hypotheses = MEANS

    r_paths: ClassVar[Mapping[str, str]] = {
        "effect_low": "effect/conf_low",
        "effect_high": "effect/conf_high",
    }

    @property
    def basis(self) -> str:
        """Where the p-values come from, as the ledger of guarantees names it."""
        return "two/paired-t" if self.n_train is None else "two/corrected-t"

    def as_columns(self) -> Columns:
        """Return one row: the test, the difference, and Cohen's d_z."""
        return (
            super()
            .as_columns()
            .but(std_error=self.std_error, effect=self.effect.estimate)
            .but(effect_low=self.effect.conf_low, effect_high=self.effect.conf_high)
        )

    def r_call(self) -> RCall:
        """Return the call of ``t.test``, or of the formula of the correction."""
        arguments = {
            **self.r_arguments(),
            "rho": ratio_of_sizes(self.n_train, self.n_test),
            "overlap": self.overlap,
        }
        return RCall(("ranks", "paired", "paired_t"), "paired_t_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return the test, the difference, and Cohen's d_z."""
        return {
            **PairedTest.r_values(self),
            "df": self.df,
            "std_error": self.std_error,
            "effect": self.effect.estimate,
            "effect_low": self.effect.conf_low,
            "effect_high": self.effect.conf_high,
        }


@dataclass(frozen=True)
class Mean:
    """Mean difference with its standard error.

    ``rho`` is c n_test / n_train of the correction, 0 without one.
    """

    n: int
    mean: float
    sd: float
    rho: float

    @property
    def df(self) -> float:
        """Degrees of freedom."""
        return self.n - 1.0

    @property
    def units(self) -> float:
        """How much wider than one difference the mean is spread: 1/n + rho."""
        return 1 / self.n + self.rho

    @property
    def std_error(self) -> float:
        """Standard error of the mean."""
        return self.sd * math.sqrt(self.units)

    def t(self, value: float = 0.0) -> float:
        """Return the t statistic against a value; infinite if the spread is 0."""
        distance = self.mean - value
        if self.sd == 0:
            return math.nan if distance == 0 else math.copysign(math.inf, distance)
        return distance / self.std_error

    def bound(self, tail: float) -> float:
        """Return how far a confidence limit with that tail lies from the mean."""
        return student.isf(tail, self.df) * self.std_error


def mean_of(d: Floats, noise: Floats, rho: float = 0.0) -> Mean:
    """Return mean and standard deviation of differences; 0 if only rounding is."""
    mean, sd = moments(d[None], noise[None])
    return Mean(len(d), mean.item(), sd.item(), rho)


def moments(d: Floats, noise: Floats) -> tuple[Floats, Floats]:
    """Return the mean and the standard deviation of each row, of two values or more.

    Sums are exact, so that the order of values does not matter. A row whose values
    differ by rounding alone has the standard deviation 0; a mean that is rounding
    alone is 0.
    """
    n = d.shape[1]
    unit = binary_unit(d, axis=1)
    x = d / unit
    mean = exact_sums(x) / n
    rest = x - mean[:, None]
    squares = exact_sums(rest * rest)
    # What rounding of the mean leaves: below this it takes no digit off the squares.
    left = exact_sums(rest, np.sqrt(n * squares) * 2.0**-30)
    sd = np.sqrt((squares - left**2 / n) / (n - 1))
    unit = unit[:, 0]
    width = ROUNDING * np.max(noise, axis=1) / unit
    sd[np.max(np.abs(rest), axis=1) <= width] = 0.0
    mean[np.abs(mean) <= width] = 0.0
    return mean * unit, sd * unit


@checked
def paired_t(
    scores: Scores,
    *,
    metric: str | None = None,
    algorithms: Sequence[str] | None = None,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
    n_train: float | None = None,
    n_test: float | None = None,
    overlap: float = 1.0,
) -> PairedTResult:
    """Compare two algorithms by the paired or the corrected resampled t test.

    Parameters
    ----------
    scores : Scores
        At least two blocks. The two algorithms have no missing cell.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    algorithms : pair of str, optional
        Algorithm_1 and algorithm_2; needed if there are more than two.
    alternative : {"two-sided", "greater", "less"}
        ``greater``: the mean of algorithm_1 minus algorithm_2 is above 0, in the
        metric's own unit. With an error rate that means that algorithm_1 is worse.
    level : float
        Confidence level of the intervals.
    n_train, n_test : float, optional
        Sizes of each training and test set, both or neither. They ask for the
        corrected resampled t test: the variance of the mean is (1/n + n_test/n_train)
        s^2, n the number of blocks. With k-fold cross-validation n_test/n_train is
        1/(k - 1); repeated cross-validation has all r k folds as blocks.
    overlap : float, default 1
        Factor c in the variance (1/n + c n_test/n_train) s^2, positive. 1 is Nadeau and
        Bengio's, which rejects too often: up to 0.27 of true nulls at 0.05 in ten
        times 10-fold cross-validation of real learners. ``pc.compare`` takes larger
        ones (2.25 there; see ``pc.Plan``).

    Returns
    -------
    PairedTResult

    Raises
    ------
    DesignError
        If there are more than two algorithms and none is named, or cells are missing.
    InputError
        For an unknown name or word, only one of n_train and n_test, or an ``overlap``
        that is not positive or has no sizes.

    Notes
    -----
    Equations 2.1, 2.2 of docs/equations.md.

    R: ``t.test(x[, 1], x[, 2], paired = TRUE)``. Yildiz et al. (2011) print s_d below
    its equation 1 without the square root (erratum).

    The interval of Cohen's d_z inverts the noncentral t distribution of the statistic,
    and is two-sided whatever the alternative. Differences that are all the same up to
    rounding have zero variance: t is infinite, and the p-value that of the
    randomisation test, 2^(1 - n) two-sided. With sizes of training and test sets there
    is no p-value then: changes of sign of dependent folds have no error rate. If all
    differences are 0 nothing can be tested.

    References
    ----------
    .. [1] Aslan, O. (2009). M.Sc. thesis, Bogazici University, 3.1.
    .. [2] Nadeau, C., Bengio, Y. (2003). Machine Learning 52, 239-281.
    .. [3] Bouckaert, R. R., Frank, E. (2004). PAKDD 2004, 3-12.
    .. [4] Steiger, J. H., Fouladi, R. T. (1997). What if there were no significance
       tests?, 221-257.

    Examples
    --------
    >>> import pycompare as pc
    >>> folds = pc.example("folds").select(algorithms=["QDA", "LDA"])
    >>> test = pc.paired_t(folds, metric="error", n_train=216, n_test=24)
    >>> print(f"t = {test.statistic:.2f}, p = {test.p_value:.3f}")
    t = -2.52, p = 0.017
    """
    check_alternative(alternative)
    check_level(level)
    rho = overlap_term(n_train, n_test, overlap)
    refuse_clusters_of_blocks(scores, "paired_t")
    blocks = pair_of_blocks(scores, metric, algorithms, method="paired_t")
    mean = mean_of(*differences(blocks), rho)
    p, source, notes = p_of(mean, alternative)
    low, high = limits(mean, alternative, level)
    return PairedTResult(
        **pair_fields(blocks),
        name=f"{_title(mean)}, {blocks.algorithms[0]} minus {blocks.algorithms[1]}",
        short=_short_title(mean),
        statistic_name="t",
        statistic=mean.t(),
        df=mean.df,
        p_value=p,
        p_source=source,
        reference=_reference_of(mean),
        notes=notes if rho else (*notes, _DEPENDENT),
        alternative=alternative,
        estimate_name=f"mean difference of {blocks.metric.name}",
        estimate=mean.mean,
        conf_low=low,
        conf_high=high,
        level=level,
        std_error=mean.std_error,
        effect=_cohen_dz(mean, level),
        n_train=n_train,
        n_test=n_test,
        overlap=float(overlap),
    )


def _title(mean: Mean) -> str:
    """Return the name of the test that gives the p-value."""
    if math.isinf(mean.t()) and not mean.rho:
        return _SIGN_CHANGES
    return _short_title(mean)


def _short_title(mean: Mean) -> str:
    """Return the name alone."""
    if math.isinf(mean.t()) and not mean.rho:
        return _OF_SIGNS
    return "Corrected resampled t test" if mean.rho else "Paired t test"


def _reference_of(mean: Mean) -> str:
    """Return the source of the test that gives the p-value."""
    if math.isinf(mean.t()) and not mean.rho:
        return _FISHER
    return CORRECTED if mean.rho else PAIRED


def p_of(mean: Mean, alternative: str) -> tuple[float, str, tuple[str, ...]]:
    """Return the p-value of a mean, where it comes from, and what to note about it."""
    t = mean.t()
    if math.isnan(t):
        return math.nan, "none", (NO_DIFFERENCE,)
    if math.isinf(t) and mean.rho:
        return math.nan, "none", (CONSTANT_CORRECTED,)
    if math.isinf(t):
        return signs_p(mean.n, t > 0, alternative), "exact", (CONSTANT,)
    return t_tail(t, mean.df, alternative), "t", ()


def t_tail(t: float, df: float, alternative: str) -> float:
    """Return the p-value of a t statistic."""
    if alternative == "two-sided":
        return 2 * float(student.sf(abs(t), df))
    return float(student.sf(t if alternative == "greater" else -t, df))


def signs_p(n: int, positive: bool, alternative: str) -> float:
    """Return the p-value of n equal differences among all changes of their signs."""
    if alternative == "two-sided":
        return math.ldexp(1.0, 1 - n)
    return math.ldexp(1.0, -n) if positive == (alternative == "greater") else 1.0


def limits(mean: Mean, alternative: str, level: float) -> tuple[float, float]:
    """Return the confidence limits of the mean, NaN without a variance."""
    if mean.sd == 0:
        return math.nan, math.nan
    if alternative == "two-sided":
        half = mean.bound((1 - level) / 2)
        return mean.mean - half, mean.mean + half
    half = mean.bound(1 - level)
    if alternative == "greater":
        return mean.mean - half, math.inf
    return -math.inf, mean.mean + half


def _cohen_dz(mean: Mean, level: float) -> Estimate:
    """Return the mean over the standard deviation, with the noncentral t's interval."""
    low = high = math.nan
    notes: tuple[str, ...] = ()
    if mean.sd == 0:
        estimate = mean.t()
        notes = ("the differences have no variance, so there is no interval",)
    else:
        estimate = mean.mean / mean.sd
        shifts = student.noncentrality_interval(mean.t(), mean.df, level)
        low, high = (shift * math.sqrt(mean.units) for shift in shifts)
    return Estimate(
        name="Cohen's d_z",
        estimate=estimate,
        conf_low=low,
        conf_high=high,
        level=level,
        method="noncentral t distribution, two-sided",
        notes=notes,
    )
