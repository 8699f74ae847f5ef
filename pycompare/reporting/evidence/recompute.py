"""The analysis of a report again, from the data and the plan in its folder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pycompare.analyses.compare import analyse
from pycompare.analyses.curve_comparison import compare_curves
from pycompare.analyses.planned_power import planned_power
from pycompare.data.predictions import Predictions
from pycompare.data.scores import Scores
from pycompare.errors import InputError, refused
from pycompare.formatting.packed import packed_name, unpack
from pycompare.multireader.mixed_outcomes import glmm, mixed_beside
from pycompare.multireader.mrmc import mrmc
from pycompare.multireader.single_modality import single_modality
from pycompare.plans.model_plan import ModelPlan
from pycompare.plans.plan import Plan
from pycompare.plans.plan_file import PlanFile
from pycompare.reporting.analyses.models import ModelReport
from pycompare.reporting.content import ranks
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
from pycompare.reporting.evidence.json_places import (
    differing,
    is_number,
    leaves,
    same,
)
from pycompare.reporting.evidence.shortened import alike, as_long_as
from pycompare.results import plain
from pycompare.sample_size.designs import DESIGNS
from pycompare.sample_size.power import power

_KEPT = ("made_by", "provenance", "data", "notes", "shortened")
"""What results.json says about how it was made, and not what came out."""


def recomputed(
    folder: Path, held: Mapping[str, Any], written: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what results.json should hold: the analysis made again.

    Parameters
    ----------
    folder : Path
        Of the report.
    held : mapping
        Its manifest.
    written : mapping
        Its results.json, whose lists say how long lists are.

    Raises
    ------
    InputError
        If the folder does not hold the data.
    """
    made = _MAKERS.get(held["report"])
    if made is None:
        raise InputError(f"reports of kind {held['report']!r} cannot be made again")
    with as_long_as(written):
        again = made(folder, held)
    found: dict[str, Any] = json.loads(json.dumps(plain(again)))
    return found


def _comparison(folder: Path, held: Mapping[str, Any]) -> dict[str, Any]:
    from pycompare.reporting.comparison_report import with_firmness  # it imports this

    return with_firmness(analyse(compared_data(folder, held), _plan(held["plan"])))


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
        return PlanFile(content=file["text"].encode("utf-8"), name=file["name"])
    return asked_plan(held)


def asked_plan(held: Mapping[str, Any]) -> Plan:
    """Return the keys of the plan as they were given."""
    asked: dict[str, Any] = {**held["asked"], "adjust": tuple(held["asked"]["adjust"])}
    return Plan(**asked)


def _curves(folder: Path, held: Mapping[str, Any]) -> dict[str, Any]:
    read = predictions_from(_text(folder, PREDICTIONS), held["data"]["parts"])
    return compare_curves(read, **held["plan"]["asked"]).to_dict()


def _model(folder: Path, held: Mapping[str, Any]) -> dict[str, Any]:
    frame = table_from(_text(folder, TABLE), held["data"]["parts"])
    plan = ModelPlan(**held["plan"]["asked"])
    return ModelReport(model=plan.fitted_to(frame), plan=plan).to_dict()


def _mrmc(folder: Path, held: Mapping[str, Any]) -> dict[str, Any]:
    ratings = ratings_from(_text(folder, RATINGS), held["data"]["parts"])
    asked = {**held["plan"]["asked"]}
    head = {"alpha": asked["alpha"]}
    if "modality" in asked:
        del asked["alpha"]
        return head | single_modality(ratings, **asked).to_dict()
    model = asked.pop("mixed")
    found = mrmc(ratings, **asked)
    mixed = mixed_beside(found) if model is None else glmm(ratings, **model)
    ranked = ranks.shown(found, head["alpha"])
    return {**head, **found.to_dict(), "mixed": mixed, "rank_sets": ranked}


def _power(folder: Path, held: Mapping[str, Any]) -> dict[str, Any]:
    asked = {**held["plan"]["asked"]}
    design = DESIGNS[asked.pop("design")](**asked.pop("truth"))
    return power(design, **asked).to_dict()


def _planned_power(folder: Path, held: Mapping[str, Any]) -> dict[str, Any]:
    asked = {**held["plan"]["asked"]}
    plan = _plan(held["plan"])
    assert isinstance(plan, PlanFile)
    return planned_power(plan, **asked).to_dict()


_MAKERS = {
    "pycompare comparison": _comparison,
    "pycompare curves": _curves,
    "pycompare model": _model,
    "pycompare mrmc": _mrmc,
    "pycompare planned power": _planned_power,
    "pycompare power": _power,
}
"""What makes the results of each kind of report again."""


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


# ---- comparing -----------------------------------------------------------------------


def compared(
    written: Mapping[str, Any], again: Mapping[str, Any]
) -> tuple[int, list[tuple[str, Any, Any]]]:
    """Return how many numbers were compared, and the places and values that differ."""
    old, new = _results(written), _results(alike(again, written))
    n = sum(is_number(value) for _, value in leaves(old))
    return n, differing(old, new, same)


def _results(held: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in held.items() if name not in _KEPT}
