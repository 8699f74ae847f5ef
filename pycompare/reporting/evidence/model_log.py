"""The decision log of a linear model."""

from __future__ import annotations

from typing import Any

from pycompare.formatting.counts import counted
from pycompare.reporting.content.models import ModelReport
from pycompare.reporting.evidence.manifest import Step


def model_steps(found: ModelReport) -> list[Step]:
    """Return every step of a linear model."""
    model, plan = found.model, found.plan
    tested = model.anova[model.anova["p_value"].notna()]
    significant = tested[tested["p_value"] <= plan.alpha]
    read = Step(
        step="Read the data",
        why="the columns of the formula",
        decided="; ".join([counted(model.n, "row"), *model.notes]),
    )
    fitted = Step(
        step=f"Fit {model.formula}",
        why="primary analysis of the plan",
        decided=f"{len(significant)} of {counted(len(tested), 'test')} of terms "
        f"significant at alpha = {plan.alpha:g}",
    )
    return [read, fitted, *(_described(title, one) for title, one in found.results())]


def _described(title: str, result: Any) -> Step:
    """Return a table that follows from the model."""
    why = "planned means and comparisons, or those of each factor"
    return Step(
        step=title, why=why, decided=f"{counted(len(result.to_frame()), 'row')}"
    )
