"""The tables of the analysis of cases."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from pycompare.analyses.cases import CaseAnalysis
from pycompare.formatting.numbers import percent
from pycompare.reporting.content import build
from pycompare.reporting.content.build import PAIR, Field, limits_of
from pycompare.reporting.document import Block, Fold, Section, Table, present

_ODDS = ("only_1", "only_2", "odds_ratio", "odds_low", "odds_high")


def blocks(analysis: CaseAnalysis, alpha: float) -> Iterator[Block]:
    """Yield pairs, accuracies and the omnibus test."""
    yield Section("Pairwise comparisons", (build.pairs(analysis, alpha),), "")
    caption = "Omnibus test."
    yield Fold(
        "Omnibus test", (build.tests(caption, (analysis.omnibus,), alpha),), "omnibus"
    )
    found = present(_accuracies(analysis), _discordant(analysis))
    if found:
        yield Fold("Accuracies and discordant cases", found, "accuracies")


def _accuracies(analysis: CaseAnalysis) -> Table | None:
    found = analysis.accuracies
    if found is None:
        return None
    return build.table(
        f"Mean {found.metric} of each algorithm with Wilson's interval, each by "
        f"itself. Overlap of two intervals is no test of their difference.",
        found.table.sort_values(
            "estimate", ascending=analysis.metric.better == "lower", kind="stable"
        ),
        Field("Algorithm", "label", "algorithm"),
        Field(found.metric, "number", "estimate", digits=4),
        Field(f"{percent(found.level)} CI", "interval", limits_of),
        Field("ones", "count", "ones"),
        Field("cases", "count", "n"),
        file="accuracies",
    )


def _discordant(analysis: CaseAnalysis) -> Table | None:
    """Return the cases on which two algorithms differ, and their odds ratio."""
    pairs = analysis.decisive
    table = next((p.table for p in analysis.pairs if "odds_ratio" in p.table), None)
    if table is None:
        return None
    return build.table(
        f"Cases on which only the first, or only the second, has 1; conditional odds "
        f"ratio first to second, with exact simultaneous {percent(pairs.level)} "
        f"intervals (Bonferroni).",
        table,
        PAIR,
        Field("only first", "count", "only_1"),
        Field("only second", "count", "only_2"),
        Field("odds ratio", "number", "odds_ratio"),
        Field(
            f"{percent(pairs.level)} CI",
            "interval",
            lambda row: (row.odds_low, row.odds_high),
        ),
        file="odds_ratios",
    )


def csv_tables(analysis: CaseAnalysis) -> dict[str, pd.DataFrame]:
    """Return the tables of one metric for CSV files, full precision."""
    tables = {"omnibus": analysis.omnibus.to_frame(), "pairs": analysis.pairs_table()}
    if analysis.accuracies is not None:
        tables["accuracies"] = analysis.accuracies.to_frame()
    odds = next((p.table for p in analysis.pairs if "odds_ratio" in p.table), None)
    if odds is not None:
        tables["odds_ratios"] = odds[["algorithm_1", "algorithm_2", *_ODDS]]
    return tables
