"""``pycompare mrmc``: compare modalities over several readers and cases."""

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
from pycompare.designs.plans.readers_plan import ReadersPlan


@click.command(
    cls=Grouped,
    example="pycompare mrmc ratings.csv --modality test --reader reader --case case "
    "--truth truth --positive 1 --rating score",
)
@click.argument("file", type=click.Path(path_type=Path))
@declared(ReadersPlan)
@AS_WRITTEN
@reports_or_prints
@option("--r", "as_r", is_flag=True, help="Print the R code.", group="Output")
@long_work
def mrmc(file: Path, output: Output, as_r: bool, **options: Any) -> None:
    """Compare modalities over several readers and cases (MRMC analysis).

    FILE has one row for each modality, reader and case. Algorithms trained on several
    training sets and tested on the same cases are modalities and readers, too. With
    --marks it has one row per mark of a free-response study. Files of iMRMC (.imrmc)
    and workbooks of RJafroc need no names of columns. A plan file with the table
    [readers] has the same choices: pycompare plan FILE --readers.
    """
    from pycompare.reporting.planned_report import conclusion

    if as_r and output.as_json:
        raise InputError("--r and --json both choose the output; give one of them")
    plan, form = plan_of_options(ReadersPlan, options)
    if output.folder is None and plan.blind:
        raise InputError("--blind needs a report, beside which the key is: --out DIR")
    analysis = analysed_and_reported(plan, file, form, output)
    study: Any = analysis.result
    if as_r:
        results = (study, analysis.mixed)
        click.echo("\n".join(result.r_code() for result in results if result))
    elif output.as_json:
        model = {} if analysis.mixed is None else {"mixed": analysis.mixed.to_dict()}
        click.echo(json.dumps(study.to_dict() | model))
    elif output.folder is not None:
        show(conclusion(analysis), output)
    else:
        click.echo(study.summary())
        for title, table in _tables_of(study, analysis.mixed).items():
            click.echo(f"\n{title}\n{table.to_string(index=False)}")


def _tables_of(study: Any, mixed: Any) -> dict[str, Any]:
    """Return the tables below the summary."""
    if hasattr(study, "standalone"):
        return {"By reader": study.by_reader}
    if not hasattr(study, "areas"):
        return {"By reader": study.by_reader, "Components": study.components}
    tables = {"Figures of merit": study.areas, "Components": study.components}
    tables["Other analyses"] = study.analyses
    if study.claims is not None:
        tables["Claims"] = study.claims
    if mixed is not None:
        tables[mixed.method] = mixed.table
        tables |= {"Effects": mixed.effects, "Random effects": mixed.random}
    return tables
