"""``pycompare resume``: go on with an interrupted command."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from pycompare.apps.cli.options import Grouped


@click.command(cls=Grouped, example="pycompare resume scores.parquet.unfinished")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.pass_context
def resume(context: click.Context, folder: Path) -> None:
    """Go on with the command whose unfinished work is in DIR.

    The folder holds the command line and where it was called, and that command runs:
    resume only folders that your own commands wrote. The exit status is that of the
    command.
    """
    from pycompare.base.labels import printable, readable
    from pycompare.base.parallel.unfinished import command_of

    words, place = command_of(folder)
    told = readable(" ".join(["pycompare", *words]))
    click.echo(printable(f"pycompare: resuming {told}"), err=True)
    os.chdir(place)
    sys.argv[1:] = words
    root = context.find_root().command
    status = root.main(words, prog_name="pycompare", standalone_mode=False)
    if status:  # result of a gate or of a cross-check
        context.exit(status)
