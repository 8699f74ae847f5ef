"""The command line. Exit status: 0 done, 2 bad input (one line), 1 our fault."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from pycompare import __version__
from pycompare.errors import PlanError, PyCompareError

if TYPE_CHECKING:
    from pycompare.data.scores import Scores


def main() -> None:
    """Run the command line; bad input is one clear line on stderr and status 2."""
    try:
        status = cli.main(prog_name="pycompare", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        sys.exit(2)
    except click.ClickException as error:
        refuse(error.format_message())
    except PlanError as error:
        refuse_plan(error)
    except (PyCompareError, OSError) as error:
        refuse(str(error))
    except click.exceptions.Abort:
        click.echo("pycompare: interrupted", err=True)
        sys.exit(130)
    sys.exit(status or 0)


OPTIONS = {
    "wide=True": "--wide",
    'missing="drop-block"': "--missing drop-block",
    'missing="model"': "--missing model",
    "average_folds=True": "--average-folds",
    "average_folds": "--average-folds",
    "(replicate=...)": "(--replicate)",
    "n_train and n_test": "--train and --test",
    "n_train=": "--train ",
    "n_test=": "--test ",
    "margin=": "--margin ",
    "pairwise_t(control=..., adjust='holm')": "--adjust holm",
    "(block=..., dataset=...)": "(--block, --dataset)",
    "(dataset=...)": "(--dataset)",
    "(group=...)": "(--group)",
    'p_values="by-size"': "--p-values by-size",
    'one_class="undefined"': "--one-class undefined",
    "rest=True": "--rest",
    "classes=": "--classes ",
    "workers=, scheduler= and keep=": "--workers and --scheduler",
    'p_value="normal"': "--p-values approximate",
    'p_value="permutation" or "chi2"': "--p-values approximate",
}
"""How messages written for Python are said on the command line."""


def refuse(message: str) -> NoReturn:
    """Print one line and end with status 2."""
    line = " ".join(message.split())
    for python, here in OPTIONS.items():
        line = line.replace(python, here)
    line = re.sub(r"undefined=\{'(\w+)': ([01])\}", r"--undefined \1=\2", line)
    click.echo(f"pycompare: {line}", err=True)
    sys.exit(2)


def as_options(message: str) -> str:
    """Spell keys of a plan with their values, ``blocks='folds'``, as options."""
    from pycompare.plans.keys import keys_of
    from pycompare.plans.plan import Plan

    for name, key in keys_of(Plan).items():
        if key.option:
            given = re.compile(rf"\b{name}=(['\"]?)([\w.+-]+)\1")
            message = given.sub(rf"{key.option} \2", message)
    return message.replace("--average-folds True", "--average-folds")


def refuse_plan(error: PlanError) -> NoReturn:
    """Print one line a problem of a plan file and end with status 2."""
    if not error.in_file:
        refuse(as_options(str(error)))
    lines = [" ".join(line.split()) for line in error.lines]
    if len(lines) > 1:
        lines = [f"{len(lines)} problems:", *(f"  {line}" for line in lines)]
    click.echo("pycompare: " + "\n".join(lines), err=True)
    sys.exit(2)


def parse_metrics(
    ctx: click.Context, param: click.Parameter, values: tuple[str, ...]
) -> dict[str, Any]:
    """Turn ``NAME:higher`` into a mapping; the last colon divides."""
    metrics: dict[str, Any] = {}
    for value in values:
        name, colon, better = value.rpartition(":")
        if not colon or better not in ("higher", "lower") or not name:
            raise click.UsageError(
                f"--metric {value!r}: say which scores are better, as in "
                f"'{name or value}:higher' or '{name or value}:lower'"
            )
        if name in metrics:
            raise click.UsageError(f"--metric {name!r} is given twice")
        metrics[name] = better
    return metrics


def parse_loss(
    ctx: click.Context, param: click.Parameter, value: tuple[float, ...] | None
) -> tuple[tuple[float, ...], ...] | None:
    """Turn four costs into two rows: decided positive, decided negative."""
    return None if value is None else (value[:2], value[2:])


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="pycompare")
def cli() -> None:
    """Compare classification algorithms, with R agreeing to the digit."""


@cli.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--plan",
    "plan_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Compare as this file says; no other option may say otherwise.",
)
@click.option("--wide", is_flag=True, help="One row a block, one column an algorithm.")
@click.option("--algorithm", metavar="COL", help="Column of algorithms (long tables).")
@click.option(
    "--block",
    metavar="COL",
    help="Column of blocks: data sets or folds. Wide tables: the first column.",
)
@click.option("--dataset", metavar="COL", help="Column of data sets, blocks are folds.")
@click.option(
    "--replicate",
    metavar="COL",
    help="Column of runs (seeds), where each algorithm has several on each block.",
)
@click.option(
    "--group",
    metavar="COL",
    help="Column of groups (domains) of data sets: each is compared by itself.",
)
@click.option(
    "--metric",
    "metrics",
    multiple=True,
    callback=parse_metrics,
    metavar="NAME:higher|lower",
    help="Score column and its better direction; wide: any name. Repeatable.",
)
@click.option(
    "--missing",
    type=click.Choice(["error", "drop-block", "model"]),
    default="error",
    show_default=True,
    help="What to do with missing cells.",
)
@click.option("--alpha", type=float, default=0.05, show_default=True)
@click.option(
    "--adjust",
    multiple=True,
    metavar="METHOD",
    help="Method of comparing pairs; the first makes the verdict. Repeatable. "
    "Default: bergmann-hommel shaffer holm bonferroni nemenyi; "
    "with --control: holm hommel holland bonferroni. Over folds: tukey scheffe "
    "bergmann-hommel holm bonferroni; with --control: dunnett holm hommel bonferroni. "
    "With --family all: holm bonferroni.",
)
@click.option("--control", metavar="NAME", help="Compare this algorithm with the rest.")
@click.option(
    "--family",
    type=click.Choice(["metric", "all"]),
    help="What is adjusted together: the pairs of one metric (and group), or those of "
    "all metrics and groups. Needed with --group.  [default: metric]",
)
@click.option(
    "--groups",
    type=click.Choice(["each", "each-and-all"]),
    default="each",
    show_default=True,
    help="With --group: compare in each group, or also over all data sets together.",
)
@click.option(
    "--blocks",
    type=click.Choice(["by-columns", "datasets", "folds", "folds-of-datasets"]),
    default="by-columns",
    show_default=True,
    help="What the blocks are. Data sets: compared by ranks. Folds of one data set: "
    "analysis of variance and Tukey, or a paired t test, ranks beside it. By columns: "
    "folds if --dataset names a column that holds one data set, folds of data sets if "
    "it holds several with folds each, else data sets.",
)
@click.option(
    "--verdict",
    type=click.Choice(["ranks", "sign", "means", "model"]),
    help="What decides over folds of several data sets: ranks of data-set means, sign "
    "tests of wins, analysis of variance of the means, or one model of all folds "
    "(these data sets only).  [default: ranks]",
)
@click.option(
    "--omnibus",
    type=click.Choice(
        [
            "friedman",
            "iman-davenport",
            "aligned-ranks",
            "quade",
            "anova",
            "greenhouse-geisser",
            "huynh-feldt",
        ]
    ),
    help="The test of all algorithms.  [default: friedman over data sets, anova over "
    "folds]",
)
@click.option(
    "--replicates",
    type=click.Choice(["keep", "average"]),
    help="Runs of --replicate (needed there): keep them, and their analysis stands "
    "beside the verdict, or average them. The verdict is of cell means either way.",
)
@click.option(
    "--gate",
    type=click.Choice(["none", "omnibus"]),
    default="none",
    show_default=True,
    help="omnibus: decide a pair only where the test of all algorithms rejects too.",
)
@click.option(
    "--cost-ratio",
    type=float,
    metavar="X",
    help="Cost of a false positive (false negative: 1): wins over data sets by total "
    "risk, of the metrics fp and fn.",
)
@click.option(
    "--loss",
    nargs=4,
    type=float,
    callback=parse_loss,
    metavar="TP FP FN TN",
    help="Costs of the four decisions, instead of --cost-ratio.",
)
@click.option(
    "--protocol",
    type=click.Choice(["cross-validation", "resampling", "held-out"]),
    help="How the folds were made: cross-validation (once or repeated), independent "
    "random splits, or several training sets tested on one test set; decides what the "
    "verdict is about.",
)
@click.option(
    "--train",
    "n_train",
    type=float,
    metavar="N",
    help="Size of a training set (folds): t tests corrected for shared training data "
    "make the verdict, unless the first --adjust is tukey, scheffe or dunnett; over "
    "several data sets they decide wins (a size for each data set: in a plan file). "
    "Needs --test.",
)
@click.option("--test", "n_test", type=float, metavar="N", help="Size of a test set.")
@click.option(
    "--margin",
    type=float,
    metavar="X",
    help="Also test that algorithms differ by less than X, in the metric's unit.",
)
@click.option(
    "--margin-kind",
    type=click.Choice(["equivalence", "non-inferiority"]),
    help="Within the margin both ways, or not worse than the control.  [default: "
    "equivalence]",
)
@click.option(
    "--seed",
    type=int,
    help="Of what is random over folds (never a verdict).  [default: 0]",
)
@click.option(
    "--average-folds",
    is_flag=True,
    help="Rank each data set's mean over its folds (needs --dataset).",
)
@click.option(
    "--monotone",
    is_flag=True,
    help="Force Bergmann-Hommel's adjusted p-values to rise with the raw ones.",
)
@click.option(
    "--p-values",
    type=click.Choice(["by-size", "approximate", "exact"]),
    default="by-size",
    show_default=True,
    help="Of rank tests; exact for small tables by default.",
)
@click.option(
    "--decimals", type=int, help="Round scores before ranking; decides what ties."
)
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="DIR")
@click.option("--overwrite", is_flag=True, help="Replace an earlier report in DIR.")
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
@click.pass_context
def compare(
    context: click.Context,
    file: Path,
    plan_file: Path | None,
    out: Path,
    overwrite: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Compare algorithms over common blocks and write a report to DIR."""
    if plan_file is None:
        compare_by_options(file, options, out, overwrite, as_json)
        return
    from pycompare.plans.otherwise import refuse_otherwise

    planned = read_plan(plan_file)
    refuse_otherwise(planned, given_options(context))
    compare_as_planned(planned, file, out, overwrite, as_json)


