"""Blocks are folds of one data set, three algorithms or more: analysis of variance."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from pycompare.data.scores import Scores
from pycompare.designs.analysis import PairsAnalysis, Titled
from pycompare.designs.decisions import Disagreement, decisions, disagreements
from pycompare.designs.draft import Draft
from pycompare.designs.pair_methods import MANY_TO_ONE, MEANS, short_title
from pycompare.designs.planned_pairs import (
    Decided,
    PlannedPairs,
    decisive_of,
    gate_of,
    with_own_adjustment,
)
from pycompare.designs.plans.fields import MeanTest
from pycompare.designs.plans.plan import Plan
from pycompare.designs.rank_tests import RankAnalysis, draft_ranks
from pycompare.methods.linear.anova import AnovaResult, anova
from pycompare.methods.linear.assumptions import ResidualChecks, residual_checks_of
from pycompare.methods.linear.dunnett import dunnett_of
from pycompare.methods.linear.fit import AnovaFit
from pycompare.methods.linear.pairs import MeanPairsResult, contrasts_of
from pycompare.methods.linear.pairwise_t import PairwiseTResult, pairwise_t_of
from pycompare.methods.linear.scheffe import scheffe_of
from pycompare.methods.linear.tukey import tukey_of
from pycompare.methods.orders.cliques import listed_cliques, listed_letters
from pycompare.methods.pairs.corrected_pairs import (
    CorrectedPairsResult,
    corrected_pairs,
)
from pycompare.methods.pairs.paired_t_pairs import PairedTPairsResult, paired_t_pairs
from pycompare.methods.pairs.ttest import CONSTANT_CORRECTED
from pycompare.results.result import PairsResult, Test, changed


@dataclass(frozen=True, kw_only=True, eq=False)
class LinearAnalysis(PairsAnalysis):
    """Analysis of variance of one metric over folds; see ``PairsAnalysis``.

    Attributes
    ----------
    omnibus : AnovaResult
        Blocked, with effect sizes and, for complete tables, sphericity.
    pairs : tuple of MeanPairsResult
        Tukey, Scheffe, Dunnett or t tests with the model's error, as planned.
    letters : Series or None
        Algorithms that share a letter do not differ; None with a control, and
        if more than 100,000 cliques would need one.
    checks : ResidualChecks
        Of the assumptions; they choose nothing.
    corrected : CorrectedPairsResult or None
        Corrected resampled t tests, if the sizes of the sets are planned; plain
        paired t tests if training sets share no case.
    corrected_decides : bool
        Whether they are the primary analysis: unless the plan names Tukey, Scheffe or
        Dunnett first.
    other_disagrees : sequence of Disagreement
        Pairs on which ``other`` differs from the primary analysis.
    ranks : RankAnalysis
        The whole rank analysis: sensitivity analysis.
    ranks_disagree : sequence of Disagreement
        Pairs on which the ranks differ from the primary analysis.
    form : {"anova", "greenhouse-geisser", "huynh-feldt"}
        Degrees of freedom of the omnibus test's p-value.
    variance_ratio : float or None
        How many times the variance of a mean difference the correction for shared
        training data gives: 1 + k c n_test / n_train for k folds.
    """

    kind = "means"
    omnibus: AnovaResult
    pairs: tuple[MeanPairsResult, ...]
    letters: pd.Series | None
    checks: ResidualChecks
    corrected: PairedTPairsResult | None
    corrected_decides: bool
    other_disagrees: Sequence[Disagreement]
    ranks: RankAnalysis
    ranks_disagree: Sequence[Disagreement]
    variance_ratio: float | None
    form: MeanTest

    @property
    def in_unit(self) -> bool:
        """Whether differences are in the metric's own unit and direction: yes."""
        return True

    def forms(self) -> dict[MeanTest, tuple[float, float]]:
        """Return epsilon and p-value of F by each rule; none without sphericity."""
        sphericity = self.omnibus.sphericity
        if sphericity is None:
            return {}
        plainly = self.omnibus.as_columns().row(term="algorithm").p_value
        return {
            "anova": (1.0, float(plainly)),
            "greenhouse-geisser": (
                sphericity.greenhouse_geisser,
                sphericity.p_greenhouse_geisser,
            ),
            "huynh-feldt": (sphericity.huynh_feldt, sphericity.p_huynh_feldt),
        }

    @property
    def other(self) -> PairsResult | None:
        """The same pairs without the correction, or with it, if sizes are planned.

        Whichever is not the primary analysis.
        """
        return self.pairs[0] if self.corrected_decides else self.corrected

    def results(self) -> tuple[Titled, ...]:
        """Return title and result of everything computed, in the report's order."""
        rows: list[Titled] = [("Analysis of variance, blocked", self.omnibus)]
        rows += [(title_of(p), p) for p in self.pairs]
        if self.corrected is not None:
            rows.append((title_of(self.corrected), self.corrected))
        rows.append(("Checks of residuals", self.checks))
        rows += [(f"Ranks: {title}", result) for title, result in self.ranks.results()]
        return tuple(rows)


