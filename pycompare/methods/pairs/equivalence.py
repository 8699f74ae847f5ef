"""Equivalence and non-inferiority of two algorithms by one-sided paired t tests."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from pycompare.base.arguments import check_alpha, check_word, numbers
from pycompare.base.checked import checked
from pycompare.base.errors import DesignError, InputError, setting
from pycompare.base.hypotheses import MARGIN
from pycompare.base.interop.r_call import RCall
from pycompare.base.tables import Columns, stacked
from pycompare.base.typing import Floats, Hypothesis
from pycompare.data.blocks import refuse_clusters_of_blocks
from pycompare.data.scores import Scores
from pycompare.kernels.matched_pairs import least_units
from pycompare.kernels.new_answers import right_or_wrong
from pycompare.methods.pairs.common import (
    Alternative,
    PairedTest,
    differences,
    pair_fields,
    pair_of_blocks,
)
from pycompare.methods.pairs.overlap import overlap_term, ratio_of_sizes
from pycompare.methods.pairs.ttest import Mean, limits, mean_of, t_tail
from pycompare.results.result import Test

if TYPE_CHECKING:
    pass


MarginKind = Literal["equivalence", "non-inferiority"]


def wrong_hypothesis(
    hypothesis: object, margin: object, control: str | None
) -> str | None:
    """Return why a hypothesis does not go with its margin and control, or None.

    No margin has a default hypothesis: the one-sided test of a drug that may be no
    worse and the two-sided one of two that shall be alike differ in level and claim.
    """
    if hypothesis is None:
        if margin is None:
            return None
        return (
            setting("margin", margin)
            + " needs its hypothesis: give "
            + setting("hypothesis", "non-inferiority")
            + " (no algorithm is worse than the control by the margin or more) or "
            + setting("hypothesis", "equivalence")
            + " (differences lie within the margin both ways)"
        )
    given, known = setting("hypothesis", hypothesis), get_args(Hypothesis)
    if hypothesis not in known:
        return given + f": choose {' or '.join(map(repr, known))}"
    if hypothesis == "superiority":
        if margin is None:
            return None
        return given + (
            " has no margin: leave it out, or choose non-inferiority or equivalence"
        )
    if margin is None:
        return given + " needs a margin: give " + setting("margin")
    if hypothesis == "non-inferiority" and control is None:
        return given + ": name the control (" + setting("control") + ")"
    return None


REFERENCE = "Schuirmann (1987) J. Pharmacokin. Biopharm. 15, 657-680"
CORRECTED = f"{REFERENCE}; Nadeau & Bengio (2003) Machine Learning 52, 239-281"
_CONSTANT = (
    "all differences are equal, so they have no variance and there is no p-value "
    "against a margin"
)
_LARGEST_ERROR = (
    "right/wrong scores: if answers differ rarely this t test has claimed falsely "
    "up to 0.14 of the time at a nominal 0.025, 0.18 at 0.05"
)
"""Of the t test against a margin, from the smallest size on (tests/methods/pairs)."""


@dataclass(frozen=True, kw_only=True, eq=False)
class EquivalenceResult(PairedTest):
    """Two one-sided t tests, or the one of non-inferiority.

    The interval has level 1 - 2 alpha for equivalence, one-sided 1 - alpha for
    non-inferiority; it lies within the margins just when ``p_value <= alpha``.

    Attributes
    ----------
    kind : {"equivalence", "non-inferiority"}
    margin_low, margin_high : float
        Bounds of the mean difference; infinite if there is none.
    alpha : float
    lower, upper : Test or None
        The tests that the mean difference is above ``margin_low``, below
        ``margin_high``; None for an infinite margin.
    std_error : float
    n_train, n_test : float or None
        Sizes behind the correction for overlapping training sets.
    overlap : float
        Factor c of n_test/n_train in the variance; 1 as published.
    """

    kind: MarginKind
    margin_low: float
    margin_high: float
    alpha: float
    lower: Test | None
    upper: Test | None
    std_error: float
    n_train: float | None
    n_test: float | None
    overlap: float

    hypotheses = MARGIN

    @property
    def caution(self) -> str:
        """Conditions that a claim must state besides its level; may be empty."""
        return caution_of(self.blocks.values)

    @property
    def basis(self) -> str:
        """Where the p-values come from, as the ledger of guarantees names it."""
        return "margins/t" if self.n_train is None else "margins/corrected-t"

    @property
    def tests(self) -> str:
        """The name of the tests."""
        return "t" if self.n_train is None else "corrected resampled t"

    @property
    def shown(self) -> bool:
        """Whether equivalence or non-inferiority is shown at ``alpha``."""
        return self.rejected(self.alpha)

    def as_columns(self) -> Columns:
        """Return one row for the whole, then one per one-sided test."""
        whole = (
            super()
            .as_columns()
            .but(
                margin_low=self.margin_low,
                margin_high=self.margin_high,
                std_error=self.std_error,
            )
        )
        parts = [part.as_columns() for part in (self.lower, self.upper) if part]
        return stacked([whole, *parts])

    def r_call(self) -> RCall:
        """Return the calls of ``t.test`` against the margins."""
        arguments = {
            "x": self.blocks.r_arguments()["x"],
            "margin_low": self.margin_low,
            "margin_high": self.margin_high,
            "alpha": self.alpha,
            "rho": ratio_of_sizes(self.n_train, self.n_test),
            "overlap": self.overlap,
        }
        files = ("ranks", "paired", "paired_t", "equivalence")
        return RCall(files, "equivalence_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return each one-sided test, and the mean with its interval."""
        values = {
            "statistic": self.statistic,
            "df": self.df,
            "p_value": self.p_value,
            "estimate": self.estimate,
            "conf_low": self.conf_low,
            "conf_high": self.conf_high,
            "std_error": self.std_error,
        }
        for name, part in (("lower", self.lower), ("upper", self.upper)):
            if part is not None:
                values[f"{name}_statistic"] = part.statistic
                values[f"{name}_df"] = part.df
                values[f"{name}_p_value"] = part.p_value
        return values