def compare_by_options(
    file: Path, options: dict[str, Any], out: Path, overwrite: bool, as_json: bool
) -> None:
    """Compare as the options say."""
    from pycompare.plans.plan import Plan
    from pycompare.reporting import report

    names = (
        "algorithm",
        "block",
        "dataset",
        "replicate",
        "group",
        "metrics",
        "missing",
    )
    roles = {name: options.pop(name) for name in names}
    read = read_wide if options.pop("wide") else read_long
    if not roles["metrics"]:
        raise click.UsageError(
            "name the score and which direction is better: --metric accuracy:higher or "
            "--metric error:lower (with make: METRIC=accuracy:higher)"
        )
    planned = Plan(**options)
    report.check_target(out, overwrite)
    compare_and_report(read(file, **roles), planned, out, overwrite, as_json)


def compare_as_planned(
    planned: Any, file: Path | None, out: Path, overwrite: bool, as_json: bool
) -> None:
    """Compare as a plan file says."""
    from pycompare.reporting import report

    report.check_target(out, overwrite)
    data = planned.read_data(file)
    compare_and_report(data, planned, out, overwrite, as_json)


def compare_and_report(
    scores: Any, planned: Any, out: Path, overwrite: bool, as_json: bool
) -> None:
    """Compare, write the report and print the verdict."""
    from pycompare.procedure import compare as procedure
    from pycompare.reporting import report

    command = ["pycompare", *sys.argv[1:]]
    with progress() as tell:
        comparison = procedure.compare(scores, planned, progress=tell)
        report.report(
            comparison, out, overwrite=overwrite, command=command, progress=tell
        )
    show(comparison, out, as_json)


