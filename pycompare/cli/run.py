"""``pycompare run``: from a plan file to a report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from pycompare.cli.options import REPORT, Grouped, Output
from pycompare.cli.reports import called, compare_as_planned, progress, read_plan


def _model_as_planned(planned: Any, output: Output) -> None:
    """Fit a linear model as a plan file says, and write its report."""
    from pycompare.cli.model import show_report
    from pycompare.reporting.model_report import KIND
    from pycompare.reporting.report import report

    KIND.check_target(output.target, output.overwrite)
    with progress():
        made = planned.fitted()
        report(
            made,
            output.target,
            plan_file=planned,
            file=planned.path,
            **called(),
            **output.options,
        )
    show_report(made, planned.model, output)


@click.command(cls=Grouped, example="pycompare run plan.toml --out report")
@click.argument("file", metavar="PLAN", type=click.Path(path_type=Path))
@REPORT
def run(file: Path, output: Output) -> None:
    """Run the plan file PLAN on its data and write a report to DIR.

    A plan with the table [model] fits a linear model by formula.
    """
    from pycompare.plans.model_plan import read_model_plan

    planned = read_model_plan(file)
    if planned is not None:
        _model_as_planned(planned, output)
        return
    compare_as_planned(read_plan(file), None, output)
