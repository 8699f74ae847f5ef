"""``pycompare curves``: from predictions to a report on ROC curves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from pycompare.apps.cli.options import (
    READING_OR_REPORT,
    Choice,
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
    help="Adjustment over the pairs of a data set.  [default: "
    "bergmann-hommel; holm with a control, or over 40 algorithms]",
    group="Analysis",
)
@option(
    "--control",
    metavar="NAME",
    help="Compare each other algorithm with this one. Default: all pairs.",
    group="Analysis",
)
@option(
    "--margin",
    type=float,
    metavar="X",
    help="Also test whether differences in AUC are smaller than this margin.",
    group="Analysis",
)
@option(
    "--margin-kind",
    type=Choice(("equivalence", "non-inferiority")),
    help="equivalence: differences lie within the margin both ways. non-inferiority: "
    "no algorithm is worse than the control by the margin or more.  [default: "
    "equivalence]",
    group="Analysis",
)
@option(
    "--margin-alpha",
    type=float,
    metavar="X",
    help="One-sided significance level of each test against the margin.  [default: "
    "alpha, or alpha/2 for non-inferiority]",
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
    folds: corrected t tests of AUCs, if --train and --test are given. With FILE alone,
    print how it is read and what is open; nothing is written.
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
    """Compare ROC curves as the options say."""
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
