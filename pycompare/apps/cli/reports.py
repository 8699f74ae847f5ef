"""From a comparison to its report on disk, with progress on the terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import wraps
from pathlib import Path
from typing import Any

import click

from pycompare.apps.cli.options import (
    EDITION,
    Output,
    given,
    out_options,
    stated,
    together,
    writes_report,
)
from pycompare.base.errors import InputError
from pycompare.base.labels import printable, readable
from pycompare.base.parallel.progress import discard, heard_by, on_stderr


def compare_as_planned(
    planned: Any, file: Path | None, output: Output, by: str | None = None
) -> None:
    """Compare as a plan file says."""
    from pycompare.apps.planned_run import with_run
    from pycompare.reporting.comparison_folder import KIND

    data = planned.read_data(file)
    planned.settled(data)  # a plan that does not fit its data is not run
    KIND.check_target(output.target, output.overwrite)
    planned = with_run(planned, {"file": planned.chosen(file)}, by)
    compare_and_report(data, planned, output)


def compare_and_report(
    scores: Any, planned: Any, output: Output, notes: Sequence[str] = ()
) -> None:
    """Compare, write the report and print the conclusion.

    The comparison is printed once the plan is known to fit it, ``notes`` first.
    """
    from pycompare.apps.comparison import compare
    from pycompare.designs.plans.plan_file import PlanFile
    from pycompare.reporting.report import report

    asked = planned.plan if isinstance(planned, PlanFile) else planned
    lines = list(notes)
    if not output.as_json:
        lines.append(_BLINDED if asked.blind else _told_first(scores))
    with progress() as tell:

        def told(step: str) -> None:
            while lines:
                click.echo(lines.pop(0))
            tell(step)

        comparison = compare(scores, planned, progress=told)
        report(comparison, output.target, progress=tell, **called(), **output.options)
    show(comparison.summary(), output)
    end_by_cross_check(output)


def reports_or_prints(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command that prints without a folder the options of its report.

    Options of a report without its folder are an error, and a cross-check is shown
    however the results are printed.
    """

    @wraps(command)
    def with_folder(*args: Any, output: Output, **options: Any) -> None:
        alone = stated(("overwrite", "date", *EDITION))
        if output.folder is None and alone:
            context = click.get_current_context()
            names = {p.name: p.opts[0] for p in context.command.get_params(context)}
            raise InputError(
                f"{names[alone[0]]} is for a report: name its folder, --out DIR"
            )
        command(*args, output=output, **options)
        end_by_cross_check(output)

    return together(out_options(required=False), writes_report)(with_folder)


def plan_of_options(declared: type, options: dict[str, Any]) -> tuple[Any, Any]:
    """Return a plan with the given keys, and how the file is written."""
    from pycompare.data.file_format import FileFormat
    from pycompare.designs.plans.keys import keys_of

    chosen = given(options)
    keys = {name: chosen.pop(name) for name in keys_of(declared) if name in chosen}
    return declared(**keys), FileFormat(**chosen)


def analysed_and_reported(plan: Any, file: Path, form: Any, output: Output) -> Any:
    """Analyse a file as planned, and write the report if it has a folder."""
    from pycompare.designs.planned_analysis import analysed
    from pycompare.reporting.planned_report import mark_of
    from pycompare.reporting.report import report

    out = output.folder

    def check() -> None:
        if out is not None:
            mark_of(plan).check_target(out, output.overwrite)

    with progress():
        analysis = analysed(plan, file, form, once_read=check)
        if out is not None:
            report(analysis, out, **called(), **output.options)
    return analysis


def called() -> dict[str, Any]:
    """Return the command line of a report, and when it was called.

    The folder, the workers and how the terminal is written to are no part of the
    analysis: the same analysis in two folders has the same command.
    """
    from pycompare.reporting.provenance import now

    kept, words = ["pycompare"], map(readable, sys.argv[1:])
    for word in words:
        if word in _WHERE:
            next(words, None)
        elif word.partition("=")[0] not in (*_WHERE, "--overwrite", "--json"):
            kept.append(word)
    started = now(click.get_current_context().find_object(datetime))
    return {"command": [*kept, "--out", "DIR"], "started": started}


_WHERE = ("--out", "--workers", "--scheduler", "--keep")
"""Options about processes and files, which change no result."""
_BLINDED = "Codes stand for the names of the algorithms until pycompare unblind.\n"


def _told_first(data: Any) -> str:
    """Return which algorithms are compared, and the range of each metric."""
    from pycompare.base.formatting.counts import listed
    from pycompare.data.scores import Scores

    lines = [f"Algorithms: {listed(data.algorithms)}"]
    metrics = data.metrics if isinstance(data, Scores) else ()
    for at, metric in enumerate(metrics):
        held = data.values[:, :, at]
        held = held[held == held]  # NaN is a missing cell
        span = f"{held.min():g} to {held.max():g}"
        lines.append(f"{metric.name}: {span}, {metric.better} is better")
    return "\n".join(lines) + "\n"


_WIDTH = 64
"""Characters of a step that are shown: the line fits in 80."""


@contextmanager
def progress() -> Iterator[Callable[[str], None]]:
    """Yield each step on one line of the terminal, and wipe it; nothing elsewhere."""
    wipe = "\r\x1b[K"
    if not sys.stderr.isatty():
        with heard_by(discard, notice=on_stderr("pycompare")):
            yield lambda step: None
        return

    def tell(step: str) -> None:
        line = " ".join(step.split())
        click.echo(f"{wipe}pycompare: {line[:_WIDTH]} ...", err=True, nl=False)

    def notice(line: str) -> None:
        click.echo(f"{wipe}pycompare: {line}", err=True)

    try:
        with heard_by(tell, notice):
            yield tell
    finally:
        click.echo(wipe, err=True, nl=False)


def read_plan(path: Path) -> Any:
    """Read a plan file."""
    from pycompare.designs.plans import plan_file

    return plan_file.read_plan(path)


def show(conclusion: str, output: Output) -> None:
    """Print the conclusion and where the report is, or the results as JSON."""
    folder = output.target
    if output.as_json:
        click.echo((folder / "results.json").read_text(encoding="utf-8"), nl=False)
    else:
        click.echo(f"{conclusion}\n")
        for path in sorted(folder.glob("report.*")):
            click.echo(f"Report: {printable(readable(str(path)))}")


def end_by_cross_check(output: Output) -> None:
    """Print R's output if it was asked for; the status is 1 if a number differs."""
    if not output.options["cross_check"]:
        return
    from pycompare.reporting.evidence.cross_check import read_cross_check

    check = read_cross_check(output.target)
    click.echo(f"Cross-check: {check.conclusion}", err=True)
    if not check.passed:
        for line in check.differs:
            click.echo(line, err=True)
        click.get_current_context().exit(1)
