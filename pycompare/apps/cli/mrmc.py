"""``pycompare mrmc``: compare modalities over several readers and cases."""

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
from pycompare.designs.plans.keys import keys_of
from pycompare.designs.plans.readers_plan import ReadersPlan


@click.command(
    cls=Grouped,
    example="pycompare mrmc ratings.csv --modality test --reader reader --case case "
    "--truth truth --positive 1 --rating score",
)
@click.argument("file", type=click.Path(path_type=Path))
@declared(ReadersPlan)
@AS_WRITTEN
@OUT_OR_PRINT
@option("--r", "as_r", is_flag=True, help="Print the R code.", group="Output")
@writes_report
def mrmc(file: Path, output: Output, as_r: bool, **options: Any) -> None:
    """Compare modalities over several readers and cases (MRMC analysis).

    FILE has one row for each modality, reader and case. Algorithms trained on several
    training sets and tested on the same cases are modalities and readers, too. Files of
    iMRMC (.imrmc) and ROC workbooks of RJafroc need no names of columns. A plan file
    with the table [readers] has the same choices: pycompare plan FILE --readers.
    """
    from pycompare.data.file_format import FileFormat
    from pycompare.designs.planned_analysis import analysed
    from pycompare.reporting.planned_report import conclusion, mark_of
    from pycompare.reporting.report import report

    if as_r and output.as_json:
        raise InputError("--r and --json both choose the output; give one of them")
    chosen = given(options)
    keys = {name: chosen.pop(name) for name in keys_of(ReadersPlan) if name in chosen}
    plan = ReadersPlan(**keys)
    out = output.folder
    if out is None and output.overwrite:
        raise InputError("--overwrite replaces a report: name its folder, --out DIR")
    if out is None and plan.blind:
        raise InputError("--blind needs a report, beside which the key is: --out DIR")

    def check() -> None:
        if out is not None:
            mark_of(plan).check_target(out, output.overwrite)

    analysis = analysed(plan, file, FileFormat(**chosen), once_read=check)
    if out is not None:
        with progress():
            report(analysis, out, **called(), **output.options)
    study: Any = analysis.result
    if as_r:
        results = (study, analysis.mixed)
        click.echo("\n".join(result.r_code() for result in results if result))
    elif output.as_json:
        model = {} if analysis.mixed is None else {"mixed": analysis.mixed.to_dict()}
        click.echo(json.dumps(study.to_dict() | model))
    elif out is not None:
        show(conclusion(analysis), output)
    else:
        click.echo(study.summary())
        for title, table in _tables_of(study, analysis.mixed).items():
            click.echo(f"\n{title}\n{table.to_string(index=False)}")


def _tables_of(study: Any, mixed: Any) -> dict[str, Any]:
    """Return the tables below the summary."""
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
