"""A folder with the power of a planned study: its page, curve and R code."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Unpack

from pycompare import plotting
from pycompare.base.formatting.numbers import percent
from pycompare.base.interop.r_program import no_program, program
from pycompare.reporting import document as doc
from pycompare.reporting.content import build, wording
from pycompare.reporting.content.page import PageResult, Report
from pycompare.reporting.edition import Writing
from pycompare.reporting.evidence.manifest import Evidence, ReportData, Step
from pycompare.reporting.folder import FolderMark
from pycompare.reporting.provenance import provenance
from pycompare.reporting.submission_words import Words
from pycompare.reporting.write import Contents, write_report
from pycompare.results.result import Told, plain
from pycompare.sizes.power import PowerResult, power

KIND = FolderMark("pycompare power")
_NO_FORMULA = (
    "this power is simulated; R has no formula for it; pycompare draws the same "
    "studies again from the seed of results.json"
)
_SHARES = (0.25, 0.5, 0.75, 1.0, 1.25, 1.5)
"""Sizes of the curve, relative to the size that is reported."""


def write(
    result: PowerResult,
    to: str | Path,
    **writing: Unpack[Writing],
) -> Path:
    """Write the folder of a planned study."""
    return write_report(KIND, to, partial(_contents, result), **writing)


def _contents(result: PowerResult, command: Sequence[str] | None) -> Contents:
    """Return everything that the folder holds."""
    trials = int(result.as_columns()["trials"].max())
    drawn = f"{result.seed}, for {trials} simulated studies of each size"
    random: dict[str, Any] = {"seed": result.seed, "randomness": drawn}
    origin = provenance(command=command, **(random if trials else {}))
    known = result.r_call() is not None
    return Contents(
        report=_report(result, origin),
        program=program([("Power", result)]) if known else no_program(_NO_FORMULA),
        results=lambda: Told(result.to_dict(), result),
        evidence=_evidence(result),
        words=partial(Words, opening=result.sentence()),
    )


def _truth(result: PowerResult) -> dict[str, Any]:
    """Return the fields of the design."""
    fields: dict[str, Any] = plain(vars(result.design))
    return fields


def _evidence(result: PowerResult) -> Evidence:
    """Return the question; there are no data."""
    sizes = None if result.target is not None else result.as_columns()["n"].tolist()
    asked = {
        "design": result.design.name,
        "truth": _truth(result),
        "n": sizes,
        "target": result.target,
        "alpha": result.alpha,
        "trials": int(result.as_columns()["trials"].max()),
        "seed": result.seed,
    }
    step = Step(
        step=f"Power of {result.test}",
        why="the call or the options",
        decided=result.sentence(),
    )
    return Evidence(data=ReportData(), asked=asked, settled=asked, steps=[step])


def _curve(result: PowerResult) -> PowerResult:
    """Return the power of several sizes."""
    if len(set(result.as_columns()["n"])) > 1:
        return result
    n, design = int(result.as_columns()["n"][0]), result.design
    around = {max(design.least, round(share * n)) for share in _SHARES} | {n + 1}
    sizes = sorted({min(size, design.most) for size in around})
    trials = int(result.as_columns()["trials"].max())
    options: dict[str, Any] = {"alpha": result.alpha, "seed": result.seed}
    return power(result.design, n=sizes, trials=trials, **options)


def _report(result: PowerResult, origin: dict[str, Any]) -> Report:
    """Return everything that the page is made of."""
    day = datetime.fromisoformat(origin["date"])
    return Report(
        title=f"Power of {result.design.test}",
        subtitle=f"planned study · {day.day} {day:%B %Y} · alpha = {result.alpha:g}",
        results=[_result(result)],
        scope=[
            f"The power holds for this truth: {result.effect}. A smaller effect, or a "
            "larger spread, has less power."
        ],
        assumptions=[*map(wording.sentence, result.notes), *_assumptions(result)],
        plan=[f"Design: {result.design.name}", *_plan(result)],
        methods=build.table(
            "Test and source.",
            [result],
            build.Field("Test", "label", "test"),
            build.Field("source", "text", "reference"),
        ),
        data=[("ReportData", "none: the study is planned")],
        dropped=[],
        origin=origin,
    )


def _plan(result: PowerResult) -> list[str]:
    """Return the question, point by point."""
    truth = [f"{name} = {value}" for name, value in _truth(result).items()]
    if result.target is not None:
        truth.append(f"power wanted: {percent(result.target)}")
    return truth


def _assumptions(result: PowerResult) -> list[str]:
    if not result.design.has_formula:
        return ["The power is simulated, so a size found by it has Monte Carlo error."]
    if not result.as_columns()["trials"].any():
        return ["No studies were simulated."]
    return ["The limits are those of the simulated power, exact at 95%."]


def _result(result: PowerResult) -> PageResult:
    """Return the sentence, the curve and the table."""
    curve = _curve(result)
    return PageResult(
        title="Power",
        prefix="",
        answer=result.sentence(),
        figure=doc.Figure(
            "power",
            partial(plotting.power_curve, curve, target=result.target),
            f"Power over the number of {result.units}; the band is the 95% Monte "
            "Carlo interval of the simulated power.",
            f"Power over the number of {result.units}; the table has the numbers.",
        ),
        table=build.table(
            f"Power at alpha = {result.alpha:g}, with 95% Monte Carlo limits of the "
            "simulated power.",
            curve.as_columns(),
            build.Field(result.units, "number", "n"),
            build.Field("by formula", "number", "power_formula", digits=3),
            build.Field("simulated", "number", "power_simulated", digits=3),
            build.Field("95% low", "number", "conf_low", digits=3),
            build.Field("95% high", "number", "conf_high", digits=3),
            file="power",
        ),
        tables={"power": curve.as_columns()},
    )
