"""``pycompare model``: a linear model by formula from a table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from pycompare.apps.cli.long_work import long_work
from pycompare.apps.cli.options import AS_WRITTEN, Grouped, Output, declared
from pycompare.apps.cli.reports import (
    analysed_and_reported,
    plan_of_options,
    reports_or_prints,
    show,
)
from pycompare.designs.plans.model_plan import ModelPlan


@click.command(
    cls=Grouped,
    example="pycompare model runs.csv --formula 'error ~ learner * scaled' "
    "--within data/fold --means learner --contrasts learner",
)
@click.argument("file", type=click.Path(path_type=Path))
@declared(ModelPlan)
@AS_WRITTEN
@reports_or_prints
@long_work
def model(file: Path, output: Output, **options: Any) -> None:
    """Fit a linear model by formula to a table and test each of its terms."""
    from pycompare.reporting.planned_report import conclusion

    plan, form = plan_of_options(ModelPlan, options)
    analysis = analysed_and_reported(plan, file, form, output)
    if output.folder is not None:
        show(conclusion(analysis), output)
        return
    _show_tables(analysis.result, plan, output.as_json)


def _show_tables(fitted: Any, plan: ModelPlan, as_json: bool) -> None:
    """Print the tables."""
    tables = {"Tests of terms": fitted.to_frame()}
    if fitted.fit.mixed is not None:
        tables["Variances of units (REML)"] = fitted.variances.to_frame()
    elif len(fitted.responses) > 1:
        for name, test in fitted.manova.items():
            tables[f"Multivariate tests of {name}"] = test.to_frame()
    for name in fitted.terms if plan.permutations else ():
        tested = fitted.permutation_test(
            name, permutations=plan.permutations, seed=plan.seed
        )
        tables[f"Permutations of residuals for {name}"] = tested.to_frame()
    at = plan.at or {}
    for response in fitted.responses:
        for factors in plan.means:
            means = fitted.emmeans(factors.split(":"), response=response, at=at)
            tables[f"Means of {response} by {factors}"] = means.to_frame()
        for names in plan.slopes:
            covariate, *levels = names.split(":")
            slopes = fitted.slopes(covariate, levels, response=response, at=at)
            tables[f"Slopes of {response} in {names}"] = slopes.to_frame()
        for factors in plan.contrasts:
            table = fitted.contrasts(
                factors.split(":"),
                adjust=plan.adjust,
                response=response,
                alpha=plan.alpha,
                seed=plan.seed,
                at=at,
            ).to_frame()
            tables[f"Comparisons of {response} by {factors} ({plan.adjust})"] = table
    if as_json:
        from pycompare.results.result import plain

        told = {"readings": fitted.readings, "notes": fitted.notes, "tables": tables}
        click.echo(json.dumps(plain(told), indent=2))
        return
    for line in fitted.readings:
        click.echo(f"read: {line}")
    click.echo()
    for title, table in tables.items():
        click.echo(f"{title}\n{table.to_string(index=False)}\n")
    for note in fitted.notes:
        click.echo(f"note: {note}")
