"""Two algorithms, on folds of one data set or over independent data sets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from pycompare.data.scores import Scores
from pycompare.kernels.signed_rank import MOST
from pycompare.pairs.common import PairedTest
from pycompare.pairs.equivalence import EquivalenceResult, equivalence
from pycompare.pairs.sign import SignTestResult, sign_test
from pycompare.pairs.ttest import PairedTResult, paired_t
from pycompare.pairs.wilcoxon import WilcoxonResult, wilcoxon
from pycompare.plans.plan import Plan
from pycompare.procedure.analysis import Analysis, Titled
from pycompare.procedure.decisions import Decision


@dataclass(frozen=True, kw_only=True, eq=False)
class TwoAnalysis(Analysis):
    """Two algorithms on common blocks, one metric; see ``Analysis``.

    Attributes
    ----------
    decided_by : {"t", "wilcoxon"}
        Which test makes the verdict: the t test over folds, Wilcoxon's over data sets
        (Demsar 2006).
    t : PairedTResult
        Corrected for shared training data where the sizes of the sets are planned.
    uncorrected : PairedTResult or None
        The paired t test without the correction, beside a corrected one.
    wilcoxon : WilcoxonResult
    sign : SignTestResult
    equivalence : EquivalenceResult or None
        Where a margin is planned.
    """

    road = "two algorithms"
    decided_by: Literal["t", "wilcoxon"]
    t: PairedTResult
    uncorrected: PairedTResult | None
    wilcoxon: WilcoxonResult
    sign: SignTestResult
    equivalence: EquivalenceResult | None

    @property
    def test(self) -> PairedTResult | WilcoxonResult:
        """The test that makes the verdict."""
        return self.t if self.decided_by == "t" else self.wilcoxon

    @property
    def witnesses(self) -> tuple[PairedTest, ...]:
        """The other tests of no difference: sensitivity analysis."""
        found = (self.t, self.uncorrected, self.wilcoxon, self.sign)
        return tuple(t for t in found if t is not None and t is not self.test)

    def results(self) -> tuple[Titled, ...]:
        """Return title and result of everything computed, in the report's order."""
        tests: list[PairedTest] = [self.test, *self.witnesses]
        if self.equivalence is not None:
            tests.append(self.equivalence)
        return tuple((test.name, test) for test in tests)


def analyse_two(scores: Scores, plan: Plan, metric: str) -> TwoAnalysis:
    """Return all tests of two algorithms on one metric."""
    options: dict[str, Any] = {"metric": metric, "algorithms": order(scores, plan)}
    sizes: dict[str, Any] = {"n_train": plan.n_train, "n_test": plan.n_test}
    level = plan.confidence
    t = paired_t(scores, level=level, **options, **sizes)
    ranked = signed_rank(scores, plan, options)
    over_datasets = plan.blocks == "datasets"
    return TwoAnalysis(
        metric=scores.metric(metric),
        decisions=(decision(ranked if over_datasets else t, plan.alpha),),
        decided_by="wilcoxon" if over_datasets else "t",
        t=t,
        uncorrected=None
        if plan.overlap is None
        else paired_t(scores, level=level, **options),
        wilcoxon=ranked,
        sign=sign_test(scores, level=level, **options),
        equivalence=None
        if plan.margin is None
        else equivalence(
            scores, margin=plan.margin, alpha=plan.alpha, **options, **sizes
        ),
    )


def order(scores: Scores, plan: Plan) -> tuple[str, ...]:
    """Return the two algorithms, the control last."""
    if plan.control == scores.algorithms[0]:
        return scores.algorithms[::-1]
    return scores.algorithms


def signed_rank(scores: Scores, plan: Plan, options: dict[str, Any]) -> WilcoxonResult:
    """Return Wilcoxon's test, exact unless planned otherwise or too large for it."""
    too_large = plan.p_values == "by-size" and scores.n_blocks > MOST
    rough = plan.p_values == "approximate" or too_large
    form: Any = "normal" if rough else "exact"
    return wilcoxon(scores, p_value=form, level=plan.confidence, **options)


def decision(test: PairedTest, alpha: float) -> Decision:
    """Return what is decided about the one pair; there is nothing to adjust."""
    names = (test.algorithm_1, test.algorithm_2)
    sign = 1.0 if test.better == "lower" else -1.0
    first, second = names if sign * test.estimate <= 0 else names[::-1]
    return Decision(
        better=first,
        worse=second,
        p_value=test.p_value,
        p_adjusted=test.p_value,
        rejected=test.rejected(alpha),
    )
