"""``pycompare diff``: the changes between two reports."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from pycompare.apps.cli.options import Grouped, option


@click.command(cls=Grouped, example="pycompare diff report-may report-june")
@click.argument("first", metavar="DIR1", type=click.Path(path_type=Path))
@click.argument("second", metavar="DIR2", type=click.Path(path_type=Path))
@option("--json", "as_json", is_flag=True, help="Print JSON.", group="Output")
def diff(first: Path, second: Path, as_json: bool) -> None:
    """Show which conclusions, inputs, settings and numbers of two reports differ.

    The exit status is 1 if anything differs.
    """
    from pycompare.reporting.diff import diff as differences

    changes = differences(first, second)
    click.echo(json.dumps(changes.to_dict()) if as_json else changes.summary())
    sys.exit(0 if changes.same else 1)
