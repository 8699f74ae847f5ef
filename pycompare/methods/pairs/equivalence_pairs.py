"""Equivalence and non-inferiority of several algorithms, adjusted over the pairs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from pycompare.base.arguments import check_alpha
from pycompare.base.checked import checked
from pycompare.base.errors import InputError
from pycompare.base.hypotheses import MARGIN, Hypotheses
from pycompare.base.interop.r_call import RCall
from pycompare.data.blocks import Blocks, ranked_blocks, refuse_clusters_of_blocks
from pycompare.data.scores import Scores
from pycompare.methods.pairs.common import Alternative, family_pairs, pairs_family
from pycompare.methods.pairs.equivalence import (
    CORRECTED,
    REFERENCE,
    EquivalenceResult,
    MarginKind,
    caution_of,
    default_alpha,
    equivalence,
)
from pycompare.methods.pairs.overlap import ratio_of_sizes
from pycompare.results.adjust import family_adjustment
from pycompare.results.family import Adjustable, Family
from pycompare.results.result import OwnLimits, Result, internal, rejected

_OF_GRADED = (
    "graded scores: if whole losses are rare this t test has claimed falsely up to "
    "0.36 of the time at a nominal 0.025 (50 cases, margin 0.02 of the range), 0.09 "
    "with 200 cases; with a declared range (plan key range) the bounded test needs no "
    "such condition"
)
"""Of the t test of cases; tests/designs/test_margins.py simulates the law."""
_COLUMNS = (
    "estimate",
    "std_error",
    "statistic",
    "df",
    "p_value",
    "p_adjusted",
    "conf_low",
    "conf_high",
)


@dataclass(frozen=True, kw_only=True, eq=False)
class MarginPairsResult(Adjustable, OwnLimits, Result):
    """Equivalence, or non-inferiority, of pairs of algorithms, by any tests.

    Rejection shows that two algorithms are alike within the margins, if that of
    ``PairsResult`` shows that they differ: no cliques or pictures of differences are
    made of these p-values.

    Attributes
    ----------
    table : DataFrame
        One row per pair: ``algorithm_1 algorithm_2 estimate std_error statistic df
        p_value p_adjusted conf_low conf_high shown notes``. ``estimate`` is the mean of
        algorithm_1 minus algorithm_2 in the metric's own unit; ``p_value`` the larger
        of both one-sided tests'; ``shown`` is ``p_adjusted <= alpha``.
    kind : {"equivalence", "non-inferiority"}
        Non-inferiority: of algorithm_1 to algorithm_2, the control.
    metric, better : str
    margin_low, margin_high : float
        Bounds of the mean difference; infinite if there is none.
    alpha : float
    hypotheses : Hypotheses
        The claim of the null hypothesis of each pair, which decides the logic among
        them.
    adjust, family : str
        Adjustment behind ``p_adjusted``, and the family, in words.
    interval : str
        How the confidence intervals are made.
    control : str or None
    decided_in : Family or None
        The family that ``p_adjusted`` is over; None: this table, unadjusted.
    limits_alpha : float
        ``alpha``, divided by the number of tables whose intervals hold together.
    """

    table: pd.DataFrame
    kind: MarginKind
    metric: str
    better: str
    margin_low: float
    margin_high: float
    alpha: float
    hypotheses: Hypotheses
    adjust: str
    family: str
    interval: str
    control: str | None
    reference: str
    decided_in: Family | None = field(
        default=None, repr=False, metadata={"export": False}
    )
    limits_alpha: float = internal()

    differences: ClassVar[str] = "mean"
    """Of what the quantity is that is held against the margin."""

    @property
    def algorithms(self) -> tuple[str, ...]:
        """All algorithms, in the order of the data."""
        raise NotImplementedError

    def following(
        self, columns: dict[str, Any], family: Family
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the columns, and the fields, that follow from adjusted p-values."""
        return {"shown": rejected(columns["p_adjusted"], self.alpha)}, {}

    @property
    def basis(self) -> str:
        """Where the p-values come from, as the ledger of guarantees names it."""
        raise NotImplementedError

    @property
    def tests(self) -> str:
        """The name of the tests: ``t``, ``corrected resampled t``."""
        raise NotImplementedError

    @property
    def method(self) -> str:
        """The tests of one pair."""
        return f"{self.kind.capitalize()} by {self.sides} {self.tests} tests"

    @property
    def caution(self) -> str:
        """Conditions that a claim must state besides its level; may be empty."""
        return ""

    @property
    def remarks(self) -> tuple[str, ...]:
        """Notes for readers of the tests, whatever they show."""
        return ()

    @property
    def intervals_agree(self) -> bool:
        """Whether an interval lies within the margins just if its pair is shown."""
        return len(self.as_columns()) == 1

    @property
    def sides(self) -> str:
        """How many tests of a pair there are."""
        return "two one-sided" if self.kind == "equivalence" else "one-sided"

    def to_frame(self) -> pd.DataFrame:
        """Return a copy of the table."""
        return self.table.copy()

    def summary(self, digits: int = 4) -> str:
        """Return the table as text, and what its claims must carry."""
        text = super().summary(digits)
        if not self.caution or not self.table["shown"].any():
            return text
        return f"{text}\n  note: {self.caution}"


