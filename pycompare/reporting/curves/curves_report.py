"""``report_curves``: a folder with the comparison of AUCs, its pictures and R code."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd

from pycompare.curves.auc_pr_pairs import RESAMPLING, AucPrPairsResult
from pycompare.curves.delong import REFERENCE as DELONG
from pycompare.curves.delong import DeLongResult
from pycompare.data.predictions import Predictions
from pycompare.interop import rscript
from pycompare.procedure.curve_comparison import CurveAnalysis, CurveComparison
from pycompare.reporting import folder, html
from pycompare.reporting.common.words import sentence
from pycompare.reporting.curves import curves_words
from pycompare.reporting.page.figures import Drawing, drawn
from pycompare.reporting.page.numbers import number, percent
from pycompare.reporting.page.section import Part, Section, pictures, present
from pycompare.reporting.page.tables import (
    MAX_ROWS,
    METHODS_HEADER,
    Cell,
    Table,
    estimates,
    estimates_header,
    interval,
    label,
    method_row,
    p_cell,
    shortened,
    tests_table,
)
from pycompare.reporting.provenance import versions
from pycompare.reporting.report import write_section
from pycompare.results import Estimate, PairsResult

MARK = ("results.json", "pycompare curves")
MOST_R_ROWS = 20_000
"""Scores that are written into the R script."""
TOO_MANY_FOR_R = (
    "# {} scores: too many to be written here. From Python, .r_code() of any result\n"
    "# writes them.\n"
)
MOST_DRAWN = 8
"""Algorithms in one picture of curves."""


def report_curves(
    comparison: CurveComparison,
    to: str | Path,
    *,
    overwrite: bool = False,
    command: Sequence[str] | None = None,
) -> Path:
    """Write a comparison of AUCs as a folder: report.html, numbers, SVG, R code.

    Parameters
    ----------
    comparison : CurveComparison
        From ``compare_curves``.
    to, overwrite, command
        As in ``report``.

    Returns
    -------
    Path
        The folder.

    Raises
    ------
    InputError
        If the folder exists and may not be replaced.
    """
    target = Path(to)
    check_target(target, overwrite)
    folder.write_aside(target, lambda new: write_all(comparison, new, command))
    return target


def check_target(target: Path, overwrite: bool) -> None:
    """Refuse a folder that exists, unless it is an earlier report to be replaced."""
    folder.check_target(target, MARK, overwrite)


def write_all(
    comparison: CurveComparison, new: Path, command: Sequence[str] | None
) -> None:
    """Write every file of the report into a new folder."""
    for part in ("tables", "figures"):
        (new / part).mkdir()
    origin = provenance(comparison, command)
    script = r_script(comparison)
    told = sections(comparison)
    for section in told:
        write_section(section, new)
    page = html.rendered(
        question=curves_words.question(comparison),
        plan=curves_words.plan(comparison),
        methods=methods(comparison),
        data=data_rows(comparison, origin),
        dropped=dropped(comparison.predictions),
        sections=told,
        caveats=curves_words.caveats(comparison),
        limits=curves_words.limits(comparison),
        origin=origin,
        script=script,
    )
    (new / "report.html").write_text(page, encoding="utf-8")
    (new / "repeat_in_R.R").write_text(script, encoding="utf-8")
    content = {"made_by": MARK[1], "provenance": origin, **comparison.to_dict()}
    (new / "results.json").write_text(
        json.dumps(content, indent=1, allow_nan=False) + "\n", encoding="utf-8"
    )


def r_script(comparison: CurveComparison) -> str:
    """Return the R script, without data if there are too many."""
    n = comparison.predictions.score.size
    if n > MOST_R_ROWS:
        return TOO_MANY_FOR_R.format(n)
    return rscript.script(comparison.results())


def provenance(
    comparison: CurveComparison, command: Sequence[str] | None
) -> dict[str, Any]:
    """Return what is needed to make the report again."""
    source = comparison.predictions.source
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "file": None if source is None else source.name,
        "file_sha256": None if source is None else source.sha256,
        "predictions_sha256": sha256(comparison.predictions),
        "command": None if command is None else shlex.join(command),
        "plan_file": None,
        "seed": comparison.seed,
        "randomness": f"{comparison.seed}, for bootstrap intervals, for the comparison "
        "of areas under precision-recall curves, which makes no verdict, and for the "
        "bands of the pictures; no verdict is random",
        "versions": versions(),
    }


def sha256(predictions: Predictions) -> str:
    """Return a hash of labels, classes and scores, the same on any machine."""
    names = ("blocks", "algorithms", "datasets", "positive", "negative", "cases")
    content = {name: getattr(predictions, name) for name in names}
    found = hashlib.sha256(json.dumps(content, sort_keys=True).encode("ascii"))
    found.update(predictions.score.astype("<f8").tobytes())
    found.update(predictions.is_positive.tobytes())
    found.update(predictions.offsets.astype("<i8").tobytes())
    if predictions.case is not None:
        found.update(predictions.case.astype("<i8").tobytes())
    return found.hexdigest()


def data_rows(
    comparison: CurveComparison, origin: dict[str, Any]
) -> list[tuple[str, str]]:
    """Return the description of the data."""
    found = comparison.predictions
    n = len(comparison.analyses)
    low, high = number(found.score.min()), number(found.score.max())
    named = f"named: {len(found.cases)}" if found.case is not None else "not named"
    return [
        ("File", origin["file"] or "handed over in memory"),
        ("SHA-256 of the file", origin["file_sha256"] or "–"),
        ("SHA-256 of the predictions", origin["predictions_sha256"]),
        ("Algorithms", f"{found.n_algorithms}: {', '.join(found.algorithms)}"),
        ("Data sets", "not named, taken as one" if found.datasets is None else str(n)),
        ("Blocks", str(found.n_blocks)),
        ("Cases", named),
        ("Scores", f"{found.score.size}, from {low} to {high}"),
        ("Classes", f"positive {found.positive}, negative {found.negative}"),
        ("Policy for missing blocks", found.missing),
        ("Policy for blocks with one class", found.one_class),
    ]


def dropped(predictions: Predictions) -> list[str]:
    """Return what was left out."""
    gone = predictions.dropped.blocks
    sentences = [sentence(note) for note in predictions.notes if note]
    if gone:
        sentences.append(f"{len(gone)} blocks were dropped: {', '.join(gone)}.")
    return sentences or ["Nothing was dropped."]


def methods(comparison: CurveComparison) -> Table:
    """Return the methods with their sources."""
    words = {
        "DeLong's test, DeLong intervals": DELONG,
        "DeLong interval, logit scale": "Qin & Hotilovac (2008) Stat. Methods Med. "
        "Res. 17, 207-221",
        "Hanley-McNeil interval": "Hanley & McNeil (1982) Radiology 143, 29-36",
        "Cortes-Mohri interval": "Cortes & Mohri (2004) NIPS 17, 305-312",
        "Agarwal interval": "Agarwal et al. (2005) JMLR 6, 393-425",
        "Areas under precision-recall curves": RESAMPLING,
        "Cross-validated AUC": "LeDell et al. (2015) Electron. J. Stat. 9, 1583-1607",
        "t tests of folds": "Aslan (2009) sec. 3.1"
        if comparison.n_train is None
        else "Nadeau & Bengio (2003) Mach. Learn. 52, 239-281",
        "Mean curves and bands": "Fawcett (2006) Pattern Recognit. Lett. 27, 861-874; "
        "Campbell (1994) Stat. Med. 13, 499-508",
        "Cost curves": "Drummond & Holte (2006) Mach. Learn. 65, 95-130",
    }
    rows = [(label(name), label("–"), label(source)) for name, source in words.items()]
    adjusting = method_row(comparison.adjust)
    return Table("Methods of the plan.", METHODS_HEADER, (adjusting, *rows))


def sections(comparison: CurveComparison) -> list[Section]:
    """Return one section a data set."""
    several = len(comparison.analyses) > 1
    return [
        section(comparison, analysis, f"dataset{place}_" if several else "")
        for place, analysis in enumerate(comparison.analyses, start=1)
    ]


def section(
    comparison: CurveComparison, analysis: CurveAnalysis, prefix: str
) -> Section:
    """Return everything about one data set."""
    figures = drawn(drawings(comparison, analysis))
    return Section(
        title="AUC" if analysis.dataset is None else f"AUC, {analysis.dataset}",
        prefix=prefix,
        verdict=tuple(curves_words.verdict(analysis, comparison.alpha)),
        parts=(*parts(comparison, analysis), *pictures(figures)),
        figures=figures,
        tables=csv_tables(analysis),
        not_in_r=not_in_r(analysis),
    )


def not_in_r(analysis: CurveAnalysis) -> tuple[str, ...]:
    """Return the adjustments that R cannot repeat for so many algorithms."""
    found = (analysis.over_cases, analysis.over_folds)
    lost = [
        f.adjust
        for f in found
        if isinstance(f, PairsResult)
        and (f.r_call() is None or not getattr(f, "repeatable", True))
    ]
    return tuple(dict.fromkeys(lost))


def parts(comparison: CurveComparison, analysis: CurveAnalysis) -> Iterator[Part]:
    """Yield the tables under their headings."""
    again = "; cases occur in several" if analysis.repeated else ""
    summary = (
        f"{analysis.n_positive} positive and {analysis.n_negative} negative rows of "
        f"each algorithm, {len(analysis.blocks)} blocks{again}."
    )
    yield Part("Data of this analysis", (summary,))
    yield Part("Areas and their intervals", tuple(area_content(comparison, analysis)))
    for heading, found in (
        ("Over cases: DeLong's test", analysis.over_cases),
        (PRECISION_RECALL, analysis.precision_recall),
        ("Over folds: t tests", analysis.over_folds),
    ):
        if isinstance(found, str):
            yield present(heading, f"Not made: {found}.")
            continue
        tables: list[str | Table] = []
        if isinstance(found, DeLongResult):
            caption = "All AUCs together, over cases."
            tables.append(tests_table(caption, [found.omnibus], comparison.alpha))
        if isinstance(found, AucPrPairsResult):
            tables += [curves_words.precision_recall(analysis, found), areas(found)]
        tables.append(pairs_table(found, comparison.alpha, file_of(found)))
        tables += map(sentence, found.notes)
        yield present(heading, *tables)


PRECISION_RECALL = "Over cases: areas under precision-recall curves"


def file_of(found: PairsResult) -> str:
    """Return the CSV file of a comparison of pairs."""
    if isinstance(found, AucPrPairsResult):
        return "pairs_precision_recall"
    over = "cases" if isinstance(found, DeLongResult) else "folds"
    return f"pairs_over_{over}"


def areas(found: AucPrPairsResult) -> Table:
    """Return the area under each precision-recall curve."""
    rows = tuple(
        (
            label(str(row.Index)),
            Cell(number(row.estimate)),
            interval(row.conf_low, row.conf_high),
        )
        for row in found.area.itertuples()
    )
    return Table(
        f"Area under the precision-recall curve of each algorithm "
        f"({found.area_method}), higher is better, with {percent(found.level)} "
        f"percentile intervals, each by itself.",
        ("Algorithm", "Area", "Interval"),
        rows,
    )


def area_content(
    comparison: CurveComparison, analysis: CurveAnalysis
) -> Iterator[str | Table]:
    """Yield the table of intervals, and what has none."""
    rows = []
    for name, own in estimates_of(analysis).items():
        for found in own:
            limits = interval(found.conf_low, found.conf_high)
            notes = label("; ".join(found.notes))
            area = Cell(number(found.estimate))
            rows.append((label(name), label(found.method), area, limits, notes))
    if rows:
        yield Table(
            f"AUC of each algorithm with {percent(comparison.level)} intervals, side "
            "by side (Aslan 2009, Fig. 3.5). Each is for one AUC; their overlap is no "
            "test.",
            ("Algorithm", "Interval by", "AUC", "Interval", "Notes"),
            tuple(rows),
        )
    reasons = [
        f"No {what} for {name}: {found}."
        for what, made in (
            ("intervals", analysis.intervals),
            ("cross-validated AUC", analysis.cross_validated),
        )
        for name, found in made.items()
        if isinstance(found, str)
    ]
    yield from reasons
    if analysis.repeated:
        yield (
            "Cases occur in several blocks, so only intervals that allow for that are "
            "made."
        )


def estimates_of(analysis: CurveAnalysis) -> dict[str, list[Estimate]]:
    """Return all intervals by algorithm."""
    found: dict[str, list[Estimate]] = {}
    for name, intervals in analysis.intervals.items():
        own: list[Estimate] = []
        if not isinstance(intervals, str):
            own += intervals.intervals
        cross_validated = analysis.cross_validated[name]
        if not isinstance(cross_validated, str):
            own.append(cross_validated)
        found[name] = own
    return found


def pairs_table(found: PairsResult, alpha: float, file: str) -> Table:
    """Return every pair with raw and adjusted p-values."""
    ordered = found.table.sort_values(["p_adjusted", "p_value"], kind="stable")
    rows = tuple(
        (*estimates(row), p_cell(found.table["p_adjusted"][row.Index], alpha))
        for row in ordered.itertuples()
    )
    caption = (
        f"{found.method}, two-sided, over {found.family}. Difference: area of the "
        f"first minus that of the second, positive where the first is better. "
        f"Intervals: {found.interval}. Bold with a mark: at most alpha = {alpha}."
    )
    header = (*estimates_header(found), f"adjusted p ({found.adjust})")
    caption = shortened(caption, rows, file)
    return Table(caption, header, rows[:MAX_ROWS])


def csv_tables(analysis: CurveAnalysis) -> dict[str, pd.DataFrame]:
    """Return the tables for CSV files, full precision."""
    frames = [
        found.to_frame().assign(algorithm=name)
        for name, own in estimates_of(analysis).items()
        for found in own
    ]
    tables = {"areas": pd.concat(frames, ignore_index=True)} if frames else {}
    if isinstance(analysis.over_cases, DeLongResult):
        tables["pairs_over_cases"] = analysis.over_cases.to_frame()
        tables["all_over_cases"] = analysis.over_cases.omnibus.to_frame()
    if isinstance(analysis.precision_recall, AucPrPairsResult):
        found = analysis.precision_recall
        tables[file_of(found)] = found.to_frame()
        tables["areas_precision_recall"] = found.area.rename_axis(
            "algorithm"
        ).reset_index()
    if isinstance(analysis.over_folds, PairsResult):
        tables["pairs_over_folds"] = analysis.over_folds.to_frame()
    return tables


def drawings(comparison: CurveComparison, analysis: CurveAnalysis) -> Iterator[Drawing]:
    """Draw intervals, ROC, precision-recall and cost curves."""
    from pycompare import plotting

    found = {name: own for name, own in estimates_of(analysis).items() if own}
    if found:
        yield (
            "auc_intervals",
            plotting.auc_intervals(dict(list(found.items())[:MOST_DRAWN])),
            f"AUC with its {percent(comparison.level)} intervals{first(found)}.",
            "Intervals of each algorithm's AUC, one under another.",
        )
    chosen = comparison.predictions.algorithms[:MOST_DRAWN]
    options: dict[str, Any] = {
        "algorithms": chosen,
        "dataset": analysis.dataset,
        "level": comparison.level,
        "seed": comparison.seed,
    }
    names = first(comparison.predictions.algorithms)
    yield (
        "roc_curves",
        plotting.roc_curves(comparison.predictions, **options),
        f"ROC curves of all folds and their means{names}.",
        "ROC curves: true positive rate over false positive rate.",
    )
    yield (
        "pr_curves",
        plotting.pr_curves(comparison.predictions, **options),
        f"Precision-recall curves of all folds and their means{names}.",
        "Precision-recall curves.",
    )
    yield (
        "cost_curves",
        plotting.cost_curves(comparison.predictions, **options),
        f"Cost curves{names}: the least normalised expected cost at each probability "
        "cost; lower is better.",
        "Cost curves: least expected cost over the probability cost.",
    )


def first(names: Any) -> str:
    """Say that only some algorithms are drawn."""
    n = len(names)
    return "" if n <= MOST_DRAWN else f", the first {MOST_DRAWN} of {n} algorithms"


def summary(comparison: CurveComparison) -> str:
    """Return the verdicts as text."""
    lines = []
    for analysis in comparison.analyses:
        lines += [] if analysis.dataset is None else [f"{analysis.dataset}:"]
        lines += curves_words.verdict(analysis, comparison.alpha)
    return "\n".join([*lines, *curves_words.caveats(comparison)])
