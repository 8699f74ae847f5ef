"""Two algorithms, on folds of one data set or over independent data sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pycompare.data.scores import Scores
from pycompare.designs.analysis import Analysis, Titled
from pycompare.designs.decisions import decisions
from pycompare.designs.draft import Draft
from pycompare.designs.margins import is_of_typical_differences
from pycompare.designs.one_pair import OnePair, one_pairs
from pycompare.designs.planned_pairs import Decided, decisive_of
from pycompare.designs.plans.plan import Plan
from pycompare.designs.quantity import TYPICAL_DIFFERENCE
from pycompare.kernels.signed_rank import MOST
from pycompare.methods.pairs.common import PairedTest
from pycompare.methods.pairs.equivalence import EquivalenceResult, equivalence
from pycompare.methods.pairs.sign import SignTestResult, sign_test
from pycompare.methods.pairs.ttest import PairedTResult, paired_t
from pycompare.methods.pairs.wilcoxon import WilcoxonResult, wilcoxon


@dataclass(frozen=True, kw_only=True, eq=False)
class TwoAnalysis(Analysis):
    """Two algorithms on common blocks, one metric; see ``Analysis``.

    Attributes
    ----------
    deciding : {"t", "wilcoxon"}
        The primary analysis: the t test over folds, Wilcoxon's over data sets (Demšar
        2006).
    t : PairedTResult or None
        Corrected for shared training data if the sizes of the sets are planned.
        None if ratios are compared: differences have no common unit.
    uncorrected : PairedTResult or None
        The paired t test without the correction, beside a corrected one.
    wilcoxon : WilcoxonResult
    sign : SignTestResult
    equivalence : EquivalenceResult or None
        If a margin is planned.
    pairs : mapping of str to tuple of OnePair
        Each of the four tests above, by its name there, as a table of one pair; the
        first is the primary analysis. With ``family="all"`` adjusted over the whole
        family.
    """

    kind = "two algorithms"
    deciding: Literal["t", "wilcoxon"]
    t: PairedTResult | None
    uncorrected: PairedTResult | None
    wilcoxon: WilcoxonResult
    sign: SignTestResult
    equivalence: EquivalenceResult | None
    pairs: Mapping[str, tuple[OnePair, ...]]

    @property
    def test(self) -> PairedTResult | WilcoxonResult:
        """The test of the primary analysis."""
        test: PairedTResult | WilcoxonResult = self.deciding_result
        return test

    @property
    def witnesses(self) -> tuple[PairedTest, ...]:
        """The other tests of no difference: sensitivity analysis."""
        tests = (self.t, self.uncorrected, self.wilcoxon, self.sign)
        return tuple(t for t in tests if t is not None and t is not self.test)

    def results(self) -> tuple[Titled, ...]:
        """Return title and result of everything computed, in the report's order."""
        tests: list[PairedTest] = [self.test, *self.witnesses]
        if self.equivalence is not None:
            tests.append(self.equivalence)
        return tuple((test.name, test) for test in tests)

    @property
    def margin_test(self) -> Any:
        """The test against the margin: of the two, or of all metrics together."""
        return self.equivalence or self.within_margin

    @property
    def joint(self) -> bool:
        """Whether the family holds pairs of other metrics too."""
        return not self.decisive.adjusted_here

    def p_of(self, test: PairedTest) -> float:
        """Return a test's p-value, adjusted if the family is larger."""
        # The words of a test's name change with its table, its place here does not.
        [name] = [name for name in self.pairs if getattr(self, name) is test]
        return float(self.pairs[name][0].as_columns()["p_adjusted"][0])


def margin_of_two(
    scores: Scores, plan: Plan, metric: str, algorithms: Sequence[str]
) -> EquivalenceResult:
    """Return the t test of the planned margin for two algorithms."""
    margin = plan.margin_of(metric)
    assert margin is not None  # who asks knows that the metric has one
    return equivalence(
        scores,
        margin=margin,
        kind=plan.margin_kind,
        alpha=plan.margin_error,
        metric=metric,
        algorithms=algorithms,
        **plan.correction(scores.n_blocks),
    )


def draft_two(scores: Scores, plan: Plan, metric: str) -> Draft:
    """Return all tests of two algorithms on one metric."""
    options: dict[str, Any] = {"metric": metric, "algorithms": scores.algorithms}
    sizes: dict[str, Any] = plan.correction(scores.n_blocks)
    level = plan.pair_level
    t = None if plan.as_ratios else paired_t(scores, level=level, **options, **sizes)
    plainly = paired_t(scores, level=level, **options) if sizes else None
    ranked = signed_rank(scores, plan, options)
    signs = sign_test(scores, level=level, **options)
    margin = plan.margin_of(metric)
    tests = {"t": t, "uncorrected": plainly, "wilcoxon": ranked, "sign": signs}
    if plan.quantity == TYPICAL_DIFFERENCE:
        tests = {"wilcoxon": ranked, **tests}
    planned = {name: one_pairs(f, plan) for name, f in tests.items() if f is not None}
    within = (
        None
        if margin is None
        or plan.family == "all"
        or is_of_typical_differences(scores, plan, metric)
        else margin_of_two(scores, plan, metric, control_last(scores, plan))
    )

    def decide(decided: Decided) -> TwoAnalysis:
        return TwoAnalysis(
            metric=scores.metric(metric),
            deciding="wilcoxon" if decisive_of(decided).test is ranked else "t",
            t=t,
            uncorrected=plainly,
            wilcoxon=ranked,
            sign=signs,
            equivalence=within,
            pairs={name: decided[name] for name in planned},
            decisions=decisions(decisive_of(decided), plan.alpha),
        )

    return Draft(planned, decide)


def control_last(scores: Scores, plan: Plan) -> tuple[str, ...]:
    """Return the two algorithms, the control last: a margin is kept to it."""
    if plan.control == scores.algorithms[0]:
        return scores.algorithms[::-1]
    return scores.algorithms


def signed_rank(scores: Scores, plan: Plan, options: dict[str, Any]) -> WilcoxonResult:
    """Return Wilcoxon's test, exact unless planned otherwise or too large for it.

    Without a typical difference in favour of whom the ranks favour, p is 1.
    """
    too_large = plan.p_values == "by-size" and scores.n_blocks > MOST
    rough = plan.p_values == "approximate" or too_large
    form: Any = "normal" if rough else "exact"
    scale: Any = plan.scale or "difference"
    options = {**options, "p_value": form, "level": plan.pair_level, "scale": scale}
    return wilcoxon(scores, **options).of_its_estimate()
