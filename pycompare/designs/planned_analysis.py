"""An analysis of readers, curves, battles or a model, made as its plan says."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pycompare.data.battles import Battles
from pycompare.data.file_format import FileFormat
from pycompare.data.ratings import Ratings
from pycompare.data.source import Source, source_of
from pycompare.designs.blinding import Blinding, blinded, key_with_trail
from pycompare.designs.curve_comparison import CurveComparison, compare_curves
from pycompare.designs.plans.analysis_plan import AnalysisPlanFile, as_in_a_file
from pycompare.designs.plans.battles_plan import BattlesPlan
from pycompare.designs.plans.curves_plan import CurvesPlan
from pycompare.designs.plans.model_plan import ModelPlan
from pycompare.designs.plans.readers_plan import ReadersPlan
from pycompare.designs.plans.trail import Entry
from pycompare.methods.battles.strengths import BattlesResult, GroupedBattlesResult
from pycompare.methods.models.linear_model import LinearModel
from pycompare.methods.multireader.mixed_outcomes import GLMMResult
from pycompare.methods.multireader.result import MRMCResult
from pycompare.methods.multireader.single_modality import SingleModalityResult
from pycompare.methods.multireader.standalone_reader import StandaloneResult

AnalysisPlan = ReadersPlan | CurvesPlan | ModelPlan | BattlesPlan
Analysed = (
    MRMCResult
    | SingleModalityResult
    | StandaloneResult
    | CurveComparison
    | LinearModel
    | BattlesResult
    | GroupedBattlesResult
)


@dataclass(frozen=True, kw_only=True, eq=False)
class PlannedAnalysis:
    """What came out of the plan of readers, curves, battles or a linear model.

    Attributes
    ----------
    result
        As ``pc.mrmc``, ``pc.single_modality``, ``pc.standalone``,
        ``pc.compare_curves``, ``pc.battles`` or ``pc.linear_model`` returns it.
    mixed : GLMMResult or None
        The mixed model beside a comparison of modalities, if it is planned.
    model : ModelPlan or None
        Of a linear model: what its report shows.
    plan_file : AnalysisPlanFile or None
        The plan file; while codes stand for names, as a file with codes.
    source : Source or None
        The file that the data were read from.
    blinding : Blinding or None
    """

    result: Analysed
    mixed: GLMMResult | None = None
    model: ModelPlan | None = None
    plan_file: AnalysisPlanFile | None = None
    source: Source | None = None
    blinding: Blinding | None = None

    def with_trail(self, trail: Sequence[Entry]) -> PlannedAnalysis:
        """Return the analysis of a plan file that was sealed, with its entries."""
        assert self.plan_file is not None
        blinding = self.blinding
        if blinding is not None:
            key = key_with_trail(blinding.key, trail)
            blinding = dataclasses.replace(blinding, key=key)
        filed = dataclasses.replace(self.plan_file, trail=tuple(trail))
        return dataclasses.replace(self, plan_file=filed, blinding=blinding)


def _nothing() -> None:
    """Do nothing."""


def analysed_file(planned: AnalysisPlanFile) -> PlannedAnalysis:
    """Read the data of a plan file and analyse them by it.

    Raises
    ------
    InputError
        As the reader of the data and the analysis; advice is spelled as in a plan
        file.
    """
    with as_in_a_file():
        return analysed(planned.plan, planned.path, planned.form, planned)


def analysed(
    plan: AnalysisPlan,
    path: Path,
    form: FileFormat,
    plan_file: AnalysisPlanFile | None = None,
    *,
    once_read: Callable[[], None] = _nothing,
) -> PlannedAnalysis:
    """Read the data of a file and analyse them as a plan says.

    ``once_read`` is called if nothing is open about the file, before the analysis (of
    a linear model after it): an error about a folder follows questions about the data.
    """
    if isinstance(plan, ModelPlan):
        fitted = plan.fitted(path, form)
        once_read()
        return PlannedAnalysis(
            result=fitted,
            model=plan,
            plan_file=plan_file,
            source=source_of(path, fitted.n),
        )
    data: Any = plan.read(path, form)
    once_read()
    is_ratings = isinstance(data, Ratings)
    source = source_of(path, int(data.read.sum())) if is_ratings else data.source
    blinding, given = None, plan_file or plan
    if plan.blind:
        assert not isinstance(given, BattlesPlan)  # which is never blinded
        hidden = blinded(data, given, source)
        data, given, source = hidden.data, hidden.given, hidden.source
        blinding = Blinding(key=hidden.key)
    filed = given if isinstance(given, AnalysisPlanFile) else None
    used: Any = given if filed is None else filed.plan
    result: Analysed
    mixed: GLMMResult | None = None
    if isinstance(used, ReadersPlan):
        result, mixed = used.analysed(data)
    elif isinstance(data, Battles):
        result = used.analysed(data)
    else:
        result = compare_curves(data, **used.choices)
    return PlannedAnalysis(
        result=result, mixed=mixed, plan_file=filed, source=source, blinding=blinding
    )
