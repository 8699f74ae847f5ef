"""``pycompare run``: from a plan file to a report."""

from __future__ import annotations

from pathlib import Path

import click

from pycompare.cli.options import OUT, Grouped
from pycompare.cli.reports import compare_as_planned, read_plan


@click.command(cls=Grouped, example="pycompare run plan.toml --out report")
@click.argument("file", metavar="PLAN", type=click.Path(path_type=Path))
@OUT
def run(file: Path, out: Path, overwrite: bool, as_json: bool) -> None:
    """Run the plan file PLAN on its data and write a report to DIR."""
    compare_as_planned(read_plan(file), None, out, overwrite, as_json)
