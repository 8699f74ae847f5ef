"""``pycompare plan``: a plan file to fill in."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import click

from pycompare.cli.files import write_new
from pycompare.cli.options import AS_WRITTEN, Grouped, given, option


@click.command(cls=Grouped, example="pycompare plan scores.csv --out plan.toml")
@click.argument("file", metavar="DATA", type=click.Path(path_type=Path))
@option(
    "--wide",
    is_flag=True,
    help="One row a block, one column an algorithm.",
    group="Data",
)
@option(
    "--predictions",
    is_flag=True,
    help="One row a case and algorithm: its true class and a score.",
    group="Data",
)
@AS_WRITTEN
@option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The plan file; without it the plan is printed.",
    group="Output",
)
def plan(
    file: Path, wide: bool, predictions: bool, out: Path | None, **written: Any
) -> None:
    """Print a plan for DATA to be filled in, or write it to FILE.

    No direction is guessed: the plan is refused, with the lines, until all of it is
    filled in. Then: pycompare run FILE --out DIR.
    """
    from pycompare.plans.starter import starter_plan

    folder = "." if out is None else out.parent
    text = starter_plan(
        file, wide=wide, predictions=predictions, folder=folder, **given(written)
    )
    if out is None:
        click.echo(text, nl=False)
        return
    write_new(out, text)
    click.echo(f"Fill in {out}, then: pycompare run {shlex.quote(str(out))} --out DIR")
