"""The analysis of a report again, from the data and the plan in its folder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pycompare.base.errors import InputError, refused
from pycompare.base.formatting.packed import packed_name, unpack
from pycompare.data.predictions import Predictions
from pycompare.data.scores import Scores
from pycompare.designs.blinding import BlindingKey, with_names
from pycompare.designs.compare import analyse
from pycompare.designs.curve_comparison import compare_curves
from pycompare.designs.planned_analysis import PlannedAnalysis
from pycompare.designs.plans.analysis_plans import plan_from
from pycompare.designs.plans.model_plan import ModelPlan
from pycompare.designs.plans.plan import Plan
from pycompare.designs.plans.plan_file import PlanFile
from pycompare.designs.plans.trail import entries_of
from pycompare.designs.release import gate
from pycompare.methods.battles.strengths import battles
from pycompare.methods.multireader.mixed_outcomes import glmm
from pycompare.methods.multireader.mrmc import mrmc
from pycompare.methods.multireader.single_modality import single_modality
from pycompare.methods.multireader.standalone_reader import (
    StandaloneResult,
    standalone,
)
from pycompare.reporting.evidence.data_files import (
    BATTLES,
    PREDICTIONS,
    RATINGS,
    SCORES,
    TABLE,
    battles_from,
    predictions_from,
    ratings_from,
    scores_from,
    table_from,
)
from pycompare.sizes.planned_power import planned_power
from pycompare.sizes.power import power
from pycompare.sizes.studies import DESIGNS


@dataclass(frozen=True)
class Again:
    """An analysis that was made again, and the options that its report needs.

    Attributes
    ----------
    result
        What ``pc.report`` takes.
    options : mapping
        Keyword arguments that belong to the report of this kind of result.
    """

    result: Any
    options: Mapping[str, Any] = field(default_factory=dict)


def recomputed(folder: Path, held: Mapping[str, Any]) -> Again:
    """Return the analysis of a report, made again from its folder.

    Parameters
    ----------
    folder : Path
        Of the report.
    held : mapping
        Its manifest.

    Raises
    ------
    InputError
        If the folder does not hold the data.
    """
    maker = _MAKERS.get(held["report"])
    if maker is None:
        raise InputError(
            f"reports of kind {held['report']!r} cannot be made again from their "
            "folder; run the command that made it again"
        )
    return maker(folder, held)


def _comparison(folder: Path, held: Mapping[str, Any]) -> Again:
    return Again(analyse(compared_data(folder, held), _plan(held["plan"])))


def compared_data(folder: Path, held: Mapping[str, Any]) -> Scores | Predictions:
    """Return the data of a comparison's report, as they were compared."""
    data = held["data"]
    if data["kind"] == "scores":
        return scores_from(_text(folder, SCORES), data["parts"])
    return predictions_from(_text(folder, PREDICTIONS), data["parts"])


def _plan(held: Mapping[str, Any]) -> Plan | PlanFile:
    """Return the plan as it was given: the file, or the keys."""
    file = held["file"]
    if file is not None:
        return PlanFile(
            content=file["text"].encode("utf-8"),
            name=file["name"],
            trail=entries_of(file["trail"]),
        )
    return asked_plan(held)


def asked_plan(held: Mapping[str, Any]) -> Plan:
    """Return the keys of the plan as they were given."""
    asked: dict[str, Any] = {**held["asked"], "adjust": tuple(held["asked"]["adjust"])}
    return Plan(**asked)


def _curves(folder: Path, held: Mapping[str, Any]) -> Again:
    analysis = curves_again(folder, held)
    return Again(_as_planned(held, analysis) or analysis.result)


def curves_again(
    folder: Path,
    held: Mapping[str, Any],
    key: BlindingKey | None = None,
    *,
    arranged: bool = False,
) -> PlannedAnalysis:
    """Return a comparison of curves, with the names of a key if one is given.

    ``arranged``: as in ``with_names``.
    """
    read = predictions_from(_text(folder, PREDICTIONS), held["data"]["parts"])
    asked: dict[str, Any] = {**held["plan"]["asked"]}
    if key is not None:
        read, asked = with_names(read, key, arranged=arranged), _named(asked, key)
    return PlannedAnalysis(result=compare_curves(read, **asked))


def _model(folder: Path, held: Mapping[str, Any]) -> Again:
    frame = table_from(_text(folder, TABLE), held["data"]["parts"])
    plan = ModelPlan(**held["plan"]["asked"])
    model = plan.fitted_to(frame)
    notes = tuple(held["data"]["parts"]["notes"])
    if set(model.notes) <= set(notes):  # rows that were left out are not in the folder
        model = replace(model, notes=notes)
    planned = _as_planned(held, PlannedAnalysis(result=model, model=plan))
    return Again(model, {"plan": plan}) if planned is None else Again(planned)


