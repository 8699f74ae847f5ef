"""A folder with the power of a plan file: its page, curve and tables."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Unpack

from pycompare import plotting
from pycompare.base.formatting.numbers import percent
from pycompare.base.interop.r_program import no_program
from pycompare.base.tables import Columns
from pycompare.reporting import document as doc
from pycompare.reporting.content import build
from pycompare.reporting.content.page import PageResult, Report
from pycompare.reporting.edition import Writing
from pycompare.reporting.evidence.manifest import Evidence, ReportData, Step
from pycompare.reporting.folder import FolderMark
from pycompare.reporting.provenance import provenance
from pycompare.reporting.submission_words import Words
from pycompare.reporting.write import Contents, write_report
from pycompare.results.result import Told
from pycompare.sizes.planned_power import PlannedPower

KIND = FolderMark("pycompare planned power")
_NO_R = (
    "this power is simulated; R has no function for it; pycompare draws the same "
    "studies again from the seed of results.json"
)
_PROCEDURE = "Each simulated study is compared as pycompare compare does by the plan."


def write(
    result: PlannedPower,
    to: str | Path,
    **writing: Unpack[Writing],
) -> Path:
    """Write the folder of a plan's power."""
    return write_report(KIND, to, partial(_contents, result), **writing)


def _contents(result: PlannedPower, command: Sequence[str] | None) -> Contents:
    """Return everything that the folder holds."""
    origin = provenance(
        command=command,
        plan_file=result.plan_file,
        seed=result.seed,
        randomness=f"{result.seed}, for {result.trials} simulated studies of each size",
    )
    return Contents(
        report=_report(result, origin),
        program=no_program(_NO_R),
        results=lambda: Told(result.to_dict(), result),
        evidence=_evidence(result),
        words=partial(Words, opening=" ".join(result.sentences())),
    )


def _sizes(result: PlannedPower) -> list[int]:
    """Return the sizes in the order that they were asked in."""
    return list(dict.fromkeys(result.as_columns()["n"].tolist()))


def _evidence(result: PlannedPower) -> Evidence:
    """Return the question; there are no data."""
    asked = {
        "n": _sizes(result),
        **result.stated,
        "trials": result.trials,
        "seed": result.seed,
    }
    step = Step(
        step=f"Power of {result.subject}",
        why="the call or the options",
        decided=" ".join(result.sentences()),
    )
    return Evidence(data=ReportData(), asked=asked, settled=asked, steps=[step])


def _report(result: PlannedPower, origin: dict[str, Any]) -> Report:
    """Return everything that the page is made of."""
    day = datetime.fromisoformat(origin["date"])
    table = result.as_columns()
    methods = dict.fromkeys(zip(table["n"], table["method"], strict=True))
    return Report(
        title=f"Power of the plan {result.plan_name}",
        subtitle=f"planned study · {day.day} {day:%B %Y} · alpha = {result.alpha:g}",
        results=[_result(result)],
        scope=[
            f"The power holds for this truth: {result.truth}. A smaller effect, or a "
            "larger spread, has less power."
        ],
        assumptions=[
            "The power is simulated; the limits are those of its Monte Carlo error, "
            "exact at 95%.",
            "Scores are normal with one spread and one correlation for all algorithms, "
            "or right/wrong answers made of such numbers; blocks are independent, "
            "except for folds as stated. Scores with longer tails have another power.",
        ],
        plan=[
            f"Metric: {result.metrics}",
            *(f"{name} = {value}" for name, value in result.stated.items()),
            *result.margins,
        ],
        methods=build.table(
            _PROCEDURE,
            [*methods],
            build.Field(result.units, "digits", lambda row: str(row[0])),
            build.Field("Tests and adjustment", "text", lambda row: row[1]),
        ),
        data=[("ReportData", "none: the study is planned")],
        dropped=[],
        origin=origin,
    )


def _result(result: PlannedPower) -> PageResult:
    """Return the sentences, the curve and the tables."""
    _, *said, _ = result.sentences()
    table = result.as_columns()
    sizes = len(_sizes(result))
    units = result.units
    curve = (
        doc.Figure(
            "power",
            partial(plotting.power_curve, result),
            f"Power over the number of {units}; the bands are 95% Monte Carlo "
            "intervals.",
            f"Power over the number of {units}; the table has the numbers.",
        )
        if sizes > 1 and result.curves()
        else None
    )
    return PageResult(
        title="Power",
        prefix="",
        answer=" ".join(said),
        figure=curve,
        table=build.table(
            f"Share of {result.trials} simulated studies with each conclusion, with "
            "95% Monte Carlo limits. It is a power if the conclusion is true, "
            "otherwise an error rate.",
            table,
            build.Field(units, "digits", lambda row: str(int(row.n))),
            *_places(table),
            build.Field("Conclusion", "text", "conclusion"),
            build.Field("Pair", "label", _pair),
            build.Field("true", "text", lambda row: "yes" if row.true else "no"),
            build.Field("share", "text", lambda row: percent(row.share)),
            build.Field("95% low", "number", "conf_low", digits=3),
            build.Field("95% high", "number", "conf_high", digits=3),
            file="power",
        ),
        tables={"power": table},
    )


def _places(table: Columns) -> list[build.Field]:
    """Return the columns of metric and group, if there are several."""
    return [
        build.Field(name.capitalize(), "label", name)
        for name in ("metric", "group")
        if any(table[name])
    ]


def _pair(row: Any) -> str:
    """Return the pair of a row; several have none."""
    if not row.algorithm_1:
        return ""
    return f"{row.algorithm_1} \N{EN DASH} {row.algorithm_2}"