_MEANS_OF_FOLDS = "means"
_CORRECTED = "corrected t tests"


def title_of(pairs: PairsResult) -> str:
    """Return the name of a comparison of pairs."""
    if not isinstance(pairs, MeanPairsResult):
        method = f"{pairs.method[0].upper()}{pairs.method[1:]}"
        return f"{method}, adjusted: {pairs.adjust}"
    if pairs.adjust in MEANS:
        return f"{pairs.method}"
    if pairs.fit.e == 0:
        return f"{pairs.method}, adjusted: {pairs.adjust}"
    return f"t tests with the model's error, adjusted: {pairs.adjust}"


def name_of(pairs: PairsResult) -> str:
    """Return what a sentence calls a method of comparing pairs of means."""
    title = short_title(pairs.called)
    if isinstance(pairs, CorrectedPairsResult):
        return f"corrected t, {title}"
    return f"paired t, {title}" if isinstance(pairs, PairedTPairsResult) else title


def draft_means(scores: Scores, plan: Plan, metric: str) -> Draft:
    """Return the analysis of variance of one metric and its sensitivity analyses."""
    plainly = anova(scores, metric=metric, level=plan.confidence)
    test = planned_test(plainly, plan)
    if plan.corrects and plainly.fit.zero_residual:  # orders of dependent folds
        notes = (*test.notes[:-1], CONSTANT_CORRECTED)
        terms = test.as_columns()
        p = np.where(terms["term"] == "algorithm", math.nan, terms["p_value"])
        untested: dict[str, Any] = {"p_value": math.nan, "p_source": "none"}
        test = changed(test, table=terms.but(p_value=p), notes=notes, **untested)
    gate = gate_of(test, plan)
    of_means = post_hoc(plainly.fit, plan, plan.adjust, gate)
    corrected = _own_variances(scores, plan, metric)
    if corrected is not None:
        # With gaps its own positions are means of the folds that each one has.
        positions = of_means[0].tests.positions
        corrected = dataclasses.replace(corrected, positions=positions)
    ranks = draft_ranks(scores, plan, metric)
    by_correction = corrected is not None and plan.decisive not in MEANS
    planned = {_MEANS_OF_FOLDS: of_means}
    if corrected is not None:
        name = plan.t_method(scores.n_algorithms)
        beside = {_CORRECTED: (PlannedPairs(corrected, name, gate=gate),)}
        planned = {**beside, **planned} if by_correction else {**planned, **beside}
    chosen = scores.metric(metric)
    checks = residual_checks_of(plainly.fit)

    def decide(decided: Decided) -> LinearAnalysis:
        means, corrected = decided[_MEANS_OF_FOLDS], decided.get(_CORRECTED, (None,))[0]
        ranked: Any = ranks.decided(decided)
        decisive = decisive_of(decided)
        corrects = decisive is corrected
        other = means[0] if corrects else corrected
        primary = decisions(decisive, plan.alpha)
        all_pairs = plan.control is None
        return LinearAnalysis(
            metric=chosen,
            omnibus=test,
            checks=checks,
            variance_ratio=None
            if not isinstance(corrected, CorrectedPairsResult)
            else 1 + scores.n_blocks * corrected.overlap * corrected.test_train_ratio,
            form=plan.mean_test,
            pairs=means,
            cliques=listed_cliques(decisive, alpha=plan.alpha) if all_pairs else (),
            letters=listed_letters(decisive, alpha=plan.alpha) if all_pairs else None,
            decisions=primary,
            corrected=corrected,
            corrected_decides=corrects,
            other_disagrees=()
            if other is None
            else disagreements(primary, decisions(other, plan.alpha)),
            ranks=ranked,
            ranks_disagree=disagreements(primary, ranked.decisions),
        )

    return Draft({**planned, **ranks.planned}, decide)