@checked
def equivalence(
    scores: Scores,
    *,
    margin: float | tuple[float, float],
    kind: MarginKind = "equivalence",
    metric: str | None = None,
    algorithms: Sequence[str] | None = None,
    alpha: float | None = None,
    n_train: float | None = None,
    n_test: float | None = None,
    overlap: float = 1.0,
) -> EquivalenceResult:
    """Test two algorithms for equivalence or non-inferiority by paired t tests.

    Parameters
    ----------
    scores : Scores
        At least two blocks. The two algorithms have no missing cell.
    margin : float or (low, high)
        In the metric's own unit, chosen before the data are seen. One positive number
        m means -m to m.
    kind : {"equivalence", "non-inferiority"}
        ``equivalence``: the mean of algorithm_1 minus algorithm_2 lies between both
        margins. ``non-inferiority``: algorithm_1 is not worse than algorithm_2 by the
        margin (one number) or more, worse in the metric's direction.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    algorithms : pair of str, optional
        Algorithm_1 and algorithm_2; needed if there are more than two.
    alpha : float, optional
        Error rate of each one-sided test. Default 0.05 for equivalence, whose interval
        has level 1 - 2 alpha; 0.025 for non-inferiority, as regulators expect, whose
        one-sided interval has level 1 - alpha.
    n_train, n_test : float, optional
        Sizes that ask for the corrected resampled t, as in ``paired_t``.
    overlap : float, default 1
        Factor c of n_test/n_train in the variance, as in ``paired_t``.

    Returns
    -------
    EquivalenceResult
        ``p_value`` is the larger one of both tests, ``statistic`` its t.

    Raises
    ------
    DesignError
        If there are more than two algorithms and none is named, or cells are missing.
        If all scores are 0 or 1 and blocks are fewer than ln(alpha) / ln(1 - margin):
        two algorithms that answer alike then pass no valid test.
    InputError
        For margins that do not lie on both sides of 0, or an unknown name or word.

    Notes
    -----
    Equation 2.8 of docs/equations.md.

    R: ``t.test(d, mu = low, alternative = "greater")`` and ``t.test(d, mu = high,
    alternative = "less")``. Differences that are all equal have no variance, and no
    p-value against a margin: it is NaN, and nothing is shown. For scores of 0 and 1
    ``notes`` have the largest error of this t test that enumeration has found.

    References
    ----------
    .. [1] Schuirmann, D. J. (1987). J. Pharmacokinetics and Biopharmaceutics 15,
       657-680.
    .. [2] ICH (1998). E9 Statistical Principles for Clinical Trials, sec. 5.5.

    Examples
    --------
    >>> import pycompare as pc
    >>> test = pc.equivalence(
    ...     pc.example(), margin=0.05, algorithms=("C4.5", "NaiveBayes")
    ... )
    >>> print(f"p = {test.p_value:.3f}")
    p = 0.053
    >>> print(f"90% CI [{test.conf_low:.3f}, {test.conf_high:.3f}]")
    90% CI [-0.004, 0.051]
    """
    alpha = default_alpha(kind) if alpha is None else alpha
    check_alpha(alpha)
    check_word("kind", kind, get_args(MarginKind))
    if kind == "equivalence" and alpha >= 0.5:
        raise InputError(
            setting("alpha", alpha) + ": the interval of level 1 - 2 alpha is empty"
        )
    rho = overlap_term(n_train, n_test, overlap)
    refuse_clusters_of_blocks(
        scores, "equivalence", "matched_shares or bounded_means over cases"
    )
    blocks = pair_of_blocks(scores, metric, algorithms, method="equivalence")
    low, high = margins_of(margin, kind, blocks.metric.better)
    answers = _is_right_or_wrong(blocks.values)
    if answers:
        nearest = min(abs(low), abs(high))
        if told := too_few_units(len(blocks.values), nearest, alpha):
            raise DesignError(told)
    mean = mean_of(*differences(blocks), rho)
    lower = None if math.isinf(low) else _one_sided(mean, low, "greater")
    upper = None if math.isinf(high) else _one_sided(mean, high, "less")
    decisive = _larger([part for part in (lower, upper) if part is not None])
    sided = interval_side(low, high)
    level = 1 - 2 * alpha if sided == "two-sided" else 1 - alpha
    conf_low, conf_high = limits(mean, sided, level)
    first, second = blocks.algorithms
    return EquivalenceResult(
        **pair_fields(blocks),
        short=f"{kind.capitalize()} of {first} and {second}",
        name=f"{kind.capitalize()} of {first} and {second}, "
        f"{'corrected resampled t' if rho else 'paired t'}",
        statistic_name="t",
        statistic=decisive.statistic,
        df=mean.df,
        p_value=decisive.p_value,
        p_source=decisive.p_source,
        reference=CORRECTED if rho else REFERENCE,
        notes=decisive.notes or (_LARGEST_ERROR,) * answers,
        alternative=sided,
        estimate_name=f"mean difference of {blocks.metric.name}",
        estimate=mean.mean,
        conf_low=conf_low,
        conf_high=conf_high,
        level=level,
        kind=kind,
        margin_low=low,
        margin_high=high,
        alpha=alpha,
        lower=lower,
        upper=upper,
        std_error=mean.std_error,
        n_train=n_train,
        n_test=n_test,
        overlap=float(overlap),
    )


