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
    help="One row per block, one column per algorithm.",
    group="Data",
)
@option(
    "--predictions",
    is_flag=True,
    help="One row per case and algorithm, with the true class and a score.",
    group="Data",
)
@option(
    "--model",
    is_flag=True,
    help="Plan of a linear model by formula ([model]).",
    group="Data",
)
@AS_WRITTEN
@option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Plan file to write. Default: print the plan.",
    group="Output",
)
def plan(
    file: Path,
    wide: bool,
    predictions: bool,
    model: bool,
    out: Path | None,
    **written: Any,
) -> None:
    """Print a plan for DATA to fill in, or write it to FILE.

    The better direction of a metric is never guessed. A plan that is not filled in is
    refused, with its lines. Then: pycompare run FILE --out DIR.
    """
    from pycompare.plans.starter import starter_plan

    folder = "." if out is None else out.parent
    text = starter_plan(
        file,
        wide=wide,
        predictions=predictions,
        model=model,
        folder=folder,
        **given(written),
    )
    if out is None:
        click.echo(text, nl=False)
        return
    write_new(out, text)
    click.echo(f"Fill in {out}, then: pycompare run {shlex.quote(str(out))} --out DIR")
