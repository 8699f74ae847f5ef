"""``pycompare mrmc``: compare modalities over several readers and cases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from pycompare.cli.options import (
    AS_WRITTEN,
    Grouped,
    Output,
    given,
    option,
    together,
    writes_report,
)
from pycompare.cli.reports import called, show
from pycompare.errors import InputError

_CHOICES = {
    "method": ("or", "dbm"),
    "covariance": ("jackknife", "delong", "unbiased", "bootstrap"),
    "readers": ("random", "fixed"),
    "cases": ("random", "fixed"),
    "figure": ("auc", "partial_auc", "sensitivity", "specificity", "mean"),
    "better": ("higher", "lower"),
    "error": ("own", "pooled"),
    "df": ("hillis", "1992"),
}
_TEXTS = {
    "method": "Obuchowski-Rockette, or Dorfman-Berbaum-Metz.",
    "covariance": "How covariances over cases are estimated.",
    "readers": "Random: conclusions concern new readers. Fixed: these readers.",
    "cases": "Random: conclusions concern new cases. Fixed: these cases.",
    "figure": "Figure of merit; mean is the mean rating.",
    "better": "Direction of the mean rating.",
    "error": "Error term of a pair: its own modalities, or all of them.",
    "df": "Degrees of freedom for random readers and cases.",
}
_DESIGNS = (
    "factorial",
    "cases-in-readers",
    "cases-in-modalities",
    "readers-in-modalities",
    "incomplete",
)
_COLUMNS = together(
    *(
        option(
            f"--{name}",
            required=required,
            metavar="COLUMN",
            help=text,
            group="Columns",
        )
        for name, required, text in (
            ("modality", True, "Column of modalities, or algorithms."),
            ("reader", True, "Column of readers, or training sets."),
            ("case", True, "Column of cases."),
            ("rating", True, "Column of ratings, higher for the positive class."),
            ("truth", False, "Column of the true classes."),
            ("cluster", False, "Column of groups of dependent cases, as of a patient."),
        )
    ),
    option("--positive", metavar="LABEL", help="Positive class.", group="Columns"),
    option(
        "--design",
        type=click.Choice(_DESIGNS),
        default="factorial",
        show_default=True,
        help="Who rated what.",
        group="Columns",
    ),
)
_ANALYSIS = together(
    *(
        option(
            f"--{name}",
            type=click.Choice(words),
            default=words[0],
            show_default=True,
            help=_TEXTS[name],
            group="Analysis",
        )
        for name, words in _CHOICES.items()
    ),
    option(
        "--threshold",
        type=float,
        metavar="X",
        group="Analysis",
        help="Of sensitivity and specificity: a rating at or above it is positive.",
    ),
    option(
        "--fpr-range",
        nargs=2,
        type=float,
        metavar="LOW HIGH",
        group="Analysis",
        help="False positive rates of the partial AUC.",
    ),
    option(
        "--control",
        metavar="NAME",
        group="Analysis",
        help="Compare each other modality with this one only.",
    ),
    option(
        "--margin",
        type=float,
        metavar="X",
        group="Analysis",
        help="Also test superiority, non-inferiority and equivalence.",
    ),
    option(
        "--adjust",
        default="holm",
        show_default=True,
        group="Analysis",
        help="Adjustment over the pairs compared.",
    ),
    option(
        "--level",
        type=float,
        default=0.95,
        show_default=True,
        metavar="X",
        help="Confidence level of the intervals.",
        group="Analysis",
    ),
    option(
        "--seed",
        type=int,
        metavar="N",
        group="Analysis",
        help="Random seed of the bootstrap.",
    ),
    option(
        "--resamples",
        type=int,
        metavar="N",
        group="Analysis",
        help="Resamples of the bootstrap.",
    ),
)


@click.command(
    cls=Grouped,
    example="pycompare mrmc ratings.csv --modality test --reader reader --case case "
    "--truth truth --positive 1 --rating score",
)
@click.argument("file", type=click.Path(path_type=Path))
@_COLUMNS
@AS_WRITTEN
@_ANALYSIS
@option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Write a report to DIR.",
    group="Output",
)
@option(
    "--overwrite",
    is_flag=True,
    help="Replace an existing report in DIR.",
    group="Output",
)
@option("--json", "as_json", is_flag=True, help="Print JSON.", group="Output")
@option("--r", "as_r", is_flag=True, help="Print the R code.", group="Output")
@writes_report
def mrmc(
    file: Path,
    modality: str,
    reader: str,
    case: str,
    rating: str,
    truth: str | None,
    cluster: str | None,
    positive: str | None,
    design: Any,
    sep: str | None,
    decimal: str | None,
    sheet: str | None,
    output: Output,
    as_r: bool,
    **analysis: Any,
) -> None:
    """Compare modalities over several readers and cases (MRMC analysis).

    FILE has one row for each modality, reader and case. Algorithms trained on several
    training sets and tested on the same cases are modalities and readers, too.
    """
    from pycompare.data.rating_files import read_ratings
    from pycompare.multireader.mrmc import mrmc as analyse
    from pycompare.reporting.mrmc_report import KIND, conclusion, report_mrmc

    out = output.folder
    if out is not None:
        KIND.check_target(out, output.overwrite)
    elif output.overwrite:
        raise InputError("--overwrite replaces a report: name its folder, --out DIR")
    ratings = read_ratings(
        file,
        modality=modality,
        reader=reader,
        case=case,
        rating=rating,
        truth=truth,
        positive=positive,
        cluster=cluster,
        design=design,
        **given({"sep": sep, "decimal": decimal, "sheet": sheet}),
    )
    found = analyse(ratings, **analysis)
    if out is not None:
        report_mrmc(
            found,
            out,
            file=file,
            **called(),
            **output.options,
        )
    if as_r:
        click.echo(found.r_code())
    elif output.as_json:
        click.echo(json.dumps(found.to_dict()))
    elif out is not None:
        show(conclusion(found, 1 - found.level), output)
    else:
        tables = {"Figures of merit": found.areas, "Components": found.components}
        tables["Other analyses"] = found.analyses
        if found.claims is not None:
            tables["Claims"] = found.claims
        click.echo(found.summary())
        for title, table in tables.items():
            click.echo(f"\n{title}\n{table.to_string(index=False)}")