def _is_right_or_wrong(values: Floats) -> bool:
    """Return whether all scores are 0 or 1, or 0 and -1 if less is better."""
    return right_or_wrong(values) or right_or_wrong(-values)


def caution_of(values: Floats) -> str:
    """Return the largest error found of the t test of such scores; empty if none."""
    return _LARGEST_ERROR if _is_right_or_wrong(values) else ""


def too_few_units(n: int, margin: float, alpha: float) -> str | None:
    """Note that so few right/wrong units cannot show a margin; None if they can."""
    least = least_units(margin, alpha)
    if n >= least:
        return None
    return (
        setting("margin", margin)
        + f": {n} right/wrong units are too few for a one-sided error of {alpha:.3g}: "
        f"if both algorithms answer all {n} alike, no valid test can show that they "
        f"are within this margin; that takes {least} units"
    )


def default_alpha(kind: MarginKind, two_sided: float = 0.05) -> float:
    """Return the error rate of a one-sided test, if two-sided ones have this.

    Half of it for a single one-sided test, which goes with the two-sided interval (ICH
    E9, sec. 5.5); the whole of it for each of the two tests of equivalence.
    """
    return two_sided if kind == "equivalence" else two_sided / 2


def margins_of(
    margin: float | tuple[float, float], kind: MarginKind, better: str
) -> tuple[float, float]:
    """Return the bounds of the mean difference, infinite if there is none."""
    given = numbers(margin, setting("margin"))
    if kind == "non-inferiority":
        if given.shape != () or not 0 < given < math.inf:
            raise InputError(
                setting("margin", margin)
                + ": give one positive number for non-inferiority"
            )
        size = float(given)
        return (-size, math.inf) if better == "higher" else (-math.inf, size)
    if given.shape == ():
        given = np.array([-given, given])
    if given.shape != (2,) or not -math.inf < given[0] < 0 < given[1] < math.inf:
        raise InputError(
            setting("margin", margin)
            + ": give one positive number, or a negative and a "
            "positive one"
        )
    return float(given[0]), float(given[1])


