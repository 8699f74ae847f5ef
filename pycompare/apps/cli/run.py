"""``pycompare run``: from a plan file to a report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from pycompare.apps.cli.options import READING_OR_REPORT, Grouped, Output
from pycompare.apps.cli.readings import ACCEPT
from pycompare.apps.cli.reports import (
    called,
    compare_as_planned,
    progress,
    read_plan,
    with_run,
)
from pycompare.data.file_format import OF_TABLES


def _model_as_planned(planned: Any, output: Output) -> None:
    """Fit a linear model as a plan file specifies, and write its report."""
    from pycompare.apps.cli.model import show_report
    from pycompare.reporting.model_report import KIND
    from pycompare.reporting.report import report

    KIND.check_target(output.target, output.overwrite)
    with progress():
        fitted = planned.fitted()
        planned = with_run(planned, planned.text.encode("utf-8"), planned.path)
        report(
            fitted,
            output.target,
            plan_file=planned,
            file=planned.path,
            **called(),
            **output.options,
        )
    show_report(fitted, planned.model, output)


@click.command(cls=Grouped, example="pycompare run plan.toml --out report")
@click.argument("file", metavar="PLAN", type=click.Path(path_type=Path))
@ACCEPT
@READING_OR_REPORT
def run(file: Path, accept: bool, output: Output) -> None:
    """Run the plan file PLAN on its data and write a report to DIR.

    A plan with the table [model] fits a linear model by formula. With a table of scores
    in the place of PLAN, print how it is read and the open questions; nothing is
    written.
    """
    from pycompare.data.compressed import kind_of

    if file.is_file() and kind_of(file) in OF_TABLES:
        from pycompare.apps.cli.compare import print_or_compare, reading_of

        reading = reading_of(file, {})
        if reading is not None:
            print_or_compare(file, reading, accept, output)
            return
    if accept:
        raise click.UsageError(
            "--accept is for a table of scores: a plan states how its table is read; "
            "leave it out"
        )
    from pycompare.designs.plans.model_plan import read_model_plan

    planned = read_model_plan(file)
    if planned is not None:
        _model_as_planned(planned, output)
        return
    compare_as_planned(read_plan(file), None, output)
