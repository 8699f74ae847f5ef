"""``pycompare curves``: from predictions to a report on ROC curves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from pycompare.apps.cli.options import (
    READING_OR_REPORT,
    Output,
    column,
    given,
    of_predictions,
    one_class,
    option,
)
from pycompare.apps.cli.readings import (
    ACCEPT,
    OrReading,
    print_or_run,
    reading_of_cases,
    require,
    typed,
)
from pycompare.apps.cli.reports import called, progress, show
from pycompare.data.file_format import OF_EVERY_FILE
from pycompare.data.roles import ROLES


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
@option(
    "--alpha",
    type=float,
    default=0.05,
    show_default=True,
    metavar="X",
    help="Significance level.",
    group="Analysis",
)
@option(
    "--level",
    type=float,
    default=0.95,
    show_default=True,
    metavar="X",
    help="Confidence level of the intervals of each AUC, and of average precisions.",
    group="Analysis",
)
@option(
    "--adjust",
    metavar="NAME",
    help="Adjustment over all pairs of a data set.  [default: "
    "bergmann-hommel; holm over 40 algorithms]",
    group="Analysis",
)
@option(
    "--threshold",
    type=float,
    help="Threshold of the Cortes-Mohri interval.",
    group="Analysis",
)
@option(
    "--train",
    "n_train",
    type=float,
    help="Size of each training set.",
    group="Analysis",
)
@option("--test", "n_test", type=float, help="Size of each test set.", group="Analysis")
@option(
    "--seed",
    type=int,
    default=0,
    show_default=True,
    help="Random seed for bootstraps and bands.",
    group="Analysis",
)
@ACCEPT
@READING_OR_REPORT
@click.pass_context
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


_OF_CLASSES = ("algorithms", "positive", "rest", "classes", "one_class", "missing")


def _compare_curves(predictions: Path, output: Output, options: dict[str, Any]) -> None:
    """Compare ROC curves as the options specify."""
    from pycompare.data.prediction_files import read_predictions
    from pycompare.designs.curve_comparison import compare_curves
    from pycompare.reporting.curves_report import KIND, conclusions
    from pycompare.reporting.report import report

    names = (*ROLES, *OF_EVERY_FILE, *_OF_CLASSES)
    data = {name: options.pop(name) for name in names if name in options}
    KIND.check_target(output.target, output.overwrite)
    read = read_predictions(predictions, **given(data))
    with progress():
        comparison = compare_curves(read, **options)
        report(comparison, output.target, **called(), **output.options)
    show(conclusions(comparison), output)
