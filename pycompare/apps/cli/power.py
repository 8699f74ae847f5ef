"""``pycompare power``: the power of a planned study, or the size it needs."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from functools import partial, update_wrapper
from pathlib import Path
from typing import Any

import click

from pycompare.apps.cli.fields import arguments_of, options_of
from pycompare.apps.cli.options import Grouped, Output, stated, together
from pycompare.apps.cli.pilots import from_pilot, pilot_options
from pycompare.apps.cli.planned_power import planned_power
from pycompare.apps.cli.reports import called, progress, reports_or_prints, show
from pycompare.sizes.design import StudyDesign
from pycompare.sizes.power import power as power_of
from pycompare.sizes.studies import DESIGNS

_EXAMPLES = {
    "paired-t": "pycompare power paired-t --difference 0.02 --sd 0.04",
    "labels": "pycompare power labels --difference 0.1 --sd 0.535 --correlation 0.7 "
    "--items 3000",
}

_STUDY = together(
    *arguments_of(power_of, "Study", "n", "target", "alpha"),
    *arguments_of(power_of, "Simulation", "trials", "seed"),
    reports_or_prints,
)


class _Designs(click.Group):
    """Commands of the designs; a plan file stands in the place of one."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the design, or the command that takes a plan file."""
        if args[0].endswith(".toml"):
            return "", planned_power, args
        return super().resolve_command(ctx, args)


@click.group(cls=_Designs)
def power() -> None:
    """Compute the power of a planned study, or the size that it needs.

    With a plan file, the power of the analysis by it:
    pycompare power PLAN.toml --help

    Example: pycompare power paired-t --difference 0.02 --sd 0.04
    """


def _answer(
    design: type[StudyDesign],
    n: tuple[int, ...],
    target: float | None,
    alpha: float,
    trials: int,
    seed: int,
    output: Output,
    pilot: Path | None,
    **truth: Any,
) -> None:
    """Print the power of one design, or write its report."""
    from pycompare.reporting.power_report import KIND
    from pycompare.reporting.report import report

    if output.folder is not None:
        KIND.check_target(output.folder, output.overwrite)
    with progress() as tell:
        power = power_of(
            _design_of(design, pilot, truth),
            n=n or None,
            target=target,
            alpha=alpha,
            trials=trials,
            seed=seed,
            progress=tell,
        )
        if output.folder is not None:
            report(power, output.folder, **called(), **output.options)
    if output.as_json:
        click.echo(json.dumps(power.to_dict() | {"sentence": power.sentence()}))
    elif output.folder is not None:
        show(power.sentence(), output)
    else:
        click.echo(power.summary())


def _design_of(
    design: type[StudyDesign], pilot: Path | None, options: dict[str, Any]
) -> StudyDesign:
    """Return the design that is stated, or taken from a pilot study."""
    fields = {field.name: field for field in dataclasses.fields(design)}  # type: ignore[arg-type]
    truth = {name: options.pop(name) for name in fields}
    if pilot is not None:
        return from_pilot(design, pilot, options, {n: truth[n] for n in stated(truth)})
    if stated(options):
        raise click.UsageError("options of a pilot study need its file, --pilot FILE")
    asked = [n for n, f in fields.items() if f.default is dataclasses.MISSING]
    missing = ["--" + n.replace("_", "-") for n in asked if truth[n] in (None, ())]
    if missing:
        raise click.UsageError(
            f"missing {', '.join(missing)}: state the truth, or give a pilot study, "
            f"--pilot FILE"
        )
    return design(**truth)


def _command_of(design: type[StudyDesign]) -> click.Command:
    """Return the command of one design."""
    test = design.test
    fields = [*options_of(design, "Truth", required=False), pilot_options(design)]
    answer = update_wrapper(partial(_answer, design), _answer)
    answered: Callable[..., None] = together(*fields, _STUDY)(answer)
    command = click.command(
        design.name,
        cls=Grouped,
        help=f"Power of {design.article}{design.test}; n counts {design.units}.",
        short_help=f"{test[0].upper()}{test[1:]}; n counts {design.units}.",
        example=_EXAMPLES.get(design.name, ""),
    )
    return command(answered)


for _design in DESIGNS.values():
    power.add_command(_command_of(_design))
