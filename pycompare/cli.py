"""The command line. Exit status: 0 done, 2 bad input (one line), 1 our fault."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any, NoReturn

import click

from pycompare import __version__
from pycompare.errors import PyCompareError


def main() -> None:
    """Run the command line; bad input is one clear line on stderr and status 2."""
    try:
        status = cli.main(prog_name="pycompare", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        sys.exit(2)
    except click.ClickException as error:
        refuse(error.format_message())
    except (PyCompareError, OSError) as error:
        refuse(str(error))
    except click.exceptions.Abort:
        click.echo("pycompare: interrupted", err=True)
        sys.exit(130)
    sys.exit(status or 0)


OPTIONS = {
    'missing="drop-block"': "--missing drop-block",
    'missing="model"': "--missing model",
    "average_folds=True": "--average-folds",
    "average_folds": "--average-folds",
    "blocks='folds'": "--blocks folds",
    "blocks='datasets'": "--blocks datasets",
    "n_train and n_test": "--train and --test",
    "n_train=": "--train ",
    "n_test=": "--test ",
    "margin=": "--margin ",
    "pairwise_t(control=..., adjust='holm')": "--adjust holm",
    "(block=..., dataset=...)": "(--block, --dataset)",
    "(dataset=...)": "(--dataset)",
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


def parse_metrics(
    ctx: click.Context, param: click.Parameter, values: tuple[str, ...]
) -> dict[str, Any]:
    """Turn ``NAME:higher`` into a mapping; the last colon divides."""
    metrics: dict[str, Any] = {}
    if not values:
        raise click.UsageError(
            "name the score and which direction is better: --metric accuracy:higher or "
            "--metric error:lower (with make: METRIC=accuracy:higher)"
        )
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


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="pycompare")
def cli() -> None:
    """Compare classification algorithms, with R agreeing to the digit."""


@cli.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--wide", is_flag=True, help="One row a block, one column an algorithm.")
@click.option("--algorithm", metavar="COL", help="Column of algorithms (long tables).")
@click.option(
    "--block",
    metavar="COL",
    help="Column of blocks: data sets or folds. Wide tables: the first column.",
)
@click.option("--dataset", metavar="COL", help="Column of data sets, blocks are folds.")
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
    "bergmann-hommel holm bonferroni; with --control: dunnett holm hommel bonferroni.",
)
@click.option("--control", metavar="NAME", help="Compare this algorithm with the rest.")
@click.option(
    "--blocks",
    type=click.Choice(["by-columns", "datasets", "folds"]),
    default="by-columns",
    show_default=True,
    help="What the blocks are. Data sets: compared by ranks. Folds of one data set: "
    "analysis of variance and Tukey, or a paired t test, ranks beside it. By columns: "
    "folds if --dataset names a column that holds one data set, else data sets.",
)
@click.option(
    "--train",
    "n_train",
    type=float,
    metavar="N",
    help="Size of a training set (folds): t tests corrected for shared training data "
    "make the verdict, unless the first --adjust is tukey, scheffe or dunnett. Needs "
    "--test.",
)
@click.option("--test", "n_test", type=float, metavar="N", help="Size of a test set.")
@click.option(
    "--margin",
    type=float,
    metavar="X",
    help="Two algorithms on folds: also test that they differ by less than X.",
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
def compare(
    file: Path,
    wide: bool,
    algorithm: str | None,
    block: str | None,
    dataset: str | None,
    metrics: dict[str, Any],
    missing: str,
    out: Path,
    overwrite: bool,
    as_json: bool,
    **plan: Any,
) -> None:
    """Compare algorithms over common blocks and write a report to DIR."""
    from pycompare.procedure import compare as procedure
    from pycompare.procedure.plan import Plan
    from pycompare.reporting import report

    planned = Plan(**plan)
    report.check_target(out, overwrite)
    if wide:
        scores = read_wide(file, algorithm, block, dataset, metrics, missing)
    else:
        scores = read_long(file, algorithm, block, dataset, metrics, missing)
    comparison = procedure.compare(scores, planned)
    report.report(
        comparison, out, overwrite=overwrite, command=["pycompare", *sys.argv[1:]]
    )
    show(comparison, out, as_json)


def read_wide(
    file: Path,
    algorithm: str | None,
    block: str | None,
    dataset: str | None,
    metrics: dict[str, Any],
    missing: str,
) -> Any:
    """Read a wide table: its one metric has its name from the command line."""
    from pycompare.data.files import read_scores

    if algorithm or dataset:
        raise click.UsageError(
            "--wide takes neither --algorithm nor --dataset: the columns are the "
            "algorithms; leave --wide out for a long table"
        )
    if len(metrics) != 1:
        raise click.UsageError("a wide table holds one metric: give --metric once")
    [(name, better)] = metrics.items()
    return read_scores(
        file, wide=True, block=block, metric=name, better=better, missing=missing
    )


def read_long(
    file: Path,
    algorithm: str | None,
    block: str | None,
    dataset: str | None,
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


@cli.command()
@click.argument("predictions", type=click.Path(path_type=Path))
@column("algorithm", "Column of algorithms.")
@column("block", "Column of folds or test sets.")
@column("label", "Column of true classes.")
@column("score", "Column of scores, higher for the positive class.")
@click.option("--positive", metavar="LABEL", required=True, help="The positive class.")
@column("dataset", "Column of data sets.", required=False)
@column("case", "Column of cases: the same for all algorithms.", required=False)
@click.option("--rest", is_flag=True, help="All other classes are negative.")
@click.option("--classes", nargs=2, metavar="LABEL LABEL", help="Two classes of many.")
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
    click.echo(f"\nScores: {out}")


def show_portions(done: int, total: int) -> None:
    """Show on one line how much is done."""
    end = "\n" if done == total else ""
    click.echo(f"\r{done} of {total} portions{end}", err=True, nl=False)


@cli.command()
@click.argument("name", default="garcia-herrera-2008")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE")
def example(name: str, out: Path | None) -> None:
    """Print an example table, or write it to FILE.

    NAME: garcia-herrera-2008 (5 classifiers on 30 data sets, the default) or folds (5
    classifiers on 30 folds of one data set).
    """
    from pycompare.data.examples import example_options, example_path

    text = example_path(name).read_text(encoding="utf-8")
    if out is None:
        click.echo(text, nl=False)
        return
    try:
        stream = out.open("x", encoding="utf-8")
    except FileExistsError:
        raise click.UsageError(f"{out} exists; choose another name") from None
    with stream:
        stream.write(text)
    click.echo(f"pycompare compare {out} {example_options(name)} --out DIR")


@cli.command()
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="DIR")
@click.option("--overwrite", is_flag=True, help="Replace an earlier report in DIR.")
@click.option("--only", multiple=True, metavar="CHECK", help="Run only these checks.")
@click.option("--json", "as_json", is_flag=True, help="Print the agreement as JSON.")
def validate(out: Path, overwrite: bool, only: tuple[str, ...], as_json: bool) -> None:
    """Compare every statistic with R on this machine; status 1 unless all agree."""
    from pycompare.qualification import validate as run

    outcome = run(out, overwrite=overwrite, only=only, progress=not as_json)
    click.echo(outcome.to_json() if as_json else outcome.summary())
    sys.exit(0 if outcome.passed else 1)


if __name__ == "__main__":
    main()
