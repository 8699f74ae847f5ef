"""``pycompare power``: the power of a planned study, or the size it needs."""

from __future__ import annotations

import dataclasses
import inspect
import json
from collections.abc import Callable
from functools import partial
from typing import Any

import click

from pycompare.cli.options import Grouped, option, together
from pycompare.sample_size.design import Design
from pycompare.sample_size.designs import DESIGNS

EXAMPLES = {"paired-t": "pycompare power paired-t --difference 0.02 --sd 0.04"}

STUDY = together(
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


def of_field(field: dataclasses.Field[Any], texts: dict[str, str]) -> Any:
    """Return the option of one field of a design."""
    required = field.default is dataclasses.MISSING
    several = "Sequence" in str(field.type)
    number = int if field.type == "int" else float
    text = "str" in str(field.type) or "Literal" in str(field.type)
    shown = "" if required else f"  [default: {field.default:}]"
    return option(
        "--" + field.name.replace("_", "-"),
        field.name,
        required=required,
        default=None if required else field.default,
        type=str if text else number,
        multiple=several,
        metavar="WORD" if text else "X",
        help=texts[field.name] + (" Repeatable." if several else "") + shown,
        group="Truth",
    )


def texts_of(design: type[Design]) -> dict[str, str]:
    """Return what the docstrings say of each field, inherited ones included."""
    found: dict[str, str] = {}
    for owner in reversed(design.__mro__):
        _, _, attributes = inspect.cleandoc(owner.__doc__ or "").partition(
            "Attributes\n----------\n"
        )
        names: list[str] = []
        for line in attributes.splitlines():
            if not line.strip():
                break
            if line.startswith(" "):
                for name in names:
                    found[name] = f"{found[name]} {line.strip()}".strip()
            else:
                names = [name.strip() for name in line.partition(" : ")[0].split(",")]
                found |= dict.fromkeys(names, "")
    return found


def answer(
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


def command_of(design: type[Design]) -> click.Command:
    """Return the command of one design."""
    texts, test = texts_of(design), design.test.removeprefix("the ")
    declared: Any = dataclasses.fields(design)  # type: ignore[arg-type]
    fields = [of_field(field, texts) for field in declared]
    called: Callable[..., None] = together(*fields, STUDY)(partial(answer, design))
    made = click.command(
        design.name,
        cls=Grouped,
        help=f"Power of {design.test}; n counts {design.units}.",
        short_help=f"{test[0].upper()}{test[1:]}.",
        example=EXAMPLES.get(design.name, ""),
    )
    return made(called)


for _design in DESIGNS.values():
    power.add_command(command_of(_design))
