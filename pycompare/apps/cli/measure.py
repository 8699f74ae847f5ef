"""``pycompare measure``: from predictions to a table of scores."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pycompare.apps.cli.fields import arguments_of
from pycompare.apps.cli.long_work import long_work
from pycompare.apps.cli.options import (
    column,
    given,
    of_predictions,
    one_class,
    option,
    parse_loss,
    together,
)
from pycompare.apps.cli.readings import (
    ACCEPT,
    OrReading,
    print_or_run,
    reading_of_cases,
    require,
    typed,
)
from pycompare.apps.cli.reports import progress
from pycompare.apps.streaming import stream
from pycompare.data.file_format import OF_EVERY_FILE
from pycompare.data.predictions import Predictions

if TYPE_CHECKING:
    from pycompare.data.proposal import Reading
    from pycompare.data.scores import Scores

_CASES = ("--blocks", "cases")
_DATA_SETS = ("--blocks", "datasets")
_MEANS_OF_CASES = (*_DATA_SETS, "--average-folds")
_FOLDS = (
    *("--blocks", "folds", "--protocol", "PROTOCOL"),
    *("--train", "N_TRAIN", "--test", "N_TEST"),
)
"""Kinds of blocks; numbers that predictions do not show have places."""


def _parse_threshold(
    ctx: click.Context, param: click.Parameter, values: tuple[str, ...]
) -> Any:
    """Turn thresholds into numbers; ``risk`` alone is a word."""
    if values == ("risk",):
        return "risk"
    try:
        numbers = [float(value) for value in values]
    except ValueError:
        raise click.UsageError(
            f"--threshold {' '.join(values)}: give numbers, or risk once"
        ) from None
    return (numbers[0] if len(numbers) == 1 else numbers) if numbers else None


def _parse_undefined(
    ctx: click.Context, param: click.Parameter, values: tuple[str, ...]
) -> dict[str, float]:
    """Turn ``precision=1`` into a mapping."""
    declared: dict[str, float] = {}
    for value in values:
        name, _, number = value.partition("=")
        if number not in ("0", "1"):
            raise click.UsageError(f"--undefined {value!r}: set NAME=0 or NAME=1")
        if name in declared:
            raise click.UsageError(
                f"--undefined names {name!r} twice: {' and '.join(values)}; give each "
                "measure once"
            )
        declared[name] = float(number)
    return declared


@click.command(
    cls=OrReading,
    example="pycompare measure predictions.parquet --algorithm model --block fold "
    "--label label --score score --positive yes --metric auc --out scores.parquet",
)
@of_predictions()
@column("replicate")
@column("group")
@option(
    "--metric",
    "metrics",
    multiple=True,
    required=True,
    metavar="NAME",
    help="Measure: error, tpr, fpr, precision, f1, mcc, auc, auc_pr, brier, ... "
    "Repeatable.",
    group="Measures",
)
@option(
    "--threshold",
    multiple=True,
    callback=_parse_threshold,
    metavar="NUMBER|risk",
    help="Scores at or above the threshold are classified as positive. Repeatable. "
    "Default for scores in [0, 1]: 0.5. risk: the threshold of least risk.",
    group="Measures",
)
@together(*arguments_of(Predictions.measure, "Measures", "cost_ratio"))
@option(
    "--loss",
    nargs=4,
    type=float,
    callback=parse_loss,
    metavar="TP FP FN TN",
    help="Costs of the four decisions, instead of --cost-ratio.",
    group="Measures",
)
@together(*arguments_of(Predictions.measure, "Measures", "fpr_range", "top_share"))
@option(
    "--undefined",
    multiple=True,
    callback=_parse_undefined,
    metavar="NAME=0|1",
    help="Value of a measure that is 0/0. Repeatable.",
    group="Measures",
)
@one_class(
    "Blocks without scores of an algorithm, and undefined measures: reject "
    "them, drop the blocks, or keep missing cells."
)
@option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    metavar="SCORES.parquet",
    help="Table of scores to write.",
    group="Output",
)
@option("--overwrite", is_flag=True, help="Replace an earlier file.", group="Output")
@option(
    "--json",
    "as_json",
    is_flag=True,
    help="Describe the scores as JSON.",
    group="Output",
)
@ACCEPT
@click.pass_context
@long_work
def measure(
    context: click.Context,
    predictions: Path,
    out: Path,
    overwrite: bool,
    as_json: bool,
    accept: bool,
    **options: Any,
) -> None:
    """Measure predictions: one score for each algorithm, block and metric.

    With only FILE, print how it is read and the open questions; nothing is written.

    Parquet files and folders of them may be of any size. Interrupted runs resume where
    they stopped; after a minute unfinished work is kept in OUT.unfinished.
    """
    read = reading_of_cases(context, predictions)
    if read is None:
        require(context)
        _measure_by_options(predictions, out, overwrite, as_json, options)
        return

    reading, more = _of_each_case(read, [] if options["metrics"] else ["auc"])

    def run() -> None:
        require(context, "metrics", "out")
        as_read = {**options, **reading.arguments}
        _measure_by_options(predictions, out, overwrite, as_json, as_read)

    named = [word for name in more for word in ("--metric", name)]
    words = typed(context, *named, "--out", "scores.csv")
    commands = {"measure": words}
    print_or_run(*(predictions, reading, run, commands), accept=accept, as_json=as_json)


def _of_each_case(reading: Reading, more: list[str]) -> tuple[Reading, list[str]]:
    """Return how predictions are measured, and measures that are not named.

    Of one test set each case separately.
    """
    given = dict(reading.arguments)
    if not given or "block" in given:
        return reading, more
    if "case" not in given:
        asked = "which column names the cases, each of which is measured separately"
        return replace(reading, open=(*reading.open, asked)), more
    block = {"block": given.pop("case"), "one_class": "undefined"}
    return replace(reading, arguments=given | block), ["brier"] * bool(more)


def _measure_by_options(
    predictions: Path,
    out: Path,
    overwrite: bool,
    as_json: bool,
    options: dict[str, Any],
) -> None:
    """Measure predictions as the options specify."""
    from pycompare.base.labels import printable, readable
    from pycompare.data.write import check_out, described, write_scores

    check_out(out, overwrite)
    written = {name: options.pop(name) for name in OF_EVERY_FILE}
    with progress() as tell:
        scores = stream.measure_file(
            predictions,
            progress=tell,
            write=lambda scores: write_scores(scores, out, overwrite=overwrite),
            **options,
            **given(written),
        )
    if as_json:
        click.echo(json.dumps(described(scores), indent=2))
        return
    click.echo(scores.summary())
    click.echo("\n" + printable(f"Scores: {readable(str(out))}"))
    for when, words in _next_steps(scores, out, options["block"] or ""):
        step = readable(shlex.join(words))
        click.echo(printable(f"Compare them{when}: {step}"))


def _next_steps(scores: Scores, out: Path, block: str) -> list[tuple[str, list[str]]]:
    """Return the commands that compare measured scores, and when each one is right."""
    several = len(set(scores.datasets or ())) > 1
    roles = ["--algorithm", "algorithm", "--block", "block"]
    if scores.datasets is not None:
        roles = ["--algorithm", "algorithm", "--dataset", "dataset", "--block", "fold"]
    if scores.replicates is not None:
        fewest, most = scores.runs_per_cell
        how = "keep" if fewest == most else "average"
        roles += ["--replicate", "run", "--replicates", how]
    if scores.groups is not None:
        roles += ["--group", "group", "--family", "metric"]
    metrics = [
        word for m in scores.metrics for word in ("--metric", f"{m.name}:{m.better}")
    ]
    units: list[tuple[str, tuple[str, ...]]]
    if scores.items:
        units = [("", _MEANS_OF_CASES if several else _CASES)]
    elif several:
        units = [("", ())]
    elif scores.groups is not None:
        units = [("", _DATA_SETS)]
    elif scores.datasets is not None or "fold" in block.casefold():
        units = [("", _FOLDS)]
    else:
        units = [(", if blocks are folds of one data set", _FOLDS)]
        units += [(", if blocks are independent data sets", _DATA_SETS)]
    start = ["pycompare", "compare", str(out)]
    return [
        (when, [*start, *roles, *metrics, *unit, "--out", "DIR"])
        for when, unit in units
    ]
