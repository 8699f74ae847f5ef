"""A folder with a linear model: its page, pictures and R code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Unpack

from pycompare.base.formatting.counts import counted
from pycompare.base.interop.r_program import program_of_few
from pycompare.data.source import source_of
from pycompare.designs.plans.model_plan import ModelPlan
from pycompare.methods.models.linear_model import LinearModel
from pycompare.reporting.analyses.model_words import reported, reported_together
from pycompare.reporting.analyses.models import (
    ALL_RESPONSES,
    ModelReport,
    answer,
    method,
    model_report,
)
from pycompare.reporting.content import wording
from pycompare.reporting.document import plain as as_text
from pycompare.reporting.edition import Writing
from pycompare.reporting.evidence.comparison_log import other_data
from pycompare.reporting.evidence.data_files import of_model
from pycompare.reporting.evidence.manifest import Evidence, Step
from pycompare.reporting.evidence.r_table import TableInR
from pycompare.reporting.folder import FolderMark
from pycompare.reporting.provenance import Origin, provenance
from pycompare.reporting.submission_words import Words, stated_attributes
from pycompare.reporting.write import Contents, write_report

KIND = FolderMark("pycompare model")


def write(
    model: LinearModel,
    to: str | Path,
    *,
    plan: ModelPlan | None = None,
    file: str | Path | None = None,
    origin: Origin | None = None,
    **writing: Unpack[Writing],
) -> Path:
    """Write the folder of a linear model."""
    if origin is None:
        origin = Origin(source=None if file is None else source_of(Path(file), model.n))
    report = fitted_report(model, plan)
    contents_of_report = partial(contents, report, origin)
    return write_report(KIND, to, contents_of_report, **writing)


def fitted_report(model: LinearModel, plan: ModelPlan | None = None) -> ModelReport:
    """Return a model with its plan, by default the one that it was fitted by."""
    return ModelReport(model=model, plan=plan or _of_model(model))


def _of_model(model: LinearModel) -> ModelPlan:
    """Return the plan that a model was fitted by."""
    mixed = model.fit.mixed
    plan = ModelPlan(
        formula=model.formula,
        within=model.within or None,
        type=model.type,
        level=model.level,
        method=model.method,
        row_weights=model.row_weights or None,
    )
    return plan if mixed is None else replace(plan, df=mixed.df)


def contents(
    report: ModelReport,
    made_from: Origin,
    command: Sequence[str] | None,
) -> Contents:
    """Return the contents of the folder; ``command`` is the command line."""
    model, results, plan = report.model, report.results(), vars(report.plan)
    drawn: dict[str, Any] = {}
    if report.drawn:
        seed = report.plan.seed
        drawn = {"seed": seed, "randomness": f"{seed}, for {', '.join(report.drawn)}"}
    origin = provenance(
        source=made_from.source,
        command=command,
        plan_file=made_from.plan_file,
        **drawn,
    )
    return Contents(
        report=model_report(report, origin),
        program=program_of_few(results, model.n, "rows", TableInR(model)),
        results=report.to_dict,
        evidence=Evidence(
            data=of_model(model),
            asked=plan,
            settled=plan,
            steps=list(_steps(report)),
            deviations=list(other_data(made_from.trail)),
        ),
        words=partial(model_words, report),
    )


def _steps(report: ModelReport) -> Iterator[Step]:
    """Yield every step of a linear model."""
    model, plan = report.model, report.plan
    tested = model.anova[model.anova["p_value"].notna()]
    significant = tested[tested["p_value"] <= plan.alpha]
    yield Step(
        step="Read the data",
        why="the columns of the formula",
        decided="; ".join([counted(model.n, "row"), *model.notes]),
    )
    yield Step(
        step=f"Fit {model.formula}",
        why="primary analysis of the plan",
        decided=f"{len(significant)} of {counted(len(tested), 'test')} of terms "
        f"significant at alpha = {plan.alpha:g}",
    )
    for title, result in report.results():
        yield Step(
            step=title,
            why="planned means and comparisons, or those of each factor",
            decided=counted(len(result.as_columns()), "row"),
        )


def model_words(report: ModelReport) -> Words:
    """Return the statements of a report for submission about a linear model."""
    model, alpha = report.model, report.plan.alpha
    responses = wording.listing(model.responses, len(model.responses))
    levels = {k: len(v) for k, v in model.fit.grid.factors.items()}
    told = [(name, reported(report, name), _MEASURE) for name in model.responses]
    joint = reported_together(report.tested_together, alpha)
    if joint:
        told.append((ALL_RESPONSES, joint, "Pillai's trace of each term"))
    return Words(
        question=f"Which terms of {model.formula} have an effect on {responses}?",
        opening=f"We fitted the linear model {model.formula} (alpha = {alpha:g}). "
        f"{method(model)}",
        attributes=[
            *(("Factor", f"{name}, {n} levels") for name, n in levels.items()),
            *stated_attributes(report.plan, responses),
        ],
        others=told,
        dropped=[wording.sentence(note) for note in model.notes],
    )


_MEASURE = "partial eta squared of each term; difference of each pair of marginal means"


def _answers(model: LinearModel, alpha: float) -> Iterator[tuple[str, str]]:
    """Yield each response with its conclusion."""
    for response in model.responses:
        own = model.anova[model.anova["response"] == response]
        yield response, as_text(answer(own, alpha, model.level, model.tested_at))


def conclusions(model: LinearModel, alpha: float) -> str:
    """Return the conclusions as text, one response a line."""
    told = (f"{name}: {answer}" for name, answer in _answers(model, alpha))
    return "\n".join([*told, *(f"note: {note}" for note in model.notes)])
