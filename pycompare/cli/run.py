"""``pycompare run``: from a plan file to a report."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from pycompare.cli.options import OUT, Grouped
from pycompare.cli.reports import compare_as_planned, read_plan


def model_as_planned(planned: Any, out: Path, overwrite: bool, as_json: bool) -> None:
    """Fit a linear model as a plan file says, and write its report."""
    from pycompare.cli.model import show_report
    from pycompare.reporting import model_report

    model_report.check_target(out, overwrite)
    made = planned.fitted()
    command = ["pycompare", *sys.argv[1:]]
    model_report.report_model(
        made,
        out,
        plan_file=planned,
        file=planned.path,
        overwrite=overwrite,
        command=command,
    )
    show_report(made, planned.model, out, as_json)


@click.command(cls=Grouped, example="pycompare run plan.toml --out report")
@click.argument("file", metavar="PLAN", type=click.Path(path_type=Path))
@OUT
def run(file: Path, out: Path, overwrite: bool, as_json: bool) -> None:
    """Run the plan file PLAN on its data and write a report to DIR.

    A plan with the table [model] fits a linear model by formula.
    """
    from pycompare.plans.model_plan import read_model_plan

    planned = read_model_plan(file)
    if planned is not None:
        model_as_planned(planned, out, overwrite, as_json)
        return
    compare_as_planned(read_plan(file), None, out, overwrite, as_json)
