"""Equivalence and non-inferiority of several algorithms, adjusted over the pairs."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from pycompare.base.arguments import check_alpha
from pycompare.base.checked import checked
from pycompare.base.hypotheses import MARGIN
from pycompare.base.interop.r_call import RCall
from pycompare.base.typing import Floats
from pycompare.data.blocks import ranked_blocks, refuse_clusters_of_blocks
from pycompare.data.scores import Scores
from pycompare.methods.pairs.agreeing_margins import (
    AgreeingBlockMargins,
    TMargins,
    decided_side,
    unadjusted_fields,
)
from pycompare.methods.pairs.common import family_pairs, named_pairs
from pycompare.methods.pairs.equivalence import (
    CORRECTED,
    REFERENCE,
    MarginKind,
    caution_of,
    default_alpha,
    equivalence,
)
from pycompare.methods.pairs.margin_pairs import require_order
from pycompare.methods.pairs.overlap import ratio_of_sizes
from pycompare.results.adjust import family_adjustment
from pycompare.results.result import Test

_OF_GRADED = (
    "graded scores: if whole losses are rare this t test has claimed falsely up to "
    "0.36 of the time at a nominal 0.025 (50 cases, margin 0.02 of the range), 0.09 "
    "with 200 cases; with a declared range (plan key range) the bounded test needs no "
    "such condition"
)
"""Of the t test of cases; tests/designs/test_margins.py simulates the law."""


@dataclass(frozen=True, kw_only=True, eq=False)
class EquivalencePairsResult(TMargins, AgreeingBlockMargins):
    """Tests against a margin by paired t; see ``MarginPairsResult``.

    The table has ``p_lower`` and ``p_upper`` besides: the p-values that the mean
    difference is above ``margin_low``, below ``margin_high``.

    Attributes
    ----------
    level : float
        Confidence level of each interval by itself: 1 - 2 a for equivalence, one-sided
        1 - a for non-inferiority, with a the raw p-value up to which pairs are shown.
    n_train, n_test : float or None
        Sizes behind the correction for overlapping training sets.
    overlap : float
        Factor c of n_test/n_train in the variance; 1 as published.
    """

    n_train: float | None
    n_test: float | None
    overlap: float
    of_cases: bool = field(default=False, repr=False, metadata={"export": False})

    @property
    def basis(self) -> str:
        """Where the p-values come from, as the ledger of guarantees names it."""
        return "margins/t" if self.n_train is None else "margins/corrected-t"

    @property
    def caution(self) -> str:
        """Conditions that a claim must state besides its level; may be empty."""
        return caution_of(self.blocks.values) or _OF_GRADED * self.of_cases

    @property
    def tests(self) -> str:
        """The name of the tests."""
        return "t" if self.n_train is None else "corrected resampled t"

    @property
    def method(self) -> str:
        """The tests of one pair."""
        corrected = "" if self.n_train is None else "corrected resampled "
        kind = self.kind.capitalize()
        return f"{kind} by {self.sides} {corrected}paired t tests"

    def r_call(self) -> RCall:
        """Return the calls of ``t.test`` against the margins, pair by pair."""
        arguments = {
            **self.r_arguments(),
            "rho": ratio_of_sizes(self.n_train, self.n_test),
            "overlap": self.overlap,
        }
        files = ("ranks", "paired", "paired_t", "adjust", "equivalence")
        return RCall(
            (*files, "signed_rank_pairs", "matched_shares", "equivalence_pairs"),
            "equivalence_pairs_reference",
            arguments,
        )


@checked
def equivalence_pairs(
    scores: Scores,
    *,
    margin: float | tuple[float, float],
    kind: MarginKind = "equivalence",
    metric: str | None = None,
    control: str | None = None,
    adjust: str = "holm",
    alpha: float | None = None,
    n_train: float | None = None,
    n_test: float | None = None,
    overlap: float = 1.0,
) -> EquivalencePairsResult:
    """Test pairs of algorithms for equivalence or non-inferiority.

    Parameters
    ----------
    scores : Scores
        At least two blocks, complete.
    margin : float or (low, high)
        In the metric's own unit, as in ``pc.equivalence``. Two numbers are for
        algorithm_1 minus algorithm_2, which only a control gives an order: all pairs
        take one number.
    kind : {"equivalence", "non-inferiority"}
        ``non-inferiority``: each other algorithm is not worse than the control by the
        margin or more; needs ``control``.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    control : str, optional
        Compare each other algorithm with this one only.
    adjust : str, default "holm"
        Any name of ``pc.adjust`` that needs no transitive hypotheses.
    alpha : float, optional
        Of the whole family of one-sided tests; default 0.05 for equivalence, 0.025 for
        non-inferiority, as in ``pc.equivalence``.
    n_train, n_test : float, optional
        Sizes that ask for the corrected resampled t, as in ``paired_t``.
    overlap : float, default 1
        Factor c of n_test/n_train in the variance, as in ``paired_t``.

    Returns
    -------
    EquivalencePairsResult
        A pair is equivalent if ``p_adjusted <= alpha``. A pair that cannot be tested
        is NaN, and counts with p = 1 in the adjustment.

    Raises
    ------
    DesignError
        If cells are missing; or if all scores are 0 or 1 and blocks are too few for
        alpha over the number of pairs, as in ``equivalence``.
    InputError
        For margins that do not lie on both sides of 0, an unknown name, an adjustment
        for transitive hypotheses (A may be equivalent to B, and B to C, and A not to
        C), or non-inferiority without a control.

    Notes
    -----
    Equation 2.8 of docs/equations.md.

    Within a pair both one-sided tests must reject, which needs no adjustment
    (intersection-union); over the pairs the larger p-values are adjusted. Intervals
    are at the level of the adjustment's last step, so that one lies within the margins
    just if its pair is shown. R:
    ``t.test(d, mu = , alternative = )`` and ``p.adjust``.

    References
    ----------
    .. [1] Schuirmann, D. J. (1987). J. Pharmacokinetics and Biopharmaceutics 15,
       657-680.
    .. [2] Berger, R. L., Hsu, J. C. (1996). Statistical Science 11, 283-319.

    Examples
    --------
    >>> import pycompare as pc
    >>> pairs = pc.equivalence_pairs(
    ...     pc.example(), margin=0.05, kind="non-inferiority", control="CN2"
    ... )
    >>> pairs.table[["algorithm_1", "p_adjusted"]].round(3)
      algorithm_1  p_adjusted
    0        C4.5       0.000
    1        1-NN       0.988
    2  NaiveBayes       0.000
    3      Kernel       0.998
    """
    alpha = default_alpha(kind) if alpha is None else alpha
    check_alpha(alpha)
    family_adjustment(adjust, MARGIN, control)
    refuse_clusters_of_blocks(
        scores, "equivalence_pairs", "matched_shares or bounded_means over cases"
    )
    adjusted: EquivalencePairsResult = margin_tests(
        scores,
        margin=margin,
        kind=kind,
        metric=metric,
        control=control,
        alpha=alpha,
        n_train=n_train,
        n_test=n_test,
        overlap=overlap,
    ).adjusted(adjust)
    return adjusted


def margin_tests(
    scores: Scores,
    *,
    margin: float | tuple[float, float],
    kind: MarginKind,
    metric: str | None,
    control: str | None,
    alpha: float,
    n_tables: int = 1,
    of_cases: bool = False,
    n_train: float | None = None,
    n_test: float | None = None,
    overlap: float = 1.0,
) -> EquivalencePairsResult:
    """Return the tests of `equivalence_pairs` without any adjustment.

    ``n_tables`` is the number of tables in the family; ``of_cases``: whether blocks are
    cases, on which one answer may lose the whole range.
    """
    blocks = ranked_blocks(scores, metric, None)
    names = blocks.algorithms
    pairs = named_pairs(names, control)
    require_order(margin, kind, control)
    tests = [
        equivalence(
            scores,
            margin=margin,
            kind=kind,
            metric=blocks.metric.name,
            algorithms=pair,
            alpha=alpha / n_tables / len(pairs),
            n_train=n_train,
            n_test=n_test,
            overlap=overlap,
        )
        for pair in pairs
    ]
    first, second = (
        [getattr(test, side) for test in tests] for side in ("lower", "upper")
    )
    columns = {
        name: np.array([getattr(test, name) for test in tests])
        for name in ("estimate", "std_error", "df")
    }
    fields = unadjusted_fields(
        blocks,
        family_pairs(names, control),
        columns | decided_side(_parts(first), _parts(second)),
        kind=kind,
        margins=(tests[0].margin_low, tests[0].margin_high),
        control=control,
        alpha=alpha,
    )
    fields["table"]["notes"] = [
        "; ".join(test.notes) if math.isnan(test.p_value) else "" for test in tests
    ]
    return EquivalencePairsResult(
        **fields,
        n_train=n_train,
        n_test=n_test,
        overlap=float(overlap),
        reference=CORRECTED if ratio_of_sizes(n_train, n_test) else REFERENCE,
        notes=(),
        of_cases=of_cases,
    )


def _parts(tests: list[Test | None]) -> tuple[Floats, Floats]:
    """Return the statistics and p-values of one-sided tests; NaN of none."""
    return tuple(  # type: ignore[return-value]
        np.array([math.nan if test is None else getattr(test, name) for test in tests])
        for name in ("statistic", "p_value")
    )
