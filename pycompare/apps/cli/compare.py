"""``pycompare compare``: from a table of scores to a report."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from pycompare.apps.cli.long_work import report_work
from pycompare.apps.cli.options import (
    READING_OR_REPORT,
    Grouped,
    Output,
    declared,
    given,
    option,
    parse_metrics,
    require_directions,
    stated,
    without_option,
)
from pycompare.apps.cli.readings import ACCEPT, print_or_run
from pycompare.apps.cli.reports import (
    compare_and_report,
    compare_as_planned,
    progress,
    read_plan,
)
from pycompare.base.errors import PlanError
from pycompare.data.file_format import OF_EVERY_FILE, TABLES
from pycompare.data.roles import LONG_ONLY, required_of, roles_of
from pycompare.designs.plans.column_roles import Roles
from pycompare.designs.plans.keys import keys_of
from pycompare.designs.plans.plan import Plan


@click.command(
    cls=Grouped,
    first=(
        "wide",
        "algorithm",
        "block",
        "metrics",
        "blocks",
        "control",
        "margin",
        "plan_file",
        "formats",
        "out",
    ),
    in_plans="FILE is a table of scores, or a file or folder of results that another "
    "program wrote, recognised by its contents. Predictions (one row per case) are "
    "compared as a plan file specifies: pycompare plan FILE --predictions, then "
    "pycompare "
    "run. These keys have no option: " + ", ".join(without_option(Roles, Plan)) + ".",
    example="pycompare compare scores.csv --wide --metric accuracy:higher "
    "--blocks datasets --out report"
    "\n\npycompare compare folds.csv --algorithm model --dataset data "
    "--block fold --metric error:lower --train 216 --test 24 --out report"
    "\n\npycompare compare scores.csv --wide --sep ';' --decimal , --percent C "
    "--algorithms A --algorithms B --algorithms C --metric accuracy:higher "
    "--out report"
    "\n\npycompare compare results/ --out report",
)
@click.argument("file", type=click.Path(path_type=Path))
@option(
    "--wide",
    is_flag=True,
    help="One row per block, one column per algorithm.",
    group="Data",
)
@declared(Roles, "format")
@option(
    "--metric",
    "metrics",
    multiple=True,
    callback=parse_metrics,
    metavar="NAME:higher|lower",
    help="Column of scores and its better direction; in a wide table any name. "
    "Repeatable. No direction is needed if the format of the results states this.",
    group="Data",
)
@option(
    "--plan",
    "plan_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Plan file. Other options must not contradict it.",
    group="Analysis",
)
@declared(Plan)
@ACCEPT
@READING_OR_REPORT
@click.pass_context
@report_work
def compare(
    context: click.Context,
    file: Path,
    plan_file: Path | None,
    accept: bool,
    output: Output,
    **options: Any,
) -> None:
    """Compare algorithms over common blocks and write a report to DIR.

    With only FILE, print how it is read and the open questions; nothing is written.
    """
    asked = {name: value for name, value in given(options).items() if value != {}}
    if plan_file is None and (accept or not {*asked} - {*_AS_WRITTEN, "blind"}):
        written = {name: asked[name] for name in asked if name != "blind"}
        reading = reading_of(file, written)
        if reading is not None:
            print_or_compare(file, reading, accept, output, blind="blind" in asked)
            return
    if accept and plan_file is not None:
        raise click.UsageError(
            "--accept and --plan both state how FILE is read; leave one of them out"
        )
    if plan_file is None:
        _compare_by_options(file, asked, output)
        return
    from pycompare.designs.plans.option_conflicts import refuse_contradictions

    planned = read_plan(plan_file)
    options = {name: context.params[name] for name in stated(context.params)}
    refuse_contradictions(planned, options)
    compare_as_planned(planned, file, output)


_AS_WRITTEN = (*OF_EVERY_FILE, "spread")
"""Options about how a file is written, which a reading takes."""


def reading_of(file: Path, options: dict[str, Any]) -> Any:
    """Return how a table is read; None of results of another program."""
    from pycompare.data.proposal import propose

    if {*options} - {*_AS_WRITTEN}:
        raise click.UsageError(
            "--accept takes FILE as it is read: leave the options about its columns "
            "out, or leave --accept out"
        )
    if not file.exists():
        raise click.UsageError(f"{file}: no such file or folder")
    if not _is_table(file):
        return None
    reading = propose(file, **options)
    if reading.table == "predictions":
        return reading
    return replace(reading, open=(*reading.open, *_open_in_plan(reading)))


def _open_in_plan(reading: Any) -> list[str]:
    """Return the open questions of a plan for the scores, as they would be read."""
    scores = reading.tried()
    if scores is None:
        return []
    try:
        Plan().settled(scores)
    except PlanError as error:
        return [problem.message for problem in error.problems]
    return []


def print_or_compare(
    file: Path, reading: Any, accept: bool, output: Output, *, blind: bool = False
) -> None:
    """Print how a table is read, or compare it if nothing is open."""
    from pycompare.reporting.comparison_folder import KIND

    def run() -> None:
        scores = reading.accept()
        KIND.check_target(output.target, output.overwrite)
        compare_and_report(scores, Plan(blind=blind), output)

    commands = {"compare": "--out report"}
    if reading.table == "predictions":
        measured = {"measure": "--metric auc --out scores.csv"}
        commands = measured if "block" in reading.arguments else {}
        commands |= {"curves": "--out report"}
    print_or_run(
        *(file, reading, run, commands),
        accept=accept,
        as_json=output.as_json,
        blind=blind,
    )


def _compare_by_options(file: Path, options: dict[str, Any], output: Output) -> None:
    """Compare as the options specify."""
    from pycompare.data import describe
    from pycompare.data.reading.worst import of_failures
    from pycompare.reporting.comparison_folder import KIND

    names = {"metrics", *keys_of(Roles)} & set(options)
    roles = {name: options.pop(name) for name in names}
    read = _reader(file, options.pop("wide", False), roles)
    metrics = roles.get("metrics", {})
    if not file.exists():
        raise click.UsageError(f"{file}: no such file or folder")
    if read is not _read_results:
        require_directions(metrics)
    if read is not _read_results and not metrics:
        raise click.UsageError(
            "name the score and which direction is better: --metric accuracy:higher or "
            "--metric error:lower (with make: METRIC=accuracy:higher); predictions, a "
            "row for each case, are for pycompare measure or pycompare curves"
        )
    planned = Plan(**options)
    if planned.range is not None:
        roles["range"] = planned.range
    given, ranked = roles.get("worst"), planned.ranks_failures
    worst = of_failures(roles.get("missing"), given, ranked=ranked)
    if worst is not None:
        roles["worst"] = worst
    scores = read(file, **roles)
    planned.settled(scores)  # what is open about the file is asked before its report
    KIND.check_target(output.target, output.overwrite)
    told: list[str] = []
    if read is _read_results and not (output.as_json or planned.blind):
        gone = scores.dropped
        told = describe.missing(gone, scores.missing) if gone.cells else []
        told = [*scores.notes, *told]
    compare_and_report(scores, planned, output, told)


def reader_of(file: Path, roles: dict[str, Any]) -> tuple[Any, bool]:
    """Return what reads answers, and whether they are a long table."""
    read = _reader(file, False, roles)
    return read, read is not _read_results


def _reader(file: Path, wide: bool, roles: dict[str, Any]) -> Any:
    """Return what reads the file: results of another program, or a table."""
    if "results_format" in roles or not (
        _named_as_table(file, wide, roles) or _is_table(file)
    ):
        if wide:
            raise click.UsageError(
                "--wide is for tables, and results of other programs are read by their "
                "format; leave it out"
            )
        return _read_results
    if "filter" in roles:
        raise click.UsageError("--filter is for results of other programs")
    return _read_wide if wide else _read_long


def _named_as_table(file: Path, wide: bool, roles: dict[str, Any]) -> bool:
    """Return whether a file of a known program is read as the table that options say.

    The program's own reader knows more, such as which runs failed: it goes first if
    it takes all that is said.
    """
    from pycompare.data.readers.known import all_formats, formats_of

    if file.is_dir():
        return False
    if wide or {*roles} - {*_OF_RESULTS, "metrics"}:
        return wide or bool({*required_of("long")} & {*roles})
    kinds = formats_of(file, list(all_formats().values()))
    left = {"block", "dataset", "filter"} & {*roles}
    return not any(left <= {*kind.takes} for kind in kinds)


_OF_RESULTS = (*roles_of("results"), "filter", "missing", "worst", "range", "leave_out")
"""Answers that readers of results take."""


def _is_table(file: Path) -> bool:
    """Return whether a file, or each file of a folder, is of no known format."""
    from pycompare.data.compressed import kind_of
    from pycompare.data.readers.known import all_formats, files_of, formats_of

    if not file.exists():
        return True
    files, known = files_of(file), list(all_formats().values())
    tables = not file.is_dir() or {*map(kind_of, files)} <= {*TABLES}
    return tables and not any(formats_of(path, known) for path in files)


def _read_results(
    file: Path,
    *,
    metrics: dict[str, Any] | None = None,
    results_format: str | None = None,
    **roles: Any,
) -> Any:
    """Read results of another program."""
    from pycompare.data.readers.read_results import read_results

    unknown = sorted(set(roles) - {*_OF_RESULTS})
    if unknown:
        raise click.UsageError(
            f"{keys_of(Roles)[unknown[0]].option} applies to tables of scores only; "
            "leave it out for the results of another program"
        )
    if metrics and len(metrics) > 1:
        raise click.UsageError("results are compared in one metric: give --metric once")
    name, better = next(iter((metrics or {}).items()), (None, None))
    with progress() as tell:
        return read_results(
            file, results_format, metric=name, better=better, progress=tell, **roles
        )


def _read_wide(file: Path, *, metrics: dict[str, Any], **roles: Any) -> Any:
    """Read a wide table: its one metric has its name from the command line."""
    from pycompare.data.files import read_scores

    if set(LONG_ONLY) & set(roles):
        raise click.UsageError(
            "--wide takes neither --algorithm nor --replicate: the columns are the "
            "algorithms; leave --wide out for a long table"
        )
    if len(metrics) != 1:
        raise click.UsageError("a wide table holds one metric: give --metric once")
    [(name, better)] = metrics.items()
    return read_scores(file, wide=True, metric=name, better=better, **roles)


def _read_long(file: Path, *, metrics: dict[str, Any], **roles: Any) -> Any:
    """Read a long table: one row per algorithm and block."""
    from pycompare.data.files import read_scores

    missing = {*required_of("long")} - {*roles}
    if missing - {roles.get("number")}:
        raise click.UsageError(
            "a long table needs --algorithm COL and --block COL; set --wide if each "
            "column is an algorithm"
        )
    return read_scores(file, metrics=metrics, **roles)
