"""``pycompare power``: the power of a planned study, or the size it needs."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import click

from pycompare.cli.fields import options_of
from pycompare.cli.options import Grouped, option, together
from pycompare.sample_size.design import Design
from pycompare.sample_size.designs import DESIGNS

_EXAMPLES = {"paired-t": "pycompare power paired-t --difference 0.02 --sd 0.04"}

_STUDY = together(
    option(
        "--n",
        "n",
        type=int,
        multiple=True,
        metavar="N",
        help="A size of which the power is wanted. Repeatable.",
        group="Study",
    ),
    option(
        "--target",
        type=float,
        metavar="X",
        help="Search the smallest size with this power.  [default: 0.8]",
        group="Study",
    ),
    option(
        "--alpha",
        type=float,
        default=0.05,
        show_default=True,
        metavar="X",
        help="Level of the test.",
        group="Study",
    ),
    option(
        "--trials",
        type=int,
        default=2000,
        show_default=True,
        metavar="N",
        help="Simulated studies of each size; 0 for the formula alone.",
        group="Simulation",
    ),
    option(
        "--seed",
        type=int,
        default=1,
        show_default=True,
        metavar="N",
        help="Random seed of the simulated studies.",
        group="Simulation",
    ),
    option("--json", "as_json", is_flag=True, help="Print JSON.", group="Output"),
)


@click.group()
def power() -> None:
    """Compute the power of a planned study, or the size that it needs.

    Example: pycompare power paired-t --difference 0.02 --sd 0.04
    """


def _answer(
    design: type[Design],
    n: tuple[int, ...],
    target: float | None,
    alpha: float,
    trials: int,
    seed: int,
    as_json: bool,
    **truth: Any,
) -> None:
    """Print the power of one design."""
    from pycompare.sample_size.power import power as power_of

    found = power_of(
        design(**truth),
        n=n or None,
        target=target,
        alpha=alpha,
        trials=trials,
        seed=seed,
    )
    if as_json:
        click.echo(json.dumps(found.to_dict() | {"sentence": found.sentence()}))
    else:
        click.echo(found.summary())


def _command_of(design: type[Design]) -> click.Command:
    """Return the command of one design."""
    test = design.test.removeprefix("the ")
    fields = options_of(design, "Truth")
    called: Callable[..., None] = together(*fields, _STUDY)(partial(_answer, design))
    made = click.command(
        design.name,
        cls=Grouped,
        help=f"Power of {design.test}; n counts {design.units}.",
        short_help=f"{test[0].upper()}{test[1:]}.",
        example=_EXAMPLES.get(design.name, ""),
    )
    return made(called)


for _design in DESIGNS.values():
    power.add_command(_command_of(_design))