def _mrmc(folder: Path, held: Mapping[str, Any]) -> Again:
    analysis = readers_again(folder, held)
    planned = _as_planned(held, analysis)
    if planned is not None:
        return Again(planned)
    if isinstance(analysis.result, StandaloneResult):
        return Again(analysis.result)
    options: dict[str, Any] = {"alpha": held["plan"]["asked"]["alpha"]}
    if "modality" not in held["plan"]["asked"]:
        options["mixed"] = analysis.mixed
    return Again(analysis.result, options)


def readers_again(
    folder: Path,
    held: Mapping[str, Any],
    key: BlindingKey | None = None,
    *,
    arranged: bool = False,
) -> PlannedAnalysis:
    """Return an analysis of readers, with the names of a key if one is given.

    ``arranged``: as in ``with_names``.
    """
    ratings = ratings_from(_text(folder, RATINGS), held["data"]["parts"])
    asked: dict[str, Any] = {**held["plan"]["asked"]}
    if key is not None:
        ratings, asked = with_names(ratings, key, arranged=arranged), _named(asked, key)
    if "reader" in asked:
        if asked["level"] is not None:
            del asked["alpha"]
        return PlannedAnalysis(result=standalone(ratings, **asked))
    if "modality" in asked:
        del asked["alpha"]
        return PlannedAnalysis(result=single_modality(ratings, **asked))
    model = asked.pop("mixed")
    mixed = None if model is None else glmm(ratings, **model)
    return PlannedAnalysis(result=mrmc(ratings, **asked), mixed=mixed)


_NAMED = ("control", "modality")
"""Arguments that are names of modalities."""


def _named(asked: Mapping[str, Any], key: BlindingKey) -> dict[str, Any]:
    """Return arguments with names in the place of codes."""
    named = {k: key.codes.get(v, v) for k, v in asked.items() if k in _NAMED}
    model = asked.get("mixed")
    if model is not None:
        named["mixed"] = _named(model, key)
    return {**asked, **named}


def _as_planned(
    held: Mapping[str, Any], analysis: PlannedAnalysis
) -> PlannedAnalysis | None:
    """Return an analysis with the plan file of its report; None if it has none."""
    file = held["plan"]["file"]
    plan = None if file is None else plan_from(file["text"], file["name"])
    if plan is None:
        return None
    plan = replace(plan, trail=entries_of(file["trail"]))
    return replace(analysis, plan_file=plan)


def _battles(folder: Path, held: Mapping[str, Any]) -> Again:
    read = battles_from(_text(folder, BATTLES), held["data"]["parts"])
    result = battles(read, **held["plan"]["asked"])
    return Again(_as_planned(held, PlannedAnalysis(result=result)) or result)


def _gate(folder: Path, held: Mapping[str, Any]) -> Again:
    scores = scores_from(_text(folder, SCORES), held["data"]["parts"])
    asked: dict[str, Any] = {**held["plan"]["asked"]}
    result = gate(scores, **asked)
    told = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    file = held["plan"]["file"]
    plan = None if file is None else _plan(held["plan"])
    outside = {name: told[name] for name in ("looks_used", "record", "files")}
    return Again(replace(result, **outside, plan_file=plan))


def _power(folder: Path, held: Mapping[str, Any]) -> Again:
    asked = {**held["plan"]["asked"]}
    design = DESIGNS[asked.pop("design")](**asked.pop("truth"))
    return Again(power(design, **asked))


def _planned_power(folder: Path, held: Mapping[str, Any]) -> Again:
    asked = {**held["plan"]["asked"]}
    file = held["plan"]["file"]
    plan = plan_from(file["text"], file["name"]) or _plan(held["plan"])
    assert not isinstance(plan, Plan)
    return Again(planned_power(plan, **asked))


_MAKERS = {
    "pycompare battles": _battles,
    "pycompare comparison": _comparison,
    "pycompare curves": _curves,
    "pycompare gate": _gate,
    "pycompare model": _model,
    "pycompare mrmc": _mrmc,
    "pycompare planned power": _planned_power,
    "pycompare power": _power,
}
"""What makes the analysis of each kind of report again."""


def _text(folder: Path, name: str) -> str:
    """Return a data file of a report."""
    path = folder / "data" / name
    path = path if path.is_file() else folder / "data" / packed_name(name, large=True)
    if path.is_symlink() or not path.is_file():
        raise InputError(
            f"{folder} does not hold data/{name}, so the analysis cannot be made "
            f"again; run the command in {folder.name}/manifest.json instead"
        )
    with refused(f"{path} cannot be read", OSError, ValueError):
        return unpack(path.name, path.read_bytes()).decode("utf-8")
