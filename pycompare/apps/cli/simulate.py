"""``pycompare simulate``: run a simulation study of tests on known truth."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import click

from pycompare.apps.cli.fields import arguments_of, options_of
from pycompare.apps.cli.long_work import added_work
from pycompare.apps.cli.options import Grouped, option, together
from pycompare.sizes.simulation.engine import simulate as run
from pycompare.sizes.simulation.studies import STUDIES
from pycompare.sizes.simulation.study import Study

_EXAMPLES = {"maloof": "pycompare simulate maloof --d-prime 1 --n 100 --trials 50"}

_HOW = ("trials", "seed")
_RUN = together(
    *arguments_of(run, "Running", *_HOW),
    added_work,
    option("--json", "as_json", is_flag=True, help="Print JSON.", group="Output"),
)


@click.group()
def simulate() -> None:
    """Run a simulation study of tests on known truth.

    Example: pycompare simulate maloof --d-prime 1 --n 100 --trials 50
    """


def _answer(study: type[Study], as_json: bool, **given: Any) -> None:
    """Run one study and print its table."""
    from pycompare.base.parallel.progress import on_stderr

    how = {name: given.pop(name) for name in _HOW}
    simulated = run(study(**given), progress=on_stderr("simulate"), **how)
    click.echo(json.dumps(simulated.to_dict()) if as_json else simulated.summary())


def _command_of(study: type[Study]) -> click.Command:
    """Return the command of one study."""
    fields = options_of(study, "Study")
    called: Callable[..., None] = together(*fields, _RUN)(partial(_answer, study))
    command = click.command(
        study.name,
        cls=Grouped,
        help=f"{study.title}. Trials of each condition by default: "
        f"{study.default_trials}.",
        short_help=f"{study.title}.",
        example=_EXAMPLES.get(study.name, ""),
    )
    return command(called)


for _study in STUDIES.values():
    simulate.add_command(_command_of(_study))
