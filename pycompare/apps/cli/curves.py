"""``pycompare curves``: from predictions to a report on ROC curves."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from pycompare.apps.cli.long_work import report_work
from pycompare.apps.cli.options import (
    READING_OR_REPORT,
    Output,
    column,
    declared,
    given,
    of_predictions,
    one_class,
)
from pycompare.apps.cli.readings import (
    ACCEPT,
    OrReading,
    print_or_run,
    reading_of_cases,
    require,
    typed,
)
from pycompare.apps.cli.reports import called, end_by_cross_check, progress, show
from pycompare.data.file_format import OF_EVERY_FILE
from pycompare.designs.plans.curves_plan import CurvesPlan, CurvesTable


@click.command(
    cls=OrReading,
    example="pycompare curves predictions.csv --algorithm model --block fold "
    "--case patient --label label --score score --positive yes --out curves",
)
@of_predictions("Column of cases, needed for tests over cases.")
@column("cluster")
@one_class(
    "Blocks without scores of an algorithm, or with an undefined AUC: reject "
    "them, drop them, or keep them as missing."
)
@declared(CurvesTable)
@ACCEPT
@READING_OR_REPORT
@click.pass_context
@report_work
def curves(
    context: click.Context,
    predictions: Path,
    accept: bool,
    output: Output,
    **options: Any,
) -> None:
    """Compare ROC curves on predictions and write a report to DIR.

    Over cases, or clusters of cases: DeLong's test and intervals of each AUC. Over
    folds: corrected t tests of AUCs, if --train and --test are given. With only FILE,
    print how it is read and the open questions; nothing is written.
    """
    reading = reading_of_cases(context, predictions)
    if reading is None:
        require(context)
        _compare_curves(predictions, output, options)
        return

    def run() -> None:
        _compare_curves(predictions, output, {**options, **reading.arguments})

    commands = {"curves": typed(context, "--out", "report")}
    print_or_run(
        *(predictions, reading, run, commands),
        accept=accept,
        as_json=output.as_json,
    )


def _compare_curves(predictions: Path, output: Output, options: dict[str, Any]) -> None:
    """Compare ROC curves by the options."""
    from pycompare.data.file_format import FileFormat
    from pycompare.designs.planned_analysis import analysed
    from pycompare.reporting.planned_report import conclusion, mark_of
    from pycompare.reporting.report import report

    chosen = given(options)
    form = {name: chosen.pop(name) for name in OF_EVERY_FILE if name in chosen}
    plan = CurvesPlan(**chosen)
    mark = mark_of(plan)
    check = partial(mark.check_target, output.target, output.overwrite)
    with progress():
        analysis = analysed(plan, predictions, FileFormat(**form), once_read=check)
        report(analysis, output.target, **called(), **output.options)
    show(conclusion(analysis), output)
    end_by_cross_check(output)
