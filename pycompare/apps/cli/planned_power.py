"""``pycompare power PLAN.toml``: the power of the analysis by that plan."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import click

from pycompare.apps.cli.fields import arguments_of
from pycompare.apps.cli.long_work import long_work
from pycompare.apps.cli.options import (
    OUT_OR_PRINT,
    Choice,
    Grouped,
    Output,
    option,
    together,
    writes_report,
)
from pycompare.apps.cli.reports import called, read_plan, show
from pycompare.base.errors import InputError
from pycompare.sizes.planned_power import MetricKind
from pycompare.sizes.planned_power import planned_power as power_of

_TRUTH = together(
    option(
        "--effect",
        "effects",
        multiple=True,
        metavar="NAME=X",
        help="Mean of an algorithm less that of the algorithms that are not named, in "
        "the metric's unit (of an error rate a negative one is better); with scale = "
        "'ratio' the ratio to it. Repeatable.",
        group="Truth",
    ),
    option(
        "--correlation",
        type=float,
        metavar="X",
        help="Correlation of the scores of two algorithms over blocks.",
        group="Truth",
    ),
    option(
        "--answers",
        type=Choice(get_args(MetricKind)),
        help="Over cases: the kind of answers.",
        group="Truth",
    ),
    *arguments_of(power_of, "Truth", "sd", "base", "fold_correlation", "n_algorithms"),
    *arguments_of(power_of, "Truth", "per_cluster", "cluster_correlation"),
)
_STUDY = together(
    *arguments_of(power_of, "Study", "n"),
    *arguments_of(power_of, "Simulation", "trials", "seed"),
    OUT_OR_PRINT,
    long_work,
)


@click.command(
    cls=Grouped,
    example="pycompare power plan.toml --n 20 --n 30 --effect new=0.02 --sd 0.05 "
    "--correlation 0.8",
)
@click.argument("plan", metavar="PLAN.toml", type=click.Path(path_type=Path))
@_TRUTH
@_STUDY
@writes_report
def planned_power(
    plan: Path,
    effects: tuple[str, ...],
    correlation: float | None,
    output: Output,
    **given: Any,
) -> None:
    """Compute how often compare finds true differences, by the plan file PLAN.toml.

    Tables are simulated from the truth that is stated, and each is compared as the plan
    says. Nothing is guessed: missing parts of the assumed truth are asked for.
    """
    from pycompare.base.labels import printable
    from pycompare.base.parallel.progress import on_stderr
    from pycompare.reporting.planned_power_report import KIND
    from pycompare.reporting.report import report

    if output.folder is not None:
        KIND.check_target(output.folder, output.overwrite)
    elif output.overwrite:
        raise InputError("--overwrite replaces a report: name its folder, --out DIR")
    if correlation is None:
        raise click.UsageError(
            "missing --correlation: state the correlation of the scores of two "
            "algorithms over blocks"
        )
    power = power_of(
        read_plan(plan),
        effects=_effects(effects),
        correlation=correlation,
        progress=on_stderr("power"),
        **given,
    )
    if output.folder is not None:
        report(power, output.folder, **called(), **output.options)
    if output.as_json:
        click.echo(json.dumps(power.to_dict() | {"sentences": power.sentences()}))
    elif output.folder is not None:
        show(printable(" ".join(power.sentences())), output)
    else:
        for line in power.summary().splitlines():
            click.echo(printable(line))


def _effects(words: tuple[str, ...]) -> dict[str, float]:
    """Return the effects by algorithm."""
    effects: dict[str, float] = {}
    for word in words:
        name, equals, number = word.rpartition("=")
        try:
            value = float(number)
        except ValueError:
            equals = ""
        if not (equals and name):
            raise click.UsageError(
                f"--effect {word!r}: write NAME=X, such as --effect new=0.02"
            )
        if name in effects:
            raise click.UsageError(f"--effect {name} is given twice: give it once")
        effects[name] = value
    return effects
