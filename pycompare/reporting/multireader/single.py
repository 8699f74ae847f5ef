"""The mean figure of one modality as a report."""

from __future__ import annotations

from typing import Any

import numpy as np

from pycompare.formatting.counts import counted
from pycompare.formatting.numbers import degrees, number, percent
from pycompare.multireader.single_modality import SingleModalityResult
from pycompare.reporting.content import build, sources, wording
from pycompare.reporting.content.build import Field, limits_of
from pycompare.reporting.content.page import Report, Result
from pycompare.reporting.document import Fold, Inline, Section, Strong, Table, present
from pycompare.reporting.document.columns import p_equals
from pycompare.reporting.multireader import figures, tables
from pycompare.reporting.multireader.report import (
    NORMAL,
    data_rows,
    of_population,
    remarks,
)
from pycompare.results import rejected

_METHOD = "Obuchowski-Rockette analysis of one modality"


def single_report(
    found: SingleModalityResult, alpha: float, origin: dict[str, Any]
) -> Report:
    """Return everything that the page is made of."""
    return Report(
        title=f"Mean {found.figure} of {found.modality} {_sample(found)}",
        subtitle=sources.subtitle(alpha, origin),
        results=[_result(found, alpha)],
        scope=[of_population(found.population)],
        assumptions=[NORMAL],
        plan=_plan(found, alpha),
        methods=build.methods([(_METHOD, "one test", found.reference)]),
        data=data_rows(found.ratings, origin),
        dropped=[*map(wording.sentence, found.notes)],
        origin=origin,
    )


def answer(found: SingleModalityResult, alpha: float) -> Inline:
    """Return the mean with its interval, and the test if there is one."""
    mean = f"Mean {found.figure} of {found.modality}: {number(found.estimate, 3)}"
    if np.isnan(found.conf_low):
        return (Strong(mean), ". ", "There is no interval and no test.")
    mean += f", {wording.interval((found.conf_low, found.conf_high), found.level)}"
    if found.null is None:
        return (Strong(mean), ".")
    verb = "differs" if bool(rejected(found.p_value, alpha)) else "does not differ"
    test = (
        f" It {verb} significantly from {found.null:g} (t({degrees(found.df)}) = "
        f"{number(found.statistic, 3)}, {p_equals(found.p_value, alpha)})."
    )
    return (Strong(mean), ".", test)


def _sample(found: SingleModalityResult) -> str:
    """Return ``by 5 readers on 120 cases``."""
    cases = "cluster" if found.ratings.clusters else "case"
    return f"by {counted(found.n_readers, 'reader')} on {counted(found.n_units, cases)}"


def _result(found: SingleModalityResult, alpha: float) -> Result:
    """Return the conclusion and the numbers behind it."""
    curves = [*figures.curves(found.ratings, "readers"), None]
    frames = {
        "mean": found.to_frame(),
        "by_reader": found.by_reader,
        "components": found.components,
    }
    return Result(
        title=wording.begun(found.figure),
        prefix="",
        answer=answer(found, alpha),
        method=f"Method: {_METHOD}, with readers and cases as planned.",
        figure=curves[0],
        table=_mean(found),
        blocks=present(
            *remarks(found),
            Section("Readers one by one", (_by_reader(found),), "each"),
            Fold("Components of variance", (_components(found),), "components"),
        ),
        tables=frames,
    )


def _mean(found: SingleModalityResult) -> Table:
    """Return the mean in numbers."""
    tested = found.null is not None
    test = (
        Field("t", "number", "statistic", digits=4),
        Field("p", "p", "p_value"),
    )
    return build.table(
        f"Mean {found.figure} over {counted(found.n_readers, 'reader')}.",
        found.to_frame(),
        Field("Modality", "label", "modality"),
        Field(f"mean {found.figure}", "number", "estimate", digits=4),
        Field(f"{percent(found.level)} CI", "interval", limits_of),
        Field("standard error", "number", "std_error"),
        build.DF,
        *(test if tested else ()),
        file="mean",
    )


def _by_reader(found: SingleModalityResult) -> Table:
    """Return the figure of each reader, its interval over cases."""
    return build.table(
        f"{found.figure} of each reader; intervals over cases.",
        found.by_reader.iloc[: tables.MOST_ROWS],
        Field("Reader", "label", "reader"),
        Field(found.figure, "number", "estimate", digits=4),
        Field(f"{percent(found.level)} CI", "interval", limits_of),
        file="by_reader",
    )


def _components(found: SingleModalityResult) -> Table:
    """Return the components of variance, and how negative estimates count."""
    return build.table(
        "Components of variance. Estimates are moments and may be negative; the last "
        "column has such estimates as 0.",
        found.components,
        Field("Component", "label", "component"),
        Field("estimate", "number", "estimate", digits=4),
        Field("floored at 0", "number", "floored", digits=4),
        file="components",
    )


def _plan(found: SingleModalityResult, alpha: float) -> list[str]:
    """Return the choices of the analysis in sentences."""
    told = [f"The interval concerns {found.population}."]
    if found.null is not None:
        told.append(
            f"The mean is tested against {found.null:g}, two-sided; alpha = {alpha:g}."
        )
    return told
