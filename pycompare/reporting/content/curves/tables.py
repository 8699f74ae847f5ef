"""The tables of AUCs."""

from __future__ import annotations

import pandas as pd

from pycompare.analyses.curve_comparison import CurveAnalysis, CurveComparison
from pycompare.curves.auc_pr_pairs import RESAMPLING, AucPrPairsResult
from pycompare.curves.delong import REFERENCE as DELONG
from pycompare.curves.delong import DeLongResult
from pycompare.formatting.numbers import degrees, percent
from pycompare.formatting.rounding import fixed
from pycompare.multiplicity.guarantees import guarantee
from pycompare.plans.post_hoc import described
from pycompare.reporting.content.curves.facts import Way
from pycompare.reporting.document import Column, Inline, Strong, Table
from pycompare.reporting.document.columns import p_equals
from pycompare.results import Estimate, PairsResult

MOST_PAIRS = 10
"""Columns of the grid of data sets by pairs."""
FILES = {True: "pairs_over_cases", False: "pairs_over_folds"}


def grid(way: Way) -> Table | None:
    """Return data sets by pairs: the difference, and its adjusted p-value."""
    pairs = way.pairs()
    if len(way.outcomes) < 2 or len(pairs) > MOST_PAIRS:
        return None
    alpha = way.outcomes[0][1].alpha
    rows = []
    for dataset, outcome in way.outcomes:
        row: list[Inline] = [dataset]
        known = {fact.pair: fact for fact in outcome.pairs}
        for first, second in pairs:
            fact = known[frozenset((first, second))]
            signed = (fact.estimate or 0.0) * (1 if fact.subject == first else -1)
            size = fixed(signed, 3).replace("-", "−")
            text = f"{size}, {p_equals(fact.p_adjusted, alpha)}"
            row.append((Strong(text),) if fact.significant else text)
        rows.append(tuple(row))
    columns = [Column(f"{a} − {b}", "digits") for a, b in pairs]
    return Table(
        f"Difference in AUC on each data set, first minus second, with adjusted "
        f"p-value. Bold: significant at {alpha:g}.",
        (Column("Data set", "label"), *columns),
        tuple(rows),
    )


def wins(found: list[Way]) -> Table | None:
    """Return one row a pair: on how many data sets which one is better."""
    made = [way for way in found if way.outcomes]
    if not made or max(len(way.outcomes) for way in made) < 2:
        return None
    rows = []
    for first, second in made[0].pairs():
        row: list[object] = [f"{first} – {second}"]
        for way in made:
            won, n = way.wins(), len(way.outcomes)
            ahead, behind = won[first, second], won[second, first]
            row += [f"{ahead} / {n - ahead - behind} / {behind}"]
        rows.append(tuple(row))
    columns = [
        Column(f"{way.name.lower()}, {len(way.outcomes)} data sets", "digits")
        for way in made
    ]
    return Table(
        "Number of data sets on which the first is significantly better / neither / "
        "the second is significantly better.",
        (Column("Pair", "label"), *columns),
        tuple(rows),
    )


def pairs(found: PairsResult, alpha: float) -> Table:
    """Return every pair with adjusted and raw p-values."""
    ordered = found.table.sort_values(["p_adjusted", "p_value"], kind="stable")
    rows = tuple(
        (
            f"{row.algorithm_1} – {row.algorithm_2}",
            row.p_adjusted,
            row.estimate,
            (row.conf_low, row.conf_high),
            row.statistic,
            row.p_value,
        )
        for row in ordered.itertuples()
    )
    columns = (
        Column("Pair", "label"),
        Column("adjusted p", "p", alpha),
        Column("difference", "estimate"),
        Column(f"{percent(found.level)} CI", "interval"),
        Column(found.statistic_name, "number"),
        Column("raw p", "p"),
    )
    return Table(
        f"{found.method}, two-sided; {described(found.adjust).title} over "
        f"{found.family}. Difference in area, first minus second. Intervals: "
        f"{found.interval}. Bold: significant at {alpha:g}.",
        columns,
        rows,
        f"tables/{file_of(found)}.csv",
    )


