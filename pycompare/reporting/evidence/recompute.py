"""The analysis of a report again, from the data and the plan in its folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pycompare.base.errors import InputError, refused
from pycompare.base.formatting.packed import packed_name, unpack
from pycompare.data.predictions import Predictions
from pycompare.data.scores import Scores
from pycompare.designs.compare import analyse
from pycompare.designs.curve_comparison import compare_curves
from pycompare.designs.plans.model_plan import ModelPlan
from pycompare.designs.plans.plan import Plan
from pycompare.designs.plans.plan_file import PlanFile
from pycompare.designs.plans.trail import entries_of
from pycompare.methods.multireader.mixed_outcomes import glmm
from pycompare.methods.multireader.mrmc import mrmc
from pycompare.methods.multireader.single_modality import single_modality
from pycompare.reporting.evidence.data_files import (
    PREDICTIONS,
    RATINGS,
    SCORES,
    TABLE,
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
        raise InputError(f"reports of kind {held['report']!r} cannot be made again")
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
    read = predictions_from(_text(folder, PREDICTIONS), held["data"]["parts"])
    return Again(compare_curves(read, **held["plan"]["asked"]))


def _model(folder: Path, held: Mapping[str, Any]) -> Again:
    frame = table_from(_text(folder, TABLE), held["data"]["parts"])
    plan = ModelPlan(**held["plan"]["asked"])
    model = plan.fitted_to(frame)
    notes = tuple(held["data"]["parts"]["notes"])
    if set(model.notes) <= set(notes):  # rows that were left out are not in the folder
        model = replace(model, notes=notes)
    return Again(model, {"plan": plan})


def _mrmc(folder: Path, held: Mapping[str, Any]) -> Again:
    ratings = ratings_from(_text(folder, RATINGS), held["data"]["parts"])
    asked = {**held["plan"]["asked"]}
    alpha = {"alpha": asked["alpha"]}
    if "modality" in asked:
        del asked["alpha"]
        return Again(single_modality(ratings, **asked), alpha)
    model = asked.pop("mixed")
    mixed = None if model is None else glmm(ratings, **model)
    return Again(mrmc(ratings, **asked), alpha | {"mixed": mixed})


def _power(folder: Path, held: Mapping[str, Any]) -> Again:
    asked = {**held["plan"]["asked"]}
    design = DESIGNS[asked.pop("design")](**asked.pop("truth"))
    return Again(power(design, **asked))


def _planned_power(folder: Path, held: Mapping[str, Any]) -> Again:
    asked = {**held["plan"]["asked"]}
    plan = _plan(held["plan"])
    assert isinstance(plan, PlanFile)
    return Again(planned_power(plan, **asked))


_MAKERS = {
    "pycompare comparison": _comparison,
    "pycompare curves": _curves,
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
