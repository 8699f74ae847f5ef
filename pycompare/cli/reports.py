"""From a comparison to its report on disk, with progress on the terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click


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
    """Compare, write the report and print the conclusion."""
    from pycompare.comparison import compare
    from pycompare.reporting import report

    command = ["pycompare", *sys.argv[1:]]
    if not as_json:
        click.echo(told_first(scores))
    with progress() as tell:
        comparison = compare(scores, planned, progress=tell)
        report.report(
            comparison, out, overwrite=overwrite, command=command, progress=tell
        )
    show(comparison, out, as_json)


def told_first(data: Any) -> str:
    """Return which algorithms are compared, and the range of each metric."""
    from pycompare.formatting.counts import listed

    lines = [f"Algorithms: {listed(data.algorithms)}"]
    for at, metric in enumerate(getattr(data, "metrics", ())):
        held = data.values[:, :, at]
        held = held[held == held]  # NaN is a missing cell
        span = f"{held.min():g} to {held.max():g}"
        lines.append(f"{metric.name}: {span}, {metric.better} is better")
    return "\n".join(lines) + "\n"


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


def show(comparison: Any, out: Path, as_json: bool) -> None:
    """Print the conclusion, or the results as JSON."""
    if as_json:
        click.echo((out / "results.json").read_text(encoding="utf-8"), nl=False)
        return
    click.echo(comparison.summary())
    click.echo(f"\nReport: {out / 'report.html'}")