@contextmanager
def progress() -> Iterator[Callable[[str], None]]:
    """Tell each step on one line of the terminal, and wipe it; nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda step: None
        return
    wipe = "\r\x1b[K"

    def tell(step: str) -> None:
        line = " ".join(step.split())
        click.echo(f"{wipe}pycompare: {line[:60]} ...", err=True, nl=False)

    try:
        yield tell
    finally:
        click.echo(wipe, err=True, nl=False)


def read_plan(path: Path) -> Any:
    """Read a plan file."""
    from pycompare.plans import plan_file

    return plan_file.read_plan(path)


def given_options(context: click.Context) -> dict[str, Any]:
    """Return the options that were given, not their defaults."""
    given = click.core.ParameterSource.COMMANDLINE
    return {
        name: value
        for name, value in context.params.items()
        if context.get_parameter_source(name) is given
    }


def read_wide(
    file: Path,
    algorithm: str | None,
    block: str | None,
    dataset: str | None,
    replicate: str | None,
    group: str | None,
    metrics: dict[str, Any],
    missing: str,
) -> Any:
    """Read a wide table: its one metric has its name from the command line."""
    from pycompare.data.files import read_scores

    if algorithm or dataset or replicate:
        raise click.UsageError(
            "--wide takes neither --algorithm nor --dataset nor --replicate: the "
            "columns are the algorithms; leave --wide out for a long table"
        )
    if len(metrics) != 1:
        raise click.UsageError("a wide table holds one metric: give --metric once")
    [(name, better)] = metrics.items()
    return read_scores(
        file,
        wide=True,
        block=block,
        group=group,
        metric=name,
        better=better,
        missing=missing,
    )


def read_long(
    file: Path,
    algorithm: str | None,
    block: str | None,
    dataset: str | None,
    replicate: str | None,
    group: str | None,
    metrics: dict[str, Any],
    missing: str,
) -> Any:
    """Read a long table: one row an algorithm and block."""
    from pycompare.data.files import read_scores

    if not algorithm or not block:
        raise click.UsageError(
            "a long table needs --algorithm COL and --block COL; say --wide if each "
            "column is an algorithm"
        )
    return read_scores(
        file,
        algorithm=algorithm,
        block=block,
        dataset=dataset,
        replicate=replicate,
        group=group,
        metrics=metrics,
        missing=missing,
    )


def show(comparison: Any, out: Path, as_json: bool) -> None:
    """Print the verdict, or the results as JSON."""
    if as_json:
        click.echo((out / "results.json").read_text(encoding="utf-8"), nl=False)
        return
    click.echo(comparison.summary())
    click.echo(f"\nReport: {out / 'report.html'}")


def parse_threshold(
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


def parse_undefined(
    ctx: click.Context, param: click.Parameter, values: tuple[str, ...]
) -> dict[str, float]:
    """Turn ``precision=1`` into a mapping."""
    declared: dict[str, float] = {}
    for value in values:
        name, _, number = value.partition("=")
        if number not in ("0", "1"):
            raise click.UsageError(f"--undefined {value!r}: say NAME=0 or NAME=1")
        declared[name] = float(number)
    return declared


def column(name: str, what: str, *, required: bool = True) -> Any:
    """Make an option that names a column."""
    return click.option(f"--{name}", metavar="COL", required=required, help=what)


def of_predictions(case: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make the argument and options that name predictions; ``case`` explains --case."""
    parts = (
        click.argument("predictions", type=click.Path(path_type=Path)),
        column("algorithm", "Column of algorithms."),
        column("block", "Column of folds or test sets."),
        column("label", "Column of true classes."),
        column("score", "Column of scores, higher for the positive class."),
        click.option(
            "--positive", metavar="LABEL", required=True, help="The positive class."
        ),
        column("dataset", "Column of data sets.", required=False),
        column("case", case, required=False),
        click.option("--rest", is_flag=True, help="All other classes are negative."),
        click.option(
            "--classes", nargs=2, metavar="LABEL LABEL", help="Two classes of many."
        ),
    )

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        for part in reversed(parts):
            command = part(command)
        return command

    return decorate