def file_of(found: PairsResult) -> str:
    """Return the CSV file of a comparison of pairs."""
    if isinstance(found, AucPrPairsResult):
        return "pairs_precision_recall"
    return FILES[isinstance(found, DeLongResult)]


def omnibus(found: DeLongResult) -> Table:
    """Return the test of all AUCs."""
    test = found.omnibus
    columns = (
        Column("Test", "label"),
        Column("p", "p"),
        Column(test.statistic_name, "number"),
        Column("df", "digits"),
        Column("source"),
    )
    row = (test.name, test.p_value, test.statistic, degrees(test.df), test.reference)
    return Table("All AUCs together, over cases.", columns, (row,))


def precision_recall(found: AucPrPairsResult) -> Table:
    """Return the area under each precision-recall curve."""
    rows = tuple(
        (str(row.Index), row.estimate, (row.conf_low, row.conf_high))
        for row in found.area.itertuples()
    )
    columns = (
        Column("Algorithm", "label"),
        Column("area", "estimate"),
        Column(f"{percent(found.level)} CI", "interval"),
    )
    return Table(
        f"Area under the precision-recall curve ({found.area_method}; higher is "
        f"better), with percentile intervals, each by itself.",
        columns,
        rows,
    )


def areas(comparison: CurveComparison, analysis: CurveAnalysis) -> Table | None:
    """Return the intervals of each AUC, side by side."""
    rows = tuple(
        (
            name,
            one.method,
            one.estimate,
            (one.conf_low, one.conf_high),
            "; ".join(one.notes),
        )
        for name, own in estimates_of(analysis).items()
        for one in own
    )
    columns = (
        Column("Algorithm", "label"),
        Column("interval method"),
        Column("AUC", "estimate"),
        Column(f"{percent(comparison.level)} CI", "interval"),
        Column("notes"),
    )
    caption = (
        "AUC of each algorithm with its intervals (Aslan 2009, Fig. 3.5). Each "
        "interval is for one AUC; whether two overlap is not a test."
    )
    return Table(caption, columns, rows) if rows else None


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


def methods(comparison: CurveComparison) -> Table:
    """Return the methods with their sources."""
    adjusting = described(comparison.adjust)
    folds = (
        "Aslan (2009) sec. 3.1"
        if comparison.n_train is None
        else "Nadeau & Bengio (2003) Mach. Learn. 52, 239-281"
    )
    sources = {
        "DeLong's test, DeLong intervals": DELONG,
        "DeLong interval, logit scale": "Qin & Hotilovac (2008) Stat. Methods Med. "
        "Res. 17, 207-221",
        "Hanley-McNeil interval": "Hanley & McNeil (1982) Radiology 143, 29-36",
        "Cortes-Mohri interval": "Cortes & Mohri (2004) NIPS 17, 305-312",
        "Agarwal interval": "Agarwal et al. (2005) JMLR 6, 393-425",
        "Areas under precision-recall curves": RESAMPLING,
        "Cross-validated AUC": "LeDell et al. (2015) Electron. J. Stat. 9, 1583-1607",
        "t tests of folds": folds,
        "Mean curves and bands": "Fawcett (2006) Pattern Recognit. Lett. 27, 861-874; "
        "Campbell (1994) Stat. Med. 13, 499-508",
        "Cost curves": "Drummond & Holte (2006) Mach. Learn. 65, 95-130",
    }
    rate = guarantee(f"auc/delong/{comparison.adjust}").text
    rows = [(adjusting.title, rate, adjusting.reference)]
    rows += [(name, "–", source) for name, source in sources.items()]
    columns = (Column("Method", "label"), Column("error rate"), Column("source"))
    return Table("Methods.", columns, tuple(rows))


def csv(analysis: CurveAnalysis) -> dict[str, pd.DataFrame]:
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
