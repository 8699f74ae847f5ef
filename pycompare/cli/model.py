"""``pycompare model``: a linear model by formula from a table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from pycompare.cli.options import AS_WRITTEN, Grouped, given, option


@click.command(
    cls=Grouped,
    example="pycompare model runs.csv --formula 'error ~ learner * scaled' "
    "--within data/fold --means learner --contrasts learner",
)
@click.argument("file", type=click.Path(path_type=Path))
@option(
    "--formula",
    required=True,
    metavar="TEXT",
    help="score ~ learner * prep; several responses: cbind(error, auc) ~ learner.",
    group="Model",
)
@option(
    "--within",
    metavar="UNITS",
    help="Units that rows are measured in, coarsest first: data/fold. Each is an error "
    "stratum.",
    group="Model",
)
@option(
    "--type",
    type=click.Choice(["1", "2", "3"]),
    default="2",
    show_default=True,
    help="Type of sums of squares.",
    group="Model",
)
@option(
    "--method",
    type=click.Choice(["auto", "strata", "reml"]),
    default="auto",
    show_default=True,
    help="Tests with units: against strata (balanced data), or by a mixed model, REML.",
    group="Model",
)
@option(
    "--df",
    type=click.Choice(["kenward-roger", "satterthwaite"]),
    default="kenward-roger",
    show_default=True,
    help="Denominator degrees of freedom of a mixed model.",
    group="Model",
)
@option(
    "--missing",
    type=click.Choice(["error", "drop-row"]),
    default="error",
    show_default=True,
    help="Rows with a missing value: refuse them, or drop them.",
    group="Model",
)
@option(
    "--means",
    multiple=True,
    metavar="FACTORS",
    help="Estimated marginal means: learner, or learner:prep. Repeatable.",
    group="Means",
)
@option(
    "--contrasts",
    multiple=True,
    metavar="FACTORS",
    help="All pairwise comparisons of these means. Repeatable.",
    group="Means",
)
@option(
    "--adjust",
    default="holm",
    show_default=True,
    help="Adjustment of the pairwise comparisons.",
    group="Means",
)
@option(
    "--level",
    type=float,
    default=0.95,
    show_default=True,
    help="Confidence level.",
    group="Means",
)
@AS_WRITTEN
@option("--json", "as_json", is_flag=True, help="Print JSON.", group="Output")
def model(
    file: Path,
    formula: str,
    within: str | None,
    type: str,
    method: str,
    df: str,
    missing: str,
    means: tuple[str, ...],
    contrasts: tuple[str, ...],
    adjust: str,
    level: float,
    as_json: bool,
    **written: Any,
) -> None:
    """Fit a linear model by formula to a table and test each of its terms."""
    from pycompare.data.file_format import FileFormat
    from pycompare.models.linear_model import linear_model
    from pycompare.models.tables import read_frame

    made = linear_model(
        read_frame(file, formula, within, FileFormat(**given(written))),
        formula,
        within=within,
        type=int(type),  # type: ignore[arg-type]
        missing=missing,  # type: ignore[arg-type]
        level=level,
        method=method,  # type: ignore[arg-type]
        df=df,  # type: ignore[arg-type]
    )
    found = {"Tests of terms": made.to_frame()}
    if made.fit.mixed is not None:
        found["Variances of units (REML)"] = made.variances.to_frame()
    elif len(made.responses) > 1:
        for name, one in made.manova.items():
            found[f"Multivariate tests of {name}"] = one.to_frame()
    for response in made.responses if means or contrasts else ():
        for factors in means:
            table = made.emmeans(factors.split(":"), response=response).to_frame()
            found[f"Means of {response} by {factors}"] = table
        for factors in contrasts:
            table = made.contrasts(
                factors.split(":"), adjust=adjust, response=response
            ).to_frame()
            found[f"Comparisons of {response} by {factors} ({adjust})"] = table
    if as_json:
        from pycompare.results import plain

        click.echo(json.dumps(plain({"notes": made.notes, "tables": found}), indent=2))
        return
    for title, table in found.items():
        click.echo(f"{title}\n{table.to_string(index=False)}\n")
    for note in made.notes:
        click.echo(f"note: {note}")
