"""One report of every kind, whose documents are checked and looked at.

``python -m tests.reporting.render.kinds FOLDER [NAME ...]`` writes them as PDF, DOCX
and RTF, and has LibreOffice turn the last two into PDF, to be looked at.
"""

from __future__ import annotations

import dataclasses
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

import pycompare as pc
from pycompare import sizes
from pycompare.designs.plans.model_plan import ModelPlan
from pycompare.reporting import render
from pycompare.reporting.document import Document
from tests.conftest import wide
from tests.designs.test_cases import scores as cases
from tests.designs.test_shared_test_set import trained
from tests.methods.multireader.readers import simulated
from tests.predictions import predictions, rows
from tests.reporting.render.samples import HOSTILE
from tests.reporting.whole_pages import COMPARISONS, CURVES, MODELS
from validation.checks.models import designed

Writer = Callable[..., Path]
"""Writes a report to a folder, with formats and style as ``pc.report`` takes them."""
LONG = [f"{i:02d} gradient boosted trees on raw pixels"[:40] for i in range(1, 21)]
"""Twenty names of 40 characters or nearly so."""
HOLM = {"adjust": ("holm",)}


def compared(data: Any, **plan: Any) -> Writer:
    """Return what writes a comparison."""
    return partial(pc.report, pc.compare(data, pc.Plan(**plan)))


def page(name: str) -> Writer:
    """Return what writes one of the small comparisons."""
    return partial(pc.report, pc.compare(*COMPARISONS[name]()))


def curves(name: str) -> Writer:
    found, options = CURVES[name]()
    return partial(pc.report, pc.compare_curves(found, **options))


def model(name: str) -> Writer:
    frame, formula, options = MODELS[name]()
    plan = ModelPlan(formula=formula, **options)
    return partial(pc.report, plan.fitted_to(frame), plan=plan)


def normal(names: Sequence[str], metric: str = "accuracy") -> pc.Scores:
    """Return scores of algorithms with these names, the last the best."""
    values = np.random.default_rng(3).normal(size=(12, len(names)))
    return dataclasses.replace(
        wide(values + 0.1 * np.arange(len(names))),
        algorithms=tuple(names),
        metrics=(pc.Metric(metric, "higher"),),
    )


def hostile_curves() -> Writer:
    named = [(name, 0.3 * i) for i, name in enumerate(HOSTILE[:23:3])]
    frame = rows(folds=2, n=60, algorithms=named)
    return partial(pc.report, pc.compare_curves(predictions(frame=frame, case="case")))


def hostile_readers() -> Writer:
    found = dataclasses.replace(
        simulated(t=3, r=4),
        modalities=(HOSTILE[0], HOSTILE[15], HOSTILE[22]),
        readers=(HOSTILE[3], HOSTILE[17], HOSTILE[4], HOSTILE[18]),
    )
    return partial(pc.report, pc.mrmc(found))


def hostile_model() -> Writer:
    names = {"L0": HOSTILE[0], "L1": HOSTILE[3]}
    frame = designed(1).assign(learner=lambda x: x["learner"].replace(names))
    return partial(pc.report, pc.linear_model(frame, "error ~ learner * prep"))


KINDS: Mapping[str, Callable[[], Writer]] = {
    "example": lambda: compared(pc.example(), blocks="datasets"),
    "example_folds": lambda: compared(pc.example("folds"), n_train=216, n_test=24),
    "ranks_control": lambda: page("ranks_control"),
    "ranks_groups": lambda: page("ranks_groups_one_family"),
    "blocked_anova": lambda: page("folds_two_metrics"),
    "runs": lambda: page("folds_runs"),
    "many": lambda: page("many_means"),
    "many_model": lambda: page("many_model"),
    "sweep": lambda: page("sweep"),
    "two": lambda: page("two_folds_corrected"),
    "two_datasets": lambda: page("two_datasets"),
    "generalise": lambda: compared(
        trained(), metrics=("auc",), generalise="both", protocol="disjoint"
    ),
    "margin_control": lambda: page("folds_resampling"),
    "cases_binary": lambda: compared(cases(), blocks="cases"),
    "cases_clustered": lambda: compared(cases(cluster="text"), blocks="cases"),
    "cases_graded": lambda: compared(cases(graded=True), blocks="cases"),
    "curves": lambda: curves("curves"),
    "curves_data_sets": lambda: curves("curves_two_data_sets"),
    "model": lambda: model("model"),
    "model_within": lambda: model("model_within"),
    "mrmc": lambda: partial(
        pc.report, pc.mrmc(simulated(), margin=0.05, hypothesis="equivalence")
    ),
    "mrmc_glmm": lambda: partial(
        pc.report, pc.mrmc(simulated(t=2), figure="sensitivity", threshold=0.5)
    ),
    "single_modality": lambda: partial(
        pc.report, pc.single_modality(simulated(), modality="M1", null=0.5)
    ),
    "power": lambda: partial(
        pc.report, pc.power(sizes.Sign(win=0.8, tie=0.1), target=0.7)
    ),
    "hostile_ranks": lambda: compared(
        normal(HOSTILE[:13], HOSTILE[15]), blocks="datasets", **HOLM
    ),
    "hostile_folds": lambda: compared(
        normal(HOSTILE[13:], HOSTILE[3]), blocks="folds", **HOLM
    ),
    "hostile_curves": hostile_curves,
    "hostile_readers": hostile_readers,
    "hostile_model": hostile_model,
    "long_names": lambda: compared(normal(LONG), blocks="datasets", adjust=("holm",)),
    "long_names_folds": lambda: compared(normal(LONG), blocks="folds", **HOLM),
}
"""What makes one report of each kind."""


def document(name: str, style: str = "page") -> Document:
    """Return the document of one kind, as long as all of it."""
    if name == "evidence":
        return _evidence()
    return document_of(KINDS[name](), style)


def _evidence() -> Document:
    """Return the evidence of ``pycompare validate``, from one check in R."""
    with tempfile.TemporaryDirectory() as folder:
        found = pc.validate(Path(folder) / "out", only=["McNemar"], quick=True)
    made: Document = found.document()
    return made


def document_of(write: Writer, style: str = "page") -> Document:
    """Return the document of a report, with its files."""
    kept: list[Document] = []

    def keep(document: Document) -> bytes:
        kept.append(document)
        return b""

    with (
        mock.patch("pycompare.reporting.render.pdf.render", keep),
        tempfile.TemporaryDirectory() as folder,
    ):
        write(Path(folder) / "report", formats=["pdf"], style=style)
    [document] = kept
    return document


def main() -> None:
    """Write documents for a person to look at."""
    folder, *names = sys.argv[1:]
    for name in names or [*KINDS, "evidence"]:
        made = document(name)
        for ending in ("pdf", "docx", "rtf"):
            path = Path(folder) / ending / f"{name}.{ending}"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(render.RENDERERS[ending].render(made))
    for ending in ("docx", "rtf"):
        to_pdf(sorted((Path(folder) / ending).glob(f"*.{ending}")))


def to_pdf(files: list[Path]) -> None:
    """Have LibreOffice write each file as PDF beside it."""
    by = ["soffice", "--headless", "--convert-to", "pdf", "--outdir", files[0].parent]
    subprocess.run([*by, *files], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
