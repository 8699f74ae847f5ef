"""``pycompare run``: from a plan file to a report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from pycompare.apps.cli.long_work import report_work
from pycompare.apps.cli.options import READING_OR_REPORT, Grouped, Output, option
from pycompare.apps.cli.readings import ACCEPT
from pycompare.apps.cli.reports import (
    called,
    compare_as_planned,
    end_by_cross_check,
    progress,
    read_plan,
    show,
)
from pycompare.data.file_format import OF_TABLES


def _analysis_as_planned(planned: Any, output: Output, by: str | None) -> None:
    """Make one analysis as a plan file says, and write the report."""
    from pycompare.apps.planned_run import run_analysis
    from pycompare.reporting.planned_report import conclusion, mark_of
    from pycompare.reporting.report import report

    mark_of(planned.plan).check_target(output.target, output.overwrite)
    with progress():
        analysis = run_analysis(planned, by)
        report(analysis, output.target, **called(), **output.options)
    show(conclusion(analysis), output)
    end_by_cross_check(output)


@click.command(cls=Grouped, example="pycompare run plan.toml --out report")
@click.argument("file", metavar="PLAN", type=click.Path(path_type=Path))
@option(
    "--by",
    metavar="NAME",
    help="Who runs a sealed plan, for its trail.",
    group="Plan",
)
@ACCEPT
@READING_OR_REPORT
@report_work
def run(file: Path, by: str | None, accept: bool, output: Output) -> None:
    """Run the plan file PLAN on its data and write a report to DIR.

    A plan with the table [readers] compares modalities over readers and cases, one with
    [curves] ROC curves; one with [model] fits a linear model by formula; one whose data
    have the format battles ranks models; one with [release] ends as pycompare gate
    does, with the status of its verdict. With a table
    of scores in the place of PLAN, print how it is read and the open questions; nothing
    is written.
    """
    from pycompare.data.compressed import kind_of

    if file.is_file() and kind_of(file) in OF_TABLES:
        from pycompare.apps.cli.compare import print_or_compare, reading_of

        reading = reading_of(file, {})
        if reading is not None:
            if by is not None:
                raise click.UsageError("--by is of a sealed plan; leave it out")
            print_or_compare(file, reading, accept, output)
            return
    if accept:
        raise click.UsageError(
            "--accept is for a table of scores: a plan states how its table is read; "
            "leave it out"
        )
    from pycompare.designs.plans.analysis_plans import read_analysis_plan

    planned = read_analysis_plan(file)
    if planned is not None:
        _analysis_as_planned(planned, output, by)
        return
    scores_plan = read_plan(file)
    if scores_plan.release is not None:
        from pycompare.apps.cli.gate import end_as_planned

        end_as_planned(scores_plan, output, by)
    compare_as_planned(scores_plan, None, output, by)
