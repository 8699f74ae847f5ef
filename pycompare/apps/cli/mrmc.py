"""``pycompare mrmc``: compare modalities over several readers and cases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import click

from pycompare.apps.cli.options import (
    AS_WRITTEN,
    OUT_OR_PRINT,
    Choice,
    Grouped,
    Output,
    given,
    option,
    stated,
    together,
    writes_report,
)
from pycompare.apps.cli.reports import called, progress, show
from pycompare.base.errors import InputError, setting
from pycompare.base.typing import LinkFunction
from pycompare.data.ratings import DesignName
from pycompare.methods.multireader import words

_CHOICES: dict[str, tuple[str, ...]] = {
    "method": get_args(words.ReaderMethod),
    "covariance": get_args(words.CovarianceName),
    "readers": get_args(words.Effect),
    "cases": get_args(words.Effect),
    "figure": get_args(words.FigureName),
    "error": get_args(words.ErrorName),
    "df": get_args(words.DfRule),
}
_TEXTS = {
    "method": "Obuchowski-Rockette, or Dorfman-Berbaum-Metz.",
    "covariance": "How covariances over cases are estimated.",
    "readers": "Random: conclusions concern new readers. Fixed: these readers.",
    "cases": "Random: conclusions concern new cases. Fixed: these cases.",
    "figure": "Figure of merit; mean is the mean rating.",
    "error": "Error term of a pair: its own modalities, or all of them.",
    "df": "Degrees of freedom for random readers and cases.",
}
_COLUMNS = together(
    *(
        option(
            f"--{name}",
            metavar="COLUMN",
            help=text,
            group="Columns",
        )
        for name, text in (
            (
                "modality",
                "Column of modalities, or algorithms. Required, as are the "
                "next three, unless FILE is of iMRMC or RJafroc.",
            ),
            ("reader", "Column of readers, or training sets."),
            ("case", "Column of cases."),
            ("rating", "Column of ratings, see --better."),
            ("truth", "Column of the true classes."),
            ("cluster", "Column of groups of dependent cases, as of a patient."),
        )
    ),
    option("--positive", metavar="LABEL", help="Positive class.", group="Columns"),
    option(
        "--design",
        type=Choice(get_args(DesignName)),
        default="factorial",
        show_default=True,
        help="Design: which readers rated which cases in which modality.",
        group="Columns",
    ),
)
_ANALYSIS = together(
    *(
        option(
            f"--{name}",
            type=Choice(known),
            default=known[0],
            show_default=True,
            help=_TEXTS[name],
            group="Analysis",
        )
        for name, known in _CHOICES.items()
    ),
    option(
        "--pair-tests",
        type=Choice(get_args(words.PairTestsName)),
        group="Analysis",
        help="Pairs for new readers and new cases: the largest of three p-values "
        "(these readers, these cases, both new), or Hillis' test as published.  "
        "[default: largest for three or more modalities with their own error]",
    ),
    option(
        "--better",
        type=Choice(("higher", "lower")),
        group="Analysis",
        help="Direction of the ratings. lower: lower ratings speak for the positive "
        "class; of --figure mean, which needs it: lower means are better.  [default: "
        "higher, but for the mean]",
    ),
    option(
        "--threshold",
        type=float,
        metavar="X",
        group="Analysis",
        help="Of sensitivity, specificity and --mixed: a rating at or above it (with "
        "--better lower: at or below) is positive.",
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
        "--alpha",
        type=float,
        metavar="X",
        help="Family-wise significance level. Superiority and non-inferiority to a "
        "control are tested one-sided at half of it.  [default: 0.05, or 1 - level]",
        group="Analysis",
    ),
    option(
        "--level",
        type=float,
        metavar="X",
        help="Confidence level of the intervals that describe. Those of pairs follow "
        "from alpha.  [default: 1 - alpha]",
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
_ONE_MODALITY = together(
    option(
        "--only",
        metavar="NAME",
        group="One modality",
        help="Estimate the mean figure of this modality, without comparisons.",
    ),
    option(
        "--null",
        type=float,
        metavar="X",
        group="One modality",
        help="Test the mean of --only against this value.",
    ),
)
_MIXED = together(
    option(
        "--mixed",
        type=Choice(get_args(words.OutcomeName)),
        group="Mixed model of 0/1 outcomes",
        help="Sensitivity analysis of a 0/1 outcome. mean: the ratings themselves, 0 "
        "or 1. The others: 1 for a correct decision at --threshold.",
    ),
    option(
        "--link",
        type=Choice(get_args(LinkFunction)),
        group="Mixed model of 0/1 outcomes",
        help="Scale of the effects.  [default: logit]",
    ),
    option(
        "--reader-effects",
        is_flag=True,
        group="Mixed model of 0/1 outcomes",
        help="Modalities differ from reader to reader (random modality x reader).",
    ),
)
_OF_COMPARISONS = (
    *("method", "error", "df", "pair_tests", "control", "margin", "adjust"),
    "alpha",
    *("seed", "resamples", "mixed", "link", "reader_effects"),
)
"""Options that one modality has no use for."""


@click.command(
    cls=Grouped,
    example="pycompare mrmc ratings.csv --modality test --reader reader --case case "
    "--truth truth --positive 1 --rating score",
)
@click.argument("file", type=click.Path(path_type=Path))
@_COLUMNS
@AS_WRITTEN
@_ANALYSIS
@_ONE_MODALITY
@_MIXED
@OUT_OR_PRINT
@option("--r", "as_r", is_flag=True, help="Print the R code.", group="Output")
@writes_report
def mrmc(
    file: Path,
    modality: str | None,
    reader: str | None,
    case: str | None,
    rating: str | None,
    truth: str | None,
    cluster: str | None,
    positive: str | None,
    design: Any,
    sep: str | None,
    decimal: str | None,
    sheet: str | None,
    header: str | None,
    output: Output,
    as_r: bool,
    only: str | None,
    null: float | None,
    **analysis: Any,
) -> None:
    """Compare modalities over several readers and cases (MRMC analysis).

    FILE has one row for each modality, reader and case. Algorithms trained on several
    training sets and tested on the same cases are modalities and readers, too. Files of
    iMRMC (.imrmc) and ROC workbooks of RJafroc need no names of columns.
    """
    from pycompare.data.rating_files import read_ratings
    from pycompare.reporting.mrmc_report import KIND, conclusion
    from pycompare.reporting.report import report

    if null is not None and only is None:
        raise InputError("--null tests the mean of one modality: name it, --only NAME")
    if as_r and output.as_json:
        raise InputError("--r and --json both state what is printed; give one of them")
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
        **given({"sep": sep, "decimal": decimal, "sheet": sheet, "header": header}),
    )
    if only is None:
        study, mixed = _compared(ratings, analysis)
    else:
        study, mixed = _alone(ratings, only, null, analysis), None
    if out is not None:
        options = {"file": file, "mixed": mixed, **called(), **output.options}
        with progress():
            report(study, out, **options)
    if as_r:
        click.echo("\n".join(result.r_code() for result in (study, mixed) if result))
    elif output.as_json:
        model = {} if mixed is None else {"mixed": mixed.to_dict()}
        click.echo(json.dumps(study.to_dict() | model))
    elif out is not None:
        show(conclusion(study), output)
    else:
        click.echo(study.summary())
        for title, table in _tables_of(study, mixed).items():
            click.echo(f"\n{title}\n{table.to_string(index=False)}")


def _compared(ratings: Any, given: dict[str, Any]) -> tuple[Any, Any]:
    """Return the comparison of the modalities, and the mixed model if there is one."""
    from pycompare.methods.multireader.mixed_outcomes import glmm
    from pycompare.methods.multireader.mrmc import mrmc as analyse

    outcome, link = given.pop("mixed"), given.pop("link")
    by_reader, threshold = given.pop("reader_effects"), given["threshold"]
    if outcome is None:
        for name, value in (("link", link), ("reader_effects", by_reader)):
            if value:
                raise InputError(setting(name) + " is for " + setting("mixed"))
        return analyse(ratings, **given), None
    if given["figure"] not in ("sensitivity", "specificity"):
        given["threshold"] = None
    study = analyse(ratings, **given)
    random: Any = get_args(words.RandomName)[: 3 if by_reader else 2]
    return study, glmm(
        ratings,
        outcome=outcome,
        threshold=threshold,
        better="higher" if outcome == "mean" else given["better"] or "higher",
        random=random,
        link=link or "logit",
        control=study.control,
        adjust=study.adjust,
        level=study.descriptive_level,
    )


def _alone(ratings: Any, only: str, null: float | None, given: dict[str, Any]) -> Any:
    """Return the mean of one modality; reject options that are for comparisons."""
    from pycompare.methods.multireader.single_modality import single_modality

    for name in stated(_OF_COMPARISONS):
        raise InputError(
            setting(name)
            + " is for comparisons, and "
            + setting("only", only)
            + " names one modality: leave it out"
        )
    given = {name: v for name, v in given.items() if name not in _OF_COMPARISONS}
    if given["level"] is None:
        del given["level"]
    return single_modality(ratings, modality=only, null=null, **given)


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
