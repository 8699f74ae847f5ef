"""Simulated studies of readers and cases, each analysed as a plan specifies."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pycompare.base.arguments import is_finite
from pycompare.base.errors import InputError, joined, setting
from pycompare.base.labels import show_all
from pycompare.data.ratings import Ratings
from pycompare.designs.decisions import rejected_pairs
from pycompare.designs.plans.readers_plan import ReadersPlan, ReadersPlanFile
from pycompare.designs.reach import names_of
from pycompare.kernels.reader_area_moments import RatingVariances
from pycompare.methods.multireader.result import MRMCResult
from pycompare.sizes.binormal import areas_of
from pycompare.sizes.planned_study import (
    AreaStudy,
    Margins,
    StudyClaims,
    effects_words,
    method_words,
)
from pycompare.sizes.readers import Mrmc
from pycompare.sizes.score_truth import effects_of
from pycompare.sizes.stated_truth import Need, StatedTruth, effects_by_metric, require

_METRIC = "auc"
_VARIANCES = RatingVariances._fields
_CLAIMS = {"non-inferiority": "non-inferior", "equivalence": "equivalent"}
"""Claims of a margin by the hypothesis of the plan."""


@dataclass(frozen=True)
class ReaderStudy(AreaStudy):
    """A simulated study of readers and cases; see ``AreaStudy``.

    Attributes
    ----------
    plan : ReadersPlan
    design : Mrmc
        The truth, as ``pc.power`` states it.
    """

    plan: ReadersPlan
    design: Mrmc

    def ratings(self, n: int, trial: int) -> Ratings:
        """Return the ratings by n readers of one simulated study."""
        _, n_positive, n_negative = self.design.sizes(n)
        truth, values = self.design.model.sample(
            self.generator(n, trial),
            n_readers=n,
            n_positive=n_positive,
            n_negative=n_negative,
            trials=1,
        )
        return Ratings(
            values=values[0],
            truth=truth,
            modalities=self.algorithms,
            readers=tuple(f"reader {j + 1}" for j in range(n)),
            cases=tuple(f"case {k + 1}" for k in range(len(truth))),
            positive=self.plan.positive or "positive",
            negative="negative",
        )

    def _analysis(self, n: int, trial: int) -> MRMCResult:
        """Return the analysis by the plan, without the mixed model beside it."""
        alone = dataclasses.replace(
            self.plan, mixed=None, link=None, reader_effects=False
        )
        study, _ = alone.analysed(self.ratings(n, trial))
        assert isinstance(study, MRMCResult)
        return study

    def findings(self, n: int, trial: int) -> tuple[StudyClaims, ...]:
        """Return what one study concludes."""
        study = self._analysis(n, trial)
        better = rejected_pairs(study, study.alpha)
        return (StudyClaims(better, self._margins(study)),)

    def _margins(self, study: MRMCResult) -> Margins | None:
        """Return the claims of the plan's hypothesis."""
        claim = _CLAIMS.get(self.plan.hypothesis or "")
        if study.claims is None or study.margin is None or claim is None:
            return None
        rows = study.claims[study.claims["claim"] == claim]
        shown = {
            frozenset((row.algorithm_1, row.algorithm_2)): (
                (row.algorithm_1, row.algorithm_2),
                bool(row.shown),
            )
            for row in rows.itertuples()
        }
        high = study.margin if claim == "equivalent" else math.inf
        return Margins(shown, -study.margin, high)

    def method(self, n: int) -> str:
        """Return tests and adjustment of n readers."""
        study = self._analysis(n, 0)
        return method_words(study.method, study.adjust)

    @property
    def units(self) -> str:
        """What n counts, in the plural."""
        return "readers"

    @property
    def alpha(self) -> float:
        """Significance level of differences."""
        if self.plan.alpha is not None:
            return self.plan.alpha
        return 0.05 if self.plan.level is None else 1 - self.plan.level

    def words(self, units: str) -> str:
        """Return the assumed truth."""
        effects = effects_words(self.algorithms, self.effects, 0.0, "modality")
        return (
            f"effect on the AUC, {self.base:g} without one: {effects}; "
            f"{self.design.effect}"
        )


def reader_study(
    planned: ReadersPlanFile,
    truth: StatedTruth,
    n_algorithms: int | None,
    seed: int,
) -> ReaderStudy:
    """Return the study of a plan of readers, or reject missing and unused parts."""
    plan: ReadersPlan = planned.plan
    _require_planned(planned.name, plan)
    labels = names_of(planned.name, (), plan.control, n_algorithms, "modality")
    needs = {
        "base": Need("the AUC of a modality without an effect"),
        "variances": Need("the six variances of the ratings: " + ", ".join(_VARIANCES)),
        "prevalence": Need("the share of positive cases"),
        "n_cases": Need("the cases that every reader rates"),
    }
    require(truth, needs, (_METRIC,), "a plan of readers")
    base: float = truth.of("base", _METRIC)
    each = effects_by_metric(truth.effects, (_METRIC,))[_METRIC]
    effects = effects_of(each, labels, neutral=0.0)
    assert truth.variances is not None
    assert truth.prevalence is not None
    assert truth.n_cases is not None
    design = Mrmc(
        areas=areas_of(base, effects),
        **_variances(truth.variances),
        prevalence=truth.prevalence,
        n_cases=truth.n_cases,
    )
    return ReaderStudy(plan, labels, effects, base, seed, design)


def _require_planned(name: str, plan: ReadersPlan) -> None:
    """Reject plans whose truth is stated by more than areas and variances."""
    if plan.only is not None:
        raise InputError(
            f"{name} estimates one modality, {setting('only', plan.only)}: it compares "
            "nothing that could be found"
        )
    if plan.standalone is not None:
        raise InputError(
            f"{name} compares a reader with the others, "
            f"{setting('standalone', plan.standalone)}: the truth is stated of "
            "modalities"
        )
    if plan.figure != "auc":
        raise InputError(
            setting("figure", plan.figure)
            + ": the truth is stated as areas, which do not state this figure"
        )
    if plan.better == "lower":
        raise InputError(
            setting("better", "lower")
            + ": simulated ratings speak for the positive class; leave it out in a copy"
        )
    if plan.design != "factorial":
        raise InputError(
            setting("design", plan.design)
            + ": n readers do not state who reads what; plan the factorial design, or "
            "simulate by pc.RoeMetz"
        )
    if plan.cluster is not None:
        raise InputError(
            setting("cluster", plan.cluster)
            + ": n readers do not state the clusters of cases; leave it out in a copy"
        )


def _variances(given: Mapping[str, float]) -> dict[str, Any]:
    """Return the six variances by name, or reject others."""
    unknown = [name for name in given if name not in _VARIANCES]
    lacking = [name for name in _VARIANCES if name not in given]
    if unknown or lacking:
        raise InputError(
            setting("variances", dict(given))
            + ": give each of "
            + joined(", ", [show_all(_VARIANCES)])
        )
    for name, value in given.items():
        if not (is_finite(value) and value >= 0):
            raise InputError(
                setting("variances", value) + f": give a number from 0 for {name}"
            )
    return {name: float(value) for name, value in given.items()}
