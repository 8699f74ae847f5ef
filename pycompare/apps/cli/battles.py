"""``pycompare battles``: rank models by the battles that voters decided."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from pycompare.apps.cli.long_work import long_work
from pycompare.apps.cli.options import (
    AS_WRITTEN,
    Grouped,
    Output,
    declared,
    option,
)
from pycompare.apps.cli.reports import (
    analysed_and_reported,
    plan_of_options,
    reports_or_prints,
    show,
)
from pycompare.base.errors import InputError
from pycompare.designs.plans.battles_plan import BattlesPlan


@click.command(
    cls=Grouped,
    example="pycompare battles votes.csv --model-1 model_a --model-2 model_b "
    "--winner winner --voter judge --out arena",
)
@click.argument("file", type=click.Path(path_type=Path))
@declared(BattlesPlan)
@AS_WRITTEN
@reports_or_prints
@option("--r", "as_r", is_flag=True, help="Print the R code.", group="Output")
@long_work
def battles(file: Path, output: Output, as_r: bool, **options: Any) -> None:
    """Compare the strengths of models by battles of two, with sets of ranks.

    FILE has one row for each battle: CSV, Parquet, JSON lines or .xlsx. Columns of
    LMArena, Kaggle and evalica need no names. A plan file whose data have the format
    battles has the same choices: pycompare plan FILE --battles.
    """
    from pycompare.reporting.planned_report import conclusion

    if as_r and output.as_json:
        raise InputError("--r and --json both choose the output; give one of them")
    plan, form = plan_of_options(BattlesPlan, options)
    analysis = analysed_and_reported(plan, file, form, output)
    ranked: Any = analysis.result
    if as_r:
        click.echo("\n".join(of_group.r_code() for of_group in _each(ranked)))
    elif output.as_json:
        click.echo(json.dumps(ranked.to_dict()))
    elif output.folder is not None:
        show(conclusion(analysis), output)
    else:
        click.echo(conclusion(analysis))
        for of_group in _each(ranked):
            title = f"Strengths, {of_group.group}" if of_group.group else "Strengths"
            click.echo(f"\n{title}\n{of_group.strengths.to_string(index=False)}")
            click.echo(f"\nPairs\n{of_group.table.to_string(index=False)}")


def _each(ranked: Any) -> list[Any]:
    """Return the results of all groups, or the only one."""
    return list(ranked.groups.values()) if hasattr(ranked, "groups") else [ranked]