def planned_test(test: AnovaResult, plan: Plan) -> AnovaResult:
    """Return the analysis of variance with the p-value that is planned.

    The table of its terms keeps F's own; there is no correction if there is no
    residual variance, whose p-value is that of permutations.
    """
    sphericity = test.sphericity
    if plan.mean_test == "anova" or sphericity is None:
        return test
    assert isinstance(test.df, tuple)
    title, in_r, epsilon, p = {
        "greenhouse-geisser": (
            "Greenhouse-Geisser",
            "greenhouse_geisser",
            sphericity.greenhouse_geisser,
            sphericity.p_greenhouse_geisser,
        ),
        "huynh-feldt": (
            "Huynh-Feldt",
            "huynh_feldt",
            sphericity.huynh_feldt,
            sphericity.p_huynh_feldt,
        ),
    }[plan.mean_test]
    times = min(epsilon, 1.0)
    return dataclasses.replace(
        test,
        name=f"{test.name}, {title}",
        df=(times * test.df[0], times * test.df[1]),
        p_value=p,
        corrected=in_r,
    )


def post_hoc(
    fit: AnovaFit, plan: Plan, names: Sequence[str], gate: Test | None
) -> tuple[PlannedPairs, ...]:
    """Return the planned comparisons of the means of one fit, one per method."""
    level = plan.pair_level
    against = contrasts_of(fit, plan.control)

    def planned_by(name: str) -> PlannedPairs:
        if name == "tukey":
            return with_own_adjustment(tukey_of(contrasts_of(fit), level), gate)
        if name == "scheffe":
            return with_own_adjustment(scheffe_of(contrasts_of(fit), level), gate)
        if name in MANY_TO_ONE:
            assert plan.control is not None  # the plan refuses dunnett without one
            comparisons = dunnett_of(
                against,
                level,
                step_down=name == "dunnett-step-down",
                seed=plan.seed or 0,
            )
            return with_own_adjustment(comparisons, gate)
        return PlannedPairs(t_tests(), name, gate=gate)

    @cache
    def t_tests() -> PairwiseTResult:
        return pairwise_t_of(against, level, plan.alpha)

    return tuple(map(planned_by, names))


def _own_variances(
    scores: Scores, plan: Plan, metric: str
) -> PairedTPairsResult | None:
    """Return t tests with each pair's own variance, if folds allow any.

    Corrected resampled ones if the plan has the sizes of the sets, plain ones if
    training sets share no case.
    """
    options: dict[str, Any] = {
        "metric": metric,
        "adjust": "none",
        "control": plan.control,
        "alpha": plan.alpha,
    }
    if plan.protocol == "disjoint":
        return paired_t_pairs(scores, **options)
    sizes: dict[str, Any] = plan.correction(scores.n_blocks)
    return corrected_pairs(scores, **sizes, **options) if sizes else None
