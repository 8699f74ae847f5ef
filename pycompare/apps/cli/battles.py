"""``pycompare battles``: rank models by the battles that voters decided."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from pycompare.apps.cli.options import (
    AS_WRITTEN,
    OUT_OR_PRINT,
    Grouped,
    Output,
    declared,
    given,
    option,
    writes_report,
)
from pycompare.apps.cli.reports import called, progress, show
from pycompare.base.errors import InputError
from pycompare.designs.plans.battles_plan import BattlesPlan
from pycompare.designs.plans.keys import keys_of


@click.command(
    cls=Grouped,
    example="pycompare battles votes.csv --model-1 model_a --model-2 model_b "
    "--winner winner --voter judge --out arena",
)
@click.argument("file", type=click.Path(path_type=Path))
@declared(BattlesPlan)
@AS_WRITTEN
@OUT_OR_PRINT
@option("--r", "as_r", is_flag=True, help="Print the R code.", group="Output")
@writes_report
def battles(file: Path, output: Output, as_r: bool, **options: Any) -> None:
    """Compare the strengths of models by battles of two, with sets of ranks.

    FILE has one row for each battle: CSV, Parquet, JSON lines or .xlsx. Columns of
    LMArena, Kaggle and evalica need no names. A plan file whose data have the format
    battles has the same choices: pycompare plan FILE --battles.
    """
    from pycompare.data.file_format import FileFormat
    from pycompare.designs.planned_analysis import analysed
    from pycompare.reporting.planned_report import conclusion, mark_of
    from pycompare.reporting.report import report

    if as_r and output.as_json:
        raise InputError("--r and --json both choose the output; give one of them")
    chosen = given(options)
    keys = {name: chosen.pop(name) for name in keys_of(BattlesPlan) if name in chosen}
    plan = BattlesPlan(**keys)
    out = output.folder
    if out is None and output.overwrite:
        raise InputError("--overwrite replaces a report: name its folder, --out DIR")

    def check() -> None:
        if out is not None:
            mark_of(plan).check_target(out, output.overwrite)

    analysis = analysed(plan, file, FileFormat(**chosen), once_read=check)
    if out is not None:
        with progress():
            report(analysis, out, **called(), **output.options)
    ranked: Any = analysis.result
    if as_r:
        click.echo("\n".join(of_group.r_code() for of_group in _each(ranked)))
    elif output.as_json:
        click.echo(json.dumps(ranked.to_dict()))
    elif out is not None:
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
