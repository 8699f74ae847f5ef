"""Simulated predictions of a plan: measured, and compared as the plan specifies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pycompare.base.arguments import is_whole
from pycompare.base.errors import InputError, setting
from pycompare.base.metric import Metric
from pycompare.base.typing import Floats
from pycompare.data.measures.registry import find
from pycompare.data.predictions import Predictions
from pycompare.designs.compare import Comparison, analyse
from pycompare.designs.plans.plan_file import PlanFile
from pycompare.designs.plans.prediction_rules import undefined_values
from pycompare.designs.reach import labels_of
from pycompare.methods.pairs.common import named_pairs
from pycompare.sizes.binormal import BinormalCases, areas_of
from pycompare.sizes.dependence import Dependence, FoldNoise
from pycompare.sizes.planned_study import (
    PlannedStudy,
    StudyClaims,
    TruePairs,
    effects_words,
    true_pairs,
)
from pycompare.sizes.score_study import (
    ScoreStudy,
    findings_of,
    method_of,
    require_claims,
)
from pycompare.sizes.score_truth import NormalScores, effects_of
from pycompare.sizes.stated_truth import Need, StatedTruth, effects_by_metric, require

_SEPARATION = Metric("separation", "higher")
_COUNTS = ("tp", "fp", "tn", "fn")
"""Measures that grow with the cases of a test set."""
_LARGE = 20_000
"""Cases that stand for the population."""


@dataclass(frozen=True)
class PredictionStudy(PlannedStudy):
    """A simulated study of predictions; see ``PlannedStudy``.

    Attributes
    ----------
    planned : PlanFile
    algorithms : tuple of str
    effects : tuple of float
        Of the AUC.
    base : float
    cases : BinormalCases
    n_cases : int
        Cases of each block.
    separations : ScoreStudy
        How the separation of the classes spreads over blocks, in its tables.
    seed : int
    """

    planned: PlanFile
    algorithms: tuple[str, ...]
    effects: tuple[float, ...]
    base: float
    cases: BinormalCases
    n_cases: int
    separations: ScoreStudy
    seed: int

    def predictions(self, n: int, trial: int) -> Predictions:
        """Return the predictions of one simulated study of n data sets, or folds."""
        drawn = self.separations.scores(n, trial)
        rng = np.random.default_rng([self.seed, n, trial, 1])
        values = [
            self.cases.draw(rng, self.n_cases, separations)
            for separations in drawn.values[:, :, 0]
        ]
        return self._as_predictions(np.array(values), drawn.blocks, drawn.datasets)

    def _as_predictions(
        self, values: Floats, blocks: tuple[str, ...], datasets: tuple[str, ...] | None
    ) -> Predictions:
        """Return scores (blocks, algorithms, cases) as predictions."""
        n, k, cases = values.shape
        scores = np.array([self.cases.probabilities(block) for block in values])
        positive = str(self.planned.roles.positive)
        return Predictions(
            score=scores.ravel(),
            is_positive=np.tile(self.cases.truth(cases), n * k),
            offsets=np.arange(n * k + 1) * cases,
            blocks=blocks,
            algorithms=self.algorithms,
            positive=positive,
            negative=f"not {positive}",
            datasets=datasets,
        )

    @cached_property
    def _population(self) -> Mapping[str, Floats]:
        """Each measure of each algorithm, of many cases at the mean separation."""
        whole = self._as_predictions(
            np.repeat(self.cases.grid(_LARGE)[None], 2, axis=0), ("1", "2"), None
        )
        plan = self.planned.plan
        scores = whole.measure(
            [metric.name for metric in self._metrics],
            threshold=plan.theta or None,
            fpr_range=plan.fpr_range,
            undefined=undefined_values(plan),
        )
        return {
            metric.name: scores.values[0, :, m]
            * (self.n_cases / _LARGE if metric.name in _COUNTS else 1)
            for m, metric in enumerate(scores.metrics)
        }

    @property
    def _metrics(self) -> tuple[Metric, ...]:
        """The metrics that are compared."""
        listed = self.planned.plan.metrics or tuple(
            metric.name for metric in self.planned.metrics
        )
        return tuple(Metric(name, find(name).better) for name in listed)

    @property
    def places(self) -> tuple[TruePairs, ...]:
        """Each metric with its pairs."""
        return tuple(map(self._place, self._metrics))

    def _place(self, metric: Metric) -> TruePairs:
        """Return the pairs of one metric; algorithms with equal AUCs are equal."""
        names, values = self.algorithms, self._population[metric.name]
        pairs = named_pairs(names, self.planned.plan.control)
        toward = 1.0 if metric.better == "higher" else -1.0

        def difference(a: str, b: str) -> float:
            i, j = names.index(a), names.index(b)
            same = self.effects[i] == self.effects[j]
            return 0.0 if same else float(values[i] - values[j])

        def better(a: str, b: str) -> float:
            return toward * difference(a, b)

        name = metric.name if len(self._metrics) > 1 else ""
        return true_pairs(name, "", pairs, difference, better, self.null)

    def comparison(self, n: int, trial: int) -> Comparison:
        """Return what ``compare`` makes of the predictions of one study."""
        return require_claims(analyse(self.predictions(n, trial), self.planned))

    def findings(self, n: int, trial: int) -> tuple[StudyClaims, ...]:
        """Return what one study concludes, for each metric."""
        return findings_of(self.comparison(n, trial))

    def method(self, n: int) -> str:
        """Return tests and adjustment of n data sets, or folds."""
        return method_of(self.comparison(n, 0))

    @property
    def units(self) -> str:
        """What n counts, in the plural."""
        return f"{self.planned.plan.design.unit}s"

    @property
    def alpha(self) -> float:
        """Significance level of differences."""
        return self.planned.plan.alpha

    @property
    def said_metrics(self) -> str:
        """The metrics and the better direction, in words."""
        return ", ".join(f"{m.name} ({m.better} is better)" for m in self._metrics)

    @property
    def margins(self) -> tuple[str, ...]:
        """The margins of the plan, in words."""
        of = {m.name: self.planned.plan.margin_of(m.name) for m in self._metrics}
        return tuple(f"margin of {n} = {m:g}" for n, m in of.items() if m is not None)

    def words(self, units: str) -> str:
        """Return the assumed truth."""
        effects = effects_words(self.algorithms, self.effects, 0.0, "algorithm")
        truth = self.separations.truths[None, _SEPARATION.name]
        assert isinstance(truth, NormalScores)
        folds = self.separations.folds
        more = self.separations.dependence.words + (folds.words if folds else "")
        return (
            f"effect on the AUC, {self.base:g} without one: {effects}; {self.n_cases} "
            f"cases of each block, {self.cases.words}; standard deviation over {units} "
            f"of the separation of the classes {truth.sd:g}{more}"
        )


def prediction_study(
    planned: PlanFile,
    truth: StatedTruth,
    n_algorithms: int | None,
    seed: int,
) -> PredictionStudy:
    """Return the study of a plan of predictions, or reject missing and unused parts."""
    _require_planned(planned)
    plan = planned.plan
    nested, folds = plan.design.nested, plan.design.of_folds
    needs = {
        "base": Need("the AUC of an algorithm without an effect"),
        "correlation": Need("that of two algorithms' scores over the cases of a class"),
        "prevalence": Need("the share of positive cases"),
        "cases_per_block": Need("the cases of each test set"),
        "sd": Need(
            "the spread over blocks of the separation of the classes, in standard "
            "deviations of the scores"
        ),
        "fold_correlation": Need(
            "the correlation of a difference of separations in two folds", folds
        ),
        "fold_sd": Need(
            "the spread of the separation over the folds of a data set", nested
        ),
        "folds_per_dataset": Need("the folds of each data set", nested),
    }
    require(truth, needs, (_SEPARATION.name,), "a plan of predictions")
    labels = labels_of(planned, n_algorithms)
    name = _SEPARATION.name
    base: float = truth.of("base", name)
    each = effects_by_metric(truth.effects, (name,))[name]
    effects = effects_of(each, labels, neutral=0.0)
    assert truth.prevalence is not None
    if not is_whole(truth.cases_per_block) or truth.cases_per_block < 2:
        raise InputError(
            setting("cases_per_block", truth.cases_per_block)
            + ": give the cases of each test set, a whole number of 2 or more"
        )
    cases = BinormalCases(
        areas_of(base, effects), truth.of("correlation", name), truth.prevalence
    )
    return PredictionStudy(
        planned,
        labels,
        effects,
        base,
        cases,
        truth.cases_per_block,
        _separations(planned, truth, labels, cases, seed),
        seed,
    )


def _separations(
    planned: PlanFile,
    truth: StatedTruth,
    labels: tuple[str, ...],
    cases: BinormalCases,
    seed: int,
) -> ScoreStudy:
    """Return how separations spread over blocks: scores of a metric of their own."""
    name, nested = _SEPARATION.name, planned.plan.design.nested
    spread = NormalScores(
        effects=tuple(cases.separations.tolist()),
        sd=truth.of("sd", name),
        correlation=truth.of("correlation", name),
    )
    folds = None
    if nested:
        assert truth.folds_per_dataset is not None
        assert truth.fold_correlation is not None
        folds = FoldNoise(
            truth.folds_per_dataset,
            (truth.of("fold_sd", name),),
            truth.fold_correlation,
        )
    shared = 0.0 if nested else truth.fold_correlation or 0.0
    return ScoreStudy(
        planned.plan,
        labels,
        (_SEPARATION,),
        {(None, name): spread},
        seed,
        Dependence(folds=shared),
        None,
        folds,
    )


def _require_planned(planned: PlanFile) -> None:
    """Reject plans whose truth needs more than areas, with the reason."""
    plan, roles = planned.plan, planned.roles
    if plan.sweeps:
        raise InputError(
            f"{planned.name} counts wins over thresholds, and an AUC does not state "
            "who has the lower risk at each of them on each data set; plan one "
            "threshold"
        )
    if plan.generalise is not None:
        raise InputError(
            setting("generalise", plan.generalise)
            + ": training sets that share one test set are planned as readers and "
            "cases, by 'pycompare power mrmc'"
        )
    if not plan.names_blocks:
        raise InputError(
            f"{planned.name} leaves blocks to the columns of the data: set blocks to "
            "'datasets', 'folds-of-datasets' or 'folds'"
        )
    for role in ("group", "cluster", "replicate"):
        if getattr(roles, role) is not None:
            raise InputError(
                f"{planned.name} has {role} = {getattr(roles, role)!r}: the truth of "
                f"predictions does not state its contents; leave {role} out in a copy"
            )