def ratio_margins_of(
    margin: float | tuple[float, float], kind: MarginKind, better: str
) -> tuple[float, float]:
    """Return the bounds of a ratio, infinite if there is none.

    One number m means 1/(1 + m) to 1 + m: either of two algorithms may be the worse one
    by the share m.
    """
    given = numbers(margin, setting("margin"))
    if given.shape == () and 0 < given < math.inf:
        largest = 1 + float(given)
        if kind == "equivalence":
            return 1 / largest, largest
        return (1 / largest, math.inf) if better == "higher" else (-math.inf, largest)
    both = given.shape == (2,) and kind == "equivalence"
    if not both or not 0 < given[0] < 1 < given[1] < math.inf:
        raise InputError(
            setting("margin", margin)
            + ": with "
            + setting("scale", "ratio")
            + " give one positive number (0.02 is 2 %)"
            + ", or two ratios, below and above 1" * (kind == "equivalence")
        )
    return float(given[0]), float(given[1])


def interval_side(low: float, high: float) -> Alternative:
    """Return the alternative whose interval is to lie within the margins."""
    if math.isinf(high):
        return "greater"
    return "less" if math.isinf(low) else "two-sided"


def _one_sided(mean: Mean, value: float, alternative: Alternative) -> Test:
    """Return the test that the mean is above or below a value."""
    constant = mean.sd == 0
    t = math.nan if constant else mean.t(value)
    word = "above" if alternative == "greater" else "below"
    return Test(
        name=f"mean difference {word} {value:g}",
        statistic_name="t",
        statistic=t,
        df=mean.df,
        p_value=math.nan if constant else t_tail(t, mean.df, alternative),
        p_source="none" if constant else "t",
        reference=REFERENCE,
        notes=(_CONSTANT,) if constant else (),
    )


def _larger(tests: list[Test]) -> Test:
    """Return the test with the larger p-value; one that could not be made counts."""
    return max(tests, key=lambda t: math.inf if math.isnan(t.p_value) else t.p_value)