@cli.command()
@of_predictions("Column of cases: the same for all algorithms.")
@click.option(
    "--metric",
    "metrics",
    multiple=True,
    required=True,
    metavar="NAME",
    help="error, tpr, fpr, precision, f1, mcc, auc, auc_pr, brier, ... Repeatable.",
)
@click.option(
    "--threshold",
    multiple=True,
    callback=parse_threshold,
    metavar="NUMBER|risk",
    help="Called positive: score >= threshold. Repeatable. Default for scores in "
    "[0, 1]: 0.5. risk: the one of least risk.",
)
@click.option(
    "--cost-ratio", type=float, help="Cost of a false positive (negative: 1)."
)
@click.option(
    "--loss",
    nargs=4,
    type=float,
    metavar="TP FP FN TN",
    help="Costs of the four decisions, instead of --cost-ratio.",
)
@click.option("--fpr-range", nargs=2, type=float, help="Limits of partial_auc.")
@click.option(
    "--undefined",
    multiple=True,
    callback=parse_undefined,
    metavar="NAME=0|1",
    help="Value where a measure is 0/0. Repeatable.",
)
@click.option(
    "--one-class",
    type=click.Choice(["error", "undefined"]),
    default="error",
    show_default=True,
    help="Blocks with cases of one class.",
)
@click.option(
    "--missing",
    type=click.Choice(["error", "drop-block", "model"]),
    default="error",
    show_default=True,
    help="Blocks that an algorithm has no scores in; undefined measures.",
)
@click.option("--workers", type=int, default=1, show_default=True, help="Processes.")
@click.option("--scheduler", metavar="ADDRESS", help="A dask.distributed scheduler.")
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, metavar="SCORES.parquet"
)
@click.option("--overwrite", is_flag=True, help="Replace an earlier file.")
@click.option("--json", "as_json", is_flag=True, help="Describe the scores as JSON.")
def measure(
    predictions: Path,
    loss: tuple[float, ...] | None,
    out: Path,
    overwrite: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Measure predictions: one score for each algorithm, block and metric.

    Parquet files and folders of them may be of any size. If the run is ended it goes
    on where it stopped when it is called again (it keeps OUT.unfinished beside OUT).
    """
    from pycompare.data.write import check_out, described, write_scores
    from pycompare.measures import stream

    check_out(out, overwrite)
    pieces = stream.in_pieces(predictions)
    scores = stream.measure_file(
        predictions,
        loss=None if loss is None else (loss[:2], loss[2:]),
        keep=out.with_name(f"{out.name}.unfinished") if pieces else None,
        progress=show_portions if sys.stderr.isatty() else None,
        **options,
    )
    write_scores(scores, out, overwrite=overwrite)
    if as_json:
        click.echo(json.dumps(described(scores), indent=2))
        return
    click.echo(scores.summary())
    click.echo(f"\nScores: {out}\nCompare them: {shlex.join(next_step(scores, out))}")


def next_step(scores: Scores, out: Path) -> list[str]:
    """Return the command that compares measured scores."""
    roles = ["--algorithm", "algorithm", "--block", "block"]
    if scores.datasets is not None:
        roles = ["--algorithm", "algorithm", "--dataset", "dataset", "--block", "fold"]
    metrics = [
        word for m in scores.metrics for word in ("--metric", f"{m.name}:{m.better}")
    ]
    return ["pycompare", "compare", str(out), *roles, *metrics, "--out", "DIR"]


@cli.command()
@of_predictions("Column of cases, needed for tests over cases.")
@click.option(
    "--one-class",
    type=click.Choice(["error", "undefined"]),
    default="error",
    show_default=True,
    help="Blocks with cases of one class.",
)
@click.option(
    "--missing",
    type=click.Choice(["error", "drop-block", "model"]),
    default="error",
    show_default=True,
    help="Blocks that an algorithm has no scores in, or whose AUC is undefined.",
)
@click.option("--alpha", type=float, default=0.05, show_default=True)
@click.option("--level", type=float, default=0.95, show_default=True)
@click.option(
    "--adjust", default="holm", show_default=True, help="Adjustment over all pairs."
)
@click.option("--threshold", type=float, help="Of the Cortes-Mohri interval.")
@click.option("--train", "n_train", type=float, help="Size of each training set.")
@click.option("--test", "n_test", type=float, help="Size of each test set.")
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Of bootstraps and bands."
)
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="DIR")
@click.option("--overwrite", is_flag=True, help="Replace an earlier report in DIR.")
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
def curves(
    predictions: Path,
    algorithm: str,
    block: str,
    label: str,
    score: str,
    positive: str,
    dataset: str | None,
    case: str | None,
    rest: bool,
    classes: tuple[str, str] | None,
    one_class: str,
    missing: str,
    out: Path,
    overwrite: bool,
    as_json: bool,
    **plan: Any,
) -> None:
    """Compare ROC curves: intervals, DeLong's test, t tests of folds, pictures."""
    from pycompare.data.prediction_files import read_predictions
    from pycompare.procedure.curve_comparison import compare_curves
    from pycompare.reporting.curves import curves_report

    curves_report.check_target(out, overwrite)
    read = read_predictions(
        predictions,
        algorithm=algorithm,
        block=block,
        label=label,
        score=score,
        positive=positive,
        dataset=dataset,
        case=case,
        rest=rest,
        classes=classes,
        one_class=one_class,
        missing=missing,
    )
    comparison = compare_curves(read, **plan)
    command = ["pycompare", *sys.argv[1:]]
    curves_report.report_curves(comparison, out, overwrite=overwrite, command=command)
    if as_json:
        click.echo((out / "results.json").read_text(encoding="utf-8"), nl=False)
        return
    click.echo(curves_report.summary(comparison))
    click.echo(f"\nReport: {out / 'report.html'}")


def show_portions(done: int, total: int) -> None:
    """Show on one line how much is done."""
    end = "\n" if done == total else ""
    click.echo(f"\r{done} of {total} portions{end}", err=True, nl=False)


@cli.command()
@click.argument("file", metavar="PLAN", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="DIR")
@click.option("--overwrite", is_flag=True, help="Replace an earlier report in DIR.")
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
def run(file: Path, out: Path, overwrite: bool, as_json: bool) -> None:
    """Compare as PLAN says, on the data it names, and write a report to DIR."""
    compare_as_planned(read_plan(file), None, out, overwrite, as_json)


@cli.command()
@click.argument("file", metavar="DATA", type=click.Path(path_type=Path))
@click.option("--wide", is_flag=True, help="One row a block, one column an algorithm.")
@click.option(
    "--predictions",
    is_flag=True,
    help="One row a case and algorithm: its true class and a score.",
)
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE")
def plan(file: Path, wide: bool, predictions: bool, out: Path | None) -> None:
    """Print a plan for DATA to be filled in, or write it to FILE.

    No direction is guessed: the plan is refused, with the lines, until all of it is
    filled in. Then: pycompare run FILE --out DIR.
    """
    from pycompare.plans.starter import starter_plan

    folder = "." if out is None else out.parent
    text = starter_plan(file, wide=wide, predictions=predictions, folder=folder)
    if out is None:
        click.echo(text, nl=False)
        return
    write_new(out, text)
    click.echo(f"Fill in {out}, then: pycompare run {shlex.quote(str(out))} --out DIR")


def write_new(path: Path, text: str) -> None:
    """Write a file that is not there yet."""
    try:
        stream = path.open("x", encoding="utf-8")
    except FileExistsError:
        raise click.UsageError(f"{path} exists; choose another name") from None
    with stream:
        stream.write(text)


@cli.command()
@click.argument("name", default="garcia-herrera-2008")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE")
def example(name: str, out: Path | None) -> None:
    """Print an example table, or write it to FILE.

    NAME: garcia-herrera-2008 (5 classifiers on 30 data sets, the default), folds (5
    classifiers on 30 folds of one data set), predictions (3 classifiers on the cases of
    8 data sets) or predictions-plan (a plan for these).
    """
    from pycompare.data.examples import example_command, example_path

    text = example_path(name).read_text(encoding="utf-8")
    if out is None:
        click.echo(text, nl=False)
        return
    write_new(out, text)
    if name == "predictions":
        click.echo("pycompare example predictions-plan --out predictions.toml")
    click.echo(f"pycompare {example_command(name, out)} --out DIR")


@cli.command()
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="DIR")
@click.option("--overwrite", is_flag=True, help="Replace an earlier report in DIR.")
@click.option("--only", multiple=True, metavar="CHECK", help="Run only these checks.")
@click.option("--quick", is_flag=True, help="Only the first case of each check.")
@click.option("--workers", type=click.IntRange(1), metavar="N", help="R processes.")
@click.option(
    "--time-limit",
    type=float,
    default=900.0,
    show_default=True,
    metavar="SECONDS",
    help="For the whole run; the rest is not verified.",
)
@click.option(
    "--check-time-limit",
    type=float,
    default=120.0,
    show_default=True,
    metavar="SECONDS",
    help="For one check.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the agreement as JSON.")
def validate(
    out: Path, overwrite: bool, only: tuple[str, ...], as_json: bool, **options: Any
) -> None:
    """Compare the statistics with R and other references on this machine.

    The exit status is 1 unless every number agrees. An interrupted run resumes where it
    stopped when it is called again (it keeps DIR.unfinished beside DIR).
    """
    from pycompare.qualification import validate as run

    outcome = run(out, overwrite=overwrite, only=only, progress=not as_json, **options)
    click.echo(outcome.to_json() if as_json else outcome.summary())
    sys.exit(0 if outcome.passed else 1)


if __name__ == "__main__":
    main()
