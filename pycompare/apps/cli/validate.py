"""``pycompare validate``: every statistic against R on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from pycompare.apps.cli.long_work import work_of_all_cores
from pycompare.apps.cli.options import OUT, Choice, Grouped, option


@click.command(
    cls=Grouped,
    example="pycompare validate --out evidence\n\n"
    "pycompare validate --data scores.csv --plan plan.toml --out evidence",
)
@option(
    "--only",
    multiple=True,
    metavar="CHECK",
    help="Run only checks whose name contains CHECK. Repeatable.",
    group="Checks",
)
@option(
    "--use",
    default="",
    metavar="TEXT",
    help="Intended use (report title).",
    group="Evidence",
)
@option(
    "--risk",
    type=Choice(["high", "not-high"]),
    default="high",
    show_default=True,
    help="Process risk of the use (computer software assurance).",
    group="Evidence",
)
@option(
    "--data",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Your own table, analysed by PLAN and reproduced in R. Default: PLAN's.",
    group="Evidence",
)
@option(
    "--plan",
    type=click.Path(path_type=Path),
    metavar="PLAN",
    help="Plan file of your own analysis.",
    group="Evidence",
)
@option(
    "--quick",
    is_flag=True,
    help="Compare only the first case of each check.",
    group="Checks",
)
@option(
    "--time-limit",
    type=float,
    default=900.0,
    show_default=True,
    metavar="SECONDS",
    help="Limit of the whole run; checks not done by then are not verified.",
    group="Running",
)
@option(
    "--check-time-limit",
    type=float,
    default=120.0,
    show_default=True,
    metavar="SECONDS",
    help="Limit of one check.",
    group="Running",
)
@OUT
@work_of_all_cores
def validate(
    out: Path, overwrite: bool, only: tuple[str, ...], as_json: bool, **options: Any
) -> None:
    """Compare the statistics with R and other references on this machine.

    DIR contains the evidence for an intended use: versions and installed files, the
    agreeing digits of every statistic, your own data reproduced in R, and gaps.

    The exit status is 1 unless every number agrees. Interrupted runs resume where they
    stopped.
    """
    from pycompare.apps.qualification import validate as run

    outcome = run(out, overwrite=overwrite, only=only, progress=not as_json, **options)
    click.echo(outcome.to_json() if as_json else outcome.summary())
    click.get_current_context().exit(0 if outcome.passed else 1)