@dataclass(frozen=True, kw_only=True, eq=False)
class EquivalencePairsResult(MarginPairsResult):
    """Tests against a margin by paired t; see ``MarginPairsResult``.

    Attributes
    ----------
    n_train, n_test : float or None
        Sizes behind the correction for overlapping training sets.
    overlap : float
        Factor c of n_test/n_train in the variance; 1 as published.
    """

    n_train: float | None
    n_test: float | None
    overlap: float
    blocks: Blocks = internal()
    of_cases: bool = field(default=False, repr=False, metadata={"export": False})

    @property
    def algorithms(self) -> tuple[str, ...]:
        """All algorithms, in the order of the data."""
        return self.blocks.algorithms

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
            "x": self.blocks.r_arguments()["x"],
            "margin_low": self.margin_low,
            "margin_high": self.margin_high,
            "alpha": self.limits_alpha,
            "rho": ratio_of_sizes(self.n_train, self.n_test),
            "overlap": self.overlap,
            "adjust": self.adjust if self.adjusted_here else "none",
            "control": self.control or "",
        }
        files = ("ranks", "paired", "paired_t", "adjust", "equivalence")
        return RCall(
            (*files, "equivalence_pairs"), "equivalence_pairs_reference", arguments
        )

    def r_values(self) -> dict[str, Any]:
        """Return the columns that R has."""
        elsewhere = {"statistic", "df"}
        if not self.adjusted_here:
            elsewhere.add("p_adjusted")
        names = [name for name in _COLUMNS if name not in elsewhere]
        return {name: self.table[name].to_numpy(float) for name in names}


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
        non-inferiority, as in ``pc.equivalence``. Intervals hold together (Bonferroni):
        over m pairs each has level 1 - 2 alpha/m, one-sided 1 - alpha/m for
        non-inferiority.
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
    (intersection-union); over the pairs the larger p-values are adjusted. R:
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

    ``n_tables`` is the number of tables whose intervals hold together; ``of_cases``:
    whether blocks are cases, on which one answer may lose the whole range.
    """
    blocks = ranked_blocks(scores, metric, None)
    names = blocks.algorithms
    pairs = [(names[i], names[j]) for i, j in family_pairs(names, control)]
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
    return EquivalencePairsResult(
        table=_table_of(tests, alpha),
        kind=kind,
        metric=blocks.metric.name,
        better=blocks.metric.better,
        margin_low=tests[0].margin_low,
        margin_high=tests[0].margin_high,
        alpha=alpha,
        hypotheses=MARGIN,
        adjust="none",
        family=pairs_family(blocks, control),
        interval=interval_text(tests[0].alternative, alpha, n_tables),
        limits_alpha=alpha / n_tables,
        control=control,
        n_train=n_train,
        n_test=n_test,
        overlap=float(overlap),
        reference=CORRECTED if ratio_of_sizes(n_train, n_test) else REFERENCE,
        blocks=blocks,
        of_cases=of_cases,
    )


def require_order(
    margin: float | tuple[float, float], kind: MarginKind, control: str | None
) -> None:
    """Reject settings for the first of two algorithms if pairs have no order."""
    if control is None and (kind == "non-inferiority" or np.ndim(margin)):
        what = "non-inferiority" if kind == "non-inferiority" else "a pair of margins"
        raise InputError(
            f"{what} is for algorithm_1 against algorithm_2, and all pairs have no "
            f"order: name a control, or give one number for equivalence"
        )


def _table_of(tests: list[EquivalenceResult], alpha: float) -> pd.DataFrame:
    """Return one row per pair, without any adjustment."""
    p = np.array([test.p_value for test in tests])
    rows = [
        {
            "algorithm_1": test.algorithm_1,
            "algorithm_2": test.algorithm_2,
            **{name: getattr(test, name) for name in _COLUMNS if name != "p_adjusted"},
            "shown": bool(shown),
            "notes": "; ".join(test.notes) if np.isnan(test.p_value) else "",
        }
        for test, shown in zip(tests, rejected(p, alpha), strict=True)
    ]
    table = pd.DataFrame(rows)
    table.insert(table.columns.get_loc("p_value") + 1, "p_adjusted", p)
    return table


def interval_text(side: Alternative, alpha: float, n_tables: int = 1) -> str:
    """Return how the intervals are made."""
    over = "" if n_tables == 1 else f" over the {n_tables} tables of the family"
    if side == "two-sided":
        return f"simultaneous {100 * (1 - 2 * alpha):g}% (Bonferroni){over}"
    return f"simultaneous one-sided {100 * (1 - alpha):g}% (Bonferroni){over}"
