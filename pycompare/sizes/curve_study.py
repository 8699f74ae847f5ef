"""Simulated test sets of a plan of ROC curves, each compared by DeLong's tests."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pycompare.base.errors import DesignError, InputError, setting
from pycompare.data.predictions import Predictions
from pycompare.designs.curve_comparison import (
    CurvePlan,
    compare_curves,
    tests_over_cases,
)
from pycompare.designs.decisions import rejected_pairs
from pycompare.designs.plans.curves_plan import (
    BESIDE_AREAS,
    CurvesPlan,
    CurvesPlanFile,
)
from pycompare.designs.reach import names_of
from pycompare.sizes.binormal import BinormalCases, areas_of
from pycompare.sizes.planned_study import (
    AreaStudy,
    StudyClaims,
    effects_words,
    method_words,
    table_margins,
)
from pycompare.sizes.score_truth import effects_of
from pycompare.sizes.stated_truth import Need, StatedTruth, effects_by_metric, require

_METRIC = "auc"
_FEW = 20


@dataclass(frozen=True)
class CurveStudy(AreaStudy):
    """A simulated study of one test set; see ``AreaStudy``.

    Attributes
    ----------
    plan : CurvesPlan
    asked : CurvePlan
        The plan of the tests, with nothing left open.
    cases : BinormalCases
    """

    plan: CurvesPlan
    asked: CurvePlan
    cases: BinormalCases

    def predictions(self, n: int, trial: int) -> Predictions:
        """Return the predictions of one simulated test set of n cases."""
        rng = self.generator(n, trial)
        scores = self.cases.draw(rng, n, self.cases.separations)
        return _as_predictions(self.cases, scores, self.algorithms, self.plan.positive)

    def findings(self, n: int, trial: int) -> tuple[StudyClaims, ...]:
        """Return what one study concludes; cases that have no test show nothing."""
        predictions = self.predictions(n, trial)
        try:
            pairs, against = tests_over_cases(predictions, self.asked)
        except DesignError:
            return (StudyClaims({}),)
        better = rejected_pairs(pairs, self.alpha)
        margins = None if against is None else table_margins(against)
        return (StudyClaims(better, margins),)

    def method(self, n: int) -> str:
        """Return tests and adjustment of n cases."""
        pairs, _ = tests_over_cases(self.predictions(n, 0), self.asked)
        return method_words(pairs.method, pairs.adjust)

    @property
    def units(self) -> str:
        """What n counts, in the plural."""
        return "cases"

    @property
    def alpha(self) -> float:
        """Significance level of differences."""
        return self.plan.alpha

    def words(self, units: str) -> str:
        """Return the assumed truth."""
        effects = effects_words(self.algorithms, self.effects, 0.0, "algorithm")
        return (
            f"effect on AUC, {self.base:g} without one: {effects}; {self.cases.words}"
        )


def _as_predictions(
    cases: BinormalCases,
    scores: np.ndarray,
    algorithms: tuple[str, ...],
    positive: str,
) -> Predictions:
    """Return the scores of one test set, (algorithms, cases), as predictions."""
    k, n = scores.shape
    truth = cases.truth(n)
    return Predictions(
        score=scores.ravel(),
        is_positive=np.tile(truth, k),
        offsets=np.arange(k + 1) * n,
        blocks=("all",),
        algorithms=algorithms,
        positive=positive,
        negative=f"not {positive}",
        case=np.tile(np.arange(n), k),
        cases=tuple(f"case {i + 1}" for i in range(n)),
    )


def curve_study(
    planned: CurvesPlanFile,
    truth: StatedTruth,
    n_algorithms: int | None,
    seed: int,
) -> CurveStudy:
    """Return the study of a plan of ROC curves, or reject missing and unused parts."""
    plan: CurvesPlan = planned.plan
    for role in ("block", "dataset", "cluster"):
        if getattr(plan, role) is not None:
            raise InputError(
                f"{planned.name} has {setting(role, getattr(plan, role))}: n cases of "
                f"one test set do not state its contents; leave {role} out in a copy"
            )
    labels = names_of(planned.name, plan.algorithms, plan.control, n_algorithms)
    needs = {
        "base": Need("the AUC of an algorithm without an effect"),
        "correlation": Need("that of the scores of two algorithms over cases"),
        "prevalence": Need("the share of positive cases"),
    }
    require(truth, needs, (_METRIC,), "one test set")
    base: float = truth.of("base", _METRIC)
    each = effects_by_metric(truth.effects, (_METRIC,))[_METRIC]
    effects = effects_of(each, labels, neutral=0.0)
    assert truth.prevalence is not None
    cases = BinormalCases(
        areas_of(base, effects), truth.of("correlation", _METRIC), truth.prevalence
    )
    # What the plan leaves open follows from the algorithms alone; few cases show it.
    # The power is that of the areas; normal scores are no probabilities.
    first = cases.draw(np.random.default_rng(seed), _FEW, cases.separations)
    predictions = _as_predictions(cases, first, labels, plan.positive)
    choices = {n: v for n, v in plan.choices.items() if n not in BESIDE_AREAS}
    asked = compare_curves(predictions, **choices).asked
    return CurveStudy(plan, labels, effects, base, seed, asked, cases)
