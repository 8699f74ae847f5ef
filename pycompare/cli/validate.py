"""``pycompare validate``: every statistic against R on this machine."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from pycompare.cli.options import OUT, Grouped, option


@click.command(cls=Grouped, example="pycompare validate --out evidence")
@option(
    "--only",
    multiple=True,
    metavar="CHECK",
    help="Run only these checks.",
    group="Checks",
)
@option(
    "--quick",
    is_flag=True,
    help="Only the first case of each check.",
    group="Checks",
)
@option(
    "--workers",
    type=click.IntRange(1),
    metavar="N",
    help="R processes.",
    group="Running",
)
@option(
    "--time-limit",
    type=float,
    default=900.0,
    show_default=True,
    metavar="SECONDS",
    help="For the whole run; the rest is not verified.",
    group="Running",
)
@option(
    "--check-time-limit",
    type=float,
    default=120.0,
    show_default=True,
    metavar="SECONDS",
    help="For one check.",
    group="Running",
)
@OUT
def validate(
    out: Path, overwrite: bool, only: tuple[str, ...], as_json: bool, **options: Any
) -> None:
    """Compare the statistics with R and other references on this machine.

    The exit status is 1 unless every number agrees. An interrupted run resumes where it
    stopped when it is called again (it keeps DIR.unfinished beside DIR).
    """
    from pycompare.qualification import validate as run

    outcome = run(out, overwrite=overwrite, only=only, progress=not as_json, **options)
    click.echo(outcome.to_json() if as_json else outcome.summary())
    sys.exit(0 if outcome.passed else 1)
