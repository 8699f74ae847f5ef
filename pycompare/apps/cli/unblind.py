"""``pycompare unblind``: a blinded report with the names of the algorithms."""

from __future__ import annotations

from pathlib import Path

import click

from pycompare.apps.cli.options import REPORT, Grouped, Output, option
from pycompare.apps.cli.reports import called, end_by_cross_check, show


@click.command(cls=Grouped, example="pycompare unblind blinded --out report")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@option(
    "--key",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Key of the blinded report. Default: DIR.key.json.",
    group="Data",
)
@option(
    "--plan",
    type=click.Path(path_type=Path),
    metavar="PLAN",
    help="Plan file, if it was sealed: the unblinding is added to its trail.",
    group="Data",
)
@option(
    "--by",
    metavar="NAME",
    help="Who unblinds, for the trail of a sealed plan.",
    group="Data",
)
@REPORT
def unblind(
    folder: Path, key: Path | None, plan: Path | None, by: str | None, output: Output
) -> None:
    """Write the blinded report DIR with the names of the algorithms.

    DIR is checked first and stays as it is. Every number is that of the blinded report.
    """
    from pycompare.reporting.unblind import unblind as write

    write(
        folder, output.target, key=key, plan=plan, by=by, **called(), **output.options
    )
    show("Names are back; no number changed.", output)
    end_by_cross_check(output)
